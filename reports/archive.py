"""Reading back what a finished run left behind, for whoever shows or exports it.

The hashes of the manifest tell a whole file from a damaged one; that what the files say is true
is for the audit.
"""

import csv
import gzip
import hashlib
import io
import json
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from reports.outputs import FULL_LIST, GAMES, IMPOSSIBLE, SUMMARY, WITNESSES
from reports.pgn import PgnError, PgnGame, read_pgn, split_pgn

MANIFEST: Final = "manifest.json"
COUNTED: Final = ("only", "strings", "reachable", "impossible", "undecided", "by_reason")
"""What every summary says."""


class ArchiveError(Exception):
    """A run directory that cannot be read; the message is a sentence without its full stop."""


class WitnessRow(NamedTuple):
    """A row of ``witnesses.csv``; ``game`` is None where no games were looked for."""

    san: str
    before_fen: str
    uci: str
    after_fen: str
    game: int | None


class Archive:
    """A finished run: its files are all there and as its manifest says."""

    def __init__(self, directory: Path, files: dict[str, bytes]) -> None:
        self.directory = directory
        self.files = files
        self.summary = self._summary()

    @property
    def has_games(self) -> bool:
        """Whether games were looked for."""
        return GAMES in self.files

    def strings(self) -> list[str]:
        """The reachable strings, in list order."""
        text = self._text(FULL_LIST)
        return text.split("\n") if text else []

    def witnesses(self) -> Iterator[WitnessRow]:
        """The witness of each reachable string, in list order."""
        for row in self._rows(WITNESSES, "san", "before_fen", "uci", "after_fen"):
            game = row.get("game")
            fields = (row["san"], row["before_fen"], row["uci"], row["after_fen"])
            try:
                yield WitnessRow(*fields, None if game is None else int(game))
            except ValueError as error:
                raise self._not_ours(WITNESSES) from error

    def games(self) -> Iterator[PgnGame]:
        """The games, in their published order; none if they were not looked for."""
        if not self.has_games:
            return
        try:
            yield from map(read_pgn, split_pgn(self._text(GAMES)))
        except PgnError as error:
            raise self._not_ours(GAMES) from error

    def impossible(self) -> Iterator[tuple[str, str]]:
        """Each impossible string and the name of its reason, in list order."""
        for row in self._rows(IMPOSSIBLE, "san", "reason"):
            yield row["san"], row["reason"]

    def _rows(self, name: str, *header: str) -> Iterator[dict[str, str]]:
        rows = csv.DictReader(io.StringIO(self._text(name)))
        if not {*header} <= {*(rows.fieldnames or ())}:
            raise self._not_ours(name)
        for row in rows:
            if None in row or None in row.values():
                raise self._not_ours(name)  # fields too many or too few
            yield row

    def _summary(self) -> dict[str, Any]:
        try:
            content = json.loads(self._text(SUMMARY))
        except ValueError as error:
            raise self._not_ours(SUMMARY) from error
        if not isinstance(content, dict) or not content.keys() >= set(COUNTED):
            raise self._not_ours(SUMMARY)
        return content

    def _text(self, name: str) -> str:
        if name not in self.files:
            raise ArchiveError(f"{self.directory / name} is not in the run's manifest")
        content = self.files[name]
        try:
            return (gzip.decompress(content) if name.endswith(".gz") else content).decode("ascii")
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise self._not_ours(name) from error

    def _not_ours(self, name: str) -> ArchiveError:
        return ArchiveError(f"{self.directory / name} is not in the form that a run writes")


def open_archive(directory: Path) -> Archive:
    """The finished run in a directory.

    Raises:
        ArchiveError: The run is not finished, or one of its files is damaged.
    """
    if not (directory / MANIFEST).is_file():
        raise ArchiveError(
            f"{directory} holds no finished run: {MANIFEST} is missing "
            f"(`sanproof verify --out {directory}` makes or finishes one)"
        )
    try:
        hashes = json.loads((directory / MANIFEST).read_bytes())["files"]
        expected = {str(name): str(value) for name, value in hashes.items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ArchiveError(f"{directory / MANIFEST} is not the manifest of a run") from error
    return Archive(
        directory, {name: _whole(directory, name, value) for name, value in expected.items()}
    )


def _whole(directory: Path, name: str, expected: str) -> bytes:
    path = directory / name
    packed = directory / f"{name}.xz"  # as published data may have it
    if Path(name).name != name:
        raise ArchiveError(f"{directory / MANIFEST} names {name!a}, which is no file of a run")
    try:
        content = path.read_bytes() if path.exists() else lzma.decompress(packed.read_bytes())
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}") from error
    except lzma.LZMAError as error:
        raise ArchiveError(f"{packed} cannot be unpacked") from error
    if hashlib.sha256(content).hexdigest() != expected:
        raise ArchiveError(f"{path} is damaged: its hash is not the one in {MANIFEST}")
    return content
