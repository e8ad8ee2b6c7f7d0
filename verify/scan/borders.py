"""Where games begin in a text, and cutting a stream there into chunks of bounded size.

A game begins at each tag section: lines ``[Name "value"]`` after a line that is none. A text
without tags begins a game after a line that ends in a result and is followed by an empty line.
Both can be seen without reading the moves, so that a stream can be cut before it is read, and the
games are the same wherever it is cut. A comment that holds such lines is cut too; it then counts
as a comment that nobody closed.
"""

import re
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

CHUNK_BYTES: Final = 4 << 20
LONGEST_GAME_BYTES: Final = 16 << 20
"""What is longer than this without the beginning of a game is not read, but counted."""
BOM: Final = b"\xef\xbb\xbf"

_SECTION: Final = re.compile(rb'\n\[\w+[ \t]+"[^\n]*(?:\n\[\w+[ \t]+"[^\n]*)*')
_EMPTY_LINES: Final = re.compile(rb"\n[ \t\r]*+\n\s*+")
_NO_BEGINNING: Final = re.compile(rb"\Z|[\[%\xef]")
"""What may be a tag, a remark or (0xEF) a byte order mark begins no game without tags."""
_RESULT: Final = re.compile(rb"(?:^|[\s})])(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_BLANK: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|(?:(?<=\n)|^)%[^\n]*(?:\n|\Z))*")
LONGEST_RESULT: Final = 16
"""Of what stands before an empty line, so many bytes are searched for a result."""
_WINDOW_BYTES: Final = 1 << 18


class Piece(NamedTuple):
    """A part of a stream that begins and ends at borders of games.

    Attributes:
        data: Its bytes.
        part: ``games`` for whole games, ``long`` for the beginning of a game that is too long to
            be read, ``rest`` for what follows of it.
    """

    data: bytes
    part: str = "games"


def game_starts(data: bytes) -> list[int]:
    """The offsets at which games begin, in order.

    Empty if there is nothing but white space and escaped lines (PGN standard, section 6).

    Args:
        data: A text that begins at the border of a game.
    """
    shift = 1
    text = b"\n" + data
    if data.startswith(BOM):
        text, shift = b"\n" + data[len(BOM) :], 1 - len(BOM)
    starts = {match.start() + 1 for match in _SECTION.finditer(text)}
    for match in _EMPTY_LINES.finditer(text):
        before = text[max(0, match.start() - LONGEST_RESULT) : match.start()]
        if _RESULT.search(before) and not _NO_BEGINNING.match(text, match.end()):
            starts.add(text.rfind(b"\n", 0, match.end()) + 1)
    found = sorted(start - shift for start in starts)
    return [0, *found] if has_text_before(data, found[0] if found else len(data)) else found


def has_text_before(data: bytes, first: int) -> bool:
    """Whether a text has more than white space and escaped lines before an offset."""
    return first > 0 and not _BLANK.fullmatch(data, 0, first)


def cut(stream: IO[bytes], chunk_bytes: int = CHUNK_BYTES) -> Iterator[Piece]:
    """Cut a stream at borders of games.

    Args:
        stream: What is read, to its end.
        chunk_bytes: How large a piece is wanted; the games in it are whole, so it can be smaller,
            or as large as :data:`LONGEST_GAME_BYTES`.

    Yields:
        The pieces; joined they are the stream.
    """
    buffer, part = b"", "games"
    wanted = chunk_bytes
    while read := stream.read(max(1, wanted - len(buffer))):
        buffer += read
        if len(buffer) < wanted:
            continue
        border = _last_border(buffer)
        if part != "games":  # the rest of a game that is too long ends at the first border
            border = _first_border(buffer)
        if border:
            yield Piece(buffer[:border], part)
            buffer, part, wanted = buffer[border:], "games", chunk_bytes
        elif len(buffer) < max(LONGEST_GAME_BYTES, chunk_bytes):
            wanted = len(buffer) + chunk_bytes
        else:
            keep = buffer.rfind(b"\n", 0, -1) + 1 or len(buffer)
            yield Piece(buffer[:keep], "long" if part == "games" else part)
            buffer, part, wanted = buffer[keep:], "rest", chunk_bytes
    if part == "rest" and (border := _first_border(buffer)):
        yield Piece(buffer[:border], part)
        buffer, part = buffer[border:], "games"
    if buffer:
        yield Piece(buffer, part)


def _last_border(data: bytes) -> int:
    """The last offset but 0 at which a game begins; 0 if there is none."""
    begin = data.find(b"\n", max(0, len(data) - _WINDOW_BYTES)) + 1
    for offset in (begin, 0):
        starts = [start for start in _inner_starts(data[offset:]) if start]
        if starts:
            return offset + starts[-1]
    return 0


def _first_border(data: bytes) -> int:
    return next((start for start in _inner_starts(data) if start), 0)


def _inner_starts(data: bytes) -> list[int]:
    """Where games begin within a text that may begin anywhere: its own begin does not count."""
    return [start for start in game_starts(data) if start > 0]
