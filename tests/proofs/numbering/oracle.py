"""Numbers of positions from elsewhere.

The pairs of a number and its position are John Tromp's, from
https://github.com/tromp/ChessPositionRanking, commit e6fc7cd, `sortedRnd1kRanks` and
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
ROWS: Final = csv.DictReader(
    Path(__file__).with_name("tromp-pairs.csv").read_text(encoding="ascii").splitlines()
)
PAIRS: Final = sorted(
    ((int(row["rank"]), row["fen"]) for row in ROWS),
    key=lambda pair: pair[1].endswith(f" {LARGEST_MULTIPLICITY}"),
)
"""The last has the largest multiplicity."""


def play(seed: int, plies: int) -> chess.Board:
    """Play random moves, many of them pawns' and all captures in passing."""
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
