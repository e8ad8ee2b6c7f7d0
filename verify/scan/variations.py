"""The variations of a game: each text is judged in its position, and none of its moves was played.

A variation stands for the move before it, in the game or in another variation (PGN standard,
section 8.2.5). They are read in the order of the text, and a position is kept for each that is
open; so memory does not grow with their number.
"""

import re
from collections.abc import Iterator
from sys import intern
from typing import Final

import chess

from sanproof.verify.scan.chunks import Options
from sanproof.verify.scan.movetext import (
    ODDITIES,
    PART,
    Oddity,
    OddSpan,
    Span,
    TextOfGame,
    odd_at,
    span_and_marks,
)
from sanproof.verify.scan.reading import (
    GameRead,
    MoveText,
    board_and_variant,
    denoted,
    proven_set,
)

DEEPEST: Final = 100
"""The depth from which variations are not read."""
TOO_DEEP: Final = "too-deep"
NO_MOVE_REPLACED: Final = "no-move-replaced"
_PASSING: Final = re.compile(rb"\s+e\.?p\.?(?=[\s{};()$]|\Z)")


class _Line:
    """The game itself, or a variation, as far as it was read.

    ``apart`` is why its moves are no chess: see :attr:`verify.scan.reading.MoveText.apart`.
    """

    def __init__(self, number: int, ply: int, board: chess.Board | None, apart: str) -> None:
        self.number = number
        self.ply = ply
        self.board = board  # the position after its moves; None if its beginning is unknown
        self.apart = self._apart_before = apart
        self.lost = 0  # how many of its texts were not read: the first of them, and all after it
        self.has_text = False  # whether a variation can stand for a text of it

    def take(self, move: chess.Move | None) -> None:
        """Take a text that denotes a move, or one that was not read."""
        self.ply += 1
        self.has_text = True
        if move is None:
            self.lost += 1
            return
        if self.board is not None:
            self.board.clear_stack()  # one move can be taken back, and no more has to be
            self.board.push(move)
        self._apart_before = self.apart
        if not (self.apart or move):
            self.apart = Oddity.NULL_MOVE.value

    def branch(self, number: int) -> "_Line":
        """Return a variation that stands for the last text."""
        board = None
        if self.board is not None and self.has_text and self.lost < 2:
            board = self.board.copy()
            if not self.lost:
                board.pop()
        return _Line(number, self.ply - self.has_text, board, self._apart_before)


def read_variations(
    game: TextOfGame, data: bytes, read: GameRead, options: Options
) -> Iterator[tuple[int, int, MoveText | OddSpan]]:
    """Yield the texts of the variations of a game that was read, and their marks, in order.

    With each are the number of its variation, in the order of their first texts, and its ply.
    """
    board, variant, _ = board_and_variant(game.tags)
    options = options._replace(language=options.language or read.language)
    reader = _Reader(data, variant, options)
    main = _Line(0, 0, board, variant)
    lines: list[_Line | None] = [main]  # what is open; None until it has a text
    deeper = 0
    for match in PART.finditer(data, game.movetext, game.end):
        kind = match.lastgroup
        if kind == "down":
            deeper += len(lines) > DEEPEST
            if not deeper:
                lines.append(None)
        elif kind == "up" and deeper:
            deeper -= 1
        elif kind == "up" and len(lines) > 1:
            lines.pop()
        elif kind == "move" and len(lines) == 1:
            ply = main.ply
            is_read = ply < len(read.played) and game.moves[ply].start == match.start()
            main.take(chess.Move.from_uci(read.played[ply].uci) if is_read else None)
        elif kind == "move":
            span, marks = span_and_marks(match)
            text = reader.text(lines, span, is_too_deep=deeper > 0)
            yield text.variation, text.ply, text
            yield from ((text.variation, text.ply, mark) for mark in marks)
        elif kind in ODDITIES and (line := lines[-1]) and line is not main and not deeper:
            yield line.number, line.ply, odd_at(match, kind)


class _Reader:
    """Reads the texts of variations, and numbers those."""

    def __init__(self, data: bytes, variant: str, options: Options) -> None:
        self._data = data
        self._variant = variant
        self._options = options
        self._proven = proven_set(options.proven)
        self._count = 0
        self._named: set[str] = set()

    def text(self, lines: list[_Line | None], span: Span, *, is_too_deep: bool) -> MoveText:
        """Read the next text of the innermost variation that is open, unless it is deeper."""
        line = lines[-1]
        if is_too_deep:  # the variation goes on after it
            self._count = max(self._count, 1)
            return self._lost(line or _Line(self._count, 0, None, ""), span, TOO_DEEP)
        if line is None:
            self._count += 1
            parent = lines[-2]
            if parent is None or not parent.has_text:
                lines[-1] = line = _Line(self._count, 0, None, "")
                line.take(None)
                return self._lost(line, span, NO_MOVE_REPLACED)
            lines[-1] = line = parent.branch(self._count)
        if line.board is None or line.lost:
            line.take(None)
            return self._lost(line, span, "")
        if passing := _PASSING.match(self._data, span.full_end):
            span = Span(span.start, passing.end(), passing.end())
        move, san, kind = denoted(self._data, span, line.board, self._variant, self._options)
        is_told = kind or not move or san not in self._proven
        fen = intern(line.board.fen()) if is_told else ""
        line.take(move)
        uci, is_null = move.uci() if move is not None else "", move is not None and not move
        text = MoveText(span, line.ply, san, uci, fen, "", intern(kind), is_null)
        return text._replace(apart=line.apart, variation=line.number)

    def _lost(self, line: _Line, span: Span, kind: str) -> MoveText:
        """Return a text that was not read; a reason of the form is named once in a game."""
        kind = "" if kind in self._named else kind
        self._named.add(kind)
        return MoveText(span, line.ply, "", "", kind=kind, variation=line.number)
