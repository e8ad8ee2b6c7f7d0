"""Long algebraic notation and UCI: which texts can be played, each shown in a legal game.

The long form (FIDE Laws, Appendix C; what python-chess calls LAN) names both squares: ``Ng1-f3``,
``e7xd8=Q+``, and castling as in SAN. Nothing of it depends on other pieces but the hyphen or ``x``
and the suffix, and its squares and promotion are the text of UCI.

``data/long_form`` has games that go on to mate, so that none of their positions is dead (5.2.2),
and a row for each text and player: at this ply of this game, this move is so written. It need not
be the move that the game goes on with. That what no row shows cannot be played is proved in Coq
(``proofs/formal``). The folder's manifest has the SHA-256 of both files, and how much is in them.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import ArchiveError, published_directory

GAMES: Final = "long_form/games.txt.xz"
ROWS: Final = "long_form/rows.csv.xz"
MANIFEST: Final = "long_form/manifest.json"


class ShownText(NamedTuple):
    """A text, who plays it, and where: a move (UCI) that is legal at a ply of a game, from 1."""

    lan: str
    player: str
    game: int
    ply: int
    uci: str


def read_rows(directory: Path | None = None) -> list[ShownText]:
    """Every text with a player and a place, sorted by text, White first.

    Raises:
        ArchiveError: They are missing or damaged.
    """
    cells = (line.split(",") for line in read_lines(directory, ROWS)[1:])
    return [ShownText(lan, who, int(game), int(ply), uci) for lan, who, game, ply, uci in cells]


def read_lines(directory: Path | None, name: str) -> list[str]:
    """Read the lines of a file.

    Raises:
        ArchiveError: It is missing or damaged.
    """
    folder = directory or published_directory()
    try:
        return text_of(name, read_bytes(folder / name)).splitlines()
    except EvidenceError as error:
        raise ArchiveError(f"{folder}: {error}") from error


def playable_lan() -> Iterator[tuple[str, list[ShownText]]]:
    """Each text of the long form that can be played, with a place for each player who can."""
    return _by_text({row: row.lan for row in read_rows()})


def playable_uci() -> Iterator[tuple[str, list[ShownText]]]:
    """Each text of UCI that can be played, with the first place for each player who can."""
    first = {(row.uci, row.player): row for row in reversed(read_rows())}
    return _by_text({row: row.uci for row in first.values()})


def _by_text(texts: dict[ShownText, str]) -> Iterator[tuple[str, list[ShownText]]]:
    rows = sorted(texts, key=lambda row: (list_order(texts[row]), COLOURS.index(row.player)))
    for text, group in groupby(rows, key=lambda row: texts[row]):
        yield text, list(group)
