"""Ten strings for the quiz: can it be written in a legal game, or not, and why."""

from typing import Final

from docs.site.strings import answer_of
from sanproof.reports.archive.door import open_archive

STRINGS: Final = (
    *("Ba1b2+", "Qb6e3#", "O-O-O#", "Ke1e2", "exd8=N#"),
    *("Nb1a3", "Ra1a8", "Qa1h8#", "exd6", "Bh8g7#"),
)
"""Chosen by hand, so that common sense fails at some; the answers are looked up."""


def questions() -> list[dict[str, str]]:
    """Return each string with its verdict and the sentence about it."""
    archive = open_archive()
    found = []
    for san in STRINGS:
        answer = answer_of(archive, san)
        if answer.found is not None:
            player = "White" if answer.found.before_fen.split(" ")[1] == "w" else "Black"
            why = f"{player} plays it in this position: {answer.found.before_fen}"
        else:
            why = answer.sentence or ""
        found.append({"san": san, "verdict": answer.verdict.value, "why": why})
    return found
