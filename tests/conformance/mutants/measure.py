"""Which cases find which mutants.

A case can only find a mutant if, while the case is answered, the changed condition has another
value than the one in its place: the mutant is *touched*. One run with probes says which mutants a
case touches; only these are run on it.
"""

import ast
import copy
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sanproof.verify.conformance.asking import judge
from sanproof.verify.conformance.outcome import Outcome
from sanproof.verify.conformance.suite import Case, Demand, Operation, Suite
from tests import oracle
from tests.conformance.mutants.operators import (
    Mutant,
    Mutated,
    Site,
    compiled,
    functions,
    sites,
)

Seen = dict[tuple[str, int], set[tuple[bool, tuple[Any, ...]]]]
"""For each site the values that it had, with what was known in its scope."""


def answer(case: Case) -> dict[str, object]:
    """The plain implementation's answer to a case."""
    asked = case.asked or ""
    try:
        position = oracle.position_of(case.fen or "")
        match case.operation:
            case Operation.READ:
                return {"result": oracle.uci_of(oracle.read(position, asked))}
            case Operation.WRITE:
                return {"result": oracle.write(position, oracle.move_of(asked))}
            case Operation.MOVES:
                moves = oracle.legal_moves(position)
                return {"result": sorted(oracle.write(position, move) for move in moves)}
            case _:
                return {
                    "result": oracle.fen_of(oracle.play(position, oracle.read(position, asked)))
                }
    except oracle.Refused as refusal:
        return {"rejected": str(refusal)}
    except Exception:  # noqa: BLE001 - a mutant may break down in any way, and has then failed
        return {"result": None}


def asked(suite: Suite) -> list[Case]:
    """The cases that a mutant can fail: of standard chess, without games in PGN."""
    return [
        case
        for case in suite.cases
        if case.operation is not Operation.GAME and case.demand is not Demand.MAY
    ]


def fails(case: Case) -> bool:
    """Whether the plain implementation, as it is now, fails a case."""
    return judge(case, answer(case)) in {Outcome.FAILED, Outcome.GARBLED}


class _Probes(ast.NodeTransformer):
    """Puts a probe at each site of a function."""

    def __init__(self, place: str, found: list[Site]) -> None:
        self.place = place
        self.sites = {id(site.node): site for site in found}

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - a node, or several in its stead
        site = self.sites.get(id(node))
        changed: Any = super().generic_visit(node)
        if site is None:
            return changed
        context = "".join(f"{name}, " for name in site.context)
        call = ast.parse(f"_probe({self.place!r}, {site.number}, False, ({context}))")
        if site.is_statement:
            return [call.body[0], changed]
        expression: ast.Call = call.body[0].value  # type: ignore[attr-defined]
        expression.args[2] = changed
        return expression


@contextmanager
def probed() -> Iterator[Seen]:
    """The plain implementation with probes; what they see is gathered in the sets."""
    seen: Seen = defaultdict(set)

    def probe(place: str, number: int, value: object, context: tuple[Any, ...]) -> object:
        seen[place, number].add((bool(value), context))
        return value

    old = {}
    vars(oracle)["_probe"] = probe
    for name, original in functions().items():
        function = copy.deepcopy(original)
        visitor = _Probes(name, sites(function))
        function.body = [
            part for statement in function.body for part in _as_list(visitor.visit(statement))
        ]
        old[name] = getattr(oracle, name)
        setattr(oracle, name, compiled(ast.fix_missing_locations(function)))
    try:
        yield seen
    finally:
        for name, value in old.items():
            setattr(oracle, name, value)
        del vars(oracle)["_probe"]


def _as_list(node: object) -> list[Any]:
    return node if isinstance(node, list) else [node]


def touched(seen: Seen) -> set[tuple[str, int, str]]:
    """The mutants that probes have seen to change a value: place, site and change."""
    return {
        (*key, change)
        for key, pairs in seen.items()
        for value, context in pairs
        for change in _changing(key, value, context)
    }


@cache
def _changing(key: tuple[str, int], value: bool, context: tuple[Any, ...]) -> list[str]:
    """The changes at a site that give another value in a situation."""
    site = _sites()[key]
    if isinstance(site.node, ast.Constant):
        return [change for _, change in site.variants]
    known = dict(zip(site.context, context, strict=True)) | {"_": value}
    return [change for _, change in site.variants if bool(eval(change, {}, known)) != value]


@cache
def _sites() -> dict[tuple[str, int], Site]:
    return {
        (name, site.number): site
        for name, function in functions().items()
        for site in sites(function)
    }


def touching(cases: Sequence[Case], mutants: Iterable[Mutant]) -> dict[Mutant, list[int]]:
    """For each mutant the numbers of the cases that touch it; tables are touched by all."""
    by_key: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    with probed() as seen:
        for number, case in enumerate(cases):
            seen.clear()
            if fails(case):
                raise ValueError(f"{case.id} is failed without a mutant")
            for key in touched(seen):
                by_key[key].append(number)
    everything = list(range(len(cases)))
    return {
        mutant: everything
        if mutant.operator == "table"
        else by_key.get((mutant.place, mutant.site, mutant.change), [])
        for mutant in mutants
    }


def finders(cases: Sequence[Case], mutants: Sequence[Mutant]) -> dict[Mutant, int | None]:
    """For each mutant a case that finds it, or None. What found many is tried first."""
    order = touching(cases, mutants)
    wins = [0] * len(cases)
    found: dict[Mutant, int | None] = {}
    for mutant in mutants:
        numbers = sorted(order[mutant], key=lambda number: -wins[number])
        with Mutated(mutant):
            first = next((number for number in numbers if fails(cases[number])), None)
        found[mutant] = first
        if first is not None:
            wins[first] += 1
    return found
