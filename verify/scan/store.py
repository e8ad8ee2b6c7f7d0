"""The store of a scan: one SQLite file of its directory, from which it can go on later.

Chunks are taken in one after the other, so there is one state to keep: the sums, and of each source
how many chunks they hold and a hash over those. Beside it is a row for each chunk of which anything
is kept.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.scan.chunks import (
    LEFT_OUT,
    OUTCOMES,
    READ,
    ChunkResult,
    DeviatingMove,
    GameOutcome,
    Kinds,
    Options,
    RefutingMove,
)
from sanproof.verify.scan.former.store import SealedStore, items, number, reader, text
from sanproof.verify.scan.tables import Column, bytes_of, columns_of, read_columns

_STATE: Final = "state"
_CHUNKS: Final = "chunks"
KIND: Final = r"[a-z0-9-]{1,60}(?: [a-z0-9-]{1,60}){0,9}"
SAN: Final = r"(?:O-O(?:-O)?|[BKNQR]?[a-h]?[1-8]?x?[a-h][1-8](?:=[BKNQR])?)[+#]?"
MAX_OBSERVED: Final = 10**15
_KINDS: Final = tuple(DeviatingMove.__annotations__.values())
_GAME_KINDS: Final = tuple(GameOutcome.__annotations__.values())


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
"""The counters, by their names in ``summary.json``."""
IN_VARIATIONS: Final = {
    "variations": "Variations.",
    "variation_moves": "Moves of variations, each legal in its position; none was played.",
    "variation_moves_apart": "Moves of variations after a null move, or of variants of chess.",
    "deviating_variation_moves": "Moves of variations that are not canonical SAN.",
    "variation_texts_not_read": "Move texts of variations that were not read.",
}
"""The counters of variations, if they are read."""


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


class Tally(NamedTuple):
    """The sums of the chunks that were taken in."""

    counts: list[Counter[str]]  # for each source the sums by name, as in COUNTED, and "refuting"
    played: Rows  # the strings that were played
    in_variations: Rows  # those of the moves in variations
    kinds: list[Counter[str]]  # how often each kind deviates: in the games, and in variations

    @classmethod
    def of(cls, sources: int) -> Self:
        """Return the sums before anything is taken in of so many sources."""
        return cls([Counter() for _ in range(sources)], {}, {}, [Counter(), Counter()])

    def take(self, source: int, result: ChunkResult) -> None:
        """Take in what was found in the next chunk."""
        before = self.counts[source]["games"]
        for rows, seen in ((self.played, result.seen), (self.in_variations, result.in_variations)):
            for san, (times, games, game, ply) in seen.items():
                row = rows.setdefault(san, [0, 0, source, before + game, ply])
                row[0] += times
                row[1] += games
        self.counts[source].update(result.counts)
        self.counts[source]["refuting"] += len(result.refuting)
        for (kind, apart), times in (kinds_of(result.found) + result.unlisted).items():
            self.kinds[apart][kind] += times

    def add(self, other: "Tally", sources: Sequence[int]) -> None:
        """Take in the sums of another scan, whose sources have these numbers here, ascending."""
        for source, counted in zip(sources, other.counts, strict=True):
            self.counts[source].update(counted)
        for rows, theirs in zip(self[1:3], other[1:3], strict=True):
            for san, (times, games, source, *place) in theirs.items():
                there = [sources[source], *place]
                row = rows.setdefault(san, [0, 0, *there])
                row[:] = [row[0] + times, row[1] + games, *min(row[2:], there)]
        for kinds, more in zip(self.kinds, other.kinds, strict=True):
            kinds.update(more)

    def total(self) -> Counter[str]:
        """Return the sums over all sources."""
        return sum(self.counts, Counter())

    def kinds_in(self, *, variations: bool) -> dict[str, int]:
        """Return how often each kind deviates in variations or in the games, most first."""
        kinds = self.kinds[variations]
        return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


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
    chain: str = ""  # A hash over their bytes; empty at first
    # Its damage, as verify.scan.harness.Damage has it, as is the next; empty if
    # nothing is, or the scan is not finished.
    why: str = ""
    read: str = ""  # what was read of it


class State(NamedTuple):
    """The state of a scan: how far it has come."""

    # The state of each source, in order; empty before the scan has begun.
    sources: list[KeptSource]
    finished: int  # whether all was read; 1 if so
    # The length of each source's rewritten text so far, if that is wanted.
    rewritten: list[WrittenFile]
    tally: Tally  # the sums

    @property
    def chunks(self) -> int:
        """Count the chunks that were taken in."""
        return self.starts()[-1]

    def starts(self) -> list[int]:
        """Return the number of each source's first chunk, and of the one after the last."""
        return list(accumulate((source.chunks for source in self.sources), initial=0))


class UnlistedCount(NamedTuple):
    """The number of deviations of a kind beyond those listed."""

    kind: str
    apart: int  # 1 in variations, else 0
    times: int

    @classmethod
    def of(cls, kinds: Kinds) -> list[Self]:
        """Return them, of what a chunk counts."""
        return [cls(kind, int(apart), times) for (kind, apart), times in sorted(kinds.items())]


class KeptChunk(NamedTuple):
    """A chunk, as far as it is kept besides the sums."""

    source: int  # the number of its source
    found: Sequence[Column]  # what deviates, as columns; games and lines are those of the source
    refuting: list[RefutingMove]  # what would refute the theorem, in the same way
    rows: str  # the SHA-256 of the file with its moves, if that is written
    games: Sequence[GameOutcome] = ()  # what became of games, in the same way
    unlisted: Sequence[UnlistedCount] = ()  # what deviates besides


class ScanStore(SealedStore):
    """The file ``scan.sqlite3`` of a scan; one with another origin is refused."""

    NAME = "scan.sqlite3"
    WORK = "scan"
    APPLICATION = 0x73616E63  # "sanc" in ASCII
    TABLES = (_STATE, _CHUNKS)
    MAX_BYTES = 1 << 28  # a chunk in which every move deviates

    def word_for(self, name: str) -> str:
        """Return what a part of the origin is called: an option as it is given."""
        return f"--{name}" if name in Options._fields else name

    def save_state(self, state: State, kept: dict[int, KeptChunk]) -> None:
        """Make durable how far the scan has come, with what is kept of the chunks since."""
        with self.at_once():
            for chunk, item in kept.items():
                self.keep(chunk, item)
            self.save(_STATE, "", state)

    def keep(self, chunk: int, item: KeptChunk) -> None:
        """Save what is kept of the chunk of this number."""
        found = item.found
        games = columns_of(zip(*item.games, strict=True), _GAME_KINDS) if item.games else []
        lengths = [[len(columns[0])] if columns else [] for columns in (found, games)]
        head = item._replace(found=lengths[0], games=lengths[1])  # type: ignore[arg-type]
        self.save(_CHUNKS, f"{chunk:012}", head, after=bytes_of([*found, *games]))

    def state(self, sources: int) -> State:
        """Return how far the scan of so many sources has come.

        Raises:
            Failure: It is no state of such a scan, or what is kept of the chunks does not fit it.
        """
        if not self.names(_STATE):
            state = State([], 0, [], Tally.of(sources))
        else:
            state = self.load(_STATE, "", State)
            self._check_sources(state, sources)
            if wrong := wrong_in(state):
                raise self.damaged(f"its {wrong} are not those of a scan")
        self._check_kept(state)
        return state

    def _check_sources(self, state: State, sources: int) -> None:
        """Check that a state is of so many sources."""
        *_, tally = state
        rows = [*tally.played.values(), *tally.in_variations.values()]
        is_good = len(state.sources) == len(tally.counts) == sources
        is_good &= len(state.rewritten) in {0, sources} and len(tally.kinds) == 2
        if not is_good or any(len(row) != 5 or row[2] >= sources for row in rows):
            raise self.damaged("its state is of other sources")

    def _check_kept(self, state: State) -> None:
        """Check that the rows of the chunks are those that the state counts."""
        kinds: Kinds = Counter()
        refuting = unread = tables = 0
        starts = state.starts()
        for chunk, kept in self.kept():
            its = starts[kept.source : kept.source + 2]
            if not (len(its) > 1 and its[0] <= chunk < its[1]):
                raise self.damaged(f"its chunk {chunk} was not taken in")
            kinds.update(kinds_of(kept.found))
            for kind, apart, times in kept.unlisted:
                kinds[kind, bool(apart)] += times
            refuting += len(kept.refuting)
            tables += bool(kept.rows)
            unread += sum(game.outcome != READ for game in kept.games)
            breaks = max(0, len(self.origin.get("tags", ())) - 1)
            if any(game.tags.count("\n") != breaks for game in kept.games):
                raise self.damaged("its games have other tags")
        tally, total = state.tally, state.tally.total()
        not_read = total["games"] - total[f"games_{READ}"] - total[f"games_{LEFT_OUT}"]
        counted = {(k, bool(a)): n for a in (0, 1) for k, n in tally.kinds[a].items()}
        due = counted, total["refuting"], not_read
        if (kinds, refuting, unread) != due or (self.origin.get("rows") and tables != state.chunks):
            raise self.damaged("its chunks are not those that it counts")

    def kept(self) -> Iterator[tuple[int, KeptChunk]]:
        """Yield the number of each chunk of which anything is kept, in order, and what that is."""
        for name in self.names(_CHUNKS):
            if not name.isdecimal():
                raise self.damaged(f"its chunk {name[:20]!a} was not taken in")
            yield int(name), self.load_by(_CHUNKS, name, _read_kept)


_COUNTS: Final = {*COUNTED, *IN_VARIATIONS, "refuting"}
_VARIANT: Final = re.compile(r"variant ([a-z0-9-]{1,60}) (games|moves|moves_not_proven)")
_CHAIN: Final = re.compile("[0-9a-f]{64}")
READS: Final = ("nothing", "before", "doubtful")
"""The part that was read of a damaged source."""
_LONGEST_WHY: Final = 1000


def wrong_in(state: State) -> str:
    """Return what a state has that no scan writes, in a word; empty if all is as one writes it."""
    tally, total = state.tally, state.tally.total()
    kinds = [item for counter in tally.kinds for item in counter.items()]
    played, apart = tally.played, tally.in_variations
    checks = {
        "sources": all(map(_is_source, state.sources)),
        "counts": all(_is_count(name, total) for name in total),
        "strings": _are_strings(played, "moves", tally)
        and _are_strings(apart, "variation_moves", tally),
        "kinds": all(re.fullmatch(KIND, kind) and 0 < n <= MAX_OBSERVED for kind, n in kinds),
    }
    return next((name for name, is_good in checks.items() if not is_good), "")


def _is_source(source: KeptSource) -> bool:
    try:
        os.fsencode(source.name + source.within)
    except UnicodeEncodeError:
        return False
    is_told = source.read in READS and 0 < len(source.why) <= _LONGEST_WHY
    is_hash = _CHAIN.fullmatch(source.chain) if source.chunks else not source.chain
    return bool(is_hash and source.chunks <= MAX_OBSERVED and (is_told or source[4:] == ("", "")))


def _is_count(name: str, total: Counter[str]) -> bool:
    variant = _VARIANT.fullmatch(name)
    is_known = name in _COUNTS or (variant and total[f"variant {variant[1]} games"])
    return bool(is_known and total[name] <= MAX_OBSERVED)


def _are_strings(rows: Rows, name: str, tally: Tally) -> bool:
    """Check that strings are some, are first in games that there are, and are all that counts."""
    for san, (times, games, source, game, ply) in rows.items():
        is_there = 0 < game <= tally.counts[source]["games"] and 0 < games <= times and ply
        if not (is_there and re.fullmatch(SAN, san)):
            return False
    return sum(row[0] for row in rows.values()) == tally.total()[name]


def _read_kept(value: Any, found: bytes) -> KeptChunk:  # noqa: ANN401 - JSON
    source, sizes, refuting, rows, games, unlisted = items(value)
    tables = [(_KINDS, reader(list[int])(sizes)), (_GAME_KINDS, reader(list[int])(games))]
    lengths = [lengths[0] for kinds, lengths in tables for _ in kinds if lengths]
    columns = read_columns(found, lengths, [k for kinds, ls in tables for k in kinds if ls])
    listed = columns[: len(_KINDS)] if tables[0][1] else []
    rows_of_games = zip(*(c.tolist() for c in columns[len(listed) :]), strict=True)
    kept = KeptChunk(
        number(source),
        listed,
        reader(list[RefutingMove])(refuting),
        text(rows),
        [GameOutcome(*row) for row in rows_of_games],
        reader(list[UnlistedCount])(unlisted),
    )
    for item in kept.refuting:
        "".join(str(field) for field in item).encode()  # no games hold lone surrogates
    if not all(re.fullmatch(SAN, item.san) for item in kept.refuting):
        raise ValueError("no string")
    if not all(game.outcome in OUTCOMES for game in kept.games):
        raise ValueError("no outcome")
    return kept
