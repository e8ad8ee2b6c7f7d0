"""Games that go on after their end, and how often positions occur; on both paths."""

import csv
import io
from collections import Counter
from random import Random

import chess
import pytest

from tests.examples import examples
from tests.verify.scan.pgn import game, options, scanned

KNIGHTS = "Nf3 Nf6 Ng1 Ng8 "
PASSING = "e4 a6 e5 d5 "
"""After it White can capture in passing, and after the knights have moved not any more."""
ROOKS = "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 "
"""After it neither side may castle kingside any more."""
STALEMATE = "k7/8/1Q6/8/8/8/8/7K w - - 0 1"


def after_end(movetext: str, **tags: str) -> list[int]:
    """Return the plies at which a move stands after the game's end."""
    found = scanned(game(f"{movetext} *", **tags).encode()).deviations
    return [d.ply for d in found if d.kind == "after-end"]


@pytest.mark.parametrize(
    ("movetext", "plies"),
    [
        (4 * KNIGHTS, []),
        (4 * KNIGHTS + "e4 e5", [17]),
        (5 * KNIGHTS, [17]),
        (3 * KNIGHTS + "e4 e5" + 3 * KNIGHTS, []),
        (PASSING + 4 * KNIGHTS + "b4", []),
        (PASSING + 5 * KNIGHTS + "b4", [22]),
        (ROOKS + 4 * "Ng1 Ng8 Nf3 Nf6 ", []),
        (ROOKS + 4 * "Ng1 Ng8 Nf3 Nf6 " + "e4", [23]),
        ("f3 e5 g4 Qh4# e3 a6", [5]),
        ("f3 e5 g4 Qh4#", []),
        ("f3 e5 g4 Qh4#? 0-0", [5]),
        (4 * KNIGHTS + "-- e5", [17]),
        ("-- e5 " + 5 * "Nf3 Nf6 Ng1 Ng8 ", []),
    ],
)
def test_moves_after_the_end(movetext: str, plies: list[int]) -> None:
    assert after_end(movetext) == plies


def test_moves_after_a_stalemate_and_from_a_late_position() -> None:
    assert after_end("Qc7 Ka7", fen=STALEMATE) == [2]
    assert after_end("Re3 Kd4 Re2", fen="8/8/8/3k4/8/8/4R3/4K3 w - - 149 200") == [2]
    assert after_end("Re3 Kd4 Re2", fen="8/8/8/3k4/8/8/4R3/4K3 w - - 148 200") == [3]
    assert after_end(5 * KNIGHTS, Variant="Atomic") == []


def quiet_game(rng: Random, length: int, *, few: bool) -> list[str]:
    """Move knights from the initial position, without capture and check; perhaps on few squares."""
    board, sans = chess.Board(), list[str]()
    while len(sans) < length:
        legal = [
            move
            for move in board.legal_moves
            if board.piece_type_at(move.from_square) == chess.KNIGHT
            and not (board.is_capture(move) or board.gives_check(move))
            and (not few or chess.square_rank(move.to_square) in {0, 2, 5, 7})
            and (not few or chess.square_file(move.to_square) > 4)
        ]
        sans.append(board.san_and_push(rng.choice(legal)))
    return sans


@pytest.mark.parametrize("seed", range(examples(40)))
def test_random_quiet_games(seed: int) -> None:
    """Repetitions are counted as a list of all positions has them, and so is the end."""
    rng = Random(seed)
    few = seed % 2 == 0
    sans = quiet_game(rng, 60 if few else 151, few=few)
    board, seen, times, end = chess.Board(), Counter[str](), list[int](), list[int]()
    seen[board.epd()] += 1
    for ply, san in enumerate(sans, 1):
        board.push_san(san)
        seen[board.epd()] += 1
        times.append(seen[board.epd()])
        if (times[-1] >= 5 or board.halfmove_clock >= 150) and ply < len(sans) and not end:
            end = [ply + 1]
    assert end or few
    assert after_end(" ".join(sans)) == end
    text = game(f"{' '.join(sans)} *").encode()
    rows = scanned(text, options()._replace(rows="csv")).rows.decode()
    assert [int(row["times"]) for row in csv.DictReader(io.StringIO(rows))] == times


def test_repetitions_of_a_game_without_an_end() -> None:
    """Such games stay on the fast path; the right to castle and to capture in passing count."""
    for before in ("", PASSING, ROOKS):
        text = game(
            f"{before}{3 * KNIGHTS if before != ROOKS else 3 * 'Ng1 Ng8 Nf3 Nf6 '} *"
        ).encode()
        rows = scanned(text, options()._replace(rows="csv")).rows.decode()
        times = [int(row["times"]) for row in csv.DictReader(io.StringIO(rows))]
        assert times[-1] == {"": 4, PASSING: 3, ROOKS: 4}[before]
