"""Long algebraic notation and UCI: which texts can be played, each shown in a legal game.

The long form (FIDE Laws, Appendix C; what python-chess calls LAN) names both squares: ``Ng1-f3``,
``e7xd8=Q+``, and castling as in SAN. Nothing of it depends on other men but the hyphen or ``x``
and the suffix, and its squares and promotion are the text of UCI.

``data/long_form`` has games that go on to mate, so that none of their positions is dead (5.2.2),
and a row for each text and player: at this ply of this game, this move is so written. It need not
be the move that the game goes on with. What no row shows has no game here; that it cannot be
played is proved elsewhere (``proofs/formal``).
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, unpacked
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order
from sanproof.reports.exports.archive import ArchiveError, published_directory

if TYPE_CHECKING:
    import chess

GAMES: Final = "long_form/games.txt.xz"
ROWS: Final = "long_form/rows.csv.xz"
HEADER: Final = "lan,player,game,ply,uci"
MOST_PACKED: Final = 1 << 24
_ROW: Final = re.compile(
    r"(?P<lan>(?:O-O(?:-O)?|[BKNQR]?[a-h][1-8][-x][a-h][1-8](?:=[BNQR])?)[+#]?),"
    r"(?P<player>white|black),(?P<game>[1-9]\d{0,5}),(?P<ply>[1-9]\d{0,3}),"
    r"(?P<uci>[a-h][1-8][a-h][1-8][bnqr]?)"
)


class Shown(NamedTuple):
    """A text, who plays it, and where: a move (UCI) that is legal at a ply of a game, from 1."""

    lan: str
    player: str
    game: int
    ply: int
    uci: str


def write_lan(board: "chess.Board", move: "chess.Move") -> str:
    """A legal move in long algebraic notation, as it is written in this position."""
    return bare_lan(board, move) + suffix(board, move)


def bare_lan(board: "chess.Board", move: "chess.Move") -> str:
    """A legal move without its suffix."""
    if board.is_castling(move):
        return "O-O" if move.to_square > move.from_square else "O-O-O"
    piece = board.piece_at(move.from_square)
    letter = piece.symbol().upper().removeprefix("P") if piece else ""
    uci = move.uci()
    promotion = f"={uci[4].upper()}" if move.promotion else ""
    return f"{letter}{uci[:2]}{'x' if board.is_capture(move) else '-'}{uci[2:4]}{promotion}"


def suffix(board: "chess.Board", move: "chess.Move") -> str:
    """What is written of check and mate; the board is as before when this returns."""
    board.push(move)
    try:
        if not board.is_check():
            return ""
        return "+" if any(board.generate_legal_moves()) else "#"
    finally:
        board.pop()


def read_games(directory: Path | None = None) -> list[list[str]]:
    """The games, each as its moves in UCI.

    Raises:
        ArchiveError: They are missing or damaged.
    """
    return [line.split(" ") for line in _lines(directory, GAMES)]


def read_rows(directory: Path | None = None) -> list[Shown]:
    """Every text with a player and a place, sorted by text, White first.

    Raises:
        ArchiveError: They are missing or damaged.
    """
    header, *lines = _lines(directory, ROWS)
    matches = [_ROW.fullmatch(line) for line in lines]
    if header != HEADER or None in matches:
        raise ArchiveError(f"{ROWS} is damaged: it is no table of moves")
    return [
        Shown(m["lan"], m["player"], int(m["game"]), int(m["ply"]), m["uci"]) for m in matches if m
    ]


def _lines(directory: Path | None, name: str) -> list[str]:
    path = (directory or published_directory()) / name
    try:
        return unpacked(name, read_bytes(path, MOST_PACKED)).decode("ascii").splitlines()
    except (EvidenceError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{path} cannot be read: {error}") from error


def playable_lan() -> Iterator[tuple[str, list[Shown]]]:
    """Each text of the long form that can be played, with a place for each player who can."""
    yield from _by_text({row: row.lan for row in read_rows()})


def playable_uci() -> Iterator[tuple[str, list[Shown]]]:
    """Each text of UCI that can be played, with the first place for each player who can."""
    first = {(row.uci, row.player): row for row in reversed(read_rows())}
    yield from _by_text({row: row.uci for row in first.values()})


def moves() -> list[Shown]:
    """A place for each text of UCI and player; castling apart from other moves of its text."""
    first = {(row.uci, row.player, row.lan.startswith("O")): row for row in reversed(read_rows())}
    return sorted(first.values(), key=lambda row: (row.player, row.uci, row.lan))


def _by_text(texts: dict[Shown, str]) -> Iterator[tuple[str, list[Shown]]]:
    rows = sorted(texts, key=lambda row: (list_order(texts[row]), COLOURS.index(row.player)))
    for text, group in groupby(rows, key=lambda row: texts[row]):
        yield text, list(group)
