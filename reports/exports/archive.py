"""Reading a finished run, or the published data: no file is used before its hash is checked.

The hashes tell a damaged file from a whole one; they do not tell a forged one. That is what
``sanproof audit`` is for.
"""

import hashlib
import io
import json
import lzma
import re
import stat
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from reports.tables.names import (
    BARE_LIST,
    FULL_LIST,
    GAMES_PGN,
    IMPOSSIBLE,
    MANIFEST,
    SUMMARY,
    WITNESSES,
)
from reports.tables.pgn import PgnError, read_pgn

MOST_BYTES: Final = 1 << 26
LONGEST_LINE: Final = 1 << 16
"""Twice what any file of a run has, packed or unpacked whole, and more."""


class ArchiveError(Exception):
    """A directory that is no finished run, or is damaged; the message is a sentence."""


class WitnessRow(NamedTuple):
    """A row of the table of witnesses.

    Attributes:
        san: The string.
        before_fen: The position in which it is played.
        uci: The move.
        after_fen: The position after it.
        game: The number of the game that the position is from; None without games.
    """

    san: str
    before_fen: str
    uci: str
    after_fen: str
    game: int | None


class GameRow(NamedTuple):
    """A proof game.

    Attributes:
        number: Its place in the file of games, from 1.
        san: The string that it shows.
        colour: Who plays the string: ``white`` or ``black``.
        ply: The 1-based ply at which it is played.
        sans: All moves of the game, the last one mate.
        result: ``1-0`` or ``0-1``.
    """

    number: int
    san: str
    colour: str
    ply: int
    sans: tuple[str, ...]
    result: str


def published_directory() -> Path:
    """Where the published data is: beside this package when installed, in ``data`` in the tree."""
    installed = Path(__file__).parents[1] / "published"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "data"


def open_archive(directory: Path | None = None) -> "Archive":
    """Open a finished run directory, or the published data if none is named.

    Raises:
        ArchiveError: The directory holds no finished run, or its manifest or summary is damaged.
    """
    return Archive(published_directory() if directory is None else directory)


class Archive:
    """What a finished run left behind.

    Attributes:
        directory: Where it is.
        summary: The counts of ``summary.json``.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._hashes = _hashes_of(directory)
        try:
            self.summary: dict[str, Any] = json.loads(self._content(SUMMARY))
            self._decided = (self.summary["only"], self.summary["undecided"]) == (None, 0)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise self._damaged(SUMMARY, "is not a run's summary") from error

    @property
    def is_complete(self) -> bool:
        """Whether the run decided every string of the universe, and not a part of it."""
        return self._decided

    @property
    def has_games(self) -> bool:
        """Whether there is a file of games."""
        return GAMES_PGN in self._hashes and self._path(GAMES_PGN).exists()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The name and content of each file that the manifest names."""
        for name in self._hashes:
            if Path(name).name != name:
                raise self._damaged(MANIFEST, f"names {name[:60]!a}, which is no file of a run")
            yield name, self._content(name)

    def strings(self, *, bare: bool = False) -> list[str]:
        """The reachable strings in list order: all, or those without suffix."""
        return list(self._lines(BARE_LIST if bare else FULL_LIST))

    def witnesses(self) -> Iterator[WitnessRow]:
        """The witness of each reachable string, in list order."""
        lines = self._lines(WITNESSES)
        with_games = next(lines, "") == "san,before_fen,uci,after_fen,game"
        for line in lines:
            san, before, uci, after, *game = self._cells(WITNESSES, line, 4 + with_games)
            yield WitnessRow(san, before, uci, after, int(game[0]) if game else None)

    def witnesses_of(self, sans: Collection[str]) -> dict[str, WitnessRow]:
        """The witnesses of these reachable strings."""
        wanted = set(sans)
        rows = {row.san: row for row in self.witnesses() if row.san in wanted}
        if without := wanted.difference(rows):
            raise self._damaged(WITNESSES, f"lacks {min(without)}, which is in the list")
        return rows

    def impossible(self) -> Iterator[tuple[str, str]]:
        """Each impossible string with the name of its reason, in list order."""
        lines = self._lines(IMPOSSIBLE)
        next(lines, None)
        for line in lines:
            san, reason = self._cells(IMPOSSIBLE, line, 2)
            yield san, reason

    def games(self, numbers: Collection[int] | None = None) -> Iterator[GameRow]:
        """The proof games in order, all or those with these numbers.

        Raises:
            ArchiveError: There are none, or the file is damaged.
        """
        if not self.has_games:
            raise ArchiveError(f"{self.directory} holds no games")
        left = None if numbers is None else len(numbers)
        for number, text in enumerate(self.games_text(), 1):
            if left == 0:
                return
            if numbers is not None and number not in numbers:
                continue
            left = None if left is None else left - 1
            try:
                game = read_pgn(text)
            except PgnError as error:
                raise self._damaged(
                    GAMES_PGN, f"holds a game that cannot be read: {error}"
                ) from error
            result = "1-0" if len(game.sans) % 2 else "0-1"
            yield GameRow(number, game.san, game.colour, game.ply + 1, game.sans, result)

    def games_text(self) -> Iterator[str]:
        """The games as they are written, each with the empty line that ends it."""
        if not self.has_games:
            raise ArchiveError(f"{self.directory} holds no games")
        lines: list[str] = []
        ends = 0
        for line in self._lines(GAMES_PGN):
            lines.append(line)
            if not line:
                ends += 1
            if ends == 2:  # after the tags, and after the moves
                yield "\n".join(lines) + "\n"
                lines, ends = [], 0
            elif len(lines) > LONGEST_LINE:
                raise self._damaged(GAMES_PGN, "holds a game that does not end")
        if lines:
            raise self._damaged(GAMES_PGN, "ends within a game")

    def _cells(self, name: str, line: str, count: int) -> list[str]:
        cells = line.split(",")
        if len(cells) != count or (count == 5 and not re.fullmatch("[0-9]{1,9}", cells[4])):
            raise self._damaged(name, f"holds the row {line[:60]!a}, which is none of its table")
        return cells

    def _lines(self, name: str) -> Iterator[str]:
        """The lines of a text, unpacked as they are read."""
        content = io.BytesIO(self._content(name))
        raw = _Unpacked(content) if name.endswith(".gz") else content
        try:
            with io.TextIOWrapper(io.BufferedReader(raw), encoding="ascii", newline="\n") as file:
                while line := file.readline(LONGEST_LINE):
                    if len(line) == LONGEST_LINE:
                        raise self._damaged(name, "holds a line longer than any of a run")
                    text = line.removesuffix("\n")
                    if not text.isprintable():
                        raise self._damaged(name, "holds control characters")
                    yield text
        except (zlib.error, EOFError, UnicodeDecodeError) as error:
            raise self._damaged(name, "cannot be unpacked to plain text") from error

    def _content(self, name: str) -> bytes:
        """A file's content, after its hash was checked; unpacked if it is published packed."""
        if name not in self._hashes:
            raise ArchiveError(f"{self.directory} holds no {name}")
        path = self._path(name)
        content = _read(path)
        if path.name != name:
            content = self._unpacked(path.name, content)
        if hashlib.sha256(content).hexdigest() != self._hashes[name]:
            raise self._damaged(path.name, f"is not the file that {MANIFEST} names")
        return content

    def _path(self, name: str) -> Path:
        packed = self.directory / f"{name}.xz"
        plain = self.directory / name
        return packed if packed.exists() and not plain.exists() else plain

    def _unpacked(self, name: str, content: bytes) -> bytes:
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=4 * MOST_BYTES)
        try:
            text = unpacker.decompress(content, MOST_BYTES + 1)
        except lzma.LZMAError as error:
            raise self._damaged(name, "cannot be unpacked") from error
        if len(text) > MOST_BYTES:
            raise self._damaged(name, "unpacks to more than any file of a run")
        if not unpacker.eof or unpacker.unused_data:
            raise self._damaged(name, "is cut short, or something follows its end")
        return text

    def _damaged(self, name: str, what: str) -> ArchiveError:
        return ArchiveError(f"{self.directory} is damaged: {name} {what}")


class _Unpacked(io.RawIOBase):
    """What a gzip file unpacks to, piece by piece: never more in memory than is asked for."""

    def __init__(self, packed: io.BytesIO) -> None:
        self._packed = packed
        self._unpacker = zlib.decompressobj(wbits=31)  # 31: the gzip form

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - typeshed's Buffer is private
        size = len(buffer)
        piece = b""
        while not piece and not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail or self._packed.read(1 << 16)
            piece = self._unpacker.decompress(packed, size)
            if not packed and not piece and not self._unpacker.eof:
                raise EOFError
        buffer[: len(piece)] = piece
        return len(piece)


def _hashes_of(directory: Path) -> dict[str, str]:
    """The SHA-256 of each file of a finished run, as its manifest says."""
    path = directory / MANIFEST
    if not directory.is_dir():
        raise ArchiveError(f"{directory} is no directory")
    if not path.exists():
        raise ArchiveError(
            f"{directory} holds no finished run: {MANIFEST} is missing "
            f"(`sanproof verify --out {directory}` makes or finishes one)"
        )
    try:
        files = json.loads(_read(path))["files"]
        hashes = {str(name): str(digest) for name, digest in files.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveError(f"{directory} is damaged: {MANIFEST} is not a manifest") from error
    return hashes


def _read(path: Path) -> bytes:
    """The content of a file that may be anything, in bounded memory."""
    try:
        found = path.stat()  # before it is opened: a pipe would be waited for
        if not stat.S_ISREG(found.st_mode):
            raise ArchiveError(f"{path} is not a file")
        if found.st_size > MOST_BYTES:
            raise ArchiveError(f"{path} is larger than any file of a run")
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}") from error
