"""Makes positions in which rare things happen: games, changed in the middle or at the end.

Random games do not show what is rare. Small changes of games that brought something new do; and
each position has its game.
"""

import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

import chess

from sanproof.proofs.find.games import KNOWN
from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.rows import table

MOST_PLIES: Final = 110
"""A longer game is cut."""
SPECIAL: Final = ("any", "any", "capture", "check", "promotes", "double", "castles", "king")
"""The kinds of moves of which one is chosen, and a move of it, if there is one."""


@cache
def published() -> list[list[str]]:
    """Return the published games, one for each string: its move is the last."""
    text = lzma.decompress((published_directory() / GAMES).read_bytes()).decode("ascii")
    return [line.split()[:-2] for line in text.splitlines() if not line.startswith("#")]


def known() -> Iterator[chess.Board]:
    """Yield the positions of the games that ``sanproof find`` knows."""
    for *_, moves in table(*KNOWN, 4):
        board = chess.Board()
        for uci in moves.split():
            board.push(chess.Move.from_uci(uci))
        yield board


def started(chance: Random) -> chess.Board:
    """Return a position of a published game, often after many captures."""
    moves = chance.choice(published())
    kept = max(0, len(moves) - chance.choice((1, 1, 2, 20, 40, len(moves))))
    board = chess.Board()
    for uci in moves[:kept]:
        board.push(chess.Move.from_uci(uci))
    for _ in range(chance.choice((0, 0, 20, 40, 60))):
        captures = list(board.generate_legal_captures())
        if captures and chance.random() < 0.7:
            board.push(chance.choice(captures))
        else:
            _move(board, chance)
    return board


def changed(board: chess.Board, chance: Random) -> chess.Board:
    """Return a changed game: some plies are inserted, left out or replaced, and the rest follows.

    Where a move of the rest is illegal now, another one takes its place.
    """
    board = board.copy()
    played = len(board.move_stack)
    back = min(played, chance.choice((0, 1, 2, 3, 4, 6, 8, 12, 20, 40)))
    rest = [board.pop() for _ in range(back)][::-1]
    change = chance.random()
    if change < 0.3 or not back:
        rest = []
    elif change < 0.7:
        del rest[: chance.choice((0, 0, 1, 2))]
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4))):
        _move(board, chance)
    _follow(board, rest, chance)
    while len(board.move_stack) > MOST_PLIES:
        board.pop()
    return board


def _follow(board: chess.Board, moves: Iterable[chess.Move], chance: Random) -> None:
    for move in moves:
        if board.is_legal(move):
            board.push(move)
        elif chance.random() < 0.7:
            _move(board, chance)


def _move(board: chess.Board, chance: Random) -> None:
    """Make a legal move of a kind chosen at random, if there is one."""
    if moves := list(board.legal_moves):
        kind = chance.choice(SPECIAL)
        some = [move for move in moves if _is_of(board, move, kind)]
        board.push(chance.choice(some or moves))


def _is_of(board: chess.Board, move: chess.Move, kind: str) -> bool:
    match kind:
        case "capture":
            return board.is_capture(move)
        case "check":
            return board.gives_check(move)
        case "promotes":
            return move.promotion is not None
        case "double":
            pawn = board.piece_type_at(move.from_square) == chess.PAWN
            return pawn and abs(move.to_square - move.from_square) == 16
        case "castles":
            return board.is_castling(move)
        case "king":
            return board.piece_type_at(move.from_square) == chess.KING
        case _:
            return True


def is_over(board: chess.Board) -> bool:
    """Check whether a game is over by the Laws: then no text of it is a move."""
    return (
        not any(board.legal_moves)
        or board.is_insufficient_material()
        or board.is_seventyfive_moves()
        or board.is_fivefold_repetition()
    )
