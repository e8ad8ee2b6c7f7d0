"""Reading files that may hold anything, in bounded time and memory. Trusted.

Whatever is larger than any file of a run is refused before it is taken apart.
"""

import lzma
import stat
import zlib
from pathlib import Path
from typing import Any, Final


class AuditError(Exception):
    """Something that is checked does not hold; the message names the file and the item."""


MOST_BYTES: Final = 1 << 26
MOST_LINES: Final = 1 << 21
LONGEST_LINE: Final = 1 << 16
"""Twice what the largest file of a run has, packed or unpacked, and more."""


def read_file(directory: Path, name: str) -> bytes:
    """The content of a file, or of the same packed as ``name.xz``, as published data may have it.

    Raises:
        AuditError: It is not there, no file, or too large.
    """
    packed = directory / f"{name}.xz"
    if packed.exists() and not (directory / name).exists():
        return text_of(packed.name, _read(packed)).encode("ascii")
    return _read(directory / name)


def _read(path: Path) -> bytes:
    try:
        found = path.stat()  # before it is opened: a pipe would be waited for
        if not stat.S_ISREG(found.st_mode):
            raise AuditError(f"{path.name}: cannot be read: it is not a file")
        if found.st_size > MOST_BYTES:
            raise AuditError(f"{path.name}: is larger than any file of a run")
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        raise AuditError(f"{path.name}: cannot be read: {error.strerror}") from error


def text_of(name: str, content: bytes) -> str:
    """The text of a file, unpacked if its name says that it is packed.

    Raises:
        AuditError: It cannot be unpacked, is not ASCII, or is too large.
    """
    if name.endswith(".xz"):
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=4 * MOST_BYTES)
        content = _unpacked(name, unpacker, content)
    elif name.endswith(".gz"):
        content = _unpacked(name, zlib.decompressobj(wbits=31), content)  # 31: the gzip form
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError as error:
        raise AuditError(f"{name}: byte {error.start + 1} is not ASCII") from error
    if not text.replace("\n", "").isprintable():
        lines = enumerate(text.split("\n"), 1)
        number, line = next((i, line) for i, line in lines if not line.isprintable())
        raise AuditError(f"{name}: line {number} has a control character: {line[:40]!a}")
    if text.count("\n") > MOST_LINES or len(max(text.split("\n"), key=len)) > LONGEST_LINE:
        raise AuditError(f"{name}: has more lines, or longer ones, than any file of a run")
    return text


def _unpacked(name: str, unpacker: Any, content: bytes) -> bytes:  # noqa: ANN401 - lzma's or zlib's
    try:
        text: bytes = unpacker.decompress(content, MOST_BYTES + 1)
    except (lzma.LZMAError, zlib.error) as error:
        raise AuditError(f"{name}: cannot be unpacked: {error}") from error
    if len(text) > MOST_BYTES:
        raise AuditError(f"{name}: unpacks to more than any file of a run")
    if not unpacker.eof or unpacker.unused_data:
        raise AuditError(f"{name}: is cut short, or something follows its end")
    return text
