"""Writes files and folders that are complete or absent: they are made beside it, then renamed."""

import csv
import errno
import io
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO

from sanproof.reports.escaping import table_cell


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is never visible in part under its name; see :func:`whole_file`."""
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces ``path`` if the block ends without an exception.

    Otherwise the previous file is still there. The new file gets the permissions of the one that it
    replaces. If ``path`` is a link, the file that it names is replaced. A pipe or a device such as
    ``/dev/null`` is written directly.

    Raises:
        OSError: The file could not be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    with _made_beside(path) as (target, made):
        with made.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            made.chmod(stat.S_IMODE(target.stat().st_mode))
        made.replace(target)


def write_folder(path: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Write files to a new or empty folder, and return their number.

    ``files`` has their paths in the folder, and their contents. The folder appears when it is
    complete.

    Raises:
        OSError: The folder could not be written, or is not empty.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        message = "something is there already; name a new or empty folder"
        raise FileExistsError(errno.EEXIST, message, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    number = 0
    with _made_beside(path) as (target, made):
        made.mkdir()
        for name, content in files:
            (made / name).parent.mkdir(exist_ok=True)
            (made / name).write_bytes(content)
            number += 1
        made.replace(target)
    return number


@contextmanager
def _made_beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield what is to be made, behind any link, and a name beside it of which nothing stays."""
    target = Path(os.path.realpath(path))
    made = target.parent / f".{target.name}.{secrets.token_hex(4)}.part"
    try:
        yield target, made
    except OSError as error:
        if str(error.filename).startswith(str(made)):
            error.filename, error.filename2 = str(target), None
        raise
    finally:
        if made.is_dir():
            shutil.rmtree(made, ignore_errors=True)
        made.unlink(missing_ok=True)


def joined_lines(lines: Iterable[str]) -> bytes:
    """Return the published form of a list: LF between the lines, none after the last."""
    return "\n".join(lines).encode("ascii")


def csv_table(header: str, rows: Iterable[str]) -> bytes:
    """Return CSV of rows whose fields have no comma, quote or line break. SAN and FEN never do."""
    return "\n".join([header, *rows, ""]).encode("ascii")


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a CSV file, first the header. Fields may contain anything.

    Texts are escaped for spreadsheets by :func:`reports.escaping.table_cell`.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in chain([columns], rows):
        writer.writerow([table_cell(cell) if isinstance(cell, str) else cell for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
