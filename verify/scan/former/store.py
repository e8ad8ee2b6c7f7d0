"""A sealed store: one SQLite file of a directory, which holds what work has found so far.

Each row holds the hash of its key and its value, so that a damaged row is noticed whatever part
of it was hit. A file that is damaged anywhere is refused as a whole, before anything is read. Who
forges a row can forge its hash: what is read is therefore looked at, and a value of another shape
is refused with the same sentence.
"""

import hashlib
import json
import sqlite3
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeVar, get_args, get_origin, get_type_hints

from sanproof.verify.errors import Failure, Interrupted, Unfinished
from sanproof.verify.scan.former.folder import check_no_links
from sanproof.verify.scan.former.signals import in_order

# ruff: noqa: ANN401 - JSON may hold anything

T = TypeVar("T")

MAX_BYTES: Final = 1 << 24
"""More than ten times what the largest row of a run holds, unpacked."""
MAX_ITEMS: Final = 1 << 22
"""More values no row has as JSON: ``[],``, which has three bytes, takes seventy in memory."""
_ORIGIN: Final = "origin"
_FILES: Final = "files"
_COLUMNS: Final = (
    "name TEXT PRIMARY KEY, value BLOB NOT NULL, seconds REAL NOT NULL, sha256 BLOB NOT NULL"
)


class SealedStore:
    """The file of a store in a directory that exists; one process at a time may have it open.

    Its content depends on the origin: a store of another origin is refused. Without one, a store of
    any origin is opened, which has to be there.

    Raises:
        Failure: The file cannot be used, is damaged, or is of another origin.
    """

    NAME: ClassVar[str]
    """The name of the file."""
    WORK: ClassVar[str]
    """The name of the work in sentences."""
    APPLICATION: ClassVar[int]
    """Marks an SQLite file as ours (``PRAGMA application_id``)."""
    TABLES: ClassVar[tuple[str, ...]]
    """Tables besides those of the origin and of the files, all of the same columns."""
    MAX_BYTES: ClassVar[int] = MAX_BYTES
    """The most that a row may hold, unpacked."""

    def __init__(self, directory: Path, origin: Mapping[str, Any] | None) -> None:
        self.path = directory / self.NAME
        check_no_links(directory, [f"{self.NAME}{end}" for end in ("", "-wal", "-shm", "-journal")])
        if self.path.exists() and not self.path.is_file():
            raise Failure(f"{self.path} is not a file: use another DIR.")
        try:
            self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise Failure(f"{self.path} cannot be used: {error}.") from error
        try:
            self._open(origin)
        except BaseException as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError):
                raise Failure(self._explain(error)) from error
            if isinstance(error, (sqlite3.DatabaseError, UnicodeError)):
                raise Failure(
                    f"{self.path} is not a sanproof {self.WORK} ({error}): use another DIR."
                ) from error
            raise

    def _open(self, origin: Mapping[str, Any] | None) -> None:
        self._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.MAX_BYTES)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        ((application,),) = self._database.execute("PRAGMA application_id")
        ((tables,),) = self._database.execute("SELECT count(*) FROM sqlite_schema")
        # Before anything is written to it.
        if application != self.APPLICATION and (application or tables):
            raise Failure(
                f"{self.path} is not a sanproof {self.WORK}, or is from an older sanproof: "
                "use another DIR."
            )
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute("PRAGMA journal_mode = WAL")
        # Without row numbers, a table has no index that could differ.
        schema = {
            table: f"CREATE TABLE {table} ({_COLUMNS}) WITHOUT ROWID"
            for table in (_ORIGIN, _FILES, *self.TABLES)
        }
        if not tables and origin is not None:
            with self.at_once():
                self._database.execute(f"PRAGMA application_id = {self.APPLICATION}")
                for statement in schema.values():
                    self._database.execute(statement)
                self.save(_ORIGIN, "", dict(origin))
        self._check(schema)
        self.origin = self.load_by(_ORIGIN, "", lambda value, _: entries(value))
        if origin is not None and (other := differing(self.origin, origin)):
            words = ", ".join(map(self.word_for, other))
            raise Failure(
                f"{self.path.parent} holds a {self.WORK} with other {words}: "
                "use another DIR, or the same versions, files and options."
            )

    def word_for(self, name: str) -> str:
        """Return what a part of the origin is called in sentences."""
        return name

    def _check(self, schema: Mapping[str, str]) -> None:
        """Refuse a file with damage anywhere: some milliseconds for a whole run."""
        ((said,),) = self._read("PRAGMA quick_check(1)")
        if said != "ok":
            raise self.damaged(" ".join(str(said).split()))
        if dict(self._read("SELECT name, sql FROM sqlite_schema")) != schema:
            raise self.damaged("it has other tables")
        for table in schema:
            for name in self.names(table):
                self._row(table, name)

    def _explain(self, error: sqlite3.OperationalError) -> str:
        if "locked" in str(error):
            place = self.path.parent
            return f"Another {self.WORK} is running in {place}: wait for it, or use another DIR."
        return f"{self.path} cannot be used: {error}."

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that another process may open it."""
        self._database.close()

    def damaged(self, what: str) -> Failure:
        """Return the failure to raise when something else is found than what was written."""
        return Failure(
            f"{self.path} is damaged ({what}): "
            "use another DIR, or move this one away and begin again."
        )

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Save all or nothing of what is saved in the block."""
        self._write("BEGIN IMMEDIATE")
        try:
            yield
            self._write("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise

    def save(
        self,
        table: str,
        name: str,
        value: Any,
        seconds: float = 0,
        after: bytes = b"",
    ) -> None:
        """Make a row durable: a value, the seconds that it took a worker, and bytes after it."""
        row = (name, packed(value, after), float(seconds))
        statement = f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)"  # noqa: S608
        self._write(statement, *row, _digest(table, *row))

    def _write(self, statement: str, *values: object) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise Unfinished(
                f"{self.path} cannot be written ({error}): "
                "make room and run the same command again."
            ) from error

    def names(self, table: str) -> list[str]:
        """Return the names of a table's rows, in order."""
        return [name for (name,) in self._read(f"SELECT name FROM {table} ORDER BY name")]  # noqa: S608

    def seconds(self, table: str) -> float:
        """Return the time that all workers together spent on what a table holds."""
        ((seconds,),) = self._read(f"SELECT total(seconds) FROM {table}")  # noqa: S608
        return float(seconds)

    def load(self, table: str, name: str, kind: type[T]) -> T:
        """Return the value of a row, of a type that :func:`reader` knows.

        Raises:
            Failure: There is no such row, or its value has a wrong shape.
        """
        read: Callable[[Any], T] = reader(kind)  # type: ignore[arg-type]
        return self.load_by(table, name, lambda value, _: read(value))

    def load_by(self, table: str, name: str, read: Callable[[Any, bytes], T]) -> T:
        """Return what a function reads from the value of a row and the bytes after it."""
        try:
            return read(*unpacked(self._row(table, name), self.MAX_BYTES))
        except (zlib.error, ValueError, TypeError, RecursionError) as error:
            raise self.damaged(f"the row {name} of {table} has a wrong shape") from error

    def files(self) -> set[str]:
        """Return the files that the work wrote, or was about to write."""
        return set(self.names(_FILES))

    def note_files(self, names: Iterable[str]) -> None:
        """Note that the work is about to write these files, and so may replace them later."""
        for name in sorted(set(names) - self.files()):
            self.save(_FILES, name, [])

    def _row(self, table: str, name: str) -> bytes:
        """Return a row's value, when it has the hash that was kept with it."""
        query = f"SELECT value, seconds, sha256 FROM {table} WHERE name = ?"  # noqa: S608
        for value, seconds, digest in self._read(query, name):
            if isinstance(value, bytes) and digest == _digest(table, name, value, seconds):
                return value
        raise self.damaged(f"the row {name} of {table} is not as it was written")

    def _read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if "locked" in str(error):
                raise
            raise self.damaged(str(error)) from error


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return what is different in two origins, by name."""
    return sorted(k for k in {*first, *second} if first.get(k) != second.get(k))


@contextmanager
def kept_in(store: SealedStore, in_words: Callable[[], str]) -> Iterator[None]:
    """Have long work end in order, and say in words what the store keeps of it.

    Raises:
        Interrupted: The user stopped the work.
        Unfinished: The directory cannot be written, or was removed.
    """
    place = store.path.parent
    try:
        with in_order():
            yield
    except (Failure, OSError, KeyboardInterrupt) as error:
        if not store.path.exists():
            sentence = f"{place} was removed during the {store.WORK}: nothing is kept."
            raise Unfinished(sentence) from error
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(
                f"Interrupted; {in_words()}, all kept in {place}: "
                "run the same command again to continue."
            ) from error
        if isinstance(error, OSError):
            raise Unfinished(f"{place} cannot be written: {error.strerror or error}.") from error
        raise


def _digest(table: str, name: str, value: bytes, seconds: float) -> bytes:
    """Return the hash of a row: of its table, its name, its seconds and its value."""
    digest = hashlib.sha256(f"{(table, name, seconds)!a}\n".encode("ascii"))
    digest.update(value)
    return digest.digest()


# Values: what their types are as JSON; a named tuple is an array of its fields.


def packed(value: Any, after: bytes = b"") -> bytes:
    """Return a row's value as it is stored, with bytes after it; :func:`unpacked` reads it."""
    content = zlib.compress(json.dumps(value).encode("ascii"), 1)
    return content + zlib.compress(after, 1) if after else content


def unpacked(content: bytes, max_bytes: int = MAX_BYTES) -> tuple[Any, bytes]:
    """Return a row's value, and the bytes that were kept after it.

    Raises:
        ValueError: They are larger than any row's, or it is not JSON.
        zlib.error: They were not packed by us.
    """
    plain, rest = _inflated(content, max_bytes)
    after, _ = _inflated(rest, max_bytes) if rest else (b"", b"")
    if sum(map(plain.count, (b",", b"[", b"{"))) > MAX_ITEMS:
        raise ValueError("too many items")
    return json.loads(plain), after


def _inflated(content: bytes, max_bytes: int) -> tuple[bytes, bytes]:
    """Return what was compressed, and what follows it."""
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(content, max_bytes)
    if not unpacker.eof:
        raise ValueError("too large")
    return plain, unpacker.unused_data


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """Return a function that reads a value of a type, which looks at all of it.

    The types are ``str``, ``int`` (which counts something), named tuples, and lists, dictionaries
    by text, counters and ``tuple[str, ...]`` of them. Equal texts of such a tuple, as moves are,
    become one object: a fifth of the memory.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is str:
        return text
    if kind is int:
        return number
    if origin is list:
        read = reader(arguments[0])
        return lambda value: [read(item) for item in items(value)]
    if origin is dict:
        read = reader(arguments[1])
        return lambda value: {name: read(item) for name, item in entries(value).items()}
    if origin is Counter:
        read = reader(dict[str, int])
        return lambda value: Counter(read(value))
    if origin is tuple:
        return lambda value: tuple(map(sys.intern, items(value)))
    reads = [reader(field) for field in get_type_hints(kind).values()]
    return lambda value: kind(*(read(item) for read, item in zip(reads, items(value), strict=True)))


def _typed(kind: type[T], value: Any) -> T:
    """Return a value of JSON if it is of this type."""
    if type(value) is not kind:
        raise TypeError(f"not of the type {kind.__name__}")
    return value


items: Final[Callable[[Any], list[Any]]] = partial(_typed, list)
text: Final[Callable[[Any], str]] = partial(_typed, str)
entries: Final[Callable[[Any], dict[str, Any]]] = partial(_typed, dict)


def number(value: Any) -> int:
    """Return an integer that counts something."""
    if not 0 <= _typed(int, value) < 1 << 63:
        raise TypeError("not a number")
    return int(value)
