"""Files that are whole or not there: written beside their final name, then moved to it."""

import gzip
import io
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

PIECE_BYTES: Final = 1 << 20


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that its name never shows a part of it.

    Raises:
        OSError: It could not be written; what was there before is still there.
    """
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to be written piece by piece, which takes its name when the block ends well.

    Raises:
        OSError: It could not be written; what was there before is still there.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def joined_lines(lines: Iterable[str]) -> bytes:
    """The published form of a list: LF between the lines, none after the last."""
    return "\n".join(lines).encode("ascii")


def csv_table(header: str, rows: Iterable[str]) -> bytes:
    """A CSV file of rows whose fields hold no comma, quote or line break, as SAN and FEN do not."""
    return "\n".join([header, *rows, ""]).encode("ascii")


def gzipped(content: bytes) -> bytes:
    """The content compressed, the same bytes at any time of day.

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
