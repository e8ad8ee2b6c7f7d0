"""The full suite, piece by piece: it is larger than what one would hold in memory."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sanproof.verify.conformance.cases.build import further_suite
from sanproof.verify.conformance.cases.case import Case, suite_lines
from sanproof.verify.conformance.cases.strings import Line, published_lines, read_line, string_cases
from sanproof.verify.work.progress import Scale, progress_display


def full_suite_lines(directory: Path) -> Iterator[str]:
    """The file of the full suite; how long it takes is shown on standard error.

    First come the cases of the core and their like, then those of the strings, in the order of the
    published games, which are in the directory. A LineError says what is wrong with those.
    """
    first = further_suite()
    texts = published_lines(directory)
    games: dict[str, int] = {game: number for number, game in enumerate(first.games)}
    indices = [games.setdefault(" ".join(read_line(text).moves), len(games)) for text in texts]

    def done(scale: Scale) -> str:
        return f"{scale.done:,.0f} of {len(texts):,} strings"

    with progress_display(len(texts), text=done) as display:
        display.begin("Writing the suite", 0)

        def lines() -> Iterator[tuple[Line, int]]:
            for text, game in zip(texts, indices, strict=True):
                yield read_line(text), game
                display.advance(1)

        cases: Iterator[Case] = chain(first.cases, chain.from_iterable(string_cases(lines())))
        yield from suite_lines(first.version, first.level, games, cases)
