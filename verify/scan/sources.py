"""The sources of games: files, folders, zip files and standard input, packed or not."""

import codecs
import os
import re
import sys
import zlib
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from itertools import chain
from lzma import LZMADecompressor, LZMAError
from operator import attrgetter
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, Final, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

from sanproof.verify.errors import Failure
from sanproof.verify.findings.formats import STANDARD_INPUT

EXTRA: Final = "pip install 'sanproof[scan]'"
SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".pgn.xz")
"""The endings, in upper or lower case, of files that are read from folders and zip files."""
ZIP: Final = ".zip"

USUAL_RATIO: Final = 8
"""The usual number of unpacked bytes for each packed one."""
_LARGEST_WINDOW: Final = 1 << 31
_BLOCK_BYTES: Final = 1 << 20
_PACKED_BYTES: Final = 1 << 12
"""The bytes that are unpacked at once, which can become 32,000 times as many."""
_UNPACKERS: Final[dict[bytes, Callable[[], Any]]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(16 + zlib.MAX_WBITS),  # with gzip's header and checksum
    b"BZh": BZ2Decompressor,
    b"\xfd7zXZ\x00": LZMADecompressor,
}
_ZIP_BEGINS: Final = (b"PK\x03\x04", b"PK\x05\x06")


class Source(NamedTuple):
    """A source of games.

    Its name is the path as given; in a folder or a zip file it begins with the name of that.
    """

    name: str
    size: int | None  # of the file as it lies there, in bytes; None if that is not known
    within: str = ""  # the path in the folder that was named; else the file's own name
    archive: str = ""  # the path of the zip file that it is in; empty if it is in none
    member: ZipInfo | None = None  # what it is there
    problem: str = ""  # why it cannot be read, if that is known already


def find_sources(names: Sequence[str]) -> list[Source]:
    """Return the named sources, and for a folder all game files in it, sorted by name.

    A file that is reached twice, by its name or by a link, comes once. A file that cannot be read
    is a source with a problem.

    Raises:
        Failure: A name does not exist, or is a folder that cannot be read or has no game file.
    """
    _archive.cache_clear()
    seen: set[tuple[int, int]] = set()
    found: list[Source] = []
    for name in names:
        path = Path(name)
        if name == STANDARD_INPUT:
            found.append(Source(name, None, "stdin.pgn"))
        elif path.is_dir():
            found += _in_folder(str(path), seen)
        else:
            found += _in_file(str(path), path.name, seen, is_named=True)
    return found


def total_size(sources: Sequence[Source], ratio: int = 1) -> int | None:
    """Return the size of all sources in bytes, or None if it is not known.

    The size of a packed file is multiplied by ``ratio``.
    """
    total = 0
    for source in sources:
        if source.size is None:
            return None
        total += source.size * (ratio if source.name.lower().endswith(SUFFIXES[1:]) else 1)
    return total


def _in_folder(folder: str, seen: set[tuple[int, int]]) -> Iterator[Source]:
    files = [
        os.path.join(at, name)  # noqa: PTH118 - many paths
        for at, _, names in os.walk(folder, onerror=_refuse)
        for name in names
        if name.lower().endswith((*SUFFIXES, ZIP))
    ]
    if not files:
        ends = ", ".join((*SUFFIXES, ZIP))
        raise Failure(f"{folder} has no game files: their names end in {ends}.")
    above = os.path.join(folder, "")  # noqa: PTH118 - Path has no separator at its end
    for path in sorted(files, key=lambda path: path.replace(os.sep, "\0")):  # as Path sorts
        within = path.removeprefix(above)
        yield from _in_file(within if folder == os.curdir else path, within, seen)


def _refuse(error: OSError) -> None:
    raise Failure(f"{error.filename} cannot be read: {_why(error)}.") from error


def _in_file(
    path: str, within: str, seen: set[tuple[int, int]], *, is_named: bool = False
) -> list[Source]:
    """Return the source that a file is, or those in it if it is a zip file; none if it was seen."""
    try:
        status = os.stat(path)  # noqa: PTH116 - many paths
        identity = status.st_dev, status.st_ino
        if identity in seen:
            return []
        seen.add(identity)
        if not S_ISREG(status.st_mode):  # a pipe has no size
            return [Source(path, None, within)] * is_named
        if not path.lower().endswith(ZIP):
            return [Source(path, status.st_size, within)]
        members = [m for m in _archive(path).infolist() if m.filename.lower().endswith(SUFFIXES)]
        found = [
            Source(f"{path}/{m.filename}", m.file_size, f"{within}/{m.filename}", path, m)
            for m in sorted(members, key=attrgetter("filename"))
        ]
        problem = "" if found or not is_named else "it holds no game files"
    except _ERRORS as error:
        if is_named and not Path(path).exists():
            raise Failure(f"{path} cannot be read: {_why(error)}.") from error
        found, problem = [], _why(error)
    return [Source(path, 0, within, problem=problem)] if problem else found


@lru_cache(maxsize=1)
def _archive(path: str) -> ZipFile:
    """Return a zip file, whose directory is read once for all files in it."""
    return ZipFile(path)


class Text:
    """The text of a source in blocks, unpacked, in UTF-8, and with LF for a lone CR.

    It ends where the source is damaged; then ``damage`` says what is wrong.
    """

    def __init__(self, source: Source) -> None:
        self.damage = source.problem
        self.taken = 0
        """The number of bytes of the file that were read until now."""
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        return translated(self._unpacked())

    def _unpacked(self) -> Iterator[bytes]:
        if self.damage:
            return
        try:
            with _open(self._source) as stream:
                first = next(self._read(stream, 8), b"")
                begin = _unpacker(first)
                blocks = self._read(stream, _PACKED_BYTES if begin else _BLOCK_BYTES)
                blocks = chain([first], blocks)
                yield from _unpacked(blocks, begin) if begin else blocks
        except _ERRORS as error:
            self.damage = _why(error)

    def _read(self, stream: IO[bytes], size: int) -> Iterator[bytes]:
        while block := stream.read(size):
            self.taken += len(block)
            yield block


def _open(source: Source) -> AbstractContextManager[IO[bytes]]:
    if source.name == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return nullcontext(sys.stdin.buffer)
    if source.member:
        return _archive(source.archive).open(source.member)
    return open(source.name, "rb")  # noqa: PTH123 - many paths


def _unpacker(first: bytes) -> Callable[[], Any] | None:
    """Return what makes unpackers, by a file's first bytes; None if it is plain."""
    for begins, make in _UNPACKERS.items():
        if first.startswith(begins):
            return make
    if first.startswith(b"\x28\xb5\x2f\xfd") or first[1:4] == b"\x2a\x4d\x18":
        try:
            import zstandard  # noqa: PLC0415 - it may not be installed
        except ImportError as error:
            raise OSError(f"it is packed with zstd, {EXTRA} to read it") from error
        return zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj
    if first.startswith(_ZIP_BEGINS):
        raise OSError(f"a zip file is read only as a file whose name ends in {ZIP}")
    return None


def _unpacked(blocks: Iterator[bytes], begin: Callable[[], Any]) -> Iterator[bytes]:
    """Yield the text of a packed file, which may have several parts, each packed by itself.

    The libraries' own readers would lose what follows a damaged or shortened part in silence.
    """
    part: Any = None
    for left in blocks:
        while left:
            if part is None and not (left := left.lstrip(b"\0")):  # padding
                break
            part = part or begin()
            try:
                text = part.decompress(left)
            except Exception as error:  # each library has its own
                raise OSError(_why(error)) from error
            if text:
                yield text
            left, part = (part.unused_data, None) if part.eof else (b"", part)  # noqa: PLW2901
    if part is not None:
        raise EOFError("it ends too early")


_WITH_PASSWORD: Final = RuntimeError
_ERRORS: Final = (
    *(OSError, EOFError, ValueError, NotImplementedError, _WITH_PASSWORD),
    *(zlib.error, LZMAError, BadZipFile),
)
"""What may be raised where a file is opened or unpacked."""


def _why(error: BaseException) -> str:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if type(error) is _WITH_PASSWORD:  # zipfile's own sentence shows its insides
        return "it is encrypted; unpack it first"
    return " ".join(why.split()).rstrip(".") or type(error).__name__


_WIDE: Final = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}
"""The beginnings of texts in wide characters: a byte order mark, or the bracket of a tag."""
_LONE_CR: Final = re.compile(rb"\r++(?!\n)")


def translated(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a text as the scan reads it: UTF-16 becomes UTF-8, and a lone CR becomes LF.

    Every character keeps its line and its column.
    """
    first = b""
    while len(first) < 2 and (block := next(blocks, b"")):
        first += block
    name = next((name for begin, name in _WIDE.items() if first.startswith(begin)), None)
    decode = codecs.getincrementaldecoder(name)(errors="replace").decode if name else None
    kept = b""  # what may be half of a line end
    for block in chain([first], blocks, [b""]):
        text = kept + (decode(block, not block).encode() if decode else block)
        kept = text[len(text.rstrip(b"\r")) :] if block else b""
        text = text[: len(text) - len(kept)]
        if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
            text = _LONE_CR.sub(lambda found: b"\n" * len(found[0]), text)
        yield text
