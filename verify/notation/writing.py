"""Writings: a move of a position in SAN, and the reasons for each part.

python-chess writes the string. The facts that explain it are found here, and a test compares both.
The rules are those of the PGN standard's sections 8.2.3.3 to 8.2.3.5.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.rules.san import list_order
from sanproof.reports.tables.words import joined
from sanproof.verify.notation.illegal import move_obstacle, obstacles
from sanproof.verify.notation.position import (
    board_of,
    capital,
    name_piece,
    name_pieces,
    player,
    shown,
    told_apart,
)
from sanproof.verify.notation.text import WrittenParts
from sanproof.verify.notation.vocabulary import FailedTry, Illegality

_UCI: Final = re.compile(r"([a-h][1-8])(?!\1)[a-h][1-8][qrbn]?")


class MalformedUci(ValueError):
    """The text is not a move in UCI. The message is a sentence."""


class IllegalMove(ValueError):
    """The move is not legal in the position. ``obstacle`` is the reason."""

    def __init__(self, uci: str, obstacle: FailedTry) -> None:
        self.obstacle = obstacle
        super().__init__(f"{uci} is illegal ({obstacle.reason.value}). {obstacle.sentence}")


class Writing(NamedTuple):
    """A move in SAN, and the facts that make it so."""

    move: chess.Move
    san: str
    board: chess.Board
    twins: tuple[str, ...]
    """The squares of other pieces of the kind that can go there too, which SAN tells apart."""
    idle: tuple[FailedTry, ...]
    """The reasons why others of the kind cannot go there, so that SAN need not name the origin."""
    captured: str | None
    """The square of the captured piece, or None if the move does not capture."""
    checkers: tuple[str, ...]
    """The squares of the pieces that give check after the move."""
    replies: int
    """The number of legal replies."""
    explanation: tuple[str, ...]
    """The reasons for each part, in sentences in the order of the string."""

    @property
    def uci(self) -> str:
        """The move in UCI."""
        return self.move.uci()

    @property
    def fen(self) -> str:
        """The position as a FEN."""
        return self.board.fen()

    def _repr_svg_(self) -> str:
        return board_svg(self.fen, self.uci)


def write(uci: str | chess.Move, fen: str | chess.Board = chess.STARTING_FEN) -> Writing:
    """Return the SAN of a move in a position, and explain it.

        write("g1e2", fen).explanation    # sentences

    Args:
        uci: The move, as python-chess has it or in UCI, such as ``g1f3``, ``e7e8q`` or, for
            castling, ``e1g1``.
        fen: The position, as a FEN or a board; by default the initial position.

    Raises:
        FenError: The FEN is malformed, or its position is statically invalid.
        MalformedUci: The text is not a move in UCI.
        IllegalMove: The move is not legal there. All three are ValueErrors.
        TypeError: The move has another type, or the position is neither a FEN nor a board.
    """
    if not isinstance(uci, (str, chess.Move)):
        raise TypeError(f"{uci!r} is not a string")
    board = board_of(fen)
    return explain_move(parse_move(uci if isinstance(uci, str) else uci.uci(), board), board)


def legal_sans(fen: str | chess.Board = chess.STARTING_FEN, *, bare: bool = False) -> list[str]:
    """Return all legal moves of a position in SAN, by length, then by character.

    With ``bare`` they have no suffix.

    Raises:
        FenError: The FEN is malformed, or its position is statically invalid.
    """
    board = board_of(fen)
    sans = map(board.san, board.legal_moves)
    return sorted((san.rstrip("+#") if bare else san for san in sans), key=list_order)


def parse_move(uci: str, board: chess.Board) -> chess.Move:
    """Return the legal move with this UCI, or raise a MalformedUci or an IllegalMove."""
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
    """Explain a legal move of a position. The result keeps the board itself."""
    kind, to, captured = board.piece_type_at(move.from_square), move.to_square, None
    others = chess.SquareSet()
    if kind is not None and kind not in {chess.PAWN, chess.KING}:
        others = board.pieces(kind, board.turn) - {move.from_square}
    tries = {square: move_obstacle(board, square, to) for square in others}
    twins = tuple(chess.square_name(square) for square, why in tries.items() if why is None)
    idle = [why for why in tries.values() if why and why.reason is not Illegality.CANNOT_REACH]
    if board.is_capture(move):
        captured = chess.square_name(to)
        if board.is_en_passant(move):
            captured = captured[0] + move.uci()[1]
    after = board.copy(stack=False)
    after.push(move)
    checkers, replies = tuple(map(chess.square_name, after.checkers())), after.legal_moves.count()
    facts = twins, tuple(idle), captured, checkers, replies
    writing = Writing(move, board.san(move), board, *facts, explanation=())
    return writing._replace(explanation=tuple(_explained(writing, after)))


def writing_json(writing: Writing) -> dict[str, object]:
    """Return a writing as a JSON object."""
    parts = writing._asdict() | {"idle": [obstacle._asdict() for obstacle in writing.idle]}
    del parts["move"], parts["board"]
    return {"uci": writing.uci, "fen": writing.fen, **parts}


def _explained(written: Writing, after: chess.Board) -> Iterator[str]:
    """Yield the reasons for each part of the string."""
    move, board = written.move, written.board
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    where = f"from {written.uci[:2]} to {written.uci[2:4]}"
    if board.is_castling(move):
        side, rook = ("queenside", "a") if move.to_square < move.from_square else ("kingside", "h")
        yield f"{player(board.turn)} castles {side}, with the rook of the {rook}-file."
    elif kind == chess.PAWN:
        yield f"A pawn goes {where}; a pawn has no letter."
    else:
        yield f"A {chess.piece_name(kind)} goes {where}: {chess.piece_symbol(kind).upper()}."
    if written.twins:
        yield told_apart(board, move)
    for obstacle in written.idle:
        yield f"{obstacle.sentence} So SAN does not write the origin."
    if captured := written.captured:
        sign = " in passing, which only the x marks" * (captured != written.uci[2:4])
        named = f" A pawn that captures is named by its file: {written.uci[0]}."
        named *= kind == chess.PAWN
        yield f"It captures {name_piece(board, chess.parse_square(captured))}{sign}: x.{named}"
    if move.promotion:
        letter = chess.piece_symbol(move.promotion).upper()
        yield f"It becomes a {chess.piece_name(move.promotion)}: ={letter}."
    if after.is_check():
        yield f"{_check(move, after)}, and {_replied(after)}"
    elif not written.replies:
        yield "There is no reply and no check: stalemate has no sign."


def _check(move: chess.Move, after: chess.Board) -> str:
    """Say which piece gives check, and how: the beginning of a sentence."""
    checkers = list(after.checkers())
    if checkers == [move.to_square]:
        return "It gives check"
    how = "give double check" if len(checkers) > 1 else "gives discovered check"
    return f"{capital(name_pieces(after, checkers))} {how}"


def _replied(after: chess.Board) -> str:
    """Say how a check can be answered, and its sign: the end of a sentence."""
    replies = list(after.legal_moves)
    if not replies:
        return "there is no legal reply, so it is mate: #."
    if len(replies) == 1:
        return f"the only legal reply is {after.san(replies[0])}: +."
    some = f": {joined([after.san(reply) for reply in replies])}" if len(replies) <= 3 else ""
    return f"there are {len(replies)} legal replies{some}: +."
