"""Positions in which rare things happen, from changed games; and texts that are refused there.

Random games do not show what is rare: small changes of games do, in the middle or at the end.
"""

import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

import chess

from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.archive.door import published_directory
from sanproof.verify.notation.reading import Reading, judge

MOST_PLIES: Final = 110
"""A longer game is cut."""
SPECIAL: Final = ("any", "any", "capture", "check", "promotes", "double", "castles", "king")
"""The kinds of moves of which one is chosen, and a move of it, if there is one."""


@cache
def published() -> list[list[str]]:
    """Return the published games, one for each string: its move is the last."""
    text = lzma.decompress((published_directory() / GAMES).read_bytes()).decode("ascii")
    return [line.split()[:-2] for line in text.splitlines() if not line.startswith("#")]


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


def refusals(board: chess.Board, chance: Random, most: int) -> Iterator[Reading]:
    """Yield so many texts that are refused: of each piece, to any square, and near legal moves."""
    found = []
    for origin in chess.scan_forward(board.occupied_co[board.turn]):
        letter = chess.piece_symbol(board.piece_type_at(origin) or chess.KING).upper()
        name, goal = chess.square_name(origin), chess.square_name(chance.randrange(64))
        takes = "x" * (board.piece_at(chess.parse_square(goal)) is not None)
        if letter == "P":
            last = "=Q" * (goal[1] in "18")
            found += [f"{name[0]}x{goal}{last}", f"{name[0]}{name[1]}{last}", goal + last]
        else:
            found.append(letter + chance.choice(("", *name, name)) + takes + goal)
    for move in board.pseudo_legal_moves:
        letter = chess.piece_symbol(board.piece_type_at(move.from_square) or chess.KING).upper()
        goal = "x" * board.is_capture(move) + chess.square_name(move.to_square)
        file = chess.square_name(move.from_square)[0]
        last = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        found.append((file * ("x" in goal) if letter == "P" else letter) + goal + last)
    found += ["O-O", "O-O-O"]
    for text in chance.sample(found, min(most, len(found))):
        yield judge(text, board)
