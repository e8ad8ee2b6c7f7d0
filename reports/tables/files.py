"""Files and folders that are whole or not there: made beside their final name, then moved to it."""

import csv
import fcntl
import gzip
import io
import os
import re
import secrets
import shutil
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

from sanproof.reports.escaping import table_cell
from sanproof.reports.tables.names import PIECE_BYTES

ROWS_AT_A_TIME: Final = 10_000
TEMPORARY: Final = re.compile(r"\.sanproof-[0-9a-f]{12}\.tmp")
"""The names of folders in which something is being made. Who makes it has the lock (flock)."""


def write_whole(path: Path, content: bytes, *, follow: bool = False) -> None:
    """Write a file so that its name never shows a part of it, as :func:`whole_file` does.

    Raises:
        OSError: It could not be written; what was there before is still there.
    """
    with whole_file(path, follow=follow) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path, *, follow: bool = False) -> Iterator[IO[bytes]]:
    """Open a file to be written piece by piece, which takes its name when the block ends well.

    A file that is replaced keeps its permissions, a new one gets those that the umask allows. So is
    a link or a pipe replaced, unless ``follow`` is set, as it is for a file that the user named:
    then a link stays one, and the file that it names is written; and what is no regular file, such
    as a pipe or ``/dev/null``, is never replaced: the pieces go straight into it.

    Raises:
        OSError: It could not be written; what was there before is still there.
    """
    target = Path(os.path.realpath(path)) if follow else path
    mode = _mode(target)
    is_regular = mode is not None and stat.S_ISREG(mode)
    if follow and mode is not None and not is_regular:
        with path.open("wb") as file:
            yield file
        return
    with _folder_beside(target) as folder:
        temporary = folder / "made"
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None and is_regular:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)


@contextmanager
def whole_folder(path: Path, *, replaces: bool = False) -> Iterator[Path]:
    """Make a folder to be filled, which takes its name when the block ends well.

    An empty folder of that name is replaced, or any if ``replaces``, and its permissions are kept;
    a new folder gets those that the umask allows.

    Raises:
        OSError: It could not be written, or there is something else of that name.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    with _folder_beside(target) as folder:
        building, aside = folder / "made", folder / "before"
        building.mkdir()
        yield building
        if mode is not None:
            building.chmod(stat.S_IMODE(mode))
        if replaces and target.is_dir():
            target.rename(aside)
        try:
            building.replace(target)
        except BaseException:
            if aside.exists():
                aside.rename(target)
            raise


def remove_leftovers(folder: Path) -> None:
    """Remove what a command that was killed had begun to write in a folder.

    What is being written at this moment stays: its writer holds the lock.
    """
    with suppress(OSError):
        left = [path for path in folder.iterdir() if TEMPORARY.fullmatch(path.name)]
        for path in left:
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path)
                finally:
                    os.close(handle)


@contextmanager
def _folder_beside(target: Path) -> Iterator[Path]:
    """Make a locked folder beside a file or folder to be made in it; leave nothing of it."""
    remove_leftovers(target.parent)
    while True:
        folder = target.parent / f".sanproof-{secrets.token_hex(6)}.tmp"
        with _named(folder, target):
            folder.mkdir()
        with suppress(FileNotFoundError):  # removed before it was opened
            handle = os.open(folder, os.O_RDONLY)
            with suppress(OSError):  # some network file systems have no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            if folder.exists():
                break
            os.close(handle)  # removed before it was locked
    try:
        with _named(folder, target):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


@contextmanager
def _named(folder: Path, target: Path) -> Iterator[None]:
    """Have an error name what is to be made, and not the folder in which it is made."""
    try:
        yield
    except OSError as error:
        if str(error.filename).startswith(str(folder)):
            error.filename, error.filename2 = str(target), None
        raise


def _mode(path: Path) -> int | None:
    """Return what kind of file it is, and its permissions; None otherwise."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def joined_lines(lines: Iterable[str]) -> bytes:
    """Return the published form of a list: LF between the lines, none after the last."""
    return "\n".join(lines).encode("ascii")


def csv_table(header: str, rows: Iterable[str]) -> bytes:
    """Write rows as CSV; no field may hold a comma, quote or line break, and no SAN or FEN does."""
    table = io.BytesIO()
    lines = chain([header], rows)
    while batch := list(islice(lines, ROWS_AT_A_TIME)):  # all as text would take as much again
        table.write("\n".join([*batch, ""]).encode("ascii"))
    return table.getvalue()


def csv_lines(
    columns: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ","
) -> Iterator[str]:
    """Yield a CSV file of any rows, with its header, line by line.

    Texts are made safe for spreadsheets: see :func:`reports.escaping.table_cell`.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    for row in chain([columns], rows):
        writer.writerow([table_cell(cell) if isinstance(cell, str) else cell for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def gzipped(content: bytes) -> bytes:
    """Return the content compressed, the same bytes at any time of day.

    After each piece the compressor forgets what came before, so that a reader can begin there.
    Any program unpacks it as usual; it is a hundredth larger.
    """
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=6, mtime=0, filename="") as file:
        for start in range(0, len(content), PIECE_BYTES):
            if start:
                file.flush(zlib.Z_FULL_FLUSH)
            file.write(content[start : start + PIECE_BYTES])
    return buffer.getvalue()
