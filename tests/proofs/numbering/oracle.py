"""Numbers and choices of positions from elsewhere; it shares no code with proofs.numbering.

The pairs of a number and its position are John Tromp's, from
https://github.com/tromp/ChessPositionRanking, commit e6fc7cd, `sortedRnd1kRanks` and
`sortedRnd1kFENs`: every fifth of the 1,000, and those with castling rights, with a capture in
passing and with a large multiplicity; and the example of its README with the largest multiplicity.
MIT licence, copyright 2021 John Tromp, beside this file.

The choices beside a position are found the slow way: every way to pick pawns is listed. The
material rule is written as in the source's `src/Legality.hs`, one side after the other.
"""

import csv
import random
from collections import Counter
from itertools import combinations
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
Pair = tuple[int, int]
STARTED = {"Q": 1, "R": 2, "B": 2, "N": 2}


def needed_pairs(board: str) -> int | None:
    """Count the files on which pawns must be opposed; None for impossible material."""
    count = Counter(board)
    pawns = {"white": count["P"], "black": count["p"]}
    promoted = {
        "white": sum(max(0, count[kind] - start) for kind, start in STARTED.items()),
        "black": sum(max(0, count[kind.lower()] - start) for kind, start in STARTED.items()),
    }
    lost = {side: 8 - pawns[side] - promoted[side] for side in pawns}
    captures = 32 - (64 - count["."])
    free_white = lost["black"] + captures - promoted["white"]
    free_black = lost["white"] + captures - promoted["black"]
    if min(*lost.values(), free_white, free_black) < 0:
        return None
    assert pawns["white"] - free_white == pawns["black"] - free_black
    return max(0, pawns["white"] - free_white)


def opposed(board: str) -> list[Pair]:
    """List the pairs: a black pawn, and below it a white one with no pawn between."""
    return [
        (black, white)
        for black in range(64)
        for white in range(black + 8, 64, 8)
        if board[black] == "p"
        and board[white] == "P"
        and not set("Pp") & set(board[black + 8 : white : 8])
    ]


def count_choices(board: str, passing: Pair | None) -> int:
    """Count the ways to pick as many pairs as needed, on different files.

    `passing` names the squares of the white and the black pawn of a capture in passing: on their
    files only pairs of these two count.
    """
    needed, pairs = needed_pairs(board), opposed(board)
    if needed is None:
        return 0
    if passing:
        white, black = passing
        pairs = [
            pair
            for pair in pairs
            if (pair[0] % 8 != white % 8 or pair[1] == white)
            and (pair[0] % 8 != black % 8 or pair[0] == black)
        ]
    picks = combinations(pairs, needed)
    return sum(len({pair[0] % 8 for pair in picked}) == needed for picked in picks)


def passing_places(board: str, *, white_to_move: bool) -> dict[int, list[Pair]]:
    """List for each pawn that can be captured in passing the pairs (white pawn, black pawn)."""
    rank, back = (3, -8) if white_to_move else (4, 8)
    found: dict[int, list[Pair]] = {}
    for file in range(8):
        stepper = rank * 8 + file
        if board[stepper] != ("p" if white_to_move else "P"):
            continue
        if board[stepper + back] != "." or board[stepper + 2 * back] != ".":
            continue
        for side in (-1, 1):
            if 0 <= file + side < 8:
                other = stepper + side
                if white_to_move and board[other] == "P":
                    found.setdefault(stepper, []).append((other, stepper))
                if not white_to_move and board[other] == "p":
                    found.setdefault(stepper, []).append((stepper, other))
    return found


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
