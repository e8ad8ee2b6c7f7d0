"""Have other programs replay the games of a run: ``... replay [DIR]``.

pgn-extract (C) and chess.js share no code with python-chess. Each reads the file by itself, tags
included, and agrees if it answers for every game once, writes each move as the file does, and ends
in python-chess's position; over all games it must write every string of the list. Exit codes: 0 all
agree, 1 they do not, 2 misuse or a program is missing.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN

HERE: Final = Path(__file__).parent
FULL: Final = HERE.parents[2] / ".nox/full/tmp/run"
"""The run of the session `full`."""
SEARCH_PATH: Final = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"
"""Debian installs pgn-extract among the games, which root does not have on its path."""
RESULTS: Final = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
TAG: Final = re.compile(r'\[(\w+) "(.*)"\]')
EXAMPLES: Final = 5
"""So many disagreements are told."""


class Replayed(NamedTuple):
    """A game as it stands in a file, or as a program plays it: the last position has four fields.

    It is numbered by its tag Round, from 1.
    """

    number: int
    sans: tuple[str, ...]
    position: str = ""


def split_games(lines: Iterable[str]) -> Iterator[tuple[dict[str, str], str]]:
    """Yield the tags and the movetext of games: one ends where the next one's tags begin."""
    tags: dict[str, str] = {}
    movetext: list[str] = []
    for line in chain(lines, ['[End ""]']):
        match = TAG.fullmatch(line.strip())
        if match is None:
            movetext += line.split()
            continue
        if movetext:
            yield tags, " ".join(movetext)
            tags, movetext = {}, []
        tags[match[1]] = match[2]


def sans_of(movetext: str) -> tuple[str, ...]:
    """Return everything in movetext that is neither a move number nor the result."""
    return tuple(w for w in movetext.split() if w[-1] != "." and w not in RESULTS)


def read_file(content: bytes) -> list[Replayed]:
    """Return the games of a file, which have to be numbered from 1."""
    games = [
        Replayed(int(tags["Round"]), sans_of(movetext))
        for tags, movetext in split_games(content.decode("ascii").splitlines())
    ]
    if not games or [game.number for game in games] != list(range(1, len(games) + 1)):
        raise ValueError("its games are not numbered from 1 by their tags Round")
    return games


def by_python_chess(game: Replayed) -> chess.Board:
    """Play a game, whose moves must be written as python-chess writes them, to its mate."""
    board = chess.Board()
    for san in game.sans:
        move = board.parse_san(san)
        if board.san(move) != san:
            raise ValueError(f"game {game.number}: {board.san(move)} is written {san}")
        board.push(move)
    if not board.is_checkmate():
        raise ValueError(f"game {game.number} ends without mate")
    return board


def printed(command: Sequence[str], games: bytes) -> Iterator[str]:
    """Return the lines that a program prints of games, or end: it must not break down."""
    done = subprocess.run(command, input=games, stdout=subprocess.PIPE, check=True)
    return iter(done.stdout.decode().splitlines())


def by_pgn_extract(games: bytes) -> Iterator[Replayed]:
    """Yield the games that pgn-extract writes; it leaves out those that it cannot play."""
    program = shutil.which("pgn-extract", path=SEARCH_PATH)
    if program is None:
        sys.exit("pgn-extract is not there: apt-get install pgn-extract")
    # Silent, each game on one line, the last position in a comment after the last move.
    for tags, movetext in split_games(printed((program, "-s", "-w1000000", "-F"), games)):
        moves, _, rest = movetext.partition(' { "')
        number = tags.get("Round", "")
        position = " ".join(rest.split()[:4])
        yield Replayed(int(number) if number.isdecimal() else 0, sans_of(moves), position)


def by_chess_js(games: bytes) -> Iterator[Replayed]:
    """Yield the games as chess.js plays them, as far as it does."""
    for line in printed(("node", str(HERE / "replay.mjs")), games):
        said = json.loads(line)
        position = " ".join(said["fen"].split()[:4])
        yield Replayed(said["number"], tuple(said["sans"]), position)


def disagreements(games: Sequence[Replayed], replayed: Iterable[Replayed]) -> Iterator[str]:
    """Yield what a program says otherwise than the file and python-chess.

    Its positions name the passed square if it can be taken, or after every double push.
    """
    missing = set(range(1, len(games) + 1))
    for number, sans, position in replayed:
        if number not in missing:
            yield f"game {number} is none, or comes twice"
            continue
        missing.remove(number)
        game = games[number - 1]
        if sans != game.sans:
            yield f"game {number}: {' '.join(sans)}, not {' '.join(game.sans)}"
            continue
        board = by_python_chess(game)
        if position not in {board.epd(en_passant=how) for how in ("legal", "fen")}:
            yield f"game {number}: {position}, and not {board.epd()}"
    yield from (f"game {number} is missing" for number in sorted(missing))


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the games of a run, and print what came of it."""
    parser = argparse.ArgumentParser(prog="replay", description="Replay the games of a run.")
    parser.add_argument("run", type=Path, nargs="?", default=FULL, metavar="DIR")
    run = parser.parse_args(arguments).run
    paths = [path for name in (GAMES_PGN, "cover.pgn") if (path := run / name).exists()]
    if not paths:
        sys.stderr.write(f"There are no games in {run}: `nox -s full -- --games` makes some.\n")
        return 2
    listed, code = set((run / FULL_LIST).read_text("ascii").split("\n")), 0
    for path in paths:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        games = read_file(content)
        for name, play in (("pgn-extract", by_pgn_extract), ("chess.js", by_chess_js)):
            answers = list(play(content))
            wrong = list(disagreements(games, answers))
            written = {san for answer in answers for san in answer.sans}
            wrong += [f"{san} is not written" for san in sorted(listed - written)]
            sys.stdout.write(f"{path.name}, {name}: {len(answers)} games, {len(wrong)} wrong\n")
            sys.stdout.writelines(f"  {line}\n" for line in islice(wrong, EXAMPLES))
            code |= bool(wrong)
    return code


if __name__ == "__main__":
    sys.exit(main())
