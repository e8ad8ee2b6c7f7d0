"""The parts of a game's text: its tags, and the move texts of the game itself.

The form is PGN's import format (PGN standard, sections 3.1, 5 to 8). Nothing is decided here about
what a move text means. This is the definition; :mod:`verify.scan.loops` reads the usual part
of it faster, and leaves the rest to this module.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from enum import auto
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from sanproof.verify.notation.vocabulary import VocabularyName
from sanproof.verify.scan.borders import (
    BOM,
    LEAD,
    OTHER_RESULTS,
    OTHER_RESULTS_PATTERN,
    RESULTS,
    empty_lines,
    game_starts,
    next_tag,
)
from sanproof.verify.scan.marks import APART, due_for, marked


class Oddity(VocabularyName):
    """One way to differ from PGN beside the moves; the value is the public name.

    The meaning is clear, and the game goes on.
    """

    INDENTED_TAG = auto(), "White space stands before a tag."
    NO_BREAK_SPACE = auto(), "A no-break space stands for a space."
    CONTROL_Z = auto(), "Ctrl-Z, the end of a file in DOS, stands in the text."
    FOREIGN_LETTER = auto(), "The letter of a piece is that of another language."
    OTHER_RESULT = auto(), "A result is not written 1-0, 0-1, 1/2-1/2 or *."
    JOINED_RESULT = auto(), "No space stands between a move and the result."
    WRONG_RESULT = (
        auto(),
        "The tag Result, the result after the moves and the last position do not agree (FIDE 5).",
    )
    EVALUATION_SIGN = auto(), "A sign stands where PGN has a number, such as $18 for +-."
    DIAGRAM_SIGN = auto(), "D stands where a book has a diagram; PGN has $220."
    ODD_CODE = auto(), "A $ stands without a number from 0 to 255 right after it."
    CHECK_APART = auto(), "Check or mate stands apart from the move, or in a word: ch, mate."
    STRAY_PUNCTUATION = auto(), "A comma, period or colon stands after a move."
    MALFORMED_TAG = auto(), 'A tag is not written [Name "value"]; what can be read of it is read.'
    EMPTY_LINES_IN_TAGS = auto(), "Two empty lines or more stand before a tag; it is of the game."
    EXCESS_CASTLING_RIGHT = (
        auto(),
        "The FEN gives a right to castle without king and rook in their places; it is dropped.",
    )
    AFTER_END = (
        auto(),
        "The game had ended: mate, stalemate, a fifth repetition or 75 moves (FIDE 5.1, 5.2, 9.6).",
    )
    MISSING_TAG = auto(), "A tag of the Seven Tag Roster is missing (PGN standard, section 8.1.1)."
    NULL_MOVE = (
        auto(),
        "A move that does nothing is no chess; the moves after it are not counted as played.",
    )


OddSpan = tuple[Oddity, int, int, str]
"""An irregularity: its name, its beginning and end, and the PGN that replaces it."""
_TAG_LINE: Final = re.compile(rb"(?P<lead>%b)\[[^\n]*+(?:\n|\Z)" % LEAD)
WHOLE_TAG: Final = rb'\[\w++[ \t]++"[^"\\\n]*+(?:\\.[^"\\\n]*+|(?!))*+"[ \t]*+\][ \t\r]*+'
_WHOLE_TAGS: Final = re.compile(rb"(?:%b|(?!))*+" % WHOLE_TAG)
"""A group that is repeated possessively ends in ``|(?!)``, or its alternatives are literals and
classes: before Python 3.11.5 it ended too late where its last try failed half-way."""
_TAG: Final = re.compile(rb'\[(\w+)[ \t]+"((?:[^"\\\n]++|\\.|(?!))*+)"')
_RESULT_VALUE: Final = re.compile(rb'\[[ \t]*Result[ \t]+"([^"\n]*)"')
_LOOSE_TAG: Final = re.compile(
    rb'\[[ \t]*(?P<name>[\w\x80-\xff.-]++)(?:[ \t]*"(?P<quoted>[^\n]*?)'
    rb'(?:"[ \t]*\](?=[ \t]*(?:\[|\Z))|"?[ \t]*\]?[ \t]*\Z)'
    rb"|[ \t:=]+(?P<plain>[^\[\]\n]*)\]?)[ \t]*"
)
"""The readable part of a tag, up to a quote that ends it."""
_QUOTES: Final = "'\"\u2018\u2019\u201c\u201d\u201e "
_ESCAPED_LINE: Final = re.compile(rb"(?<=\n)%[^\n]*")
_ESCAPE: Final = re.compile(r'\\(["\\])')
_BEFORE_TAGS: Final = re.compile(rb"(?:\s|%b)*" % LEAD.removesuffix(b"*+"))
_NO_BREAK: Final = rb"(?:\xc2\xa0|\xe2\x80[\x87\xaf]|(?<![\x80-\xff])\xa0)"
"""In UTF-8 (U+00A0, U+2007, U+202F) or Latin-1, where no other byte of a character is before it."""
_ENDS: Final = rb"(?=[\s{};()$\x1a]|%b|\Z)" % _NO_BREAK
PART: Final = re.compile(
    rb"(?P<comment>\{[^}]*(?P<open>\Z)?\}?|;[^\n]*|(?:(?<=\n)|\A)%%[^\n]*)"
    rb"|(?P<down>\()|(?P<up>\))"
    rb"|\$(?:1?\d?\d|2[0-4]\d|25[0-5])(?!\d)|(?P<code>\$\d*)"
    rb"|(?P<space>%(space)b)|(?P<end>\x1a+)"
    rb"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)%(ends)b)"
    rb"|(?P<other>(?:%(other)b)%(ends)b)"
    rb"|%(apart)b"
    rb"|\d+(?:\.+|%(ends)b)|\.+|[!?]+%(ends)b|\}"
    rb"|(?P<passing>e\.?p\.?%(ends)b)"
    rb"|(?P<move>(?:[^\s{}();$\x1a\x80-\xff]++|(?!%(space)b)[\x80-\xff]"
    rb"|\((?:[QRBNqrbn]|=)\)){1,1000})"
    % {
        b"space": _NO_BREAK,
        b"ends": _ENDS,
        b"apart": APART.replace(b"ENDS", _ENDS),
        b"other": OTHER_RESULTS_PATTERN,
    }
)
"""A part of movetext, after white space.

What repeats an alternative does so a thousand times at most, for a state is kept for each. It is
not possessive: before Python 3.11.5 such a repetition ends too late if the last one fails half-way.
"""
_RESULT_TAG: Final = re.compile(rb"\[[ \t]*Result(?!\w)[^\]\n]*\]?")
_FEN_TAG: Final = re.compile(rb"\[[ \t]*FEN(?!\w)[^\]\n]*\]?")
_GLYPH: Final = re.compile(rb"(?<=[^!?])(?:!!|\?\?|!\?|\?!|!|\?)\Z")
"""The six suffix annotations (PGN standard, section 8.2.3.8)."""
ODDITIES: Final = {
    "space": Oddity.NO_BREAK_SPACE,
    "end": Oddity.CONTROL_Z,
    "other": Oddity.OTHER_RESULT,
    "sign": Oddity.EVALUATION_SIGN,
    "diagram": Oddity.DIAGRAM_SIGN,
    "code": Oddity.ODD_CODE,
    "check": Oddity.CHECK_APART,
    "stray": Oddity.STRAY_PUNCTUATION,
    "joined": Oddity.JOINED_RESULT,
}
MAX_TEXTS: Final = 20_000
"""More moves and oddities no game that is read has: by FIDE 9.6 one ends after 17,697 plies.

So what is kept of a game is bounded, whatever stands in it.
"""
_WINDOWS: Final = "".join(
    bytes([byte]).decode("cp1252" if byte not in {0x81, 0x8D, 0x8F, 0x90, 0x9D} else "latin-1")
    for byte in range(256)
)
"""The characters of Windows-1252, which are Latin-1's but for 80 to 9F."""


ROSTER: Final = {
    **dict.fromkeys(("Event", "Site"), "?"),
    "Date": "????.??.??",
    **dict.fromkeys(("Round", "White", "Black"), "?"),
    "Result": "*",
}
"""The Seven Tag Roster (PGN standard, section 8.1.1), with what an unknown value is."""


class Span(NamedTuple):
    """The place of a move text, in bytes of the chunk.

    The suffix annotation after it (``Nf3!?``) ends at ``full_end``: without one, that is the end.
    """

    start: int
    end: int
    full_end: int


class TextOfGame(NamedTuple):
    """The text of a game."""

    start: int  # where it begins, in bytes of the chunk
    end: int  # where it ends
    tags: dict[str, str]  # its tags by name, those of the first of equal names; decoded
    # Where each move text of the game itself stands; those of variations are left out.
    moves: list[Span]
    # Where the first text after the result begins and ends, if there is one.
    after_result: tuple[int, int] | None
    # Where the result that ends it begins and ends; None if it breaks off.
    result: tuple[int, int] | None
    is_open: bool  # whether a comment or a variation has no end
    # Other irregularities: beginning, end, and the form that PGN has.
    odd: list[OddSpan]
    # How many texts look like moves after the result, or after the beginning of a comment or
    # variation that has no end.
    left: int = 0
    movetext: int = 0  # where the tags end
    is_too_long: bool = False  # whether it has more than MAX_TEXTS; then none of them is kept
    opened: int = -1  # where the comment or variation begins that has no end

    @property
    def has_result(self) -> bool:
        """Check whether a result ends it."""
        return self.result is not None


def games(data: bytes) -> Iterator[TextOfGame]:
    """Return the games of a chunk."""
    return (read_game(data, *ends) for ends in pairwise([*game_starts(data), len(data)]))


def read_game(data: bytes, start: int, end: int) -> TextOfGame:
    """Return the parts of a game that fills a part of a chunk."""
    at = _tags_begin(data, start, end)
    odd = _odd_before(data, start, at)
    begin, at = at, _section_end(data, at, end, odd)
    tags = _tags(data, begin, at, odd)
    if (told := _RESULT_VALUE.search(data, begin, at)) and told[1] in OTHER_RESULTS:
        odd.append((Oddity.OTHER_RESULT, *told.span(1), OTHER_RESULTS[told[1]].decode()))
    game = TextOfGame(start, end, tags, [], None, None, is_open=False, odd=odd)
    game = _with_moves(game._replace(movetext=at), data, at)
    if len(game.moves) + len(odd) <= MAX_TEXTS:
        return game
    none = game._replace(moves=[], odd=[], after_result=None, is_too_long=True)
    return none._replace(left=_moves_in(data, at, end))


def tags_of(data: bytes, start: int, end: int) -> dict[str, str]:
    """Return the tags of a game alone."""
    at, odd = _tags_begin(data, start, end), list[OddSpan]()
    return _tags(data, at, _section_end(data, at, end, odd), odd)


def _tags_begin(data: bytes, start: int, end: int) -> int:
    """Return where the first tag of a game begins, or its first move."""
    lead = _BEFORE_TAGS.match(data, start, end)
    return lead.end() if lead else start


def _tags(data: bytes, start: int, end: int, odd: list[OddSpan]) -> dict[str, str]:
    tags: dict[str, str] = {}
    section = _ESCAPED_LINE.sub(b"", data[start:end])
    is_malformed = any(kind is Oddity.MALFORMED_TAG for kind, *_ in odd)
    for name, value in _loose_tags(section) if is_malformed else _TAG.findall(section):
        text = decoded(value)
        tags.setdefault(decoded(name), _ESCAPE.sub(r"\1", text) if "\\" in text else text)
    return tags


def _loose_tags(section: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield what can be read of the tags of a section in which one is malformed."""
    for line in section.split(b"\n"):
        text = line.replace(BOM, b"").strip(b" \t\r\v\f\x1a")
        whole = _WHOLE_TAGS.match(text)
        at = whole.end() if whole else 0
        yield from _TAG.findall(text[:at])
        while found := _LOOSE_TAG.match(text, at):
            value, at = found["quoted"], found.end()
            if value is None:
                value = decoded(found["plain"]).strip(_QUOTES).encode()
            yield found["name"], value


def _odd_before(data: bytes, start: int, at: int) -> list[OddSpan]:
    """Return the irregularities before the first tag or move."""
    control = data.find(b"\x1a", start, at)
    if control >= 0:
        return [(Oddity.CONTROL_Z, control, control + 1, "")]
    line = data.rfind(b"\n", start, at) + 1 or start
    is_tag = data.startswith(b"[", at) and data[line:at].strip(b" \t") == b"" != data[line:at]
    return [(Oddity.INDENTED_TAG, line, at, "")] if is_tag else []


def _section_end(data: bytes, at: int, end: int, odd: list[OddSpan]) -> int:
    """Return where a tag section ends: with its lines, or where movetext begins on one of them."""
    while line := _TAG_LINE.match(data, at, end):
        del odd[MAX_TEXTS + 1 :]
        if line["lead"].replace(BOM, b""):
            kind = Oddity.CONTROL_Z if b"\x1a" in line["lead"] else Oddity.INDENTED_TAG
            odd.append((kind, line.start(), line.end("lead"), ""))
        first, at = line.end("lead"), line.end()
        whole = _WHOLE_TAGS.match(data, first, at)
        moves = whole.end() if whole else first
        if first < moves < at and data[moves : moves + 1] not in b"[] \t\r\n\v\f":
            return moves
        if moves == first or data[moves : min(moves + 1, at)] in {b"[", b"]"}:
            odd.append((Oddity.MALFORMED_TAG, *_stripped(data, first, at), ""))
        after, at = at, next_tag(data, first, at, end)
        if empty_lines(data, after, at) > 1:
            line_end = data.find(b"\n", at, end)
            place = _stripped(data, at, end if line_end < 0 else line_end)
            odd.append((Oddity.EMPTY_LINES_IN_TAGS, *place, ""))
    return at


def _stripped(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where a line begins and ends without white space after it."""
    return start, start + len(data[start:end].rstrip())


def decoded(text: bytes) -> str:
    """Decode a text as UTF-8, falling back to Windows-1252, and so to Latin-1."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return codecs.charmap_decode(text, "strict", _WINDOWS)[0]


def _with_moves(  # noqa: C901 - one branch for each part
    game: TextOfGame, data: bytes, at: int
) -> TextOfGame:
    moves, after, odd = game.moves, game.after_result, game.odd
    depth, result, is_open = 0, game.result, False
    left = opened = 0
    opened_at = -1
    is_short = lambda _: len(moves) + len(odd) <= MAX_TEXTS  # noqa: E731
    for match in takewhile(is_short, PART.finditer(data, at, game.end)):
        kind = match.lastgroup
        if kind == "down":
            if not depth:
                opened, opened_at = left, match.start()
            depth += 1
        elif kind == "up":
            depth = max(0, depth - 1)
            left = left if depth else opened
        elif kind in {"comment", "open"}:
            is_open = match["open"] is not None
            opened_at = match.start() if is_open else opened_at
            left += _moves_in(data, match.start() + 1, game.end) if is_open else 0
        elif kind is None or (kind in ODDITIES and depth):
            continue
        elif kind in ODDITIES:
            odd.append(odd_at(match, kind))
            result = result or (match.span() if kind == "other" else None)
        elif depth or result:
            left += kind == "move"
            after = after or (None if depth else match.span())
        elif kind == "result":
            result = match.span()
        elif kind == "passing" and moves:
            moves[-1] = Span(moves[-1].start, match.end(), match.end())
        else:
            span, marks = span_and_marks(match)
            moves.append(span)
            odd += marks
            joined = [mark[1:3] for mark in marks if mark[0] is Oddity.JOINED_RESULT]
            result = joined[0] if joined else None
    is_open = is_open or depth > 0
    game = game._replace(after_result=after, result=result, is_open=is_open, left=left)
    return game._replace(opened=opened_at if is_open else -1)


def missing_tags(data: bytes, start: int, end: int, tags: Mapping[str, str]) -> list[OddSpan]:
    """Return the irregularity of a game that lacks tags of the Seven Tag Roster: its first line."""
    due = [f'[{name} "{value}"]' for name, value in ROSTER.items() if name not in tags]
    if not due:
        return []
    begin = _tags_begin(data, start, end)
    line = data[begin:end].partition(b"\n")[0].rstrip()
    return [(Oddity.MISSING_TAG, begin, begin + len(line), " ".join(due))]


def wrong_result(game: TextOfGame, data: bytes, due: str) -> list[OddSpan]:
    """Return the irregularity of a game whose results disagree, also with its last position."""
    tag = _RESULT_TAG.search(data, game.start, game.movetext)
    ended = _result_of(data[slice(*game.result)]) if game.result else ""
    tagged = _result_of(game.tags.get("Result", "").encode()) if tag else ""
    for told, place in ((ended, game.result), (tagged, tag and tag.span())):
        if due and place and told not in {"", "*", due}:
            return [(Oddity.WRONG_RESULT, *place, "")]
    if game.result and ended and tagged and ended != tagged:
        return [(Oddity.WRONG_RESULT, *game.result, "")]
    return []


def result_missing(game: TextOfGame, data: bytes) -> tuple[int, int, str]:
    """Return where the result is missing that ends a game, and what it is with the space before."""
    at = game.start + len(data[game.start : game.end].rstrip(b" \t\r\n\v\f\x1a"))
    line = data[data.rfind(b"\n", game.start, at) + 1 : at]
    may_be_remark = b";" in line or line.startswith(b"%")
    space = "\n\n" if not game.moves else "\n" if may_be_remark else " "
    return at, at, space + (_result_of(game.tags.get("Result", "").encode()) or "*")


def _result_of(text: bytes) -> str:
    """Return a result as PGN has it; empty otherwise."""
    told = OTHER_RESULTS.get(text, text)
    return told.decode() if told in RESULTS else ""


def excess_right(game: TextOfGame, data: bytes) -> list[OddSpan]:
    """Return the irregularity of a game whose FEN gives one castling right too many."""
    tag = _FEN_TAG.search(data, game.start, game.movetext)
    return [(Oddity.EXCESS_CASTLING_RIGHT, *tag.span(), "")] if tag else []


def odd_at(match: re.Match[bytes], kind: str) -> OddSpan:
    """Return the irregularity that :data:`PART` found, if it is one of :data:`ODDITIES`."""
    return ODDITIES[kind], *match.span(), due_for(kind, match[0], OTHER_RESULTS)


def span_and_marks(match: re.Match[bytes]) -> tuple[Span, list[OddSpan]]:
    """Return where a move text stands, of what :data:`PART` found, and the marks after it."""
    start = match.start()
    if found := marked(match[0]):
        move_end, full_end, marks = found
        odd = [(ODDITIES[kind], start + a, start + b, due) for kind, a, b, due in marks]
        return Span(start, start + move_end, start + full_end), odd
    glyph = _GLYPH.search(match[0])
    return Span(start, start + glyph.start() if glyph else match.end(), match.end()), []


def _moves_in(data: bytes, start: int, end: int) -> int:
    """Count what looks like moves in a part of a chunk."""
    return sum(match.lastgroup == "move" for match in PART.finditer(data, start, end))
