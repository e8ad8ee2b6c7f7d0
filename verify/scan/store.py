"""The store of a scan: one SQLite file of its directory, from which it can go on later.

Chunks are taken in one after the other, so there is one state to keep: the sums, and of each source
how many chunks they hold and a hash over those. Beside it is a row for each chunk of which anything
is kept.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.scan.chunks import (
    LEFT_OUT,
    OUTCOMES,
    READ,
    ChunkResult,
    Deviating,
    GameOutcome,
    Kinds,
    Refuting,
    Seen,
)
from sanproof.verify.scan.tables import Column, bytes_of, read_columns
from sanproof.verify.work.store import SealedStore, items, number, reader, text

_STATE: Final = "state"
_CHUNKS: Final = "chunks"
_KINDS: Final = tuple(Deviating.__annotations__.values())


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


class WrittenFile(NamedTuple):
    """The size of a file that was written, and its hash."""

    size: int
    sha256: str


class KeptSource(NamedTuple):
    """A source, as far as it was read."""

    name: str  # its name, as verify.scan.sources.Source has it, as is the next
    within: str  # its path in the folder that was named
    chunks: int = 0  # how many of its chunks were taken in
    chain: str = ""  # A hash over their bytes; empty if there are none
    # What is wrong with it, as verify.scan.harness.Unreadable has it, as is the next; empty if
    # nothing is, or the scan is not finished.
    why: str = ""
    read: str = ""  # what was read of it


class State(NamedTuple):
    """The state of a scan: how far it has come."""

    # What is kept of each source, in order; none before the scan has begun.
    sources: list[KeptSource]
    finished: int  # whether all was read; 1 if so
    # What was written of each source's rewritten text, if that is wanted.
    rewritten: list[WrittenFile]
    tally: Tally  # the sums

    @property
    def chunks(self) -> int:
        """How many chunks were taken in."""
        return self.starts()[-1]

    def starts(self) -> list[int]:
        """The number of each source's first chunk, and of the one after the last."""
        return list(accumulate((source.chunks for source in self.sources), initial=0))


class KeptChunk(NamedTuple):
    """A chunk, as far as it is kept besides the sums."""

    source: int  # the number of its source
    found: Sequence[Column]  # what deviates, as columns; games and lines are those of the source
    refuting: list[Refuting]  # what would refute the theorem, in the same way
    rows: str  # the SHA-256 of the file with its moves, if that is written
    games: Sequence[GameOutcome] = ()  # what became of games, in the same way


class ScanStore(SealedStore):
    """The file ``scan.sqlite3`` of a scan; one with another origin is refused."""

    NAME = "scan.sqlite3"
    WORK = "scan"
    APPLICATION = 0x73616E63  # "sanc" in ASCII
    TABLES = (_STATE, _CHUNKS)
    MAX_BYTES = 1 << 30  # a chunk in which every move deviates

    def save_state(self, state: State, kept: dict[int, KeptChunk]) -> None:
        """Make durable how far the scan has come, with what is kept of the chunks since."""
        with self.at_once():
            for chunk, item in kept.items():
                self.keep(chunk, item)
            self.save(_STATE, "", [*state[:-1], state.tally.as_json()])

    def keep(self, chunk: int, item: KeptChunk) -> None:
        """Save what is kept of the chunk of this number."""
        found = item.found
        head = item._replace(found=[len(found[0])] if found else [])
        self.save(_CHUNKS, f"{chunk:012}", head, after=bytes_of(found))

    def state(self, sources: int) -> State:
        """Return how far the scan of so many sources has come.

        Raises:
            Failure: It is no state of such a scan, or what is kept of the chunks does not fit it.
        """
        state = State([], 0, [], Tally())
        if self.names(_STATE):
            state = self.load_by(_STATE, "", lambda value, _: _read_state(value, sources))
        self._check_kept(state)
        return state

    def _check_kept(self, state: State) -> None:
        """Check that the rows of the chunks are those that the state counts."""
        kinds: Kinds = Counter()
        refuting = unread = 0
        starts = state.starts()
        for chunk, kept in self.kept():
            its = starts[kept.source : kept.source + 2]
            if not (len(its) > 1 and its[0] <= chunk < its[1]):
                raise self.damaged(f"its chunk {chunk} was not taken in")
            kinds.update(kinds_of(kept.found))
            refuting += len(kept.refuting)
            unread += sum(game.outcome != READ for game in kept.games)
        tally, total = state.tally, state.tally.total()
        not_read = total["games"] - total[f"games_{READ}"] - total[f"games_{LEFT_OUT}"]
        if (kinds, refuting, unread) != (tally.kinds, tally.refuting, not_read):
            raise self.damaged("its chunks are not those that it counts")

    def kept(self) -> Iterator[tuple[int, KeptChunk]]:
        """Yield the number of each chunk of which anything is kept, in order, and what that is."""
        for name in self.names(_CHUNKS):
            if not name.isdecimal():
                raise self.damaged(f"its chunk {name[:20]!a} was not taken in")
            yield int(name), self.load_by(_CHUNKS, name, _read_kept)


def _read_kept(value: Any, found: bytes) -> KeptChunk:  # noqa: ANN401 - JSON
    source, sizes, refuting, rows, games = items(value)
    lengths = reader(list[int])(sizes)
    return KeptChunk(
        number(source),
        read_columns(found, lengths[0], _KINDS) if lengths else [],
        reader(list[Refuting])(refuting),
        text(rows),
        reader(list[GameOutcome])(games),
    )


def _read_state(value: Any, sources: int) -> State:  # noqa: ANN401 - JSON
    found, finished, rewritten, tally = items(value)
    kept: list[KeptSource] = reader(list[KeptSource])(found)
    written: list[WrittenFile] = reader(list[WrittenFile])(rewritten)
    if len(kept) != sources or len(written) not in {0, sources}:
        raise ValueError("other sources")
    return State(kept, number(finished), written, Tally.read(tally, sources))
