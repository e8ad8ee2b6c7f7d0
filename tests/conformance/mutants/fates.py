"""What becomes of a mutant of the plain implementation, and the tables of that."""

import ast
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from tests.conformance.mutants.operators import ATOMS, Mutant, source_of

SURVIVORS: Final = Path(__file__).with_name("survivors.txt")
UNDECIDED: Final = "undecided"
"""Stands in the table for an argument that is missing."""
SAME: Final = "The changed condition has the same value in every situation that it asks about."


class Argument(NamedTuple):
    """Why mutants are chess after all: patterns of their place, their site and their change."""

    place: str
    site: str
    change: str
    why: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether a mutant is meant."""
        parts = mutant.place, source_of(mutant), mutant.change
        return all(
            fnmatchcase(part.replace("[", "(").replace("]", ")"), pattern)
            for part, pattern in zip(parts, self[:3], strict=True)
        )


@cache
def arguments() -> tuple[Argument, ...]:
    """The lines of ``survivors.txt``; in the code that they name, ( and ) stand for [ and ]."""
    lines = SURVIVORS.read_text("utf-8").splitlines()
    return tuple(
        Argument(*line.split(" | ")) for line in lines if line and not line.startswith("#")
    )


@cache
def _values() -> dict[str, list[object]]:
    """What the names can be that tell situations apart; one value stands for all others."""
    found: dict[str, list[object]] = {}
    for name, atoms in ATOMS.items():
        texts = [atom.partition(" == ")[2] for atom in atoms]
        is_truth = not all(texts)
        found[name] = [False, True] if is_truth else [*map(ast.literal_eval, texts), "another"]
    return found


def _names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def says_the_same(condition: str, change: str) -> bool:
    """Whether a change of a condition about nothing but the situation never gives another value."""
    names = sorted((_names(condition) | _names(change)) - {"_"})
    if "_" not in _names(change) or not set(names) <= set(_values()):
        return False
    for values in product(*(_values()[name] for name in names)):
        known = dict(zip(names, values, strict=True))
        value = bool(eval(condition, {}, known))
        if bool(eval(change, {}, known | {"_": value})) != value:
            return False
    return True


def why_chess(mutant: Mutant) -> str:
    """The argument that a mutant is chess; empty if there is none."""
    for argument in arguments():
        if argument.fits(mutant):
            return argument.why
    is_table = mutant.operator == "table"
    return SAME if not is_table and says_the_same(source_of(mutant), mutant.change) else ""


class Fate(NamedTuple):
    """What becomes of a mutant.

    Attributes:
        mutant: The mutant.
        smoke: Whether a case of the level ``smoke`` finds it.
        core: Whether one of the core does.
        further: The case of the full suite that finds what the core does not; empty if none does.
        why: The argument that what no case finds is chess; empty if there is none.
        touched: Whether what no case finds changed a condition in some case or random position.
    """

    mutant: Mutant
    smoke: bool
    core: bool
    further: str
    why: str
    touched: bool

    @property
    def full(self) -> bool:
        """Whether a case of the full suite finds it."""
        return self.core or bool(self.further)

    @property
    def is_undecided(self) -> bool:
        """Whether nothing speaks for its being chess, nor against it."""
        return not (self.full or self.why or self.touched)

    @property
    def is_alive(self) -> bool:
        """Whether it lives though it changes something."""
        return self.touched and not (self.full or self.why)

    @property
    def differs(self) -> bool:
        """Whether it is something else than chess, as far as is known."""
        return self.full or self.is_alive


COLUMNS: Final = ("mutants", "smoke", "core", "full", "argued", UNDECIDED, "alive")


def by_operator(fates: Sequence[Fate]) -> Iterator[Sequence[str | int]]:
    """A row for each operator and one for all: the mutants, those found by level, and the others.

    Each mutant is found by the full suite, argued to be chess, undecided or alive.
    """
    yield "operator", *COLUMNS
    for operator in [*sorted({fate.mutant.operator for fate in fates}), "all"]:
        those = [fate for fate in fates if operator in (fate.mutant.operator, "all")]
        yield (
            operator,
            len(those),
            sum(fate.smoke for fate in those),
            sum(fate.core for fate in those),
            sum(fate.full for fate in those),
            sum(bool(fate.why) for fate in those),
            sum(fate.is_undecided for fate in those),
            sum(fate.is_alive for fate in those),
        )


def survivors(fates: Sequence[Fate]) -> Iterator[Sequence[str]]:
    """A row for each mutant that no case finds: the code, the change, and why it is chess."""
    yield "function or table", "code", "operator", "change", "why it is chess"
    for fate in fates:
        mutant = fate.mutant
        if not fate.full:
            why = fate.why or (UNDECIDED if fate.is_undecided else "")
            yield mutant.place, source_of(mutant), mutant.operator, mutant.change, why
