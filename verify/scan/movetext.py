"""The parts of a game's text: its tags, and the move texts of the game itself.

The form is PGN's import format (PGN standard, sections 3.1, 5 to 8). Nothing is decided here about
what a move text means. This is the definition; :mod:`verify.scan.kernels` reads the usual
part of it faster, and leaves the rest to this module.
"""

import re
from itertools import pairwise
from typing import Final, NamedTuple

from sanproof.verify.scan.borders import BOM, game_starts

_TAG_LINE: Final = re.compile(rb"\[[^\n]*+(?:\n|\Z)")
_TAGS_BEFORE_MOVES: Final = re.compile(
    rb'(?:\[\w++[ \t]++"(?:[^"\\\n]|\\.)*+"[ \t]*+\][ \t\r]*+)++(?=[^\s\[\]])'
)
"""Whole tags, after which movetext begins on the same line."""
_TAG: Final = re.compile(rb'\[(\w+)[ \t]+"((?:[^"\\\n]++|\\.)*+)"')
_LEAD: Final = re.compile(rb"\s*")
_PART: Final = re.compile(
    rb"(?P<comment>\{[^}]*(?P<open>\Z)?\}?|;[^\n]*|(?:(?<=\n)|\A)%[^\n]*)"
    rb"|(?P<down>\()|(?P<up>\))"
    rb"|\$\d*"
    rb"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)(?=[\s{};()$]|\Z))"
    rb"|\d+(?:\.+|(?=[\s{};()$]|\Z))|\.+|[!?]+(?=[\s{};()$]|\Z)|\}"
    rb"|(?P<passing>e\.?p\.?(?=[\s{};()$]|\Z))"
    rb"|(?P<move>(?:[^\s{}();$]++|\((?:[QRBNqrbn]|=)\))++)"
)
"""A part of movetext, after white space.

What repeats an alternative is possessive: otherwise a state is kept for each byte of a long text.
"""
_GLYPH: Final = re.compile(rb"(?<=[^!?])(?:!!|\?\?|!\?|\?!|!|\?)\Z")
"""The six suffix annotations (PGN standard, section 8.2.3.8)."""


class Span(NamedTuple):
    """Where a move text begins and ends, in bytes of the chunk.

    The suffix annotation after it (``Nf3!?``) ends at ``full_end``: without one, that is the end.
    """

    start: int
    end: int
    full_end: int


class TextOfGame(NamedTuple):
    """The text of a game.

    Attributes:
        start: Where it begins, in bytes of the chunk.
        end: Where it ends.
        tags: Its tags by name, those of the first of equal names; decoded.
        moves: Where each move text of the game itself stands; those of variations are left out.
        after_result: Where the first text after the result begins and ends, if there is one.
        has_result: Whether a result ends it.
        is_open: Whether a comment or a variation has no end.
    """

    start: int
    end: int
    tags: dict[str, str]
    moves: list[Span]
    after_result: tuple[int, int] | None
    has_result: bool
    is_open: bool


def games(data: bytes) -> list[TextOfGame]:
    """The games of a chunk."""
    return [read_game(data, *ends) for ends in pairwise([*game_starts(data), len(data)])]


def read_game(data: bytes, start: int, end: int) -> TextOfGame:
    """The parts of a game that fills a part of a chunk."""
    at = start + len(BOM) * data.startswith(BOM, start, end)
    lead = _LEAD.match(data, at, end)
    at = lead.end() if lead else at
    tags: dict[str, str] = {}
    begin, at = at, _section_end(data, at, end)
    for name, value in _TAG.findall(data, begin, at):
        tags.setdefault(decoded(name), re.sub(r"\\(.)", r"\1", decoded(value)))
    return _with_moves(
        TextOfGame(start, end, tags, [], None, has_result=False, is_open=False), data, at
    )


def _section_end(data: bytes, at: int, end: int) -> int:
    """Where a tag section ends: with its lines, or where movetext begins on one of them."""
    while line := _TAG_LINE.match(data, at, end):
        if tags := _TAGS_BEFORE_MOVES.match(data, at, line.end()):
            return tags.end()
        at = line.end()
    return at


def decoded(text: bytes) -> str:
    """A text as UTF-8, or as Latin-1 if it is none."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _with_moves(game: TextOfGame, data: bytes, at: int) -> TextOfGame:
    moves, after = game.moves, game.after_result
    depth, has_result, is_open = 0, False, False
    for match in _PART.finditer(data, at, game.end):
        kind = match.lastgroup
        if kind == "down":
            depth += 1
        elif kind == "up":
            depth = max(0, depth - 1)
        elif kind in {"comment", "open"}:
            is_open = match["open"] is not None
        elif depth or kind is None:
            continue
        elif has_result:
            after = after or match.span()
        elif kind == "result":
            has_result = True
        elif kind == "passing" and moves:
            moves[-1] = Span(moves[-1].start, match.end(), match.end())
        else:
            glyph = _GLYPH.search(match[0])
            end = match.start() + glyph.start() if glyph else match.end()
            moves.append(Span(match.start(), end, match.end()))
    return game._replace(after_result=after, has_result=has_result, is_open=is_open or depth > 0)
