"""Reads files that may hold anything, in bounded time and memory; and the error for evidence.

Whatever is larger than any file of a run is refused before it is taken apart.
"""

import io
import lzma
import os
import stat
import zlib
from pathlib import Path
from typing import Any, Final

STRINGS: Final = "san_strings_with_symbols.txt"
GAMES: Final = "games.txt.xz"
CERTIFICATES: Final = "certificates.txt.xz"

MOST_BYTES: Final = 1 << 26
MOST_LINES: Final = 1 << 21
LONGEST_LINE: Final = 1 << 16
MOST_TIMES: Final = 126
"""Twice what the largest file of a run has, packed, unpacked, or for a byte that is packed."""


class EvidenceError(Exception):
    """Something that is checked does not hold; the message names the file and the item."""

    def __init__(self, message: str) -> None:
        super().__init__(message[:300])  # it may quote a file, whose lines may be long


def read_bytes(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file; an EvidenceError if it is another, or too large.

    A pipe, a device or a symbolic link is not opened.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise EvidenceError(f"{path.name}: is not a regular file")
            if found.st_size > most_bytes:
                raise EvidenceError(f"{path.name}: is larger than any file of a run")
            return file.read(most_bytes)
    except (OSError, ValueError) as error:
        is_link = path.is_symlink()
        why = "is a symbolic link" if is_link else getattr(error, "strerror", None) or error
        raise EvidenceError(f"{path.name}: cannot be read: {why}") from error


def text_of(name: str, content: bytes) -> str:
    """Return a file's text, unpacked if its name says so; EvidenceError if it is no plain text."""
    content = unpacked(name, content)
    if not content.isascii():
        raise EvidenceError(f"{name}: has bytes that are not ASCII")
    if content.count(b"\n") > MOST_LINES:
        raise EvidenceError(f"{name}: has more lines than any file of a run")
    for number, row in enumerate(io.BytesIO(content), 1):  # all at once would take far more memory
        line = row.decode("ascii").removesuffix("\n")
        if len(line) > LONGEST_LINE:
            raise EvidenceError(f"{name}: line {number} is longer than any of a run")
        if not line.isprintable():
            raise EvidenceError(f"{name}: line {number} has a control character: {line[:40]!a}")
    return content.decode("ascii")


def unpacked(name: str, content: bytes) -> bytes:
    """Return a file's content, unpacked if its name says so; EvidenceError if it is too large."""
    most_bytes = min(MOST_BYTES, max(LONGEST_LINE, MOST_TIMES * len(content)))
    unpacker: Any
    if name.endswith(".xz"):
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=4 * MOST_BYTES)
    elif name.endswith(".gz"):
        unpacker = zlib.decompressobj(wbits=31)  # 31: the gzip form
    else:
        return content
    try:
        text: bytes = unpacker.decompress(content, most_bytes + 1)
    except (lzma.LZMAError, zlib.error) as error:
        raise EvidenceError(f"{name}: cannot be unpacked: {error}") from error
    if len(text) > most_bytes:
        raise EvidenceError(f"{name}: unpacks to more than any file of its size")
    if not unpacker.eof or unpacker.unused_data:
        raise EvidenceError(f"{name}: is cut short, or something follows its end")
    return text
