"""The programs that replay games, and what each of them says of a game.

Every program reads the file by itself, tags included, and answers for each game with the moves in
the SAN that it writes itself and with the last position.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Final, Literal, NamedTuple

import chess

from sanproof.verify.errors import Failure

HERE: Final = Path(__file__).parent
LIBRARIES: Final = HERE / "node_modules"
SEARCH_PATH: Final = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"
"""Debian installs pgn-extract among the games, which root does not have on its path."""

EnPassant = Literal["legal", "fen"]
"""The en passant square of a FEN: named when such a capture is legal, or after every
double push, as the PGN standard has it (16.1.3.4)."""


RESULTS: Final = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
_TAG: Final = re.compile(r'\[(\w+) "([^"]*)"\]')


class GameText(NamedTuple):
    """A game as it stands in a file: nothing of it has been checked against the rules.

    Attributes:
        tags: The tags.
        movetext: All of the movetext on one line.
    """

    tags: dict[str, str]
    movetext: str

    @property
    def sans(self) -> tuple[str, ...]:
        """Everything in the movetext that is neither a move number nor the result."""
        words = self.movetext.split()
        return tuple(word for word in words if word[-1] != "." and word not in RESULTS)


def unpacked(path: Path) -> BinaryIO:
    """Return a file of games for reading, unpacked into a file that has no name if need be."""
    if path.suffix != ".gz":
        return path.open("rb")
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the caller closes it
    with gzip.open(path) as packed:
        shutil.copyfileobj(packed, file)
    file.seek(0)
    return file


def split_games(lines: Iterable[str]) -> Iterator[GameText]:
    """Yield the games in lines of PGN: one ends where the next one's tags begin."""
    tags: dict[str, str] = {}
    movetext: list[str] = []
    for line in lines:
        match = _TAG.fullmatch(line.strip())
        if match is None:
            movetext += line.split()
            continue
        if movetext or match[1] in tags:
            yield GameText(tags, " ".join(movetext))
            tags, movetext = {}, []
        tags[match[1]] = match[2]
    if tags or movetext:
        yield GameText(tags, " ".join(movetext))


def read_games(path: Path) -> list[GameText]:
    """Return the games of a file, which have to be numbered from 1 by their tags ``Round``.

    Raises:
        Failure: The file cannot be read, is empty, or a game has another number.
    """
    try:
        with unpacked(path) as file:
            games = list(split_games(line.decode("ascii") for line in file))
    except (ValueError, OSError, EOFError) as error:
        raise Failure(f"{path.name}: cannot be read: {error}.") from error
    rounds = [game.tags.get("Round") for game in games]
    if not games or rounds != [str(number) for number in range(1, len(games) + 1)]:
        raise Failure(f"{path.name}: its games are not numbered from 1 by their tags Round.")
    return games


class Answer(NamedTuple):
    """The answer of a program about a game.

    Attributes:
        number: The number of the game.
        shows: The tag ``Shows``, if there is one.
        shown_at: The tag ``ShownAtPly``.
        sans: The moves in the SAN that the program writes.
        position: The last position: the first four fields of its FEN.
        error: Why the program plays no further, if it says so.
    """

    number: int
    shows: str | None
    shown_at: str | None
    sans: tuple[str, ...]
    position: str
    error: str | None = None


class Program(NamedTuple):
    """A program that answers in a process of its own.

    Attributes:
        name: What it is called.
        version: Its version.
        en_passant: When its positions name an en passant square.
        command: Reads games and writes answers.
        read: Reads what the command writes.
    """

    name: str
    version: str
    en_passant: EnPassant
    command: tuple[str, ...]
    read: Callable[[Iterable[str]], Iterator[Answer]]

    def answers(self, path: Path) -> Iterator[Answer]:
        """Yield the answers for the games of a file.

        Raises:
            Failure: The program breaks down.
        """
        with (
            TemporaryFile() as log,
            unpacked(path) as games,
            subprocess.Popen(
                self.command, stdin=games, stdout=subprocess.PIPE, stderr=log
            ) as process,
        ):
            # A line without its end is of a program that broke down.
            lines = (line.decode() for line in process.stdout or () if line.endswith(b"\n"))
            yield from self.read(lines)
            if process.wait():
                log.seek(0)
                said = log.read().decode(errors="replace").splitlines()
                why = next((line for line in said if "Error" in line), "it does not say why")
                code = f"exit code {process.returncode}"
                raise Failure(f"{self.name} broke down ({code}): {why}.")


def replay_with_python_chess(number: int, game: GameText) -> tuple[Answer, chess.Board]:
    """Return what python-chess makes of a game, from the initial position, and the last one."""
    board = chess.Board()
    sans, refused = [], None
    try:
        for san in game.sans:
            move = board.parse_san(san)
            sans.append(board.san(move))
            board.push(move)
    except ValueError as error:
        refused = str(error)
    shown = (game.tags.get("Shows"), game.tags.get("ShownAtPly"))
    return Answer(number, *shown, tuple(sans), board.epd(en_passant="legal"), refused), board


def find_programs() -> list[Program]:
    """Return the programs, all of them.

    Raises:
        Failure: One is not there; the message says which, and how to install it.
    """
    return [_pgn_extract(), find_library("chess.js"), find_library("chessops")]


def _pgn_extract() -> Program:
    path = shutil.which("pgn-extract", path=SEARCH_PATH)
    if path is None:
        raise Failure("pgn-extract is not there: apt-get install pgn-extract.")
    done = subprocess.run((path, "--version"), capture_output=True, text=True, check=False)
    version = re.search(r"v(\d\S*)", done.stdout + done.stderr)
    # Silent, each game on one line, the last position in a comment after the last move.
    command = (path, "-s", "-w1000000", "-F")
    return Program(
        "pgn-extract", version[1] if version else "unknown", "fen", command, read_pgn_extract
    )


def find_library(name: str) -> Program:
    """Return a library for Node.js; a Failure if it is not there."""
    node = shutil.which("node")
    try:
        version = json.loads((LIBRARIES / name / "package.json").read_text("utf-8"))["version"]
    except FileNotFoundError:
        version = ""
    if node is None or not version:
        install = "apt-get install nodejs npm && npm ci --prefix tests/campaigns/replay"
        raise Failure(f"{name} is not there: {install}.")
    return Program(name, version, "legal", (node, str(HERE / "replay.mjs"), name), read_library)


def read_library(lines: Iterable[str]) -> Iterator[Answer]:
    """Read what ``replay.mjs`` writes: an answer a line, in JSON."""
    for line in lines:
        said = json.loads(line)
        sans, position = tuple(said.pop("sans")), _four_fields(said.pop("fen"))
        yield Answer(sans=sans, position=position, **said)


def read_pgn_extract(lines: Iterable[str]) -> Iterator[Answer]:
    """Read the games that pgn-extract writes: it leaves out those that it cannot play."""
    for game in split_games(lines):
        moves, _, rest = game.movetext.partition(' { "')
        number = game.tags.get("Round", "")
        yield Answer(
            int(number) if number.isdecimal() else 0,
            game.tags.get("Shows"),
            game.tags.get("ShownAtPly"),
            GameText({}, moves).sans,
            _four_fields(rest.partition('"')[0]),
        )


def _four_fields(fen: str) -> str:
    return " ".join(fen.split()[:4])
