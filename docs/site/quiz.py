"""The strings that the quiz draws ten of: can it be written in a legal game, or not, and why."""

import random
from collections.abc import Callable
from typing import Final

from docs.site.strings import answer_of, board_of, sentence
from sanproof.reports.archive.door import open_archive

EACH: Final = 16
"""The number of strings of each level, and of each verdict in it."""
TOLD: Final = frozenset({"Ba1b2+", "Qb6e3#", "Nf3", "exd8=Q+"})
"""The strings that the pages on the way to the quiz explain."""
LEVELS: Final[tuple[tuple[Callable[[int], bool], frozenset[str]], ...]] = (
    (
        lambda times: times >= 1_000_000,
        frozenset({"pawn-push-with-file", "pawn-capture-not-adjacent", "promotion-missing"}),
    ),
    (lambda times: 0 < times < 1000, frozenset({"no-twins", "king-with-discriminator"})),
    (lambda times: times == 0, frozenset({"no-check"})),
)
"""Easy, middling and hard: how often a string was played, or why none can be."""


def questions() -> list[dict[str, str | int]]:
    """Return strings with their level, verdict, the sentence and the board about each."""
    archive = open_archive()
    draw = random.Random("quiz")
    times = archive.observed.times if archive.observed else {}
    reasons: dict[str, list[str]] = {}
    for san, why in archive.impossible():
        reasons.setdefault(why, []).append(san)
    found = []
    for level, (often, names) in enumerate(LEVELS):
        can = [san for san in archive.strings() if often(times.get(san, 0)) and san not in TOLD]
        cannot = [san for name in sorted(names) for san in reasons[name] if san not in TOLD]
        for san in (*draw.sample(can, EACH), *draw.sample(cannot, EACH)):
            answer = answer_of(archive, san)
            shown = {"why": sentence(answer), "board": board_of(answer)}
            found.append({"san": san, "verdict": answer.verdict.value, "level": level, **shown})
    return found
