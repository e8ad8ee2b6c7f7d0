"""Reading a game with python-chess, and judging every move text as ``sanproof read`` does."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import chess

from sanproof.verify.notation.position import FenError, board_of
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge
from sanproof.verify.scan.borders import BOM
from sanproof.verify.scan.chunks import BAD_POSITION, READ, STOPPED, VARIANT
from sanproof.verify.scan.movetext import Span, TextOfGame, decoded

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
    """

    span: Span
    san: str
    uci: str
    before: str = ""
    after: str = ""
    reading: Reading | None = None


class GameRead(NamedTuple):
    """A game that was read.

    Attributes:
        outcome: What became of it, one of :data:`verify.scan.chunks.OUTCOMES`.
        played: Its moves, as far as they could be read.
        stop: What the judge says of the text at which the reading stopped.
        fen: The position in which it stopped.
    """

    outcome: str
    played: list[Played]
    stop: Reading | None = None
    fen: str = ""


def read_game(
    game: TextOfGame, data: bytes, *, strict: bool = False, fens: bool = False
) -> GameRead:
    """Read a game of the chunk move by move.

    If it is strict, suffix annotations belong to the move texts. The positions before and after
    each move may be wanted, as FENs.
    """
    if game.tags.get("Variant", "Standard").strip().lower() not in STANDARD:
        return GameRead(VARIANT, [])
    try:
        board = board_of(game.tags.get("FEN", chess.STARTING_FEN))
    except FenError:
        return GameRead(BAD_POSITION, [])
    played: list[Played] = []
    before = board.fen() if fens else ""
    for span in game.moves:
        text = decoded(data[span.start : span.full_end if strict else span.end])
        move, reading = _denoted(text, board)
        if move is None:
            return GameRead(STOPPED, played, reading, board.fen())
        san = text if reading is None else str(reading.canonical)
        fen = board.fen() if reading is not None and not fens else before
        board.push(move)
        after = board.fen() if fens else ""
        played.append(Played(span, san, move.uci(), fen, after, reading))
        before = after
    return GameRead(READ, played)


def _denoted(text: str, board: chess.Board) -> tuple[chess.Move | None, Reading | None]:
    """The move that a text denotes, and the judge's reading if the text is not canonical."""
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
