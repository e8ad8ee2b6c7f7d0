"""The sums of a scan: chunk after chunk in the order of the files, whoever read them."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.scan.chunks import OUTCOMES, ChunkResult
from sanproof.verify.scan.frequencies import Sums
from sanproof.verify.work.rows import counts, entries, fields, items, number, numbers

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


class Occurrences(NamedTuple):
    """How often a string was played, and where first.

    Attributes:
        times: How often.
        games: In how many games.
        source: The number of the source in which it is first, from 0.
        game: The number of the game there, from 1.
        ply: The 1-based ply.
    """

    times: int
    games: int
    source: int
    game: int
    ply: int


class Tally:
    """The sums of the chunks that were taken in.

    Attributes:
        proven: The proven strings, one a line.
        counts: For each source the sums by name, as in :data:`COUNTED`.
        kinds: How often each kind of deviation was found, and in ``together`` all deviations.
        refuting: How many moves would refute the theorem.
    """

    def __init__(self, proven: bytes = b"") -> None:
        self.proven = proven
        self._sums = Sums()
        self._places: dict[str, Occurrences] = {}
        self.counts: list[Counter[str]] = []
        self.kinds: Counter[str] = Counter()
        self.refuting = 0

    def take(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk."""
        while len(self.counts) <= source:
            self.counts.append(Counter())
        before = self.counts[source]["games"]
        for san, seen in result.seen.items():
            place = Occurrences(seen.times, seen.games, source, before + seen.game, seen.ply)
            self._places[san] = added(self._places.get(san), place)
        self._sums.take(source, before, result.packed, len(self._strings))
        self.counts[source].update(result.counts)
        self.kinds.update(deviation.kind for deviation in result.deviations)
        self.refuting += len(result.refuting)

    def add(self, other: "Tally", sources: Sequence[int]) -> None:
        """Take in the sums of another scan, whose sources have these numbers here, ascending."""
        if sources:
            self.counts += [Counter() for _ in range(len(self.counts), sources[-1] + 1)]
        for source, counted in zip(sources, other.counts, strict=False):
            self.counts[source].update(counted)
        for san, place in other.places().items():
            there = place._replace(source=sources[place.source])
            self._places[san] = added(self._places.get(san), there)
        self.kinds.update(other.kinds)
        self.refuting += other.refuting

    @cached_property
    def _strings(self) -> list[str]:
        return self.proven.decode("ascii").split()

    def places(self) -> dict[str, Occurrences]:
        """The strings that were played."""
        places = dict(self._places)
        for at, row in self._sums.played():
            san = self._strings[at]
            places[san] = added(places.get(san), Occurrences(*row))
        return places

    def total(self) -> Counter[str]:
        """The sums over all sources."""
        return sum(self.counts, Counter())

    def as_json(self) -> list[Any]:
        """Everything, to be stored."""
        return [self.counts, self._places, self._sums.as_json(), self.kinds, self.refuting]

    @classmethod
    def read(cls, value: Any, proven: bytes, sources: int) -> Self:  # noqa: ANN401 - JSON
        """A tally as :meth:`as_json` gave it, of the same proven strings and so many sources.

        Raises:
            TypeError: It has another shape.
            ValueError: It is of other strings or sources.
        """
        tally = cls(proven)
        found, places, sums, kinds, refuting = items(value)
        tally.counts = [counts(item) for item in items(found)]
        tally._places = {san: fields(Occurrences, place) for san, place in entries(places).items()}
        tally._sums.read([numbers(column) for column in items(sums)], len(tally._strings))
        tally.kinds = counts(kinds)
        tally.refuting = number(refuting)
        if len(tally.counts) > sources or not all(
            0 <= place.source < len(tally.counts) for place in tally.places().values()
        ):
            raise ValueError("other sources")
        return tally


def added(first: Occurrences | None, second: Occurrences) -> Occurrences:
    """How often a string was played in two parts of the files; a game is in one of them."""
    if first is None:
        return second
    return Occurrences(
        first.times + second.times, first.games + second.games, *min(first[2:], second[2:])
    )
