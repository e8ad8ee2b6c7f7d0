"""The full suite, piece by piece: it is larger than what one would hold in memory."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from sanproof.verify.conformance.cases.build import further_suite
from sanproof.verify.conformance.cases.case import Case, suite_lines
from sanproof.verify.conformance.cases.strings import Line, published_lines, read_line, string_cases


def full_suite_lines(directory: Path, watch: Callable[[int, int], None]) -> Iterator[str]:
    """The file of the full suite.

    First come the cases of the core and their like, then those of the strings, in the order of
    the published games.

    Args:
        directory: Where ``games.txt.xz`` is.
        watch: Is told how many strings are done, and how many there are.

    Raises:
        LineError: The published games cannot be read, or do not say what they should.
    """
    first = further_suite()
    texts = published_lines(directory)
    games: dict[str, int] = {game: number for number, game in enumerate(first.games)}
    indices = [games.setdefault(" ".join(read_line(text).moves), len(games)) for text in texts]

    def lines() -> Iterator[tuple[Line, int]]:
        for number, (text, game) in enumerate(zip(texts, indices, strict=True)):
            watch(number, len(texts))
            yield read_line(text), game
        watch(len(texts), len(texts))

    cases: Iterator[Case] = chain(first.cases, chain.from_iterable(string_cases(lines())))
    yield from suite_lines(first.version, first.level, games, cases)
