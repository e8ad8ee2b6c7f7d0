"""What of the conformance suite finds the mutants, by operator: ``nox -s suite_mutants``.

``python -m tests.verify.conformance.mutants [--each N]`` judges every mutant, or each Nth. A mutant
that no case finds is chess if its condition has the same value in all cases and in random
positions, or if ``survivors.txt`` argues it; any other is printed, and the exit code is 1. So it is
if the core finds less than it must.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.verify.conformance.cases.build import core_suite, further_suite, smoke_of
from sanproof.verify.conformance.cases.case import Case, Demand, Operation, Suite
from sanproof.verify.conformance.cases.judge import Result
from tests.verify.conformance.mutants.measure import answer, finders, touching
from tests.verify.conformance.mutants.operators import Mutant, mutants, source_of

LEAST_MUTANTS: Final = 1000
LEAST_SHARE: Final = 0.99
RANDOM_POSITIONS: Final = 100
SURVIVORS: Final = Path(__file__).with_name("survivors.txt")


def asked(suite: Suite) -> list[Case]:
    """The cases that a mutant can fail: of standard chess, without games in PGN."""
    return [
        case
        for case in suite.cases
        if case.operation is not Operation.GAME and case.demand is not Demand.MAY
    ]


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


def arguments() -> list[Argument]:
    """The lines of ``survivors.txt``; in the code that they name, ( and ) stand for [ and ]."""
    lines = SURVIVORS.read_text("utf-8").splitlines()
    return [Argument(*line.split(" | ")) for line in lines if line and not line.startswith("#")]


def is_argued(mutant: Mutant, known: list[Argument]) -> bool:
    """Whether there is an argument that a mutant is chess."""
    return any(argument.fits(mutant) for argument in known)


def random_cases() -> Iterator[Case]:
    """All moves of positions of random games, as the plain implementation has them."""
    chance = random.Random(26)
    for number in range(RANDOM_POSITIONS):
        board = chess.Board()
        for _ in range(chance.randrange(4, 100)):
            moves = list(board.legal_moves)
            if moves:
                board.push(chance.choice(moves))
        case = Case(str(number), Operation.MOVES, Demand.MUST, "", "white", "", board.fen())
        said = answer(case)
        yield replace(case, expected=said.value if isinstance(said, Result) else None)


def main(words: list[str]) -> int:
    """Judge the mutants and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1, help="judge each Nth mutant")
    each = parser.parse_args(words).each
    core = core_suite()
    smoke = {case.id for case in smoke_of(core).cases}
    cases = asked(core)
    chosen = mutants()[::each]
    found = finders(cases, chosen)
    left = [mutant for mutant, number in found.items() if number is None]
    known = {case.id for case in cases}
    more = [case for case in asked(further_suite()) if case.id not in known]
    further = finders(more, left)
    known_arguments = arguments()
    unseen = [mutant for mutant, number in further.items() if number is None]
    everywhere = touching([*cases, *more, *random_cases()], unseen)
    argued = [mutant for mutant in unseen if is_argued(mutant, known_arguments)]
    rest = [mutant for mutant in unseen if mutant not in argued]
    idle = [mutant for mutant in rest if not everywhere[mutant]]
    alive = [mutant for mutant in rest if everywhere[mutant]]
    by_smoke = finders([case for case in cases if case.id in smoke], chosen)
    _print_table(chosen, found, further, by_smoke, alive)
    for mutant in alive:
        sys.stdout.write(f"alive: {mutant.place}: {source_of(mutant)}: {mutant.change}\n")
    for mutant, number in further.items():
        if number is not None:
            sys.stdout.write(f"not by the core, by {more[number].id}: {mutant.name}\n")
    differing = len(chosen) - len(argued) - len(idle)
    share = (len(chosen) - len(left)) / max(differing, 1)
    sys.stdout.write(
        f"{differing} differ from chess; the core finds {share:.2%} of them. {len(argued)} are "
        f"argued to be chess. {len(idle)} are undecided: they changed no condition in any case, "
        f"nor in {RANDOM_POSITIONS} random positions.\n"
    )
    enough = differing * each >= LEAST_MUTANTS
    return 0 if not alive and share >= LEAST_SHARE and enough else 1


def _print_table(
    chosen: list[Mutant],
    found: dict[Mutant, int | None],
    further: dict[Mutant, int | None],
    by_smoke: dict[Mutant, int | None],
    alive: list[Mutant],
) -> None:
    columns = {
        "mutants": chosen,
        "smoke": [m for m in chosen if by_smoke[m] is not None],
        "core": [m for m in chosen if found[m] is not None],
        "full": [m for m in chosen if found[m] is not None or further[m] is not None],
        "alive": alive,
    }
    counts = {name: Counter(m.operator for m in found) for name, found in columns.items()}
    operators = [
        [operator, *(str(count[operator]) for count in counts.values())]
        for operator in sorted(counts["mutants"])
    ]
    last = ["all", *(str(count.total()) for count in counts.values())]
    rows = [["operator", *columns], *operators, last]
    for first, *rest in rows:
        sys.stdout.write(f"{first:20}{''.join(cell.rjust(9) for cell in rest)}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
