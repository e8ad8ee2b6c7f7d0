"""The chunks that are handed to workers, and the results that come back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.notation.languages import LETTERS
from sanproof.verify.scan.tables import check_tags
from sanproof.verify.scan.where import check_where

READ: Final = "read"
STOPPED: Final = "stopped"
VARIANT: Final = "variant"
BAD_POSITION: Final = "bad-position"
TOO_LONG: Final = "too-long"
LEFT_OUT: Final = "left-out"
UNCLOSED: Final = "unclosed"
AFTER_RESULT: Final = "after-result"
MAX_LISTED: Final = 1 << 20
"""The most deviations of a chunk that are listed: one in four bytes of small games."""


def proven_lines(directory: Path | None = None) -> bytes:
    """Return the strings of a complete run, or the published ones, one a line; or a Failure."""
    try:
        return "\n".join(open_complete(directory).strings()).encode("ascii")
    except ArchiveError as error:
        raise Failure(f"{error}.") from error


class Options(NamedTuple):
    """The options of a scan, as the command and the API are asked and each worker is told."""

    proven: bytes  # the reachable strings, one a line
    fast: bool = True  # use the fast path where it can be used
    strict: bool = False  # suffix annotations (Nf3!) deviate too
    rows: str = ""  # the form of the table of all moves, parquet or csv; empty for none
    rewrite: bool = False  # write the text with canonical moves
    games: bool = False  # write a row for each game, and not only for those not read
    language: str = ""  # the code of the letters of pieces; empty if each game tells its own
    variations: bool = False  # check the texts of variations too
    tags: tuple[str, ...] = ()  # the tags that are columns of the tables of moves and games
    where: str = ""  # which games are read, as verify.scan.where says; all if it is empty
    find: str = ""  # the string whose games are wanted
    split: bool = False  # tell the games that deviate nowhere from the others
    most: int = MAX_LISTED  # the deviations of a chunk that are listed; others are counted

    @classmethod
    def checked(cls, run: Path | None, **asked: Any) -> Self:  # noqa: ANN401 - of each its type
        """Return the options of a scan that compares with the strings of a run.

        Raises:
            ValueError: One is wrong; the message is a sentence.
            Failure: There is no such run, or what an option needs is not installed.
        """
        options = cls(b"", **asked)
        if options.rows not in {"", "parquet", "csv"}:
            raise ValueError("--rows takes parquet or csv")
        if options.language not in {"", "en", *LETTERS}:
            raise ValueError(f"--language takes one of {', '.join(sorted({'en', *LETTERS}))}")
        check_tags(options.tags, is_used=bool(options.rows or options.games))
        if options.where:
            check_where(options.where)
        proven = proven_lines(run)
        if options.find and options.find.encode() not in proven.split():
            raise ValueError(f"--find takes a SAN string that can occur, not {shown(options.find)}")
        return options._replace(proven=proven)

    def settings(self) -> dict[str, Any]:
        """Return the options on which the results depend, as JSON has them."""
        others = {"proven", "fast", "find", "split", "most"}
        kept = {name: value for name, value in self._asdict().items() if name not in others}
        return kept | {"tags": list(self.tags)}


class Chunk(NamedTuple):
    """Some games of a source."""

    source: str  # the name of the source
    data: bytes  # their bytes
    first_game: int = 0  # how many games of the source come before, if they are numbered
    number: int = 0  # its number in the whole scan, from 0
    place: int = 0  # the number of its source, from 0
    taken: int = 0  # how many bytes of all sources' files were taken until its end


Occurrence = tuple[int, int, int, int]
"""Counts of a string in a chunk: moves, games, and the first game (from 1),
at which ply."""


class DeviatingMove(NamedTuple):
    """A move text that is not how its move is written, or that denotes no move."""

    game: int  # the number of the game, from 1
    ply: int  # the 1-based ply
    line: int  # the line on which it stands, from 1
    column: int  # the character of that line, from 1
    end_column: int  # the one after its last character, if it ends on that line
    written: str  # the text
    canonical: str  # how the move is written; empty if the text denotes no move, or several
    kind: str  # the names of its deviations; illegal and the reason, ambiguous or not-san
    fen: str  # the position
    variation: int = 0  # the number of the variation in its game, from 1; 0 in the game itself


class GameOutcome(NamedTuple):
    """The row of a game: its outcome, its tags, and a hash of its moves."""

    game: int  # the number of the game, from 1
    line: int  # the line on which it begins, from 1
    outcome: str  # such as READ
    reason: str  # why it was not read, or not to its end; empty if it was
    moves: int  # how many of its moves were read
    left: int  # how many move texts were not
    event: str  # a tag, as are the next six; empty if it is missing
    site: str
    date: str
    round: str
    white: str
    black: str
    result: str
    hash: str  # the same for games with the same moves from the same position, and no others
    tags: str = ""  # the values of the tags that are wanted, one a line
    place: tuple[int, int] | None = None  # the line and column of what has no end, if that is why


class RefutingMove(NamedTuple):
    """A canonical legal move whose string is not among the proven ones."""

    san: str
    game: int  # the number of the game, from 1
    fen: str


class FoundString(NamedTuple):
    """A place at which the wanted string was played, and the text of that game."""

    game: int
    ply: int
    text: bytes


Kinds = Counter[tuple[str, bool]]
"""The number of deviations of each kind; variations are counted apart."""


class ChunkResult(NamedTuple):
    """The result of scanning a chunk; the games and lines are counted from its beginning."""

    counts: dict[str, int]  # sums, by name, as in verify.scan.sums; and those of Chess960
    seen: dict[str, Occurrence]  # each string that was played
    found: Sequence[DeviatingMove] = ()  # what deviates, in order
    refuting: Sequence[RefutingMove] = ()  # what would refute the theorem
    rows: bytes = b""  # the table of all moves, as the bytes of a file
    edits: Sequence[tuple[int, int, str]] = ()  # what is written anew, where
    games: Sequence[GameOutcome] = ()  # what became of the games that are wanted, in order
    in_variations: Mapping[str, Occurrence] = {}  # each string of a move in a variation
    unlisted: Kinds = Counter()  # noqa: RUF012 - how often each kind deviates beside found
    hits: Sequence[FoundString] = ()  # where the wanted string was played, in order
    clean: bytes = b""  # the games that deviate nowhere
    broken: bytes = b""  # the other games

    def shifted(self, games: int, lines: int) -> Self:
        """Return the result with games and lines counted from the beginning of the source.

        So many are before the chunk. What is told of strings stays as it is.
        """
        return self._replace(
            found=[f._replace(game=games + f.game, line=lines + f.line) for f in self.found],
            games=[
                g._replace(
                    game=games + g.game,
                    line=lines + g.line,
                    place=g.place and (lines + g.place[0], g.place[1]),
                )
                for g in self.games
            ],
            hits=[h._replace(game=games + h.game) for h in self.hits],
        )

    @property
    def kinds(self) -> Kinds:
        """Return how often each kind deviates."""
        return Counter((f.kind, f.variation > 0) for f in self.found) + self.unlisted
