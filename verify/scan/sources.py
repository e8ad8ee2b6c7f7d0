"""Where games come from: files, folders, standard input, addresses; packed or not."""

import bz2
import io
import lzma
import os
import stat
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

from sanproof.verify.errors import Failure
from sanproof.verify.findings.finding import STANDARD_INPUT
from sanproof.verify.scan.addresses import EXTRA, LOST, is_address, opened_address, shown, why_not
from sanproof.verify.scan.encodings import HEAD_BYTES, translation

SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".pgn.xz")
"""The names of the files that are read of a folder or of a zip file end so, in letters of any size.
"""
ZIP: Final = ".zip"

_LARGEST_WINDOW: Final = 1 << 31
_BUFFER_BYTES: Final = 1 << 20
_PACKED_PIECE_BYTES: Final = 1 << 12
"""What is unpacked at once: a piece can become 32 thousand times as large."""
_GZIP: Final = 16 + zlib.MAX_WBITS
"""Has zlib read the form of gzip, with its checksum."""
_ERRORS: Final = (
    *(OSError, EOFError, ValueError, zlib.error, lzma.LZMAError),
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError),  # the last of a file with a password
)
_ZIP_BEGINS: Final = (b"PK\x03\x04", b"PK\x05\x06")


class CannotRead(Failure):
    """A source cannot be read, or not to its end, because of what is said in ``why``."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name} cannot be read: {why}.")
        self.why = why


class Source(NamedTuple):
    """Where games come from.

    Attributes:
        name: The path as it was given; for a file of a folder or a zip file, with that one's, and
            of several of one name in a zip file, with its number. An address without passwords, as
            it may be printed and kept.
        size: The size of the file as it lies there, in bytes; None if that is not known.
        address: The whole address; empty for a path.
        within: The path in the folder that was named; the file's own name if none was.
        archive: The path of the zip file that it is in; empty if it is in none.
        entry: Its number in the directory of the zip file, from 0.
        problem: Why it cannot be read, if that is known already; empty if it is not.
    """

    name: str
    size: int | None
    address: str = ""
    within: str = ""
    archive: str = ""
    entry: int = 0
    problem: str = ""


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
    """A stream that knows how many bytes were read of it, and ends where its connection breaks.

    Attributes:
        taken: How many.
        damage: Why the connection broke; empty if it did not.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.taken = 0
        self.damage = ""

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as in the library
        """Read some bytes."""
        try:
            read = self._stream.read(len(buffer))
        except LOST as error:  # raised later, it would take what is in buffers with it
            if not self.taken:
                raise
            self.damage = _why(error)
            return 0
        buffer[: len(read)] = read
        self.taken += len(read)
        return len(read)


def find_sources(names: Sequence[str]) -> list[Source]:
    """The sources that are named; of a folder, all files of games in it, in order of their names.

    A file that is reached twice, by its name or by a link, is there once. What cannot be read in a
    folder is a source that has a problem.

    Raises:
        Failure: What is named cannot be read, or is a folder that holds no file of games.
    """
    seen: set[tuple[int, int]] = set()
    return [source for name in names for source in _sources(name, seen)]


def _sources(name: str, seen: set[tuple[int, int]]) -> Iterator[Source]:
    if name == STANDARD_INPUT or is_address(name):
        within = "stdin.pgn" if name == STANDARD_INPUT else PurePosixPath(urlsplit(name).path).name
        yield Source(shown(name), None, name if is_address(name) else "", within)
        return
    path = Path(name)
    try:
        status = path.stat()
        found = _below(path) if stat.S_ISDIR(status.st_mode) else None
    except (OSError, ValueError) as error:
        raise Failure(f"{name} cannot be read: {_why(error)}.") from error
    if found is None:
        if stat.S_ISREG(status.st_mode):
            was_there = (status.st_dev, status.st_ino) in seen
            none = [] if was_there else [_unread(path, path.name, NO_GAMES)]
            yield from _files(path, path.name, seen) or none
        else:  # a pipe has no size
            yield Source(name, None, within=path.name)
        return
    if not found:
        ends = ", ".join((*SUFFIXES, ZIP))
        raise Failure(f"{name} holds no file of games: their names end in {ends}.")
    for file, problem in found:
        within = str(file.relative_to(path))
        yield from [_unread(file, within, problem)] if problem else _files(file, within, seen)


NO_GAMES: Final = "it holds no file of games"


def _unread(path: Path, within: str, problem: str) -> Source:
    return Source(str(path), 0, within=within, problem=problem)


def _below(folder: Path) -> list[tuple[Path, str]]:
    """What has the name of a file of games or a zip file in a folder and those below it, in order.

    With each is why it cannot be read, or nothing; folders that cannot be read are there too.

    Raises:
        OSError: The folder itself cannot be read.
    """
    found: list[tuple[Path, str]] = []

    def note(error: OSError) -> None:
        if Path(error.filename) == folder:
            raise error
        found.append((Path(error.filename), _why(error)))

    for at, _, names in os.walk(folder, onerror=note):
        for path in (Path(at, n) for n in names if n.lower().endswith((*SUFFIXES, ZIP))):
            try:
                if stat.S_ISREG(path.stat().st_mode):
                    found.append((path, ""))
            except OSError as error:
                found.append((path, _why(error)))
    return sorted(found)


def _files(path: Path, within: str, seen: set[tuple[int, int]]) -> list[Source]:
    """The source that a file is, or those in it if it is a zip file; none if it was seen."""
    status = path.stat()
    identity = status.st_dev, status.st_ino
    if identity in seen:
        return []
    seen.add(identity)
    try:
        with path.open("rb") as file:
            is_zip = file.read(4) in _ZIP_BEGINS
        members = _members(path, within) if is_zip else []
    except _ERRORS as error:
        return [_unread(path, within, _why(error))]
    if not is_zip:
        return [Source(str(path), status.st_size, within=within)]
    return members


def _members(path: Path, within: str) -> list[Source]:
    """The files of games in a zip file, by name; of several of one name each, in their order."""
    with zipfile.ZipFile(path) as archive:
        entries = sorted((e.filename, n, e.file_size) for n, e in enumerate(archive.infolist()))
    times = Counter(name for name, *_ in entries)
    found: list[Source] = []
    numbers: Counter[str] = Counter()
    for name, entry, size in entries:
        numbers[name] += 1
        which = f" ({numbers[name]} of {times[name]})" if times[name] > 1 else ""
        if name.lower().endswith(SUFFIXES):
            full = f"{path}/{name}{which}"
            found.append(Source(full, size, "", f"{within}/{name}", str(path), entry))
    return found


@contextmanager
def opened(source: Source) -> Iterator[Opened]:
    """Open a source and unpack it on the fly, however it is packed.

    Raises:
        CannotRead: It cannot be opened or read, or is damaged.
    """
    if source.problem:
        raise CannotRead(source.name, source.problem)
    with ExitStack() as stack:
        try:
            raw = Counting(_open(source, stack))
            buffered = io.BufferedReader(raw, _BUFFER_BYTES)
            text = _unpacked(buffered, buffered.peek(8)[:8], source.name)
            is_file = source.size is not None and not source.archive
            in_place = is_file and text is buffered and not translation(buffered.peek(HEAD_BYTES))
            yield Opened(text, raw, Path(source.name).absolute() if in_place else None)
        except (*_ERRORS, HTTPException) as error:
            raise CannotRead(source.name, _why(error)) from error


def _open(source: Source, stack: ExitStack) -> IO[bytes]:
    if source.address:
        return stack.enter_context(opened_address(source.address))
    if source.name == STANDARD_INPUT:
        return sys.stdin.buffer
    if source.archive:
        archive = stack.enter_context(zipfile.ZipFile(source.archive))
        return archive.open(archive.infolist()[source.entry])
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
    elif begins.startswith(_ZIP_BEGINS):
        raise CannotRead(name, "a zip file is read only where it lies on this machine")
    else:
        return stream
    return cast("IO[bytes]", text)


def _zstandard(stream: IO[bytes], name: str) -> "Unpacked":
    try:
        import zstandard  # noqa: PLC0415 - for this packing only
    except ImportError as error:
        raise CannotRead(name, f"it is packed with zstd, {EXTRA} to read it") from error
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
