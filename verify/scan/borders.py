"""The borders of games in a text, and cutting a stream there into chunks of bounded size.

A game begins at each tag section: lines ``[Name "value"]`` after another line. In a section
each line that begins with a bracket is of it, also a malformed one. Escaped and empty lines between
tags end no section, as pgn-extract reads it; but two empty lines before the tag Event do, and moves
after a tag. Before a tag may be white space, a byte order mark or Ctrl-Z, as where files were
joined. A text without tags begins a game after a line that ends in a result, if an empty line is
between them, or if it begins as games do: with the number 1, or with a pawn's or a knight's first
move.

All this can be seen without reading the moves, so that a stream can be cut before it is read, and
the games are the same wherever it is cut. A comment that holds such lines is cut too; it then
counts as an unclosed comment.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

CHUNK_BYTES: Final = 4 << 20
LONGEST_GAME_BYTES: Final = 16 << 20
"""The longest text without the beginning of a game that is read as one."""
BOM: Final = b"\xef\xbb\xbf"

LEAD: Final = rb"(?:[ \t\x1a]|\xef\xbb\xbf)*+"
"""Bytes allowed before a line's first character: white space, Ctrl-Z, a byte order mark."""
_BRACKET_LINES: Final = re.compile(
    rb'\n(?:\[\w++[ \t]*+"[^\n]*+(?:\n\[\w++[ \t]*+"[^\n]*+|(?!))*+|%b\[[^\n]*+)' % LEAD
)
"""Tags that follow one another, or another line with a bracket."""
_TAG_BEGINS: Final = re.compile(rb'%b\[[ \t]*+[\w\x80-\xff.-]++[ \t]*+"' % LEAD)
"""A tag, which may lack the space before its value, or have one before its name."""
_LIKE_TAG: Final = re.compile(rb"%b\[[ \t]*+[A-Za-z][^\n]*\][ \t\r]*+(?:\n|\Z)" % LEAD)
_EVENT: Final = re.compile(rb"%b\[[ \t]*+Event[ \t]*+\"" % LEAD)
"""The first tag of the Seven Tag Roster."""
_MAY_GO_ON: Final = re.compile(rb"\n\s*+[\[%\x1a\xef]")
_BETWEEN_TAGS: Final = re.compile(rb"(?:%[^\n]*+(?:\n|\Z)|[ \t\r]*+\n|(?!))*+")
_EMPTY_LINES: Final = re.compile(rb"\n(?<!\]\n)[ \t\r]*+\n\s*+(?!\[)")
"""Empty lines after another line than a tag, and before one."""
_NO_BEGINNING: Final = re.compile(rb"(?:[\s\x1a]|\xef\xbb\xbf)*+(?:\Z|[\[%])")
"""Beginnings of tags and remarks, and empty lines, which begin no game without tags."""
_FIRST_MOVE: Final = re.compile(
    rb"\n(?<!\n\n)(?=%b(?:1[ \t]*\.(?!\.)|1[ \t]+[a-hN]"
    rb"|(?:[a-h][34]|N[acfh]3|[a-h]2[a-h][34]|[bg]1[acfh]3)(?=[\s!?]|\Z)))" % LEAD
)
"""The end of a line, if the next one begins as games do."""
DASHES: Final = (
    *(c.encode() for c in "\u2010\u2011\u2012\u2013\u2014\u2212"),
    *(b"\x96", b"\x97"),  # in Windows-1252
    *(b":", b" - "),
)
"""The dashes that stand for the hyphen of a result."""
RESULTS: Final = (b"1-0", b"0-1", b"1/2-1/2", b"*")
_HALVES: Final = ("½".encode(), b"\xbd")
OTHER_RESULTS: Final = {
    b"1/2": b"1/2-1/2",
    **dict.fromkeys(_HALVES, b"1/2-1/2"),
    **{
        half + dash + half: b"1/2-1/2"
        for half in (*_HALVES, b"0.5", b"0,5", b".5")
        for dash in (b"-", *DASHES)
    },
    **{result.replace(b"-", dash): result for result in RESULTS[:3] for dash in DASHES},
}
"""Results as PGN has no such, each with how it is written (section 8.2.6)."""
_RESULTS: Final = b"|".join(map(re.escape, RESULTS))
OTHER_RESULTS_PATTERN: Final = b"|".join(
    re.escape(result) for result in sorted(OTHER_RESULTS, key=len, reverse=True)
)
_RESULT: Final = re.compile(
    rb"(?:(?:^|[\s})])(?:%b)|(?:(?<=[a-h][1-8])|(?<=[+#!?Oo]))(?:%b))\s*\Z"
    % (b"%b|%b" % (_RESULTS, OTHER_RESULTS_PATTERN), _RESULTS)
)
_ESCAPED: Final = rb"(?:%[^\n]*+(?:\n|\Z)|(?!))*+"
_BLANK: Final = re.compile(
    rb"%b(?:\n%b|[ \t\r\f\v\x1a]|\xef\xbb\xbf|(?!))*+" % (_ESCAPED, _ESCAPED)
)
LONGEST_RESULT: Final = 16
"""The bytes before an empty line that are searched for a result."""
_NEAR_BYTES: Final = 1 << 14
_WINDOW_BYTES: Final = 1 << 18
"""The bytes at the end in which the last border is searched first."""


def game_starts(data: bytes) -> list[int]:
    """Return the offsets at which games begin, in order, in a text that begins at a game's border.

    Empty if there is nothing but white space and escaped lines (PGN standard, section 6).
    """
    text = b"\n" + data
    starts = set(_sections(text))
    for match in _EMPTY_LINES.finditer(text):
        before = text[max(0, match.start() - LONGEST_RESULT) : match.start()]
        if _RESULT.search(before) and not _NO_BEGINNING.match(text, match.end()):
            starts.add(text.rfind(b"\n", 0, match.end()) + 1)
    for match in _FIRST_MOVE.finditer(text):
        line = text.rfind(b"\n", 0, match.start()) + 1
        is_empty = not text[line : match.start()].strip(b" \t\r")
        if not is_empty and _RESULT.search(
            text[max(0, match.start() - LONGEST_RESULT) : match.start()]
        ):
            starts.add(match.start() + 1)
    found = sorted(start - 1 for start in starts)
    return [0, *found] if has_text_before(data, found[0] if found else len(data)) else found


def _sections(text: bytes) -> Iterator[int]:
    """Return where tag sections begin: at a tag, or at lines like tags right before it."""
    goes_on = like = like_end = -1
    for found in _BRACKET_LINES.finditer(text):
        line, after = found.start() + 1, found.end() + 1
        if line != goes_on:
            if not _TAG_BEGINS.match(text, line):
                if _LIKE_TAG.match(text, line):
                    like, like_end = (like if line == like_end else line), after
                continue
            yield like if line == like_end else line
        goes_on = after
        if _MAY_GO_ON.match(text, found.end()):
            goes_on = next_tag(text, line, after, len(text))


def next_tag(data: bytes, line: int, after: int, end: int) -> int:
    """Return where the tag section of a line goes on: ``after`` it, or at a tag further down.

    It does after escaped and empty lines, if nothing follows the tags on the line. After two empty
    lines the tag Event begins a game.
    """
    if not data[line:after].rstrip(b" \t\r\n").endswith(b"]"):
        return after
    between = _BETWEEN_TAGS.match(data, after, end)
    at = data.rfind(b"\n", after, between.end() if between else after) + 1 or after
    empty = empty_lines(data, after, at)
    goes_on = _TAG_BEGINS.match(data, at, end) or (empty < 2 and _LIKE_TAG.match(data, at, end))
    return at if goes_on and not (empty > 1 and _EVENT.match(data, at, end)) else after


def empty_lines(data: bytes, after: int, at: int) -> int:
    """Count the empty lines among the empty and escaped ones between two tags' lines."""
    return data.count(b"\n", after, at) - data.count(b"\n%", after - 1, at)


def has_text_before(data: bytes, first: int) -> bool:
    """Check whether a text has more than white space and escaped lines before an offset."""
    return first > 0 and not _BLANK.fullmatch(data, 0, first)


def cut(blocks: Iterable[bytes], chunk_bytes: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Cut a text, which comes in blocks, at borders of games: the pieces joined are the text.

    The games in a piece are whole, so it can be smaller than is wanted, or larger. A game of more
    than :data:`LONGEST_GAME_BYTES` is cut between its lines.
    """
    buffer, wanted = bytearray(), chunk_bytes
    longest = max(LONGEST_GAME_BYTES, chunk_bytes)
    for block in blocks:
        buffer += block
        while len(buffer) >= wanted:
            head = bytes(buffer[:wanted])  # what follows does not matter
            border = _last_border(head)
            if not border and wanted < longest:
                wanted = min(2 * wanted, longest)
                continue
            border = border or head.rfind(b"\n", 0, -1) + 1 or len(head)
            yield head[:border]
            del buffer[:border]
            wanted = chunk_bytes
    if buffer:
        yield bytes(buffer)


def _last_border(data: bytes) -> int:
    """Return the last offset but 0 at which a game begins; 0 otherwise.

    In a part of a text, a tag after empty and escaped lines begins none: it may go on with what is
    before the part.
    """
    for window in (_NEAR_BYTES, _WINDOW_BYTES, len(data)):
        offset = data.find(b"\n", max(0, len(data) - window)) + 1 if window < len(data) else 0
        part = data[offset:]
        first = next_tag(b"]\n" + part, 0, 2, len(part) + 2) - 2
        if starts := [start for start in game_starts(part) if start > 0 and start != first]:
            return offset + starts[-1]
    return 0
