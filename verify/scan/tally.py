"""The sums of a scan: what its chunks hold, added up."""

from collections import Counter
from typing import NamedTuple, Self

from sanproof.verify.scan.chunks import ChunkResult, Kinds


class Occurrences(NamedTuple):
    """A string's occurrences: how many, and where the first is."""

    times: int  # how often
    games: int  # in how many games
    source: int  # the number of the source in which it is first, from 0
    game: int  # the number of the game there, from 1
    ply: int  # the 1-based ply


Rows = dict[str, list[int]]
"""Strings, each with the fields of its :class:`Occurrences`, to which more are added."""


def most_frequent_first(rows: Rows) -> dict[str, Occurrences]:
    """Return the strings, the most frequent first."""
    ordered = sorted(rows.items(), key=lambda item: (-item[1][0], item[0]))
    return {san: Occurrences._make(row) for san, row in ordered}


def most_first(kinds: Counter[str]) -> dict[str, int]:
    """Return the number of each kind, the most frequent first."""
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


class Tally(NamedTuple):
    """The sums of the chunks that were taken in."""

    counts: list[Counter[str]]  # for each source the sums by name
    played: Rows  # the strings that were played
    in_variations: Rows  # those of the moves in variations
    kinds: list[Kinds]  # for each source how often each kind deviates

    @classmethod
    def of(cls, sources: int) -> Self:
        """Return the sums before anything is taken in of so many sources."""
        return cls([Counter() for _ in range(sources)], {}, {}, [Counter() for _ in range(sources)])

    def take(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk."""
        before = self.counts[source]["games"]
        for rows, seen in ((self.played, result.seen), (self.in_variations, result.in_variations)):
            for san, (times, games, game, ply) in seen.items():
                row = rows.setdefault(san, [0, 0, source, before + game, ply])
                row[0] += times
                row[1] += games
        self.take_sums(source, result)

    def take_sums(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk, but for its strings."""
        self.counts[source].update(result.counts)
        self.kinds[source].update(result.kinds)

    def total(self) -> Counter[str]:
        """Return the sums over all sources."""
        total: Counter[str] = Counter()
        for counts in self.counts:
            total.update(counts)
        return total

    def kinds_in(self, *, variations: bool) -> dict[str, int]:
        """Return how often each kind deviates in variations or in the games, most first."""
        total: Counter[str] = Counter()
        for kinds in self.kinds:
            total.update({kind: n for (kind, apart), n in kinds.items() if apart is variations})
        return most_first(total)
