"""Readings and writings as text for people, at most 80 columns wide."""

from textwrap import fill
from typing import Final

import chess

from verify.notation.explaining import explain
from verify.notation.position import player
from verify.notation.reading import Reading, Verdict
from verify.notation.writing import Writing

_WIDTH: Final = 80


def reading_text(reading: Reading, board: chess.Board) -> str:
    """What is to be said of a reading, with the board where one has to look at it."""
    said = [fill(reading.sentence, _WIDTH)]
    match reading.verdict:
        case Verdict.UNDERSTANDABLE:
            said.append(_table([(d.value, d.sentence) for d in reading.deviations]))
        case Verdict.AMBIGUOUS:
            said += [_table([(c.san, c.uci) for c in reading.candidates]), drawn(board)]
        case Verdict.ILLEGAL:
            others = [(o.reason.value, o.sentence) for o in reading.obstacles[1:]]
            said += [_table(others), drawn(board)]
        case Verdict.NOT_SAN:
            said.append(_pointed(reading))
        case Verdict.CANONICAL:
            pass
    return "\n\n".join(filter(None, said))


def writing_text(writing: Writing, board: chess.Board) -> str:
    """How a move is written, and why, with the board."""
    head = f"{writing.uci} is written {writing.san}."
    points = [
        fill(sentence, _WIDTH, initial_indent="  - ", subsequent_indent="    ")
        for sentence in writing.explanation
    ]
    return "\n\n".join([head, "\n".join(points), drawn(board)])


def explanation_text(text: str, board: chess.Board) -> str:
    """What a text means in a position, and, if it is one move, why that is written as it is."""
    reading, writing = explain(text, board)
    said = reading_text(reading, board)
    return said if writing is None else f"{said}\n\n{writing_text(writing, board)}"


def drawn(board: chess.Board) -> str:
    """The board in FEN's letters, White's in capitals, with its coordinates."""
    rows = [f"  {8 - place}  {row}" for place, row in enumerate(str(board).split("\n"))]
    return "\n".join([*rows, "", f"     a b c d e f g h   {player(board.turn)} to move"])


def _table(rows: list[tuple[str, str]]) -> str:
    """Names with what they mean, aligned."""
    width = max((len(name) for name, _ in rows), default=0) + 4
    return "\n".join(
        fill(
            meaning, _WIDTH, initial_indent=f"  {name}".ljust(width), subsequent_indent=" " * width
        )
        for name, meaning in rows
    )


def _pointed(reading: Reading) -> str:
    """The text with a mark under the character at which it stops being SAN."""
    text, offset = reading.text, reading.offset
    if offset is None or not text or len(text) > _WIDTH - 4:
        return ""
    if not (text.isascii() and text.isprintable()):
        return ""
    return f"  {text}\n  {' ' * offset}^"
