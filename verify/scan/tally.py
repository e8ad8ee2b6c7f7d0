"""The sums of a scan: chunk after chunk in the order of the files, whichever path read them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.scan.chunks import OUTCOMES, ChunkResult, Kinds, Seen
from sanproof.verify.scan.columns import Column
from sanproof.verify.work.store import items, number, reader

COUNTED: Final = {
    "games": "Games.",
    **{f"games_{outcome}": sentence for outcome, sentence in OUTCOMES.items()},
    "games_without_result": "Games that break off: no result ends them.",
    "games_from_position": "Games that begin from a FEN.",
    "games_without_moves": "Games without a move.",
    "moves": "Moves that were played, each a legal move of its position.",
    "null_moves": "Null moves, which do nothing and are no chess.",
    "moves_after_null_moves": "Moves after a null move: checked, and not counted as played.",
    "deviating_moves": "Moves that are not canonical SAN.",
    "move_texts_not_read": "Move texts that were not read, because the game was not, or stopped.",
    "lines": "Line ends.",
}
"""What is counted, by its name in ``summary.json``."""
IN_VARIATIONS: Final = {
    "variations": "Variations.",
    "variation_moves": "Moves of variations, each legal in its position; none was played.",
    "variation_moves_apart": "Moves of variations after a null move, or of variants of chess.",
    "deviating_variation_moves": "Moves of variations that are not canonical SAN.",
    "variation_texts_not_read": "Move texts of variations that were not read.",
}
"""What is counted of variations, if they are read."""


class Occurrences(NamedTuple):
    """A string's occurrences: how many, and where the first is."""

    times: int  # how often
    games: int  # in how many games
    source: int  # the number of the source in which it is first, from 0
    game: int  # the number of the game there, from 1
    ply: int  # the 1-based ply


class Strings:
    """The strings that were played: how often, and where first; chunks come in order."""

    def __init__(self) -> None:
        self._rows: dict[str, list[int]] = {}  # as Occurrences, and added to

    def take(self, source: int, games_before: int, seen: Mapping[str, Seen]) -> None:
        """Take in the strings of the next chunk of a source, after so many games of it."""
        rows = self._rows
        for san, (times, games, game, ply) in seen.items():
            row = rows.get(san)
            if row is None:
                rows[san] = [times, games, source, games_before + game, ply]
            else:
                row[0] += times
                row[1] += games

    def add(self, other: "Strings", sources: Sequence[int]) -> None:
        """Take in the strings of another scan, whose sources have these numbers here."""
        for san, (times, games, source, *place) in other._rows.items():  # noqa: SLF001 - of ours
            there = [sources[source], *place]
            row = self._rows.setdefault(san, [0, 0, *there])
            row[0] += times
            row[1] += games
            row[2:] = min(row[2:], there)

    def most_frequent_first(self) -> dict[str, Occurrences]:
        """Return the strings, the most frequent first."""
        rows = sorted(self._rows.items(), key=lambda item: (-item[1][0], item[0]))
        return {san: Occurrences._make(row) for san, row in rows}

    def as_json(self) -> dict[str, list[int]]:
        """Return everything, to be stored."""
        return self._rows

    @classmethod
    def read(cls, value: Any, sources: int) -> Self:  # noqa: ANN401 - JSON
        """Read what was stored; a TypeError or ValueError if it is something else."""
        strings = cls()
        rows: dict[str, Occurrences] = reader(dict[str, Occurrences])(value)
        if any(row.source >= sources for row in rows.values()):
            raise ValueError("other sources")
        strings._rows = {san: list(row) for san, row in rows.items()}
        return strings


class Tally:
    """The sums of the chunks that were taken in."""

    def __init__(self) -> None:
        self.played = Strings()
        self.in_variations = Strings()  # of the moves in variations
        self.counts: list[Counter[str]] = []  # for each source the sums by name, as in COUNTED
        self.kinds: Kinds = Counter()  # how often each kind deviates, apart in variations
        self.refuting = 0  # how many moves would refute the theorem

    def counts_of(self, source: int) -> Counter[str]:
        """Return the sums of a source."""
        self.counts += [Counter() for _ in range(len(self.counts), source + 1)]
        return self.counts[source]

    def take(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk."""
        before = self.counts_of(source)["games"]
        self.played.take(source, before, result.seen)
        self.in_variations.take(source, before, result.in_variations)
        self.counts[source].update(result.counts)
        self.kinds.update(kinds_of(result.found))
        self.refuting += len(result.refuting)

    def add(self, other: "Tally", sources: Sequence[int]) -> None:
        """Take in the sums of another scan, whose sources have these numbers here, ascending."""
        for source, counted in zip(sources, other.counts, strict=False):
            self.counts_of(source).update(counted)
        self.played.add(other.played, sources)
        self.in_variations.add(other.in_variations, sources)
        self.kinds.update(other.kinds)
        self.refuting += other.refuting

    def total(self) -> Counter[str]:
        """Return the sums over all sources."""
        return sum(self.counts, Counter())

    def kinds_in(self, *, variations: bool) -> dict[str, int]:
        """Return how often each kind deviates in variations or in the games, most first."""
        kinds = [
            (kind, times) for (kind, apart), times in self.kinds.items() if apart == variations
        ]
        return dict(sorted(kinds, key=lambda item: (-item[1], item[0])))

    def as_json(self) -> list[Any]:
        """Return everything, to be stored."""
        kinds = [self.kinds_in(variations=apart) for apart in (False, True)]
        strings = self.played.as_json(), self.in_variations.as_json()
        return [self.counts, *strings, *kinds, self.refuting]

    @classmethod
    def read(cls, value: Any, sources: int) -> Self:  # noqa: ANN401 - JSON
        """Read a tally as :meth:`as_json` gave it, of so many sources.

        Raises:
            TypeError: It has another shape.
            ValueError: It is of other sources.
        """
        tally = cls()
        found, played, in_variations, kinds, their_kinds, refuting = items(value)
        tally.counts = reader(list[Counter[str]])(found)
        if len(tally.counts) > sources:
            raise ValueError("other sources")
        tally.played = Strings.read(played, len(tally.counts))
        tally.in_variations = Strings.read(in_variations, len(tally.counts))
        for apart, part in ((False, kinds), (True, their_kinds)):
            tally.kinds.update({(kind, apart): n for kind, n in reader(Counter[str])(part).items()})
        tally.refuting = number(refuting)
        return tally


def kinds_of(found: Sequence[Column]) -> Kinds:
    """Return how often each kind deviates, of the columns of what was found."""
    if not found:
        return Counter()
    kinds, _, variations = found[-3:]
    if not any(variations):
        return Counter({(kind, False): times for kind, times in Counter[str](kinds).items()})
    return Counter((kind, variation > 0) for kind, variation in zip(kinds, variations, strict=True))
