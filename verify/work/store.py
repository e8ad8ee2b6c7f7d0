"""The store of a job: one SQLite file in its directory that keeps what was found."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from sanproof.verify.errors import Failure, Interrupted, Unfinished

# ruff: noqa: ANN401 - JSON may hold anything

_ORIGIN: Final = "origin"
_FILES: Final = "files"


class Store:
    """The results of a job by kind and name, as JSON; one process at a time may have it open.

    What is found depends on the origin, such as the versions of the code: a store of another origin
    is refused.

    Raises:
        Failure: The file is in use, damaged, of another origin, or cannot be opened.
    """

    NAME: ClassVar[str]
    """The name of the file."""
    WORK: ClassVar[str]
    """What the job is called in sentences, such as "run"."""

    def __init__(self, directory: Path, origin: Mapping[str, Any]) -> None:
        self.path = directory / self.NAME
        try:
            self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS found"
                " (kind TEXT, name TEXT, value BLOB, seconds REAL, PRIMARY KEY (kind, name))"
            )
            if not self.names(_ORIGIN):
                self.save(_ORIGIN, "", dict(origin))
            known = self.load(_ORIGIN, "")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Failure(
                    f"Another {self.WORK} is running in {directory}: wait for it, or use another "
                    "DIR."
                ) from error
            raise Failure(f"{self.path} cannot be used: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error
        if other := differing(known, json.loads(json.dumps(origin))):
            self.close()
            raise Failure(
                f"{directory} holds a {self.WORK} with other {', '.join(other)}: "
                "use another DIR, or the same versions, files and options."
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that another process may open it."""
        self._database.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Save everything that is saved in the block, or nothing if it is left by an exception."""
        self._write("BEGIN")
        try:
            yield
            self._write("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def save(self, kind: str, name: str, value: Any, seconds: float = 0) -> None:
        """Make a value durable, with the seconds that it took a worker.

        Raises:
            Unfinished: There is no room for it.
        """
        packed = zlib.compress(json.dumps(value).encode("ascii"), 1)
        self._write("INSERT OR REPLACE INTO found VALUES (?, ?, ?, ?)", kind, name, packed, seconds)

    def remove(self, kind: str, name: str) -> None:
        """Forget a value."""
        self._write("DELETE FROM found WHERE kind = ? AND name = ?", kind, name)

    def load(self, kind: str, name: str) -> Any:
        """Return a value that was saved, with lists in place of tuples."""
        query = "SELECT value FROM found WHERE kind = ? AND name = ?"
        try:
            ((value,),) = self._database.execute(query, (kind, name))
            return json.loads(zlib.decompress(value))
        except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError) as error:
            raise self._damaged(error) from error

    def names(self, kind: str) -> list[str]:
        """Return the names of what was saved of a kind, in order."""
        query = "SELECT name FROM found WHERE kind = ? ORDER BY name"
        return [name for (name,) in self._database.execute(query, (kind,))]

    def seconds(self, kind: str) -> float:
        """Return the time that all workers together spent on what was saved of a kind."""
        query = "SELECT total(seconds) FROM found WHERE kind = ?"
        ((seconds,),) = self._database.execute(query, (kind,))
        return float(seconds)

    def files(self) -> set[str]:
        """Return the names of the files that the job wrote, and so may replace or remove."""
        return set(self.names(_FILES))

    def note_files(self, names: Iterable[str]) -> None:
        """Note that the job is about to write these files."""
        for name in names:
            self.save(_FILES, name, None)

    def _write(self, statement: str, *values: object) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise Unfinished(
                f"{self.path} cannot be written ({error}): "
                "make room and run the same command again."
            ) from error

    def _damaged(self, why: Exception) -> Failure:
        return Failure(
            f"{self.path} is damaged, or is not a sanproof {self.WORK} ({why}): use another DIR, "
            "or move this file away and begin again."
        )


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return the names under which two origins differ."""
    return sorted(k for k in {*first, *second} if first.get(k) != second.get(k))


@contextmanager
def kept_in(store: Store, in_words: Callable[[], str]) -> Iterator[None]:
    """Say what the store keeps of a job that is stopped or cannot go on.

    Raises:
        Interrupted: The user stopped the job.
        Unfinished: The directory cannot be written, or was removed.
    """
    place = store.path.parent
    try:
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
