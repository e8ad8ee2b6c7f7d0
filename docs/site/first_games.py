"""The first real game known to us in which a string was played, and where it is published.

``python -m docs.site.first_games GAMES`` reads the games with python-chess and prints the table
that is kept beside this module. A game is named by its date and time, which the published file has
too; its players are not named.
"""

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import chess.pgn

from sanproof.reports.page.templates import json_data

TABLE: Final = Path(__file__).parent / "first-games.csv"
PUBLISHED: Final = (
    "https://github.com/mikeb26/corentings-chess/blob/"
    "397e104e3e1131b95c580529df69d80486cba74e/fixtures/pgns/big.pgn"
)
"""A copy, at a commit, of the fixture of github.com/CorentinGS/chess that these games come from."""
SCRIPT: Final = "first-games.js"


class FirstGame(NamedTuple):
    """The first game in which a string was played.

    Attributes:
        san: The string.
        date: The day on which the game began, in UTC, such as ``2024.12.07``.
        time: The time of day.
        ply: When the string was played, from 1.
    """

    san: str
    date: str
    time: str
    ply: int

    def sentence(self) -> str:
        """Return the time when the game began, and the move, for people."""
        who = "White" if self.ply % 2 else "Black"
        day = self.date.replace(".", "-")
        return f"{day}, {self.time} UTC, move {(self.ply + 1) // 2}, {who}"


def found(games: Iterable[chess.pgn.Game]) -> list[FirstGame]:
    """Return the first game of each string, by day and time, then by ply; sorted by string."""
    firsts: dict[str, FirstGame] = {}
    for game in games:
        board = game.board()
        when = game.headers["UTCDate"], game.headers["UTCTime"]
        for ply, move in enumerate(game.mainline_moves(), start=1):
            san = board.san_and_push(move)
            seen = FirstGame(san, *when, ply)
            firsts[san] = min(seen, firsts.get(san, seen))
    return sorted(firsts.values())


def read(path: Path) -> Iterator[chess.pgn.Game]:
    """Yield the games of a file."""
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            yield game


def table(firsts: Iterable[FirstGame]) -> str:
    """Return the table as it is kept."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([FirstGame._fields, *firsts])
    return out.getvalue()


@cache
def kept() -> dict[str, FirstGame]:
    """Return the table that is kept, by string."""
    with TABLE.open(encoding="ascii", newline="") as file:
        rows = [
            FirstGame(r["san"], r["date"], r["time"], int(r["ply"])) for r in csv.DictReader(file)
        ]
    return {row.san: row for row in rows}


def write_script(folder: Path) -> None:
    """Have the page in a folder say in which real game a string was played first."""
    sentences = {row.san: row.sentence() for row in kept().values()}
    source = (Path(__file__).parent / "templates" / SCRIPT).read_text(encoding="utf-8")
    data = f"const FIRST_GAMES = {json_data({'address': PUBLISHED, 'sentences': sentences})};\n"
    (folder / SCRIPT).write_text(data + source, encoding="utf-8")
    index = folder / "index.html"
    text = index.read_text(encoding="utf-8")
    page = '<script defer src="page.js"></script>'
    if page not in text:
        raise ValueError(f"{index} has no {page}")
    added = f'{page}\n<script defer src="{SCRIPT}"></script>'
    index.write_text(text.replace(page, added, 1), encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(table(found(read(Path(sys.argv[1])))))
