"""Long algebraic notation and UCI: which texts can be played, each shown in a legal game.

The long form (FIDE Laws, Appendix C; what python-chess calls LAN) names both squares: ``Ng1-f3``,
``e7xd8=Q+``, and castling as in SAN. Nothing of it depends on other pieces but the hyphen or ``x``
and the suffix, and its squares and promotion are the text of UCI.

``data/long_form`` has games that go on to mate, so that none of their positions is dead (5.2.2),
and a row for each text and player: at this ply of this game, this move is so written. It need not
be the move that the game goes on with. That what no row shows cannot be played is proved in Coq
(``proofs/formal``). The folder's manifest has the SHA-256 of both files, and how much is in them.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import ArchiveError, published_directory

GAMES: Final = "long_form/games.txt.xz"
ROWS: Final = "long_form/rows.csv.xz"


class ShownText(NamedTuple):
    """A text, who plays it, and where: a move (UCI) that is legal at a ply of a game, from 1."""

    lan: str
    player: str
    game: int
    ply: int
    uci: str


def read_rows(directory: Path | None = None) -> list[ShownText]:
    """Return every text with a player and a place, sorted by text, White first.

    Raises:
        ArchiveError: They are missing or damaged.
    """
    cells = (line.split(",") for line in read_lines(directory, ROWS)[1:])
    return [ShownText(lan, who, int(game), int(ply), uci) for lan, who, game, ply, uci in cells]


def read_lines(directory: Path | None, name: str) -> list[str]:
    """Return the lines of a file; ArchiveError if it is missing or damaged."""
    folder = directory or published_directory()
    try:
        return text_of(name, read_bytes(folder / name)).splitlines()
    except EvidenceError as error:
        raise ArchiveError(f"{folder}: {error}") from error


def playable(notation: str) -> Iterator[tuple[str | int | None, ...]]:
    """Yield each text of ``uci`` or ``lan``, who can play it, and where White does, and Black."""
    places: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in read_rows():
        places[getattr(row, notation)].setdefault(row.player, (row.game, row.ply))
    for text in sorted(places, key=list_order):
        shown = places[text]
        cells = (cell for colour in COLOURS for cell in shown.get(colour, (None, None)))
        yield text, " and ".join(colour for colour in COLOURS if colour in shown), *cells
