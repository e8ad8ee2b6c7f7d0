"""Reading a game with python-chess, and judging every move text as ``sanproof read`` does."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import chess

from sanproof.verify.notation.position import FenError, board_of
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge
from sanproof.verify.scan.borders import BOM
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    READ,
    STOPPED,
    UNCLOSED,
    VARIANT,
)
from sanproof.verify.scan.movetext import Span, TextOfGame, decoded

NULL_MOVES: Final = ("--", "Z0", "0000", "@@@@")
STANDARD: Final = frozenset(name.lower() for name in chess.Board.aliases)
"""What the tag Variant says of standard chess, in lower case."""


class Played(NamedTuple):
    """A move text that denotes a move.

    Attributes:
        span: Where it stands.
        san: How the move is written.
        uci: The move.
        before: The position before it, as a FEN; empty if it was not asked for.
        after: The same after it.
        reading: What the judge says, if the text is not canonical.
        is_null: Whether the move does nothing.
        is_after_null: Whether it, or one before it in the game, does nothing: then it was not
            played by the rules, and is not counted as played.
    """

    span: Span
    san: str
    uci: str
    before: str = ""
    after: str = ""
    reading: Reading | None = None
    is_null: bool = False
    is_after_null: bool = False


class GameRead(NamedTuple):
    """A game that was read.

    Attributes:
        outcome: What became of it, one of :data:`verify.scan.chunks.OUTCOMES`.
        played: Its moves, as far as they could be read.
        stop: What the judge says of the text at which the reading stopped.
        fen: The position in which it stopped.
        reason: Why it was not read, or not to its end; empty if it was.
    """

    outcome: str
    played: list[Played]
    stop: Reading | None = None
    fen: str = ""
    reason: str = ""


def read_game(
    game: TextOfGame, data: bytes, *, strict: bool = False, fens: bool = False
) -> GameRead:
    """Read a game of the chunk move by move.

    If it is strict, suffix annotations belong to the move texts. The positions before and after
    each move may be wanted, as FENs.
    """
    variant = game.tags.get("Variant", "Standard").strip()
    if variant.lower() not in STANDARD:
        return GameRead(VARIANT, [], reason=variant)
    try:
        board = board_of(game.tags.get("FEN", chess.STARTING_FEN))
    except FenError as error:
        return GameRead(BAD_POSITION, [], reason=str(error))
    played: list[Played] = []
    before = board.fen() if fens else ""
    has_null = False
    for span in game.moves:
        text = decoded(data[span.start : span.full_end if strict else span.end])
        move, reading = _denoted(text, board)
        if move is None:
            return GameRead(
                STOPPED, played, reading, board.fen(), kind_of(reading) if reading else ""
            )
        has_null = has_null or not move
        san = text if reading is None else str(reading.canonical)
        fen = board.fen() if (reading is not None or not move) and not fens else before
        board.push(move)
        after = board.fen() if fens else ""
        uci = move.uci()
        played.append(Played(span, san, uci, fen, after, reading, not move, has_null))
        before = after
    if game.is_open:
        return GameRead(UNCLOSED, played, reason="a comment or a variation is not closed")
    if game.after_result:
        return GameRead(AFTER_RESULT, played, reason="moves follow the result")
    return GameRead(READ, played)


def _denoted(text: str, board: chess.Board) -> tuple[chess.Move | None, Reading | None]:
    """The move that a text denotes, and the judge's reading if the text is not canonical.

    A null move is one that is legal to skip: the player to move is not in check.
    """
    if text in NULL_MOVES and not board.is_check():
        return chess.Move.null(), None
    try:
        move = board.parse_san(text)
        if move and board.san(move) == text:  # a null move is none
            return move, None
    except ValueError:  # as python-chess says of anything that it does not take
        pass
    reading = judge(text, board)
    if reading.uci is None:
        return None, reading
    move = chess.Move.from_uci(reading.uci)
    return move, None if reading.verdict is ReadingVerdict.CANONICAL else reading


def kind_of(reading: Reading) -> str:
    """The kind of what deviates, by public names."""
    if reading.verdict is ReadingVerdict.UNDERSTANDABLE:
        return " ".join(str(deviation.value) for deviation in reading.deviations)
    if reading.reason is not None:
        return f"{reading.verdict.value} {reading.reason.value}"
    return str(reading.verdict.value)


def lines_and_columns(data: bytes, offsets: list[int]) -> Iterator[tuple[int, int]]:
    """The line and the character of the line, both from 1, of offsets in ascending order."""
    line, column, at = 1, 1, len(BOM) * data.startswith(BOM)
    for offset in offsets:
        breaks = data.count(b"\n", at, offset)
        if breaks:
            line += breaks
            column, at = 1, data.rfind(b"\n", at, offset) + 1
        column += len(decoded(data[at:offset]))
        at = offset
        yield line, column
