"""Pairs that John Tromp publishes: a number, and its position.

From https://github.com/tromp/ChessPositionRanking, commit e6fc7cd, `sortedRnd1kRanks` and
`sortedRnd1kFENs`: every fifth of the 1,000, and those with castling rights, with a capture in
passing and with a large multiplicity; and the example of its README with the largest multiplicity.
MIT licence, copyright 2021 John Tromp, beside this file.
"""

import csv
import random
from pathlib import Path
from typing import Final

import chess

SIZE: Final = 8726713169886222032347729969256422370854716254
LARGEST_MULTIPLICITY: Final = "140"


def _pairs() -> list[tuple[int, str]]:
    file = Path(__file__).with_name("tromp-pairs.csv")
    rows = csv.DictReader(file.read_text(encoding="ascii").splitlines())
    pairs = [(int(row["rank"]), row["fen"]) for row in rows]
    return sorted(pairs, key=lambda pair: pair[1].endswith(f" {LARGEST_MULTIPLICITY}"))


PAIRS: Final = _pairs()
"""The last has the largest multiplicity."""


def play(seed: int, plies: int) -> chess.Board:
    generator = random.Random(seed)
    board = chess.Board()
    for _ in range(plies):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        passing = [move for move in moves if board.is_en_passant(move)]
        steps = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        pool = steps if steps and generator.random() < 0.5 else moves
        board.push(generator.choice(passing or pool))
    return board
