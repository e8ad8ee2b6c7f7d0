"""What is handed to a worker, and what comes back."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.verify.errors import Failure, failure
from sanproof.verify.scan.columns import Column

READ: Final = "read"
STOPPED: Final = "stopped"
VARIANT: Final = "variant"
BAD_POSITION: Final = "bad-position"
TOO_LONG: Final = "too-long"
LEFT_OUT: Final = "left-out"
UNCLOSED: Final = "unclosed"
AFTER_RESULT: Final = "after-result"
OUTCOMES: Final = {
    READ: "Games that were read to their end.",
    STOPPED: "Games in which a move text denotes no legal move, or several: read as far as that.",
    UNCLOSED: "Games with a comment or a variation that is not closed: read as far as that.",
    AFTER_RESULT: "Games with moves after their result, which are not read.",
    VARIANT: "Games of a variant of chess that python-chess does not know: not read.",
    BAD_POSITION: "Games that begin from a position that their chess does not allow: not read.",
    TOO_LONG: "Games of more than 16 MiB: not read.",
    LEFT_OUT: "Games that --where left out: not read.",
}
"""What became of a game, by its public name. Each game has exactly one outcome.

The kind of deviation of a text that follows the result has the name ``after-result`` too.
"""


class Options(NamedTuple):
    """How a chunk is scanned.

    Attributes:
        proven: The reachable strings, one a line.
        fast: Whether the fast path is used where it can be.
        strict: Whether suffix annotations (``Nf3!``) are deviations too.
        sample: One in so many games that the fast path read is read by python-chess as well.
        seed: Chooses which.
        rows: The form of the table of all moves, ``parquet`` or ``csv``; empty for none.
        rewrite: Whether the text with canonical moves is wanted.
        games: Whether a row for each game is wanted, and not only for those that were not read.
        language: The language of the pieces' letters, by its code; empty if each game is to tell.
        variations: Whether the texts of variations are checked too.
        tags: The tags that are columns of the table of all moves.
        where: Which games are read, as :mod:`verify.scan.where` says; all if it is empty.
        most: Of a chunk so many deviations are told, and the others counted; all if it is None.
    """

    proven: bytes
    fast: bool = True
    strict: bool = False
    sample: int = 1000
    seed: int = 0
    rows: str = ""
    rewrite: bool = False
    games: bool = False
    language: str = ""
    variations: bool = False
    tags: tuple[str, ...] = ()
    where: str = ""
    most: int | None = None


class Stretch(NamedTuple):
    """Where bytes lie in a file of this machine, by its absolute path."""

    path: str
    begin: int
    size: int


class Chunk(NamedTuple):
    """Some games of a source.

    Attributes:
        source: The name of the source.
        data: Their bytes; none if they are to be read where they lie.
        part: What they are, as in :class:`verify.scan.borders.Piece`.
        first_game: How many games of the source come before, as far as they are numbered.
        stretch: Where they lie, if ``data`` is empty.
    """

    source: str
    data: bytes
    part: str = "games"
    first_game: int = 0
    stretch: Stretch | None = None


def loaded(chunk: Chunk) -> Chunk:
    """A chunk with its bytes; a Failure if they cannot be read."""
    stretch = chunk.stretch
    if stretch is None:
        return chunk
    try:
        with Path(stretch.path).open("rb") as file:  # buffered: reads all that is asked for
            file.seek(stretch.begin)
            data = file.read(stretch.size)
    except OSError as error:
        raise failure(f"{chunk.source} cannot be read: {error.strerror}.", error) from error
    if len(data) < stretch.size:
        raise Failure(f"{chunk.source} became shorter while it was read: scan it again.")
    return chunk._replace(data=data, stretch=None)


def digest_of(chunk: Chunk) -> str:
    """A hash of a chunk that has its bytes."""
    digest = hashlib.sha256(chunk.part.encode() + b"\0")
    digest.update(chunk.data)
    return digest.hexdigest()


class Seen(NamedTuple):
    """How often a string was played, and where first: the number of the game, from 1, and the ply.

    In a chunk's result the games are those of the chunk.
    """

    times: int
    games: int
    game: int
    ply: int


class Deviating(NamedTuple):
    """A move text that is not how its move is written, or that denotes no move.

    Attributes:
        game: The number of the game, from 1.
        ply: The 1-based ply.
        line: The line on which it stands, from 1.
        column: The character of that line, from 1.
        end_column: The one after its last character, if it ends on that line.
        written: The text.
        canonical: How the move is written; empty if the text denotes no move, or several.
        kind: The public names of its deviations, separated by spaces; for what cannot be played
            ``illegal`` and the reason, ``ambiguous`` or ``not-san``.
        fen: The position.
        variation: The number of the variation in its game, from 1; 0 in the game itself.
    """

    game: int
    ply: int
    line: int
    column: int
    end_column: int
    written: str
    canonical: str
    kind: str
    fen: str
    variation: int = 0


class GameOutcome(NamedTuple):
    """What became of a game.

    Attributes:
        game: The number of the game, from 1.
        line: The line on which it begins, from 1.
        outcome: One of :data:`OUTCOMES`.
        reason: Why it was not read, or not to its end; empty if it was.
        moves: How many of its moves were read.
        left: How many move texts were not.
        event: A tag, as are the next six; empty if it is not there.
        hash: The same for games with the same moves from the same position, and for no others:
            the first 32 digits of a SHA-256.
    """

    game: int
    line: int
    outcome: str
    reason: str
    moves: int
    left: int
    event: str
    site: str
    date: str
    round: str
    white: str
    black: str
    result: str
    hash: str


class Refuting(NamedTuple):
    """A canonical legal move whose string is not among the proven ones.

    Game and ply count from 1; the text is the whole game as it stands in the file.
    """

    san: str
    game: int
    ply: int
    fen: str
    text: str


class ChunkResult(NamedTuple):
    """What was found in a chunk.

    Attributes:
        counts: Sums, by name: see :data:`verify.scan.tally.COUNTED`.
        seen: Each string that python-chess read.
        found: What deviates, in order: the columns of :class:`Deviating`; none if nothing does.
        refuting: What would refute the theorem.
        rows: The table of all moves, as the bytes of a file.
        rewritten: The text with canonical moves.
        packed: Each string that the fast path read, as :mod:`verify.scan.frequencies` packs it.
        digest: A hash of the chunk.
        games: What became of the games that are wanted, in order.
        in_variations: Each string of a move in a variation, if they are wanted.
        untold: How often each kind deviates that is not told, and whether in variations.
    """

    counts: dict[str, int]
    seen: dict[str, Seen]
    found: Sequence[Column]
    refuting: list[Refuting]
    rows: bytes = b""
    rewritten: bytes = b""
    packed: bytes = b""
    digest: str = ""
    games: Sequence[GameOutcome] = ()
    in_variations: Sequence[tuple[str, Seen]] = ()
    untold: Sequence[tuple[tuple[str, bool], int]] = ()

    @property
    def deviations(self) -> list[Deviating]:
        """What deviates, in order."""
        columns = [column.tolist() for column in self.found]
        return list(map(Deviating._make, zip(*columns, strict=True)))


class PathsDisagree(Exception):
    """The fast path and python-chess read a game differently: an error in sanproof."""

    def __init__(self, source: str, text: str) -> None:
        super().__init__(source, text)
        self.source = source
        self.text = text

    def __str__(self) -> str:
        return f"the fast path and python-chess differ on a game of {self.source}"
