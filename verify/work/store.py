"""The directory of a job: its store, an SQLite file with all results so far, and its files."""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from sanproof.verify.errors import Failure, Interrupted, Unfinished, failure

# ruff: noqa: ANN401 - JSON may hold anything

_ORIGIN: Final = "origin"
_FILES: Final = "files"
_TABLE: Final = """CREATE TABLE IF NOT EXISTS found
    (kind TEXT, name TEXT, value BLOB, seconds REAL, PRIMARY KEY (kind, name))"""


class Store(AbstractContextManager["Store"]):
    """The results of a job by kind and name, as JSON; one process at a time may have it open.

    The directory is made if needed. It may not contain other files without a store. ``work`` is the
    name of the job, as in ``run.sqlite3``. Results depend on the origin, such as the versions of
    the code, so a store of another origin is refused.

    Raises:
        Failure: The directory or its file cannot be used, is in use, damaged, or of another origin.
    """

    def __init__(self, directory: Path, work: str, origin: Mapping[str, Any]) -> None:
        self.path = directory / f"{work}.sqlite3"
        self._work = work
        prepare(directory, self.path.name, work)
        with self._failing():
            self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
            for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = 1"):
                self._database.execute(f"PRAGMA {setting}")
            self._database.execute(_TABLE)
            if not self.names(_ORIGIN):
                self.save(_ORIGIN, "", dict(origin))
        if other := differing(self.load(_ORIGIN, ""), json.loads(json.dumps(origin))):
            self._database.close()
            raise Failure(
                f"{directory} holds a {work} with other settings ({', '.join(other)}): "
                "use another folder, or the same versions, files and options."
            )

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def save(self, kind: str, name: str, value: Any, seconds: float = 0) -> None:
        """Store a value durably, with the seconds it took. Raises an Unfinished without room."""
        row = (kind, name, zlib.compress(json.dumps(value).encode("ascii"), 1), seconds)
        with self._failing():
            self._database.execute("INSERT OR REPLACE INTO found VALUES (?, ?, ?, ?)", row)

    def remove(self, kind: str, name: str) -> None:
        """Remove a value."""
        self._database.execute("DELETE FROM found WHERE kind = ? AND name = ?", (kind, name))

    def load(self, kind: str, name: str) -> Any:
        """Return a value that was stored, with lists in place of tuples."""
        query = "SELECT value FROM found WHERE kind = ? AND name = ?"
        with self._failing():
            ((value,),) = self._database.execute(query, (kind, name))
            return json.loads(zlib.decompress(value))

    def names(self, kind: str) -> list[str]:
        """Return the names of the stored values of a kind, in order."""
        query = "SELECT name FROM found WHERE kind = ? ORDER BY name"
        return [name for (name,) in self._database.execute(query, (kind,))]

    def seconds(self, kind: str) -> float:
        """Return the time that all workers together spent on the stored values of a kind."""
        query = "SELECT total(seconds) FROM found WHERE kind = ?"
        return float(self._database.execute(query, (kind,)).fetchone()[0])

    def claim(self, names: Iterable[str]) -> set[str]:
        """Claim file names in the directory, which the job may then write, replace and remove.

        Returns all that the job has taken so far; a Failure if another file has such a name.
        """
        ours = set(self.names(_FILES))
        new = sorted(set(names) - ours)
        for path in map(self.path.with_name, new):
            if os.path.lexists(path):
                raise Failure(
                    f"{path} is not a file of this {self._work}, and would be overwritten: "
                    "move it away, or use another DIR."
                )
        for name in new:
            self.save(_FILES, name, None)
        return ours.union(names)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Say in a sentence why the file cannot be used."""
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError) as error:
            code = getattr(error, "sqlite_errorname", "")
            kind: type[Failure] = Failure
            if code.startswith("SQLITE_BUSY"):
                why = f"Another {self._work} is running in {self.path.parent}: wait for it, or use"
            elif code.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
                kind = Unfinished
                why = f"{self.path} cannot be written ({error}): make room, run this again, or use"
            else:
                why = (
                    f"{self.path} is damaged, is not a sanproof {self._work}, or may not be "
                    f"written ({error}): move this file away and begin again, or use"
                )
            raise kind(f"{why} another DIR.") from error


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return the names of the entries in which two origins differ."""
    return sorted(k for k in {*first, *second} if first.get(k) != second.get(k))


def prepare(directory: Path, store_name: str, work: str) -> None:
    """Make a directory, or check that it is empty or has a store of such ``work``.

    Raises:
        Failure: The directory contains files but no store, or cannot be used.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in directory.iterdir())
    except OSError as error:
        why = f"{directory} cannot be a {work} directory: {error.strerror}."
        raise failure(why, error) from error
    if others and store_name not in others:
        some = ", ".join(others[:3]) + ", ..." * (len(others) > 3)
        raise Failure(
            f"{directory} contains other files ({some}). Choose an empty folder, or a new one."
        )


@contextmanager
def kept_in(store: Store, in_words: Callable[[], str]) -> Iterator[None]:
    """Turn an interruption or a lack of room into a Failure that says what the store has kept.

    Raises:
        Interrupted: The user stopped the job.
        Unfinished: The directory cannot be written.
    """
    place = store.path.parent
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(
            f"Interrupted; {in_words()}, all kept in {place}: "
            "run the same command again to continue."
        ) from error
    except OSError as error:
        raise Unfinished(f"{place} cannot be written: {error.strerror or error}.") from error
