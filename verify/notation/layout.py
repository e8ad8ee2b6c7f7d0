"""Readings and writings as text for people: 80 columns wide, or as wide as a narrower terminal."""

import sys
from typing import Final

from sanproof.proofs.board.drawing import drawn
from sanproof.verify.findings.width import columns_of, filled
from sanproof.verify.notation.reading import Reading, ReadingVerdict
from sanproof.verify.notation.writing import Writing

WIDEST: Final = 80


def _width() -> int:
    """Return the columns that a text on standard output may have."""
    return min(WIDEST, columns_of(sys.stdout) or WIDEST)


def reading_text(reading: Reading) -> str:
    """Return a reading as text: the sentence, what is to be named, and the board if it helps."""
    rows = [
        *((deviation.value, deviation.sentence) for deviation in reading.deviations),
        *((candidate.san, candidate.uci) for candidate in reading.candidates),
        *((obstacle.reason.value, obstacle.sentence) for obstacle in reading.obstacles[1:]),
    ]
    begins = max((len(name) for name, _ in rows), default=0) + 4
    lines = [f"  {name}".ljust(begins) + text for name, text in rows]
    table = "\n".join(filled(line, _width(), begins - 2) for line in lines)
    needs_board = reading.verdict in {ReadingVerdict.AMBIGUOUS, ReadingVerdict.ILLEGAL}
    board = drawn(reading.fen) if needs_board else ""
    return "\n\n".join(filter(None, [filled(reading.sentence, _width()), table, board]))


def writing_text(writing: Writing) -> str:
    """Return a writing as text, with the board."""
    head = f"{writing.uci} is written {writing.san}."
    points = [filled(f"  - {sentence}", _width(), 2) for sentence in writing.explanation]
    return "\n\n".join([head, "\n".join(points), drawn(writing.fen)])
