"""The cases of the suite that find the mutants, by operator: ``nox -s suite``.

``python -m tests.conformance.mutants [--each N]`` judges every mutant, or each Nth. A mutant
that no case finds is chess if ``survivors.txt`` argues it, or if its condition has the same value
in every situation. Then it must not differ in any *biased* position either: positions of the suite
with pieces moved, added and taken away. One that does is printed, and counts as missed. The exit
code is 1 if the core misses too many, or if too many are undecided. ``--keep`` writes both tables
into ``docs/tables``. No case is chosen for a mutant.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import chess

from conformance.keep import csv_text
from conformance.suite.build import smoke_of
from sanproof.verify.conformance.suite import Case, case_of
from sanproof.verify.notation.reading import ReadingVerdict, judge
from tests.conformance.mutants.fates import Fate, by_operator, survivors, why_chess
from tests.conformance.mutants.measure import answer, asked, core_suite, finders
from tests.conformance.mutants.operators import Mutant, mutants, source_of
from tests.verify.command import ROOT

LEAST_MUTANTS: Final = 1000
LEAST_SHARE: Final = 0.99
LEAST_SMOKE: Final = 0.75
MAX_UNDECIDED: Final = 100
BIASED_POSITIONS: Final = 1000
MAX_TRIED: Final = 60
"""So many biased positions that touch a mutant are tried."""
TABLES: Final = ROOT / "docs" / "tables"


def biased_boards(count: int, seed: int = 45) -> Iterator[chess.Board]:
    """Yield valid positions near those of the suite: up to four pieces changed, or mirrored."""
    chance = random.Random(seed)
    fens = sorted({case["fen"] for case in asked(core_suite())})
    while count:
        board = chess.Board(chance.choice(fens))
        for _ in range(chance.randrange(5)):
            men = list(chess.SquareSet(board.occupied & ~board.kings))
            square = chance.randrange(64)
            piece = chess.Piece(chance.randint(1, 5), chance.random() < 0.5)
            if men and chance.random() < 0.6:
                piece = board.remove_piece_at(chance.choice(men)) or piece
            if board.piece_type_at(square) != chess.KING:
                board.set_piece_at(square, piece)
        board.castling_rights = board.clean_castling_rights()
        board = board.mirror() if chance.random() < 0.5 else board
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield board


def biased_cases(count: int = BIASED_POSITIONS) -> Iterator[Case]:
    """Yield cases of biased positions, as the oracle has them.

    All moves are listed and written, one is played and read, and so is one of another position.
    """
    last = "e4"
    for number, board in enumerate(biased_boards(count)):
        about = {"id": f"{number}", "mechanism": "", "fen": board.fen()}
        moves = case_of(operation="moves", demand="must", **about)
        yield moves | {"expected": (sans := answer(moves)["result"])}
        san = sans[number % len(sans)]  # type: ignore[index, arg-type]
        for text in (san, last):
            read = moves | {"operation": "read", "san": text}
            verdict = judge(text, board).verdict
            if verdict is ReadingVerdict.CANONICAL:
                yield read | {"expected": answer(read)["result"]}
            elif verdict is not ReadingVerdict.UNDERSTANDABLE:
                yield read | {"class": "must not"}
        play = moves | {"operation": "play", "san": san}
        yield play | {"expected": {"always": answer(play)["result"]}}
        last = san


def fates(chosen: Sequence[Mutant]) -> Iterator[Fate]:
    """Yield what becomes of each mutant when the suite is asked."""
    core = core_suite()
    cases = asked(core)
    of_core = finders(cases, chosen)
    of_smoke = finders(asked(smoke_of(core)), chosen)
    unseen = [mutant for mutant, number in of_core.items() if number is None]
    elsewhere = finders(list(biased_cases()), unseen, MAX_TRIED)
    for mutant in chosen:
        yield Fate(
            mutant,
            smoke=of_smoke[mutant] is not None,
            core=of_core[mutant] is not None,
            why=why_chess(mutant) if mutant in elsewhere else "",
            differs=elsewhere.get(mutant) is not None,
        )


def main(words: list[str]) -> int:
    """Judge the mutants and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1, help="judge each Nth mutant")
    parser.add_argument("--keep", action="store_true", help="write the tables into docs/tables")
    options = parser.parse_args(words)
    if options.keep and options.each != 1:
        parser.error("--keep is about all mutants: leave out --each")
    found = list(fates(mutants()[:: options.each]))
    table = list(by_operator(found))
    if options.keep:
        (TABLES / "mutants.csv").write_text(csv_text(table), encoding="utf-8")
        (TABLES / "survivors.csv").write_text(csv_text(survivors(found)), encoding="utf-8")
    for first, *rest in table:
        sys.stdout.write(f"{first:20}{''.join(str(cell).rjust(11) for cell in rest)}\n")
    for fate in found:
        place, _, _, change = mutant = fate.mutant
        if fate.is_alive:
            sys.stdout.write(f"alive: {place}: {source_of(mutant)}: {change}\n")
    return judged(found, options.each)


def judged(found: Sequence[Fate], each: int) -> int:
    """Print a summary; return 1 if the core finds too few."""
    differing = [fate for fate in found if fate.core or fate.is_alive]
    undecided = sum(fate.is_undecided for fate in found)
    share = sum(fate.core for fate in found) / max(len(differing), 1)
    sys.stdout.write(
        f"{len(differing)} differ from chess; the core finds {share:.2%} of them. "
        f"{sum(bool(fate.why) for fate in found)} are argued to be chess. "
        f"{undecided} are undecided: no argument says so, and they changed nothing in "
        f"{BIASED_POSITIONS:,} biased positions.\n"
    )
    smoke = sum(fate.smoke for fate in found) / max(len(differing), 1)
    enough = len(differing) * each >= LEAST_MUTANTS and undecided <= MAX_UNDECIDED
    enough = enough and share >= LEAST_SHARE and smoke >= LEAST_SMOKE
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
