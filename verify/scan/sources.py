"""Where games come from: files, folders, standard input, addresses; packed or not."""

import bz2
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from sanproof.verify.errors import Failure
from sanproof.verify.findings.finding import STANDARD_INPUT
from sanproof.verify.scan.addresses import EXTRA, is_address, opened_address, shown, why_not

SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".pgn.xz")
"""The names of the files that are read of a folder end so."""

_LARGEST_WINDOW: Final = 1 << 31
_BUFFER_BYTES: Final = 1 << 20
_PACKED_PIECE_BYTES: Final = 1 << 12
"""What is unpacked at once: a piece can become 32 thousand times as large."""
_GZIP: Final = 16 + zlib.MAX_WBITS
"""Has zlib read the form of gzip, with its checksum."""
_ERRORS: Final = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_ENDS_IN_CR: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\w+[ \t]+"[^\r\n]*\r(?!\n|\Z)')
"""A first tag whose line ends as on old Macintosh computers."""


class Source(NamedTuple):
    """Where games come from.

    Attributes:
        name: The path as it was given; for a file of a folder, with the folder's. An address
            without passwords, as it may be printed and kept.
        size: The size of the file as it lies there, in bytes; None if that is not known.
        address: The whole address; empty for a path.
    """

    name: str
    size: int | None
    address: str = ""


class Opened(NamedTuple):
    """A source that is being read.

    Attributes:
        text: Its text, unpacked.
        raw: The bytes of the file.
        path: The absolute name of the file, if the text lies in it as it is.
    """

    text: IO[bytes]
    raw: "Counting"
    path: Path | None


class Counting(io.RawIOBase):
    """A stream that knows how many bytes were read of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.taken = 0

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as in the library
        """Read some bytes."""
        read = self._stream.read(len(buffer))
        buffer[: len(read)] = read
        self.taken += len(read)
        return len(read)


def find_sources(names: Sequence[str]) -> list[Source]:
    """The sources that are named; of a folder, all files of games in it, in order of their names.

    Raises:
        Failure: There is no such file, a folder holds none, or a part of it cannot be read.
    """
    return [source for name in names for source in _sources(name)]


def _sources(name: str) -> Iterator[Source]:
    if name == STANDARD_INPUT or is_address(name):
        yield Source(shown(name), None, name if is_address(name) else "")
        return
    path = Path(name)
    try:
        status = path.stat()
        if not stat.S_ISDIR(status.st_mode):  # a pipe has no size
            yield Source(name, status.st_size if stat.S_ISREG(status.st_mode) else None)
            return
        files = [(file, file.stat()) for file in _files_of(path)]
    except (OSError, ValueError) as error:
        raise Failure(f"{name} cannot be read: {_why(error)}.") from error
    if not files:
        raise Failure(f"{name} holds no file of games: their names end in {', '.join(SUFFIXES)}.")
    for file, status in files:
        if stat.S_ISREG(status.st_mode):
            yield Source(str(file), status.st_size)


def _files_of(folder: Path) -> list[Path]:
    """What has the name of a file of games in a folder and those below it.

    Raises:
        OSError: One of these folders cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise error

    found = os.walk(folder, onerror=refuse)
    return sorted(Path(at, n) for at, _, names in found for n in names if n.endswith(SUFFIXES))


@contextmanager
def opened(source: Source) -> Iterator[Opened]:
    """Open a source and unpack it on the fly, however it is packed.

    Raises:
        Failure: It cannot be opened or read, or is damaged.
    """
    with ExitStack() as stack:
        try:
            raw = Counting(_open(source, stack))
            buffered = io.BufferedReader(raw, _BUFFER_BYTES)
            text = _unpacked(buffered, buffered.peek(8)[:8], source.name)
            in_place = text is buffered and source.size is not None
            yield Opened(text, raw, Path(source.name).absolute() if in_place else None)
        except (*_ERRORS, HTTPException) as error:
            raise Failure(f"{source.name} cannot be read: {_why(error)}.") from error


def _open(source: Source, stack: ExitStack) -> IO[bytes]:
    if source.address:
        return stack.enter_context(opened_address(source.address))
    if source.name == STANDARD_INPUT:
        return sys.stdin.buffer
    return stack.enter_context(Path(source.name).open("rb"))


def _unpacked(stream: "io.BufferedReader[Any]", begins: bytes, name: str) -> IO[bytes]:
    """The text of a stream, packed or not as its first bytes say."""
    if begins.startswith(b"\x1f\x8b"):
        text = Unpacked(stream, lambda: zlib.decompressobj(_GZIP), zlib.error)
    elif begins.startswith(b"BZh"):
        text = Unpacked(stream, bz2.BZ2Decompressor, OSError)
    elif begins.startswith(b"\xfd7zXZ\x00"):
        text = Unpacked(stream, lzma.LZMADecompressor, lzma.LZMAError)
    elif begins.startswith(b"\x28\xb5\x2f\xfd") or begins[1:4] == b"\x2a\x4d\x18":
        text = _zstandard(stream, name)
    else:
        return stream
    return cast("IO[bytes]", text)


def check_text(name: str, begins: bytes) -> None:
    """Refuse a text, by what it begins with, in which the lines of games cannot be found."""
    if begins.startswith(_UTF_16):
        raise Failure(f"{name} is UTF-16: convert it to UTF-8 first.")
    if _ENDS_IN_CR.match(begins):
        raise Failure(
            f"{name} has lines that end in CR alone, as on old Macintosh computers: convert them "
            "to LF first."
        )


def _zstandard(stream: IO[bytes], name: str) -> "Unpacked":
    try:
        import zstandard  # noqa: PLC0415 - for this packing only
    except ImportError as error:
        raise Failure(f"{name} is packed with zstd: {EXTRA} to read it.") from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    return Unpacked(stream, decompressor.decompressobj, zstandard.ZstdError)


class Damaged(OSError):
    """A packed file cannot be unpacked any further.

    What was unpacked before may be wrong: mostly only a checksum at the end of a part tells.
    """


class EndsBadly(Damaged):
    """A packed file ends too early, or something else follows its last part.

    Nothing is known to be wrong with what was unpacked before. Of a part that was cut short no
    checksum has confirmed it.
    """


class Unpacked:
    """The text of a packed file, which may have several parts, each packed by itself.

    Args:
        stream: The file.
        begin: Begins to unpack a part; the libraries of all packings give the same sort of object.
        error: What that raises.
    """

    def __init__(self, stream: IO[bytes], begin: Callable[[], Any], error: type[Exception]) -> None:
        self._stream = stream
        self._begin = begin
        self._error = error
        self._part = begin()
        self._is_begun = False
        self._is_first = True
        self._left = b""
        """Of the file, not yet unpacked."""
        self._text = io.BytesIO()

    def read(self, size: int) -> bytes:
        """Read some bytes; none at the end.

        Raises:
            Damaged: The file is damaged, or ends too early (:class:`EndsBadly`).
        """
        while not (found := self._text.read(size)):
            packed = self._left or self._stream.read(_PACKED_PIECE_BYTES)
            self._left = b""
            if not packed:
                if self._is_begun:
                    raise EndsBadly("it ends too early")
                return b""
            if not (self._is_begun or self._is_first):
                packed = packed.lstrip(b"\0")  # after a part may be padding
            if packed:
                self._unpack(packed)
        return found

    def _unpack(self, packed: bytes) -> None:
        try:
            self._text = io.BytesIO(self._part.decompress(packed))
        except self._error as error:
            is_behind = not (self._is_begun or self._is_first)
            raise (EndsBadly if is_behind else Damaged)(_why(error)) from error
        self._is_begun, self._is_first = True, False
        if self._part.eof:
            self._left = self._part.unused_data
            self._part = self._begin()
            self._is_begun = False


class UpToBadEnd:
    """A text that ends where its file ends badly, if it does.

    Attributes:
        damage: What is wrong with the file; empty as long as nothing is.
    """

    def __init__(self, text: IO[bytes]) -> None:
        self._text = text
        self._has_begun = False
        self.damage = ""

    def read(self, size: int) -> bytes:
        """Read some bytes; none at the end, good or bad.

        Raises:
            Damaged: It is damaged otherwise, or nothing could be unpacked.
        """
        if self.damage:
            return b""
        try:
            found = self._text.read(size)
        except EndsBadly as error:
            if not self._has_begun:
                raise
            self.damage = _why(error)
            return b""
        self._has_begun = self._has_begun or bool(found)
        return found


def _why(error: BaseException) -> str:
    if why := why_not(error):
        return why
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, FileNotFoundError) and not error.strerror:  # of an address
        return "it does not exist"
    return " ".join(why.split()).rstrip(".") or type(error).__name__
