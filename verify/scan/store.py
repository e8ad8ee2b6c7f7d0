"""The store of a scan: one SQLite file of its directory, from which it can go on later.

Chunks are taken in one after the other, so there is one state to keep: the sums, and of each source
how many chunks they hold and a hash over those. Beside it is a row for each chunk of which anything
is kept.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from sanproof.verify.scan.chunks import (
    LEFT_OUT,
    READ,
    Deviating,
    GameOutcome,
    Kinds,
    Refuting,
)
from sanproof.verify.scan.columns import Column, bytes_of, read_columns
from sanproof.verify.scan.tally import Tally, kinds_of
from sanproof.verify.work.store import SealedStore, items, number, reader, text

_STATE: Final = "state"
_CHUNKS: Final = "chunks"
_KINDS: Final = tuple(Deviating.__annotations__.values())


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
