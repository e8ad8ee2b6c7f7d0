"""What of the conformance suite finds the mutants, by operator: ``nox -s harden -- suite_mutants``.

``python -m tests.conformance.mutants [--each N]`` judges every mutant, or each Nth. A mutant
that no case finds is chess if its condition has the same value in all cases and in random
positions, or if ``survivors.txt`` argues it; any other is printed, and the exit code is 1. So it is
if the core finds less than it must. ``--keep`` writes both tables into ``docs/tables``.
``--choose`` writes ``smoke.txt`` instead, the cases that find most mutants: each in turn is the one
that finds most of those that are not found yet.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import chess

from conformance.keep import csv_text
from conformance.suite.build import core_suite, further_suite
from conformance.suite.publish import smoke_of
from sanproof.verify.conformance.suite import Case, Demand, Operation
from tests.conformance.mutants.fates import Fate, by_operator, survivors, why_chess
from tests.conformance.mutants.measure import answer, asked, finders, found_by, greedily, touching
from tests.conformance.mutants.operators import Mutant, mutants, source_of
from tests.verify.command import ROOT

LEAST_MUTANTS: Final = 1000
LEAST_SHARE: Final = 0.99
RANDOM_POSITIONS: Final = 100
MAX_SMOKE: Final = 150
TABLES: Final = ROOT / "docs" / "tables"
SMOKE: Final = ROOT / "conformance" / "suite" / "smoke.txt"
HEAD: Final = (
    "# The cases of the smallest suite, which find most mutants: ids of the core, chosen greedily."
)


def random_boards(count: int, seed: int = 26) -> Iterator[chess.Board]:
    """Yield positions of random games."""
    chance = random.Random(seed)
    for _ in range(count):
        board = chess.Board()
        for _ in range(chance.randrange(4, 100)):
            moves = list(board.legal_moves)
            if moves:
                board.push(chance.choice(moves))
        yield board


def random_cases() -> Iterator[Case]:
    """Yield cases of all moves of positions of random games, as the oracle has them."""
    for number, board in enumerate(random_boards(RANDOM_POSITIONS)):
        case = Case(str(number), Operation.MOVES, Demand.MUST, "", "white", "", board.fen())
        yield replace(case, expected=answer(case).get("result"))


def fates(chosen: Sequence[Mutant]) -> Iterator[Fate]:
    """Yield what becomes of each mutant when the suite is asked."""
    core = core_suite()
    cases = asked(core)
    of_core = finders(cases, chosen)
    of_smoke = finders(asked(smoke_of(core)), chosen)
    known = {case.id for case in cases}
    more = [case for case in asked(further_suite()) if case.id not in known]
    further = finders(more, [mutant for mutant, case in of_core.items() if case is None])
    unseen = [mutant for mutant, number in further.items() if number is None]
    touches = touching([*cases, *more, *random_cases()], unseen)
    for mutant in chosen:
        by_more = further.get(mutant)
        yield Fate(
            mutant,
            smoke=of_smoke[mutant] is not None,
            core=of_core[mutant] is not None,
            further="" if by_more is None else more[by_more].id,
            why=why_chess(mutant) if mutant in touches else "",
            touched=bool(touches.get(mutant)),
        )


def main(words: list[str]) -> int:
    """Judge the mutants and print the table, or choose the smallest suite."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1, help="judge each Nth mutant")
    parser.add_argument("--keep", action="store_true", help="write the tables into docs/tables")
    parser.add_argument("--choose", action="store_true", help="write smoke.txt")
    options = parser.parse_args(words)
    if options.keep and options.each != 1:
        parser.error("--keep is about all mutants: leave out --each")
    if options.choose:
        cases = asked(core_suite())
        ids = sorted(cases[n].id for n in greedily(found_by(cases, mutants()), MAX_SMOKE))
        SMOKE.write_text("\n".join([HEAD, *ids]) + "\n", encoding="ascii")
        return 0
    found = list(fates(mutants()[:: options.each]))
    table = list(by_operator(found))
    if options.keep:
        (TABLES / "mutants.csv").write_text(csv_text(table), encoding="utf-8")
        (TABLES / "survivors.csv").write_text(csv_text(survivors(found)), encoding="utf-8")
    for first, *rest in table:
        sys.stdout.write(f"{first:20}{''.join(str(cell).rjust(11) for cell in rest)}\n")
    for fate in found:
        place, site, operator, change = mutant = fate.mutant
        if fate.is_alive:
            sys.stdout.write(f"alive: {place}: {source_of(mutant)}: {change}\n")
        if fate.further:
            said = f"{place}:{site}:{operator}:{change}"
            sys.stdout.write(f"not by the core, by {fate.further}: {said}\n")
    return judged(found, options.each)


def judged(found: Sequence[Fate], each: int) -> int:
    """Print a summary; return 1 if a mutant is alive, or the core finds too few."""
    differing = [fate for fate in found if fate.full or fate.is_alive]
    share = sum(fate.core for fate in found) / max(len(differing), 1)
    sys.stdout.write(
        f"{len(differing)} differ from chess; the core finds {share:.2%} of them. "
        f"{sum(bool(fate.why) for fate in found)} are argued to be chess. "
        f"{sum(fate.is_undecided for fate in found)} are undecided: they changed no condition in "
        f"any case, nor in {RANDOM_POSITIONS} random positions.\n"
    )
    enough = len(differing) * each >= LEAST_MUTANTS and share >= LEAST_SHARE
    return 0 if enough and not any(fate.is_alive for fate in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
