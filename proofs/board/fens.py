"""Writes FENs as python-chess does, in a quarter of its time. Untrusted.

python-chess looks at each of the 64 squares; here only the pieces are looked at. Every witness and
every game needs two FENs.
"""

from collections.abc import Iterable
from typing import Final

import chess

from sanproof.proofs.rules.cubes import exchanged_ranks

RUNS: Final = [("." * length, str(length)) for length in range(8, 0, -1)]


def write_fen(board: chess.Board) -> str:
    """Return ``board.fen()`` (PGN standard 16.1), for standard chess."""
    passed = board.ep_square
    taken = "-" if passed is None or not board.has_legal_en_passant() else chess.square_name(passed)
    turn = "w" if board.turn else "b"
    rights = board.castling_xfen() if board.castling_rights else "-"
    placed = write_placement(board)
    return f"{placed} {turn} {rights} {taken} {board.halfmove_clock} {board.fullmove_number}"


def write_placement(board: chess.Board) -> str:
    """Return ``board.board_fen()``: the pieces, rank by rank from the eighth."""
    squares = ["."] * 64
    white = board.occupied_co[chess.WHITE]
    masks = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    for letter, mask in zip("pnbrqk", masks, strict=True):
        for square in chess.scan_forward(mask):
            squares[square ^ 56] = letter.upper() if white >> square & 1 else letter
    return placement_of(squares)


def placement_of(squares: Iterable[str]) -> str:
    """Return a FEN's first field, given a letter or a full stop for each square from a8 to h1."""
    placed = "".join(squares)
    placed = "/".join(placed[start : start + 8] for start in range(0, 64, 8))
    for run, digit in RUNS:
        placed = placed.replace(run, digit)
    return placed


def exchanged_fen(fen: str) -> str:
    """Return the FEN with the colours exchanged, in which the other player is to move."""
    placement, turn, rights, passed, *clocks = fen.split(" ")
    placement = "/".join(reversed(placement.swapcase().split("/")))
    turn = "b" if turn == "w" else "w"
    rights = "".join(sorted(rights.swapcase()))
    return " ".join([placement, turn, rights, exchanged_ranks(passed), *clocks])
