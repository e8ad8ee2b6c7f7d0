"""The sources of games: files, folders, standard input; packed or not."""

import codecs
import os
import re
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from sanproof.verify.errors import Failure
from sanproof.verify.findings.finding import STANDARD_INPUT

if TYPE_CHECKING:
    from zipfile import ZipFile

EXTRA: Final = "pip install 'sanproof[scan]'"
SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".pgn.xz")
"""The endings, in upper or lower case, of files that are read in folders and zip files.
"""
ZIP: Final = ".zip"

_USUAL_RATIO: Final = 8
"""The bytes of games that a packed byte stands for."""
_LARGEST_WINDOW: Final = 1 << 31
_BLOCK_BYTES: Final = 1 << 20
_PACKED_PIECE_BYTES: Final = 1 << 12
"""The bytes that are unpacked at once, which can become 32,000 times as many."""
_GZIP: Final = 16 + zlib.MAX_WBITS
"""Has zlib read the form of gzip, with its checksum."""
_ZIP_BEGINS: Final = (b"PK\x03\x04", b"PK\x05\x06")


def _errors() -> tuple[type[Exception], ...]:
    """Return what may be raised where a file is opened or unpacked; its libraries load slowly."""
    from lzma import LZMAError  # noqa: PLC0415
    from zipfile import BadZipFile  # noqa: PLC0415

    with_password = RuntimeError
    others = zlib.error, LZMAError, BadZipFile, NotImplementedError, with_password
    return OSError, EOFError, ValueError, *others


class CannotRead(Failure):
    """A source cannot be read, or not to its end, because of what is said in ``why``."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name} cannot be read: {why}.")
        self.why = why


class Source(NamedTuple):
    """A source of games.

    The name is the path as it was given; for a file of a folder or a zip file, with that one's, and
    of several of one name in a zip file, with its number.
    """

    name: str
    size: int | None  # of the file as it lies there, in bytes; None if that is not known
    within: str = ""  # the path in the folder that was named; else the file's own name
    archive: str = ""  # the path of the zip file that it is in; empty if it is in none
    entry: int = 0  # its number in the directory of the zip file, from 0
    problem: str = ""  # why it cannot be read, if that is known already


class OpenedSource:
    """A source that is being read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.blocks: Iterator[bytes] = self._read(stream)
        """Its text, unpacked and as the scan reads it."""
        self.bytes = 0
        """The number of bytes of its file that were read until now."""
        self.damage = ""
        """The reason for which it ends too early, if it does."""

    def _read(self, stream: IO[bytes]) -> Iterator[bytes]:
        while block := stream.read(_BLOCK_BYTES):
            self.bytes += len(block)
            yield block


def find_sources(names: Sequence[str]) -> list[Source]:
    """Return the named sources; of a folder, all files of games in it, in order of their names.

    A file that is reached twice, by its name or by a link, is there once. What cannot be read in a
    folder is a source that has a problem.

    Raises:
        Failure: What is named cannot be read, or is a folder that holds no file of games.
    """
    seen: set[tuple[int, int]] = set()
    return [source for name in names for source in _sources(name, seen)]


def total_size(sources: Sequence[Source]) -> int | None:
    """Return the size of all sources, as they lie there; None if that is not known."""
    sizes = [source.size for source in sources]
    return None if None in sizes else sum(size or 0 for size in sizes)


def text_size(sources: Sequence[Source]) -> int | None:
    """Return about how large the text of all sources is; None if that is not known."""
    size = total_size(sources)
    packed = [s.size or 0 for s in sources if _packing_of(s.name)]
    return None if size is None else size + (_USUAL_RATIO - 1) * sum(packed)


def _packing_of(name: str) -> str:
    """Return the ending of a packed file's name; empty for another file."""
    return next((ending for ending in PACKINGS if name.lower().endswith(ending)), "")


def _sources(name: str, seen: set[tuple[int, int]]) -> Iterator[Source]:
    if name == STANDARD_INPUT:
        yield Source(name, None, "stdin.pgn")
        return
    path = Path(name)
    try:
        mode = path.stat().st_mode
        is_folder = stat.S_ISDIR(mode)
        found = sorted(_below(path), key=_place) if is_folder else [(path, "")]
    except (OSError, ValueError) as error:
        raise Failure(f"{name} cannot be read: {_why(error)}.") from error
    if not found:
        ends = ", ".join((*SUFFIXES, ZIP))
        raise Failure(f"{name} has no game files: their names end in {ends}.")
    above = str(path).rstrip(os.sep) + os.sep
    for file, problem in found:
        within = str(file).removeprefix(above) if is_folder else path.name
        if problem:
            yield Source(str(file), 0, within=within, problem=problem)
        elif is_folder or stat.S_ISREG(mode):
            yield from _files(file, within, seen, is_named=stat.S_ISREG(mode))
        else:  # a pipe has no size
            yield Source(name, None, within=within)


def _place(found: tuple[Path, str]) -> tuple[str, ...]:
    return found[0].parts


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of games and zip files in and below a folder.

    With each is why it cannot be read, or nothing; folders that cannot be read are there too.

    Raises:
        OSError: The folder itself cannot be read.
    """
    problems: list[OSError] = []
    for at, _, names in os.walk(folder, onerror=problems.append):
        for path in (Path(at, n) for n in names if n.lower().endswith((*SUFFIXES, ZIP))):
            try:
                if stat.S_ISREG(path.stat().st_mode):
                    yield path, ""
            except OSError as error:
                yield path, _why(error)
    for problem in problems:
        if Path(problem.filename) == folder:
            raise problem
        yield Path(problem.filename), _why(problem)


def _files(path: Path, within: str, seen: set[tuple[int, int]], *, is_named: bool) -> list[Source]:
    """Return the source that a file is, or those in it if it is a zip file; none if it was seen."""
    status = path.stat()
    identity = status.st_dev, status.st_ino
    if identity in seen:
        return []
    seen.add(identity)
    try:
        with path.open("rb") as file:
            is_zip = file.read(4) in _ZIP_BEGINS
        if not is_zip:
            return [Source(str(path), status.st_size, within=within)]
        found, problem = _members(path, within), NO_GAMES if is_named else ""
    except _errors() as error:
        found, problem = [], _why(error)
    return found or [Source(str(path), 0, within=within, problem=problem)] * bool(problem)


NO_GAMES: Final = "it holds no game files"


def _members(path: Path, within: str) -> list[Source]:
    """Return the files of games in a zip file, by name; all those of one name, in their order."""
    from zipfile import ZipFile  # noqa: PLC0415 - takes long to import

    with ZipFile(path) as archive:
        entries = sorted((e.filename, n, e.file_size) for n, e in enumerate(archive.infolist()))
    times = Counter(name for name, *_ in entries)
    found: list[Source] = []
    numbers: Counter[str] = Counter()
    for name, entry, size in entries:
        numbers[name] += 1
        which = f" ({numbers[name]} of {times[name]})" if times[name] > 1 else ""
        if name.lower().endswith(SUFFIXES):
            full = f"{path}/{name}{which}"
            found.append(Source(full, size, f"{within}/{name}", str(path), entry))
    return found


@contextmanager
def opened(source: Source) -> Iterator[OpenedSource]:
    """Open a source and unpack it on the fly, however it is packed.

    Its text ends where nothing before is known to be wrong, and its damage says so then.

    Raises:
        CannotRead: It cannot be opened or read, or is damaged otherwise.
    """
    if source.problem:
        raise CannotRead(source.name, source.problem)
    with ExitStack() as stack:
        try:
            found = OpenedSource(_open(source, stack))
            head = next(found.blocks, b"")
            whole = chain([head], found.blocks)
            unpacker = _unpacker(head[:8], source.name)
            _check_kind(source, head, is_packed=unpacker is not None)
            found.blocks = translated(_unpacked(found, whole, *unpacker) if unpacker else whole)
            yield found
        except _errors() as error:
            raise CannotRead(source.name, _why(error)) from error


def _check_kind(source: Source, head: bytes, *, is_packed: bool) -> None:
    """Check that a file is packed as its name says, and no program or picture."""
    ending = _packing_of(source.name.partition(" (")[0])
    if ending and head and not is_packed:
        raise CannotRead(
            source.name, f"it is not a {PACKINGS[ending]} file, although its name says so"
        )
    start = head[:HEAD_BYTES]
    if start[:4] in _UTF_32:
        why = "it is text in UTF-32: save it in UTF-8, or convert it with iconv -f UTF-32 -t UTF-8"
        raise CannotRead(source.name, why)
    if is_packed or start[:2] in _UTF_16:
        return
    if b"\0" in start and len(start.translate(None, _CONTROLS)) < 0.95 * len(start):
        raise CannotRead(source.name, "it is not a game file: it is not text")
    if start.strip() and not (_BEGINS_AS_GAMES.match(start) or _HAS_TAG.search(start)):
        why = "it is not a game file: it has no tag and does not begin with a move"
        raise CannotRead(source.name, why)


_HAS_TAG: Final = re.compile(rb"(?:\A|[\r\n])[ \t\x1a\xef\xbb\xbf]*\[[ \t]*[\w.-]+[ \t:=\"]")
_BEGINS_AS_GAMES: Final = re.compile(
    rb"(?:[\s\x1a\xa0\xc2]|\xef\xbb\xbf)*+"
    rb"(?:[\[{;%($*.0-9]|--|[KQRBN@]|Z0|[^\s{};()]{0,20}?(?:[a-h][1-8]|[Oo0]-[Oo0])|\Z)"
)
"""The possible beginnings: a tag, a remark, a variation, a number, a result, a move or a piece."""
PACKINGS: Final = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd", ".xz": "xz"}
_CONTROLS: Final = bytes({*range(32)} - set(b"\t\n\v\f\r\x1a"))


def _open(source: Source, stack: ExitStack) -> IO[bytes]:
    if source.name == STANDARD_INPUT:
        if sys.stdin is None:
            raise CannotRead(source.name, "standard input is closed")
        return sys.stdin.buffer
    if source.archive:
        status = Path(source.archive).stat()
        archive = _archive(source.archive, status.st_mtime_ns, status.st_size)
        return stack.enter_context(archive.open(archive.infolist()[source.entry]))
    return stack.enter_context(Path(source.name).open("rb"))


@lru_cache(maxsize=1)
def _archive(path: str, _mtime_ns: int, _size: int) -> "ZipFile":
    """Return a zip file, whose directory is read once for all files in it."""
    from zipfile import ZipFile  # noqa: PLC0415 - takes long to import

    return ZipFile(path)


def _unpacker(begins: bytes, name: str) -> tuple[Callable[[], Any], type[Exception]] | None:
    """Return what makes unpackers, and their errors, by a file's first bytes; None if it is plain.

    The standard library's readers of whole files would take damage after the first of several parts
    for padding, and lose its games.
    """
    if begins.startswith(b"\x1f\x8b"):
        return lambda: zlib.decompressobj(_GZIP), zlib.error
    if begins.startswith(b"BZh"):
        from bz2 import BZ2Decompressor  # noqa: PLC0415 - for this packing only

        return BZ2Decompressor, OSError
    if begins.startswith(b"\xfd7zXZ\x00"):
        from lzma import LZMADecompressor, LZMAError  # noqa: PLC0415 - for this packing only

        return LZMADecompressor, LZMAError
    if begins.startswith(b"\x28\xb5\x2f\xfd") or begins[1:4] == b"\x2a\x4d\x18":
        try:
            import zstandard  # noqa: PLC0415 - for this packing only
        except ImportError as error:
            raise CannotRead(name, f"it is packed with zstd, {EXTRA} to read it") from error
        decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        return decompressor.decompressobj, zstandard.ZstdError
    if begins.startswith(_ZIP_BEGINS):
        raise CannotRead(name, "a zip file is read only as a file: name it")
    return None


def _unpacked(
    found: OpenedSource, blocks: Iterator[bytes], begin: Callable[[], Any], error: type[Exception]
) -> Iterator[bytes]:
    """Yield the text of a packed file, which may have several parts, each packed by itself.

    Where it ends too early, or something else follows its last part, the text ends, and the damage
    is noted.

    Raises:
        OSError: The file is damaged otherwise: what was unpacked before may be wrong.
    """
    part, is_begun, is_first = begin(), False, True
    pieces = (
        block[at : at + _PACKED_PIECE_BYTES]
        for block in blocks
        for at in range(0, len(block), _PACKED_PIECE_BYTES)
    )
    has_text = False
    for left in pieces:
        while left and (is_begun or is_first or (left := left.lstrip(b"\0"))):  # padding
            try:
                text = part.decompress(left)
            except error as problem:
                if is_begun or is_first:
                    raise OSError(_why(problem)) from problem
                found.damage = _why(problem)
                return
            left, is_begun, is_first = b"", True, False  # noqa: PLW2901 - what is left of it
            if part.eof:
                left, part, is_begun = part.unused_data, begin(), False  # noqa: PLW2901
            has_text = has_text or bool(text)
            yield text
    if is_begun:
        found.damage = "it ends too early"
        if not has_text:
            raise EOFError(found.damage)


def _why(error: BaseException) -> str:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if type(error) is RuntimeError:  # of zipfile, whose own sentence shows its insides
        return "it is encrypted; unpack it first"
    return " ".join(why.split()).rstrip(".") or type(error).__name__


# Encodings. A lone CR ends a line, as on old Macintosh computers, and some programs write UTF-16.
# Every character keeps its line and its column.

HEAD_BYTES: Final = 1 << 16
"""The bytes that show what a file is."""
_UTF_16: Final = {
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}
"""The beginnings of UTF-16: a byte order mark, or without one the bracket of a tag."""
_UTF_32: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"[\0\0\0", b"\0\0\0[")
_LONE_CR: Final = re.compile(rb"\r++(?!\n)")


def translated(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a text as the scan reads it: in UTF-8 instead of UTF-16, and LF for a lone CR."""
    first = b""
    while len(first) < 2 and (block := next(blocks, b"")):
        first += block
    name = _UTF_16.get(first[:2])
    decode = codecs.getincrementaldecoder(name)(errors="replace").decode if name else None
    kept = b""  # what may be half of a line end
    for block, is_last in chain(
        ((block, False) for block in chain([first], blocks)), [(b"", True)]
    ):
        text = kept + (decode(block, is_last).encode() if decode else block)
        kept = b"" if is_last else text[len(text.rstrip(b"\r")) :]
        text = text[: len(text) - len(kept)]
        if text.count(b"\r") != text.count(b"\r\n"):
            text = _LONE_CR.sub(lambda found: b"\n" * len(found[0]), text)
        yield text
