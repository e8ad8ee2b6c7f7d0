"""Counts the mutants that the cases of the suite find, by operator: ``nox -s suite``.

The table is docs/tables/mutants.csv. Many mutants are still chess, so no case can find them: a
condition has the same value in every position, or a table says something twice. No case is chosen
for a mutant.

A case can only find a mutant if, while the case is answered, the changed condition has another
value than the one in its place: the mutant is *touched*. One run with probes says which mutants a
case touches; only these are run on it.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from conformance.keep import csv_text
from conformance.suite.build import smoke_of
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import Case, Suite, asked_of
from tests import oracle
from tests.conformance.mutants.operators import Mutant, mutants, mutated, probed, sites
from tests.verify.command import ROOT

TABLE: Final = ROOT / "docs" / "tables" / "mutants.csv"


@cache
def core_suite() -> Suite:
    """Return the published core."""
    return dict(runner.load(str(ROOT / "data" / "conformance" / "core.json")))


def answer(case: Case) -> dict[str, object]:
    """Return the oracle's answer to a case."""
    text = asked_of(case)
    try:
        position = oracle.position_of(case["fen"])
        match case["operation"]:
            case "read":
                return {"result": oracle.uci_of(oracle.read(position, text))}
            case "write":
                return {"result": oracle.write(position, oracle.move_of(text))}
            case "moves":
                moves = oracle.legal_moves(position)
                return {"result": sorted(oracle.write(position, move) for move in moves)}
            case _:
                return {"result": oracle.fen_of(oracle.play(position, oracle.read(position, text)))}
    except oracle.Refused as refusal:
        return {"rejected": str(refusal)}
    except Exception:  # noqa: BLE001 - a mutant may break down in any way, and has then failed
        return {"result": None}


def asked(suite: Suite) -> list[Case]:
    """Return the cases that a mutant can fail: of standard chess, without games in PGN."""
    return [
        case for case in suite["cases"] if case["operation"] != "game" and case["class"] != "may"
    ]


def fails(case: Case) -> bool:
    """Check whether the oracle, as it is now, fails a case."""
    return runner.judged(case, answer(case)) in {"failed", "garbled"}


@cache
def _changing(key: tuple[str, int], value: bool, context: tuple[Any, ...]) -> list[str]:
    """Return the changes at a site that give another value in a situation."""
    site = sites()[key]
    changes = [change for _, change in site.variants]
    if isinstance(site.node, ast.Constant):
        return changes
    return [c for c in changes if bool(site.changed(c)(value, *context)) != value]


def touching(cases: Sequence[Case], chosen: Iterable[Mutant]) -> dict[Mutant, list[int]]:
    """Return for each mutant the numbers of the cases that touch it; tables are touched by all."""
    by_key: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    seen: set[tuple[str, int, bool, tuple[Any, ...]]] = set()
    with probed(lambda *found: seen.add(found)):
        for number, case in enumerate(cases):
            seen.clear()
            if fails(case):
                raise ValueError(f"{case['id']} is failed without a mutant")
            found = {
                (place, site, change)
                for place, site, value, context in seen
                for change in _changing((place, site), value, context)
            }
            for key in found:
                by_key[key].append(number)
    everything = list(range(len(cases)))
    return {
        mutant: everything
        if mutant.operator == "table"
        else by_key.get((mutant.place, mutant.site, mutant.change), [])
        for mutant in chosen
    }


def finders(cases: Sequence[Case], chosen: Sequence[Mutant]) -> dict[Mutant, int | None]:
    """Return for each mutant a case that finds it, or None. What found many is tried first."""
    order = touching(cases, chosen)
    wins = [0] * len(cases)
    found: dict[Mutant, int | None] = {}
    for mutant in chosen:
        numbers = sorted(order[mutant], key=lambda number: -wins[number])
        with mutated(mutant):
            first = next((number for number in numbers if fails(cases[number])), None)
        found[mutant] = first
        if first is not None:
            wins[first] += 1
    return found


def counts(chosen: Sequence[Mutant]) -> Iterator[Sequence[str | int]]:
    """Yield a row for each operator and one for all: the mutants, and how many each level finds."""
    core = core_suite()
    suites = {"smoke": smoke_of(core), "core": core}
    found = {level: finders(asked(suite), chosen) for level, suite in suites.items()}
    yield "operator", "mutants", *suites
    for operator in [*sorted({mutant.operator for mutant in chosen}), "all"]:
        those = [mutant for mutant in chosen if operator in (mutant.operator, "all")]
        numbers = (sum(by[mutant] is not None for mutant in those) for by in found.values())
        yield operator, len(those), *numbers


if __name__ == "__main__":
    TABLE.write_text(csv_text(counts(mutants())), encoding="utf-8")
