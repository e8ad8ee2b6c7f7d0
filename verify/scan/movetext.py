"""The grammar of game files: where games begin, their tags, and the parts of their movetext.

The form is PGN's import format (PGN standard, sections 3.1, 5 to 8). Nothing is decided here about
what a move text means. This is the definition; :mod:`verify.scan.loops` reads the usual part
of it faster, and leaves the rest to this module.

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
from enum import auto
from itertools import chain
from typing import Final

from sanproof.verify.notation.vocabulary import VocabularyName
from sanproof.verify.scan.results import Deviation

# The borders of games

CHUNK_BYTES: Final = 4 << 20
LONGEST_GAME_BYTES: Final = 16 << 20
"""The longest text without the beginning of a game that is read as one."""
BOM: Final = b"\xef\xbb\xbf"

LEAD: Final = rb"(?:[ \t\x1a]|\xef\xbb\xbf)*+"
"""The bytes allowed before a line's first character: white space, Ctrl-Z, a byte order mark."""
_BRACKET_LINES: Final = re.compile(
    rb'\n(?:\[\w++[ \t]*+"[^\n]*+(?:\n\[\w++[ \t]*+"[^\n]*+|(?!))*+|%b\[[^\n]*+)' % LEAD
)
"""Tags that follow one another, or another line with a bracket."""
_TAG_BEGINS: Final = re.compile(rb'%b\[[ \t]*+[\w\x80-\xff.-]++[ \t]*+"' % LEAD)
"""A tag, which may lack the space before its value, or have one before its name."""
_LIKE_TAG: Final = re.compile(rb"%b\[[ \t]*+[A-Za-z][^\n]*\][ \t\r]*+(?:\n|\Z)" % LEAD)
_EVENT: Final = re.compile(rb"%b\[[ \t]*+Event[ \t]*+\"" % LEAD)
"""The first tag of the Seven Tag Roster."""
_MOVES_FOLLOW: Final = re.compile(rb"\n[ \t\r]*+\n\d")  # which is what usually follows
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
"""The dashes that are read as the hyphen of a result."""
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
"""Results in other forms than PGN's, each with that of PGN (section 8.2.6)."""
_RESULTS: Final = b"|".join(map(re.escape, RESULTS))
OTHER_RESULTS_PATTERN: Final = b"|".join(
    re.escape(result) for result in sorted(OTHER_RESULTS, key=len, reverse=True)
)
_RESULT: Final = re.compile(
    rb"(?:(?:^|[\s})])(?:%b)|(?:(?<=[a-h][1-8])|(?<=[+#!?Oo]))(?:%b))\s*\Z"
    % (b"%b|%b" % (_RESULTS, OTHER_RESULTS_PATTERN), _RESULTS)
)
_ESCAPED_LINE: Final = re.compile(rb"(?<=\n)%[^\n]*")
LONGEST_RESULT: Final = 16
"""The bytes before an empty line that are searched for a result."""


def game_starts(data: bytes) -> list[int]:
    """Return the offsets at which games begin, in order. The text has to begin where a game may.

    Empty if there is nothing but white space and escaped lines (PGN standard, section 6).
    """
    text = b"\n" + data
    starts = set(_sections(text))
    for match in chain(_EMPTY_LINES.finditer(text), _FIRST_MOVE.finditer(text)):
        before = text[max(0, match.start() - LONGEST_RESULT) : match.start()]
        if _RESULT.search(before) and not _NO_BEGINNING.match(text, match.end()):
            starts.add(text.rfind(b"\n", 0, match.end()) + 1)
    found = sorted(start - 1 for start in starts)
    before = _ESCAPED_LINE.sub(b"", text[: found[0] + 1] if found else text)
    return [0, *found] if before.replace(BOM, b"").strip(b" \t\r\n\v\f\x1a") else found


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
        goes_on = next_tag(text, line, after, len(text))


def next_tag(data: bytes, line: int, after: int, end: int) -> int:
    """Return where the tag section of a line goes on: ``after`` it, or at a tag further down.

    It does after escaped and empty lines, if nothing follows the tags on the line. After two empty
    lines the tag Event begins a game.
    """
    moves_follow = _MOVES_FOLLOW.match(data, after - 1, end)
    if moves_follow or not data[line:after].rstrip(b" \t\r\n").endswith(b"]"):
        return after
    between = _BETWEEN_TAGS.match(data, after, end)
    at = data.rfind(b"\n", after, between.end() if between else after) + 1 or after
    empty = empty_lines(data, after, at)
    goes_on = _TAG_BEGINS.match(data, at, end) or (empty < 2 and _LIKE_TAG.match(data, at, end))
    return at if goes_on and not (empty > 1 and _EVENT.match(data, at, end)) else after


def empty_lines(data: bytes, after: int, at: int) -> int:
    """Count the empty lines among the empty and escaped ones between two tags' lines."""
    return data.count(b"\n", after, at) - data.count(b"\n%", after - 1, at)


def cut(
    blocks: Iterable[bytes], chunk_bytes: int = CHUNK_BYTES
) -> Iterator[tuple[bytes, list[int]]]:
    """Cut a text, which comes in blocks, between games. The pieces joined are the text.

    Each piece comes with the offsets of its games, which are complete, so it can be smaller or
    larger than ``chunk_bytes``. A game of more than :data:`LONGEST_GAME_BYTES` is cut between
    lines.
    """
    buffer, wanted = bytearray(), chunk_bytes
    longest = max(LONGEST_GAME_BYTES, chunk_bytes)
    for block in blocks:
        buffer += block
        while len(buffer) >= wanted:
            whole_lines = buffer.rfind(b"\n", 0, wanted) + 1
            head = bytes(buffer[: whole_lines or wanted])  # what follows does not matter
            *starts, border = game_starts(head) or [0]
            if not border and wanted < longest:
                wanted = min(2 * wanted, longest)
                continue
            if not border:
                border = head.rfind(b"\n", 0, -1) + 1 or len(head)
                starts = game_starts(head[:border])
            yield head[:border], starts
            del buffer[:border]
            wanted = chunk_bytes
    if buffer:
        yield bytes(buffer), game_starts(bytes(buffer))


# What is irregular


class Oddity(VocabularyName):
    """A way to differ from PGN outside the moves. The value is the public name.

    The meaning is clear, and the game goes on.
    """

    INDENTED_TAG = auto(), "White space stands before a tag."
    NO_BREAK_SPACE = auto(), "A no-break space stands for a space."
    CONTROL_Z = auto(), "Ctrl-Z, the end of a file in DOS, stands in the text."
    FOREIGN_LETTER = auto(), "The letter of a piece is that of another language."
    OTHER_RESULT = auto(), "A result has another form than PGN's 1-0, 0-1, 1/2-1/2 and *."
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
        "Chess has no null move; the moves after it are not counted as played.",
    )


# The tags

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
_ESCAPE: Final = re.compile(r'\\(["\\])')
_BEFORE_TAGS: Final = re.compile(rb"(?:\s|%b)*" % LEAD.removesuffix(b"*+"))
ROSTER: Final = {
    **dict.fromkeys(("Event", "Site"), "?"),
    "Date": "????.??.??",
    **dict.fromkeys(("Round", "White", "Black"), "?"),
    "Result": "*",
}
"""The Seven Tag Roster (PGN standard, section 8.1.1), with the forms of unknown values."""

MAX_TEXTS: Final = 20_000
"""The most moves and oddities of a game that is read, which bounds what is kept of any; by FIDE 9.6
a game ends after 17,697 plies."""

# The movetext

_CODES: Final = (
    "3 ‼, 4 ⁇, 5 ⁉, 6 ⁈, 7 □, 10 =, 13 ∞ ~, 14 ⩲ += +/=, 15 ⩱ =+ =/+, 16 ± +/-, 17 ∓ -/+, "
    "18 +- +\u2013 +\u2014 +\u2212, 19 -+ \u2013+ \u2014+ \u2212+, 20 +--, 21 --+, 22 ⨀ ⊙, 26 ○, "
    "32 ⟳, 36 ↑, 40 →, 132 ⇆, 138 ⨁ ⊕, 140 ∆ Δ, 142 ⌓"
)
"""Numeric Annotation Glyphs (PGN standard, section 10), and the signs of printed chess for them."""
_SIGNS: Final = {
    sign.encode(): int(code)
    for code, *signs in map(str.split, _CODES.split(", "))
    for sign in signs
} | {b"\xb1": 16}  # in Latin-1
_LETTERS: Final = {b"RR": 145, b"N": 146, b"TN": 146, b"D": 220}
"""A remark, a novelty and a diagram, with the numbers that ChessBase gives them."""
_GLYPHS: Final = {b"!!": 3, b"??": 4, b"!?": 5, b"?!": 6}
_ANY_SIGN: Final = b"|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
_IN_WORDS: Final = rb"(?i:(?:(?:dbl|double|dis|disc)\.?[ \t\r\n]*)?ch(?:eck)?|(?:check)?mate)\.?"
"""Check and mate in words."""
_APART: Final = {
    "evaluation_sign": _ANY_SIGN
    + rb"|[!?]{3,}|RR|TN|N(?!\s+x?[a-h])",  # N f3 may be a knight's move
    "diagram_sign": b"D",
    "check_apart": rb"\+\+?|#|" + _IN_WORDS,
    "stray_punctuation": b"[,:]+",
}
"""Marks that stand apart, where PGN has others or none: ``Rxe8 +-``, ``Bb5 ch``, ``Bc1 ,``."""
_ATTACHED: Final = {
    "evaluation_sign": _ANY_SIGN + rb"|[!?]{3,}|(?<=[2-7+#!?])N",
    "diagram_sign": b"(?<=[2-7+#!?])D",
    "check_apart": b"(?<=[!?])[+#]+|" + _IN_WORDS,
    "stray_punctuation": b"[,.:]+",
    "joined_result": rb"(?:1-0|0-1|1/2-1/2|\*)\Z",
}
"""Marks right after a move: ``Rxe8+-``, ``Nf3???``, ``Bc1,``, ``Nf30-1``."""
_MARK: Final = re.compile(
    b"|".join(b"(?P<%b>%b)" % (name.encode(), mark) for name, mark in _ATTACHED.items())
)
_MARKED: Final = re.compile(
    rb"(?P<move>(?:[^!?,]*?[a-h][1-8](?:[=/]?[QRBNqrbn]|\([QRBNqrbn]\))?|[Oo]-[Oo](?:-[Oo])?"
    rb"|0-0(?:-0)?)[+#]{0,2}?)(?:(?:!!|\?\?|!\?|\?!|!|\?)(?![!?]))?"
    rb"(?P<marks>(?:%b)+)\Z" % b"|".join(_ATTACHED.values())
)
_LONGEST_MARKED: Final = 40
_NO_BREAK: Final = rb"(?:\xc2\xa0|\xe2\x80[\x87\xaf]|(?<![\x80-\xff])\xa0)"
"""In UTF-8 (U+00A0, U+2007, U+202F) or Latin-1, where no other byte of a character is before it."""
_ENDS: Final = rb"(?=[\s{};()$\x1a]|%b|\Z)" % _NO_BREAK
PART: Final = re.compile(
    rb"(?P<comment>\{[^}]*(?P<open>\Z)?\}?|;[^\n]*|(?:(?<=\n)|\A)%%[^\n]*)"
    rb"|(?P<down>\()|(?P<up>\))"
    rb"|\$(?:1?\d?\d|2[0-4]\d|25[0-5])(?!\d)|(?P<odd_code>\$\d*)"
    rb"|(?P<no_break_space>%(space)b)|(?P<control_z>\x1a+)"
    rb"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)%(ends)b)"
    rb"|(?P<other_result>(?:%(other)b)%(ends)b)"
    rb"|%(apart)b"
    rb"|\d+(?:\.+|%(ends)b)|\.+|[!?]+%(ends)b|\}"
    rb"|(?P<move>(?:[^\s{}();$\x1a\x80-\xff]++|(?!%(space)b)[\x80-\xff]"
    rb"|\((?:[QRBNqrbn]|=)\)){1,1000}(?:\s+e\.?p\.?%(ends)b)?)"
    % {
        b"space": _NO_BREAK,
        b"ends": _ENDS,
        b"apart": b"|".join(
            b"(?P<%b>(?:%b)%b)" % (name.encode(), mark, _ENDS) for name, mark in _APART.items()
        ),
        b"other": OTHER_RESULTS_PATTERN,
    }
)
"""A part of movetext, after white space.

What repeats an alternative does so a thousand times at most, for a state is kept for each. It is
not possessive: before Python 3.11.5 such a repetition ends too late if the last one fails half-way.
"""
_GLYPH: Final = re.compile(rb"(?<=[^!?])(?:!!|\?\?|!\?|\?!|!|\?)\Z")
"""The six suffix annotations (PGN standard, section 8.2.3.8)."""


def read_tags(
    data: bytes, start: int, end: int
) -> tuple[dict[str, str], int, int, list[Deviation]]:
    """Return the tags of a game, their beginning and end, and their deviations.

    If two tags have the same name, the first counts.
    """
    lead, odd = _BEFORE_TAGS.match(data, start, end), list[Deviation]()
    begin = lead.end() if lead else start
    line = data.rfind(b"\n", start, begin) + 1 or start
    at = _section_end(data, line, end, odd)
    if at == line:  # there are no tags
        at = start if b"\x1a" in data[start:begin] else begin
    tags = _tags(data, begin, at, odd)
    if (told := _RESULT_VALUE.search(data, begin, at)) and told[1] in OTHER_RESULTS:
        odd.append(irregular(Oddity.OTHER_RESULT, *told.span(1), OTHER_RESULTS[told[1]].decode()))
    return tags, begin, at, odd


def _tags(data: bytes, start: int, end: int, odd: list[Deviation]) -> dict[str, str]:
    tags: dict[str, str] = {}
    section = _ESCAPED_LINE.sub(b"", data[start:end])
    is_malformed = any(one.kind == Oddity.MALFORMED_TAG for one in odd)
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


def _section_end(data: bytes, at: int, end: int, odd: list[Deviation]) -> int:
    """Return where a tag section ends: with its lines, or where movetext begins on one of them."""
    empty = 0
    while line := _TAG_LINE.match(data, at, end):
        del odd[MAX_TEXTS + 1 :]
        first, after = line.end("lead"), line.end()
        if empty > 1:
            odd.append(irregular(Oddity.EMPTY_LINES_IN_TAGS, *_stripped(data, at, after)))
        if line["lead"].replace(BOM, b""):
            kind = Oddity.CONTROL_Z if b"\x1a" in line["lead"] else Oddity.INDENTED_TAG
            odd.append(irregular(kind, at, first))
        whole = _WHOLE_TAGS.match(data, first, after)
        moves = whole.end() if whole else first
        if first < moves < after and data[moves : moves + 1] not in b"[] \t\r\n\v\f":
            return moves
        if moves == first or data[moves : min(moves + 1, after)] in {b"[", b"]"}:
            odd.append(irregular(Oddity.MALFORMED_TAG, *_stripped(data, first, after)))
        at = next_tag(data, first, after, end)
        empty = empty_lines(data, after, at)
    return at


def _stripped(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where a line begins and ends without white space after it."""
    return start, start + len(data[start:end].rstrip())


def decoded(text: bytes) -> str:
    """Decode a text as UTF-8, or else as Windows-1252."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("cp1252", errors="replace")


def result_of(text: bytes) -> str:
    """Return a result in PGN's form, or an empty text if it is not a result."""
    told = OTHER_RESULTS.get(text, text)
    return told.decode() if told in RESULTS else ""


def odd_at(match: re.Match[bytes]) -> Deviation:
    """Return the deviation that a match of :data:`PART` is, by the name of its group."""
    kind, text = Oddity[str(match.lastgroup).upper()], match[0]
    due = text if kind == Oddity.JOINED_RESULT else OTHER_RESULTS.get(text, b"")
    if kind in {Oddity.EVALUATION_SIGN, Oddity.DIAGRAM_SIGN}:
        due = b"$%d" % (_SIGNS.get(text) or _LETTERS.get(text) or _GLYPHS.get(text[:2], 5))
    return irregular(kind, *match.span(), due.decode())


def irregular(kind: Oddity, start: int, end: int, due: str = "") -> Deviation:
    """Return a deviation outside the moves, with PGN's form of it."""
    return Deviation(kind=kind.value, start=start, end=end, canonical=due)


def place_and_marks(match: re.Match[bytes]) -> tuple[tuple[int, int, int], list[Deviation]]:
    """Return the place of the move text that :data:`PART` found, and the marks right after it.

    The text ends twice: before a suffix annotation (``Nf3!?``), and after it. A pawn's move with =
    has no mark: ``e4=`` has a sign of promotion too many.
    """
    start, text = match.start(), match[0]
    found = _MARKED.match(text) if len(text) <= _LONGEST_MARKED else None
    if found is None or (text[:1] in b"abcdefgh" and found["marks"][:1] == b"="):
        glyph = _GLYPH.search(text)
        return (start, start + glyph.start() if glyph else match.end(), match.end()), []
    marks = []
    for mark in _MARK.finditer(text, found.start("marks")):
        odd = odd_at(mark)
        marks.append(odd._replace(start=start + odd.start, end=start + odd.end))
    return (start, start + found.end("move"), start + found.start("marks")), marks


def moves_in(data: bytes, start: int, end: int) -> int:
    """Count the texts in a part of a chunk that look like moves."""
    return sum(match.lastgroup == "move" for match in PART.finditer(data, start, end))
