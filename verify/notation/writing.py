"""Writings: a move of a position in SAN, and the reasons.

python-chess writes the string; the facts that explain it are found here, and a test compares both.
The rules are those of the PGN standard's sections 8.2.3.3 to 8.2.3.5.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.rules.san import list_order
from sanproof.reports.tables.words import joined
from sanproof.verify.notation.illegal import move_obstacle, obstacles
from sanproof.verify.notation.position import board_of, capital, name_piece, name_pieces, player
from sanproof.verify.notation.text import WrittenParts, shown
from sanproof.verify.notation.vocabulary import FailedTry, Illegality

_UCI: Final = re.compile(r"([a-h][1-8])(?!\1)[a-h][1-8][qrbn]?")


class MalformedUci(ValueError):
    """A text that is no move in UCI; the message is a sentence."""


class IllegalMove(ValueError):
    """A move that is not legal in the position; the obstacle says why."""

    def __init__(self, uci: str, obstacle: FailedTry) -> None:
        self.obstacle = obstacle
        super().__init__(f"{uci} is illegal ({obstacle.reason.value}). {obstacle.sentence}")


@dataclass(frozen=True)
class Writing:
    """A move in SAN, and the facts that make it so, which are found when they are asked for.

    Attributes:
        move: The move.
        san: How the move is written.
        board: The position.
    """

    move: chess.Move
    san: str
    board: chess.Board = field(hash=False)

    @property
    def uci(self) -> str:
        """The move in UCI."""
        return self.move.uci()

    @property
    def fen(self) -> str:
        """The position as a FEN."""
        return self.board.fen()

    @property
    def twins(self) -> tuple[str, ...]:
        """The squares of the other pieces of the same kind whose move to the destination is legal.

        The discriminator tells the piece from those.
        """
        return tuple(map(chess.square_name, self._others[0]))

    @property
    def idle(self) -> tuple[FailedTry, ...]:
        """The pieces of the same kind that something prevents from going there, and why.

        They need no discriminator.
        """
        return tuple(self._others[1])

    @property
    def captured(self) -> str | None:
        """The square of the piece that is captured; None if nothing is."""
        if not self.board.is_capture(self.move):
            return None
        origin, square = self.uci[:2], self.uci[2:4]
        return square[0] + origin[1] if self.board.is_en_passant(self.move) else square

    @property
    def checkers(self) -> tuple[str, ...]:
        """The squares of the pieces that give check after the move."""
        return tuple(map(chess.square_name, self._after.checkers()))

    @property
    def replies(self) -> int:
        """Count the legal replies to the move."""
        return self._after.legal_moves.count()

    @property
    def explanation(self) -> tuple[str, ...]:
        """Explain why it is written this way, in sentences in the order of the string."""
        twins, idle = self._others
        captured = None if self.captured is None else chess.parse_square(self.captured)
        said = [
            _moved(self.move, self.board),
            *([_discriminated(self.move, self.board, twins)] if twins else []),
            *(f"{obstacle.sentence} So it needs no discriminator." for obstacle in idle),
            *_explain_rest(self.move, self.board, captured),
        ]
        checkers, replies = list(self._after.checkers()), list(self._after.legal_moves)
        if checkers:
            check = _check(self.move, self._after, checkers)
            said.append(f"{check}, and {_replied(self._after, replies)}")
        elif not replies:
            said.append("There is no reply and no check: stalemate has no sign.")
        return tuple(said)

    @cached_property
    def _others(self) -> tuple[list[chess.Square], list[FailedTry]]:
        return _others(self.move, self.board)

    @cached_property
    def _after(self) -> chess.Board:
        after = self.board.copy(stack=False)
        after.push(self.move)
        return after

    def _repr_svg_(self) -> str:
        return board_svg(self.fen, self.uci)


def write(uci: str | chess.Move, fen: str | chess.Board = chess.STARTING_FEN) -> Writing:
    """Explain how a move of a position is written in SAN, and why.

        write("g1e2", fen).explanation    # sentences

    Args:
        uci: The move, as python-chess has it or in UCI, such as ``g1f3``, ``e7e8q`` or, for
            castling, ``e1g1``.
        fen: The position, as a FEN or a board; the initial position by default.

    Raises:
        FenError, MalformedUci, IllegalMove: Something is wrong; these are all ValueErrors.
        TypeError: The move has another type, or the position is neither a FEN nor a board.
    """
    if not isinstance(uci, (str, chess.Move)):
        raise TypeError(f"{uci!r} is not a string")
    board = board_of(fen)
    return explain_move(parse_move(uci if isinstance(uci, str) else uci.uci(), board), board)


def legal_sans(fen: str | chess.Board = chess.STARTING_FEN, *, bare: bool = False) -> list[str]:
    """All moves that are legal in a position, as they are written: by length, then by character.

    With ``bare`` they are without suffix.

    Raises:
        FenError: The position is invalid.
    """
    board = board_of(fen)
    sans = map(board.san, board.legal_moves)
    return sorted((san.rstrip("+#") if bare else san for san in sans), key=list_order)


def parse_move(uci: str, board: chess.Board) -> chess.Move:
    """Return the legal move that a text in UCI names.

    Raises:
        MalformedUci: The text is no move in UCI.
        IllegalMove: The move is not legal in the position.
    """
    if not _UCI.fullmatch(uci):
        raise MalformedUci(
            f"{shown(uci)} is not a move in UCI: write origin, destination and promotion, "
            "such as g1f3 or e7e8q."
        )
    move = chess.Move.from_uci(uci)
    if move not in board.legal_moves:
        parts = "", uci[0], uci[1], False, uci[2:4], ""
        written = WrittenParts("", *parts, "", False, frozenset())
        obstacle = obstacles(written, board)[0]
        if obstacle.reason is Illegality.PROMOTION_MISSING:  # only the promotion stands in the way
            promoting = written._replace(promotion=uci[4:].upper())
            obstacle = obstacles(promoting, board)[0]._replace(origin=uci[:2])
        raise IllegalMove(uci, obstacle)
    if board.is_castling(move) and abs(move.to_square - move.from_square) != 2:
        own = name_piece(board, move.to_square)
        sentence = f"{capital(own)} is the player's own; castling is the king's move in UCI."
        raise IllegalMove(uci, FailedTry(Illegality.OWN_PIECE, uci[:2], (uci[2:4],), sentence))
    return move


def explain_move(move: chess.Move, board: chess.Board) -> Writing:
    """Write a legal move of a position as SAN; the result holds the board itself."""
    return Writing(move, board.san(move), board)


def writing_json(writing: Writing) -> dict[str, object]:
    """Return a writing as it is written in JSON."""
    names = ["uci", "fen", "san", "twins", "idle", "captured", "checkers", "replies", "explanation"]
    found = {name: getattr(writing, name) for name in names}
    return found | {"idle": [obstacle._asdict() for obstacle in writing.idle]}


def _others(move: chess.Move, board: chess.Board) -> tuple[list[chess.Square], list[FailedTry]]:
    """Return the twins, and the pieces of the same kind that would be twins if they might move."""
    kind = board.piece_type_at(move.from_square)
    twins: list[chess.Square] = []
    idle: list[FailedTry] = []
    if kind is None or kind in {chess.PAWN, chess.KING}:
        return twins, idle
    for square in board.pieces(kind, board.turn) - {move.from_square}:
        obstacle = move_obstacle(board, square, move.to_square)
        if obstacle is None:
            twins.append(square)
        elif obstacle.reason is not Illegality.CANNOT_REACH:
            idle.append(obstacle)
    return twins, idle


def _moved(move: chess.Move, board: chess.Board) -> str:
    """Say which piece goes where, and its letter."""
    if board.is_castling(move):
        kingside = move.to_square > move.from_square
        side, rook = ("kingside", "h") if kingside else ("queenside", "a")
        return f"{player(board.turn)} castles {side}, with the rook of the {rook}-file."
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    where = f"from {chess.square_name(move.from_square)} to {chess.square_name(move.to_square)}"
    if kind == chess.PAWN:
        return f"A pawn goes {where}; a pawn has no letter."
    return f"A {chess.piece_name(kind)} goes {where}: {chess.piece_symbol(kind).upper()}."


def _discriminated(move: chess.Move, board: chess.Board, twins: list[chess.Square]) -> str:
    """Say which part of the origin tells the piece from its twins."""
    origin = chess.square_name(move.from_square)
    file, rank = origin[0], origin[1]
    same_file = [twin for twin in twins if chess.square_name(twin)[0] == file]
    same_rank = [twin for twin in twins if chess.square_name(twin)[1] == rank]
    verb = "share" if len(same_file) > 1 else "shares"
    shared = f"{name_pieces(board, same_file)} {verb} the file"
    if not same_file:
        none = "it is not" if len(twins) == 1 else "none of them is"
        what = f"{none} on the {file}-file, so the file"
    elif not same_rank:
        what = f"{shared}, nothing shares rank {rank}, so the rank"
    else:
        what = f"{shared} and {name_pieces(board, same_rank)} the rank, so the square"
    can = ("can go", "can both go", "can all go")[min(len(twins), 3) - 1]
    there = chess.square_name(move.to_square)
    return f"{capital(name_pieces(board, twins))} {can} to {there}, too: {what} is written."


def _explain_rest(
    move: chess.Move, board: chess.Board, captured: chess.Square | None
) -> Iterator[str]:
    """Yield the capture, and what a pawn becomes."""
    if captured is not None:
        sign = " in passing, which only the x marks" if captured != move.to_square else ""
        named = ""
        if board.piece_type_at(move.from_square) == chess.PAWN:
            file = chess.square_name(move.from_square)[0]
            named = f" A pawn that captures is named by its file: {file}."
        yield f"It captures {name_piece(board, captured)}{sign}: x.{named}"
    if move.promotion is not None:
        letter = chess.piece_symbol(move.promotion).upper()
        yield f"It becomes a {chess.piece_name(move.promotion)}: ={letter}."


def _check(move: chess.Move, after: chess.Board, checkers: list[chess.Square]) -> str:
    """Say which piece gives check, and how: the beginning of a sentence."""
    if checkers == [move.to_square]:
        return "It gives check"
    if len(checkers) > 1:
        return f"{capital(name_pieces(after, checkers))} give double check"
    return f"{capital(name_pieces(after, checkers))} gives discovered check"


def _replied(after: chess.Board, replies: list[chess.Move]) -> str:
    """Say how a check can be answered, and its sign: the end of a sentence."""
    if not replies:
        return "there is no legal reply, so it is mate: #."
    if len(replies) == 1:
        return f"the only legal reply is {after.san(replies[0])}: +."
    some = f": {joined([after.san(reply) for reply in replies])}" if len(replies) <= 3 else ""
    return f"there are {len(replies)} legal replies{some}: +."
