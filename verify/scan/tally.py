"""The sums of a scan: chunk after chunk in the order of the files, whoever read them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.scan.chunks import OUTCOMES, ChunkResult
from sanproof.verify.scan.columns import Column
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
IN_VARIATIONS: Final = {
    "variations": "Variations.",
    "variation_moves": "Moves of variations, each legal in its position; none was played.",
    "variation_moves_apart": "Moves of variations after a null move, or of variants of chess.",
    "deviating_variation_moves": "Moves of variations that are not canonical SAN.",
    "variation_texts_not_read": "Move texts of variations that were not read.",
}
"""What is counted of variations, if they are read."""


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
        kinds: How often each kind of deviation was found in the games themselves.
        kinds_in_variations: The same in variations.
        refuting: How many moves would refute the theorem.
    """

    def __init__(self, proven: bytes = b"") -> None:
        self.proven = proven
        self._sums = Sums()
        self._places: dict[str, Occurrences] = {}
        self.counts: list[Counter[str]] = []
        self._in_variations: dict[str, Occurrences] = {}
        self.kinds: Counter[str] = Counter()
        self.kinds_in_variations: Counter[str] = Counter()
        self.refuting = 0

    def take(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk."""
        while len(self.counts) <= source:
            self.counts.append(Counter())
        before = self.counts[source]["games"]
        for places, strings in (
            (self._places, result.seen.items()),
            (self._in_variations, result.in_variations),
        ):
            for san, seen in strings:
                place = Occurrences(seen.times, seen.games, source, before + seen.game, seen.ply)
                places[san] = added(places.get(san), place)
        self._sums.take(source, before, result.packed, len(self._strings))
        self.counts[source].update(result.counts)
        told = kinds_of(result.found)
        self.kinds.update(told[False])
        self.kinds_in_variations.update(told[True])
        self.refuting += len(result.refuting)

    def add(self, other: "Tally", sources: Sequence[int]) -> None:
        """Take in the sums of another scan, whose sources have these numbers here, ascending."""
        if sources:
            self.counts += [Counter() for _ in range(len(self.counts), sources[-1] + 1)]
        for source, counted in zip(sources, other.counts, strict=False):
            self.counts[source].update(counted)
        for places, found in (
            (self._places, other.places()),
            (self._in_variations, other.in_variations()),
        ):
            for san, place in found.items():
                there = place._replace(source=sources[place.source])
                places[san] = added(places.get(san), there)
        self.kinds.update(other.kinds)
        self.kinds_in_variations.update(other.kinds_in_variations)
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

    def in_variations(self) -> dict[str, Occurrences]:
        """The strings of the moves in variations."""
        return self._in_variations

    def total(self) -> Counter[str]:
        """The sums over all sources."""
        return sum(self.counts, Counter())

    def as_json(self) -> list[Any]:
        """Everything, to be stored."""
        apart = [self._in_variations, self.kinds_in_variations]
        return [self.counts, self._places, self._sums.as_json(), self.kinds, self.refuting, *apart]

    @classmethod
    def read(cls, value: Any, proven: bytes, sources: int) -> Self:  # noqa: ANN401 - JSON
        """A tally as :meth:`as_json` gave it, of the same proven strings and so many sources.

        Raises:
            TypeError: It has another shape.
            ValueError: It is of other strings or sources.
        """
        tally = cls(proven)
        found, places, sums, kinds, refuting, in_variations, their_kinds = items(value)
        tally.counts = [counts(item) for item in items(found)]
        tally._places = _read_places(places)
        tally._in_variations = _read_places(in_variations)
        tally._sums.read([numbers(column) for column in items(sums)], len(tally._strings))
        tally.kinds = counts(kinds)
        tally.kinds_in_variations = counts(their_kinds)
        tally.refuting = number(refuting)
        if len(tally.counts) > sources or not all(
            0 <= place.source < len(tally.counts)
            for place in (*tally.places().values(), *tally.in_variations().values())
        ):
            raise ValueError("other sources")
        return tally


def kinds_of(found: Sequence[Column]) -> dict[bool, Counter[str]]:
    """How often each kind deviates, in variations and in the games themselves.

    What was found are the columns of :class:`verify.scan.chunks.Deviating`.
    """
    kinds: Iterable[str]
    kinds, _, variations = found[-3:] or [()] * 3
    apart = Counter(compress(kinds, variations)) if any(variations) else Counter[str]()
    return {False: Counter(kinds) - apart, True: apart}


def _read_places(value: Any) -> dict[str, Occurrences]:  # noqa: ANN401 - JSON
    return {san: fields(Occurrences, place) for san, place in entries(value).items()}


def added(first: Occurrences | None, second: Occurrences) -> Occurrences:
    """How often a string was played in two parts of the files; a game is in one of them."""
    if first is None:
        return second
    return Occurrences(
        first.times + second.times, first.games + second.games, *min(first[2:], second[2:])
    )
