"""Readings and writings as text for people: 80 columns wide, or as wide as a narrower terminal."""

import sys
from typing import Final

from sanproof.proofs.board.drawing import drawn
from sanproof.verify.findings.width import columns_of, filled
from sanproof.verify.notation.reading import Reading, ReadingVerdict
from sanproof.verify.notation.writing import Writing

WIDEST: Final = 80
_NARROWEST_COLUMN: Final = 24


def _width() -> int:
    """Return the columns that a text on standard output may have."""
    return min(WIDEST, columns_of(sys.stdout) or WIDEST)


def reading_text(reading: Reading) -> str:
    """Return a reading as text, with the board where it helps."""
    width, board = _width(), drawn(reading.fen)
    said = [filled(reading.sentence, width)]
    match reading.verdict:
        case ReadingVerdict.UNDERSTANDABLE:
            said.append(_table([(d.value, d.sentence) for d in reading.deviations], width))
        case ReadingVerdict.AMBIGUOUS:
            said += [_table([(c.san, c.uci) for c in reading.candidates], width), board]
        case ReadingVerdict.ILLEGAL:
            others = [(o.reason.value, o.sentence) for o in reading.obstacles[1:]]
            said += [_table(others, width), board]
        case ReadingVerdict.NOT_SAN:
            said.append(_pointed(reading, width))
        case ReadingVerdict.CANONICAL:
            pass
    return "\n\n".join(filter(None, said))


def writing_text(writing: Writing) -> str:
    """Return a writing as text, with the board."""
    head = f"{writing.uci} is written {writing.san}."
    points = [filled(f"  - {sentence}", _width(), 2) for sentence in writing.explanation]
    return "\n\n".join([head, "\n".join(points), drawn(writing.fen)])


def _table(rows: list[tuple[str, str]], width: int) -> str:
    """Names with what they mean: beside them, or below them where there is no room."""
    begins = max((len(name) for name, _ in rows), default=0) + 4
    if width - begins < _NARROWEST_COLUMN:
        return "\n".join(f"  {name}\n{filled(f'    {text}', width)}" for name, text in rows)
    return "\n".join(
        filled(f"  {name}".ljust(begins) + text, width, begins - 2) for name, text in rows
    )


def _pointed(reading: Reading, width: int) -> str:
    """Return the text with a mark under the character at which it stops being SAN."""
    text, offset = reading.text, reading.offset
    if offset is None or not text or len(text) > width - 4:
        return ""
    if not (text.isascii() and text.isprintable()):
        return ""
    return f"  {text}\n  {' ' * offset}^"
