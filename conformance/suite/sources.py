"""The games of the suite and what each is for: the lines of ``proofs/find/known.txt``.

A line is ``level | mechanism | text | moves``. The level says in which suite the case is first; a
case that is ``retired`` is in none, and keeps its number.
The text is what is read in the position that the moves lead to, as a JSON string; ``-`` without
a text. New lines go to the end of their mechanism, because the number of a case counts them.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import chess

from sanproof.proofs.find.known import NAME, PACKAGE
from sanproof.reports.tables.rows import RowError, table
from sanproof.verify.conformance.suite import LEVELS

NO_TEXT: Final = "-"
"""The sign in the column of the text without a text."""
_RETIRED: Final = "retired"


class SourcePosition(NamedTuple):
    """A position of a legal game, reached by moves in UCI, and what is tested in it.

    The level is the smaller suite that has it, None if it is retired. The text is what is read;
    None if the position or the game alone is the question.
    """

    level: str | None
    mechanism: str
    text: str | None
    moves: tuple[str, ...]


def sources() -> Iterator[SourcePosition]:
    """Yield the lines of ``known.txt``."""
    return map(read_source, table(PACKAGE, NAME, 4))


def read_source(cells: Sequence[str]) -> SourcePosition:
    """Return the source in the cells of a line; a RowError if they are not of its form."""
    level, mechanism, text, moves = cells
    if level not in {*LEVELS, _RETIRED}:
        raise RowError(f"{level} is no level")
    try:
        read = None if text == NO_TEXT else json.loads(text)
        of_level = None if level == _RETIRED else level
        return SourcePosition(of_level, mechanism, read, tuple(moves.split()))
    except ValueError as error:
        raise RowError(f"this line cannot be read: {' | '.join(cells)}") from error


def position(source: SourcePosition) -> chess.Board:
    """Return the position that a source's moves lead to; a RowError if one is illegal."""
    board = chess.Board()
    for uci in source.moves:
        try:
            board.push(board.parse_uci(uci))
        except ValueError as error:
            raise RowError(f"{source.mechanism}: {uci} is illegal in {board.fen()}") from error
    return board
