"""The fates of the mutants of the oracle, and the tables of them."""

import ast
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from sanproof.reports.tables.rows import table
from tests.conformance.mutants.operators import ATOMS, Mutant, source_of

UNDECIDED: Final = "undecided"
"""Stands in the table for an argument that is missing."""
SAME: Final = "The changed condition has the same value in every situation that it asks about."


@cache
def arguments() -> list[list[str]]:
    """Return the lines of ``survivors.txt``: patterns of place, site and change, and why."""
    return list(table(__package__, "survivors.txt", 4))


def fits(patterns: Sequence[str], mutant: Mutant) -> bool:
    """Check whether a line is about a mutant; in the code, ( and ) stand for [ and ]."""
    parts = mutant.place, source_of(mutant), mutant.change
    plain = (part.replace("[", "(").replace("]", ")") for part in parts)
    return all(map(fnmatchcase, plain, patterns))


@cache
def _values() -> dict[str, list[object]]:
    """Return what the names can be that tell situations apart; one value stands for others."""
    found: dict[str, list[object]] = {}
    for name, atoms in ATOMS.items():
        texts = [atom.partition(" == ")[2] for atom in atoms]
        is_truth = not all(texts)
        found[name] = [False, True] if is_truth else [*map(ast.literal_eval, texts), "another"]
    return found


def says_the_same(condition: str, change: str) -> bool:
    """Check whether a change of a condition about the situation never gives another value."""
    nodes = (node for source in (condition, change) for node in ast.walk(ast.parse(source)))
    names = sorted({node.id for node in nodes if isinstance(node, ast.Name)})
    if "_" not in names or not set(names) - {"_"} <= set(_values()):
        return False
    names.remove("_")
    for values in product(*(_values()[name] for name in names)):
        known = dict(zip(names, values, strict=True))
        value = bool(eval(condition, {}, known))
        if bool(eval(change, {}, known | {"_": value})) != value:
            return False
    return True


def why_chess(mutant: Mutant) -> str:
    """Return the argument that a mutant is chess; empty otherwise."""
    for *patterns, why in arguments():
        if fits(patterns, mutant):
            return why
    is_table = mutant.operator == "table"
    return SAME if not is_table and says_the_same(source_of(mutant), mutant.change) else ""


class Fate(NamedTuple):
    """The fate of a mutant.

    Attributes:
        mutant: The mutant.
        smoke: Whether a case of the level ``smoke`` finds it.
        core: Whether one of the core does.
        why: The argument that what no case finds is chess; empty otherwise.
        differs: Whether what no case finds answers some biased position wrongly.
    """

    mutant: Mutant
    smoke: bool
    core: bool
    why: str
    differs: bool

    @property
    def is_undecided(self) -> bool:
        """Check whether nothing speaks for its being chess, nor against it."""
        return not (self.core or self.why or self.differs)

    @property
    def is_alive(self) -> bool:
        """Check whether it lives though it is not chess."""
        return self.differs and not self.core


COLUMNS: Final = ("mutants", "smoke", "core", "argued", UNDECIDED, "alive")


def by_operator(fates: Sequence[Fate]) -> Iterator[Sequence[str | int]]:
    """Yield a row for each operator and one for all: the mutants, and how many have each fate."""
    yield "operator", *COLUMNS
    for operator in [*sorted({fate.mutant.operator for fate in fates}), "all"]:
        those = [fate for fate in fates if operator in (fate.mutant.operator, "all")]
        marks = ((True, f.smoke, f.core, bool(f.why), f.is_undecided, f.is_alive) for f in those)
        yield operator, *map(sum, zip(*marks, strict=True))


def survivors(fates: Sequence[Fate]) -> Iterator[Sequence[str]]:
    """Yield a row for each mutant that no case finds: the code, the change, why it is chess."""
    yield "function or table", "code", "operator", "change", "why it is chess"
    for fate in fates:
        mutant = fate.mutant
        if not fate.core:
            why = fate.why or (UNDECIDED if fate.is_undecided else "")
            yield mutant.place, source_of(mutant), mutant.operator, mutant.change, why
