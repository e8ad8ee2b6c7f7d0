"""Positions in which rare things happen, from games; and texts that are refused there.

Random games do not show what is rare: moves of chosen kinds at the end of published games do.
"""

import lzma
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Final

import chess

from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.archive.door import published_directory
from sanproof.verify.notation.reading import Reading, judge


def is_double(board: chess.Board, move: chess.Move) -> bool:
    """Check whether a move is a pawn's double push."""
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    return is_pawn and abs(move.to_square - move.from_square) == 16


KINDS: Final[tuple[Callable[[chess.Board, chess.Move], bool], ...]] = (
    *[lambda _board, _move: True] * 2,
    *(chess.Board.is_capture, chess.Board.gives_check, chess.Board.is_castling, is_double),
    lambda _, move: move.promotion is not None,
    lambda board, move: board.piece_type_at(move.from_square) == chess.KING,
)


@cache
def published() -> list[list[str]]:
    """Return the published games, one for each string: its move is the last."""
    text = lzma.decompress((published_directory() / GAMES).read_bytes()).decode("ascii")
    return [line.split()[:-2] for line in text.splitlines() if not line.startswith("#")]


def rare_position(chance: Random) -> chess.Board:
    """Return a position after a published game, cut short, and moves of chosen kinds."""
    moves = chance.choice(published())
    kept = max(0, len(moves) - chance.choice((1, 1, 2, 20, 40, len(moves))))
    board = chess.Board()
    for uci in moves[:kept]:
        board.push_uci(uci)
    captures = chance.choice((0, 0, 20, 40, 60))
    for number in range(captures + chance.choice((1, 2, 3, 6))):
        legal = list(board.legal_moves)
        is_of = chance.choice(KINDS) if number >= captures else chess.Board.is_capture
        some = [move for move in legal if is_of(board, move)]
        if legal:
            board.push(chance.choice(some if some and chance.random() < 0.7 else legal))
    return board


def is_over(board: chess.Board) -> bool:
    """Check whether a game is over by the Laws: then no text of it is a move."""
    return (
        not any(board.legal_moves)
        or board.is_insufficient_material()
        or board.is_seventyfive_moves()
        or board.is_fivefold_repetition()
    )


def refusals(board: chess.Board, chance: Random, most: int) -> Iterator[Reading]:
    """Yield so many texts that are refused: of each piece, to any square, and near legal moves."""
    found = ["O-O", "O-O-O"]
    anywhere = (
        chess.Move(origin, chance.randrange(64))
        for origin in chess.scan_forward(board.occupied_co[board.turn])
    )
    for move in (*anywhere, *board.pseudo_legal_moves):
        letter = chess.piece_symbol(board.piece_type_at(move.from_square) or chess.KING).upper()
        name, goal = chess.square_name(move.from_square), chess.square_name(move.to_square)
        takes = "x" * board.is_capture(move)
        if letter == "P":
            last = "=Q" * (goal[1] in "18")
            found += [f"{name[0]}x{goal}{last}", f"{name}{last}", goal + last]
        else:
            found += [letter + chance.choice(("", "", *name, name)) + takes + goal]
    for text in chance.sample(found, min(most, len(found))):
        yield judge(text, board)
