"""The variations of a game: each text is judged in its position, and none of its moves was played.

A variation stands for the move before it, in the game or in another variation (PGN standard,
section 8.2.5). They are read in the order of the text, and a position is kept for each that is
open; so memory does not grow with their number.
"""

import re
from collections.abc import Iterator
from sys import intern
from typing import Final, NamedTuple

import chess

from sanproof.verify.scan.chunks import Options
from sanproof.verify.scan.movetext import PART, Oddity, Span, TextOfGame, span_of
from sanproof.verify.scan.reading import GameRead, Played, board_and_variant, denoted

DEEPEST: Final = 100
"""Variations within so many others are not read."""
TOO_DEEP: Final = "too-deep"
NO_MOVE_REPLACED: Final = "no-move-replaced"
_PASSING: Final = re.compile(rb"\s+e\.?p\.?(?=[\s{};()$]|\Z)")


class Unread(NamedTuple):
    """A text of a variation that was not read."""

    span: Span  # where it stands
    kind: str = ""  # why, by public names; empty after a text of which that is said
    before: str = ""  # the position, as a FEN; empty if nobody knows it


class VariationText(NamedTuple):
    """A text of a variation."""

    # The number of the variation in its game, from 1, in the order of their first texts.
    number: int
    ply: int  # the 1-based ply at which it stands
    found: Played | Unread  # what was found


class _Line:
    """The game itself, or a variation, as far as it was read."""

    def __init__(self, number: int, ply: int, board: chess.Board | None, apart: str) -> None:
        self.number = number
        self.ply = ply
        self.board = board
        """The position after its moves; None if nobody knows where it begins."""
        self.apart = self._apart_before = apart
        """Why its moves are no chess: see :attr:`verify.scan.reading.Played.apart`."""
        self.lost = 0
        """How many of its texts were not read: the first of them, and all that follow."""
        self.has_text = False
        """Whether a variation can stand for a text of it."""

    def push(self, move: chess.Move) -> None:
        """Take a text that denotes a move."""
        self._next()
        if self.board is not None:
            self.board.clear_stack()  # one move can be taken back, and no more has to be
            self.board.push(move)
        self._apart_before = self.apart
        if not (self.apart or move):
            self.apart = Oddity.NULL_MOVE.value

    def lose(self) -> None:
        """Take a text that was not read."""
        self._next()
        self.lost += 1

    def _next(self) -> None:
        self.ply += 1
        self.has_text = True

    def follow(self, game: TextOfGame, read: GameRead, start: int) -> None:
        """Take the next text of the game itself."""
        if self.ply < len(read.played) and game.moves[self.ply].start == start:
            self.push(chess.Move.from_uci(read.played[self.ply].uci))
        else:
            self.lose()

    def branch(self, number: int) -> "_Line":
        """A variation that stands for the last text."""
        board = None
        if self.board is not None and self.has_text and self.lost < 2:
            board = self.board.copy()
            if not self.lost:
                board.pop()
        return _Line(number, self.ply - self.has_text, board, self._apart_before)


def read_variations(
    game: TextOfGame, data: bytes, read: GameRead, options: Options, *, fens: bool = False
) -> Iterator[VariationText]:
    """The texts of the variations of a game that was read, in order."""
    board, variant = board_and_variant(game.tags)
    reader = _Reader(
        data, variant, options._replace(language=options.language or read.language), fens
    )
    main = _Line(0, 0, board, variant)
    lines: list[_Line | None] = [main]  # what is open; None until it has a text
    deeper = 0
    for match in PART.finditer(data, game.movetext, game.end):
        kind = match.lastgroup
        if kind == "down":
            deeper += len(lines) > DEEPEST
            if not deeper:
                lines.append(None)
        elif kind == "up":
            if deeper:
                deeper -= 1
            elif len(lines) > 1:
                lines.pop()
        elif kind != "move":
            continue
        elif len(lines) == 1:
            main.follow(game, read, match.start())
        elif deeper:
            yield reader.too_deep(lines[-1], span_of(match))
        else:
            yield reader.text(lines, span_of(match))


class _Reader:
    """Reads the texts of variations, and numbers those."""

    def __init__(self, data: bytes, variant: str, options: Options, fens: bool) -> None:
        self._data = data
        self._variant = variant
        self._options = options
        self._fens = fens
        self._count = 0
        self._named: set[str] = set()

    def text(self, lines: list[_Line | None], span: Span) -> VariationText:
        """The next text of the innermost variation that is open."""
        line = lines[-1]
        if line is None:
            self._count += 1
            parent = lines[-2]
            if parent is None or not parent.has_text:
                lines[-1] = line = _Line(self._count, 0, None, "")
                line.lose()
                return self._lost(line, span, NO_MOVE_REPLACED)
            lines[-1] = line = parent.branch(self._count)
        if line.board is None or line.lost:
            line.lose()
            return self._lost(line, span, "")
        if passing := _PASSING.match(self._data, span.full_end):
            span = Span(span.start, passing.end(), passing.end())
        move, san, kind, _ = denoted(self._data, span, line.board, self._variant, self._options)
        fen = intern(line.board.fen()) if kind or not move or self._fens else ""
        if move is None:
            line.lose()
            return VariationText(line.number, line.ply, Unread(span, intern(kind), fen))
        line.push(move)
        played = Played(span, san, move.uci(), fen, "", kind, not move, line.apart)
        return VariationText(line.number, line.ply, played)

    def too_deep(self, line: _Line | None, span: Span) -> VariationText:
        """A text that stands too deep in a variation, which goes on after it."""
        self._count = max(self._count, 1)
        return self._lost(line or _Line(self._count, 0, None, ""), span, TOO_DEEP)

    def _lost(self, line: _Line, span: Span, kind: str) -> VariationText:
        """A text that was not read; a reason of the form is named once in a game."""
        kind = "" if kind in self._named else kind
        self._named.add(kind)
        return VariationText(line.number, line.ply, Unread(span, kind))
