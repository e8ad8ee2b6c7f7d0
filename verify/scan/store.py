"""What a scan has found so far, in one SQLite file of its directory, so that it can go on later.

Chunks are taken in one after the other, so there is one state to keep: the sums, how many chunks
they hold, and a hash over those. Beside it are the deviations of each chunk that has any. Each
row holds the hash of its key and its value.
"""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sanproof.verify.errors import Failure
from sanproof.verify.scan.chunks import Deviating, Refuting
from sanproof.verify.scan.tally import Tally

STORE_NAME: Final = "scan.sqlite3"
APPLICATION: Final = 0x73616E73
"""Marks an SQLite file as a scan's (``PRAGMA application_id``): "sans" in ASCII."""
FORM: Final = "1"

_COLUMNS: Final = "name TEXT PRIMARY KEY, value BLOB NOT NULL, sha256 BLOB NOT NULL"
SCHEMA: Final = {
    table: f"CREATE TABLE {table} ({_COLUMNS}) WITHOUT ROWID" for table in ("state", "chunks")
}
_ROOMS: Final = ("scan", "notation")
_TOOLS: Final = ("sanproof", "chess")


class State(NamedTuple):
    """How far a scan has come.

    Attributes:
        chunks: How many chunks were taken in.
        chain: A hash over their bytes.
        sizes: How many bytes of each source's rewritten text were written.
        tally: The sums.
    """

    chunks: int
    chain: str
    sizes: list[int]
    tally: Tally


class Kept(NamedTuple):
    """What is kept of a chunk besides the sums; games and lines are those of the source."""

    source: int
    deviations: list[Deviating]
    refuting: list[Refuting]


def provenance() -> dict[str, str]:
    """What a scan's results depend on: the versions of the tools, and the code that reads.

    The native reader is not among them: with it or without, the results are the same.
    """
    code = hashlib.sha256()
    for room in _ROOMS:
        for file in sorted(resources.files("verify").joinpath(room).iterdir(), key=str):
            if file.name.endswith(".py"):
                code.update(file.read_bytes())
    return {name: version(name) for name in _TOOLS} | {"code": code.hexdigest()[:16]}


class ScanStore:
    """The file ``scan.sqlite3`` of a scan; one process at a time may have it open.

    Args:
        directory: The scan's directory, which exists.
        settings: What the results depend on.

    Raises:
        Failure: The file cannot be used, is damaged, or holds another scan.
    """

    def __init__(self, directory: Path, settings: dict[str, Any]) -> None:
        self.path = directory / STORE_NAME
        try:
            self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
            self._open(settings)
        except sqlite3.OperationalError as error:
            self._database.close()
            raise Failure(self._explain(error)) from error
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise Failure(f"{self.path} is not a scan ({error}): use another DIR.") from error
        except BaseException:
            self._database.close()
            raise

    def _open(self, settings: dict[str, Any]) -> None:
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        ((application,),) = self._database.execute("PRAGMA application_id")
        ((tables,),) = self._database.execute("SELECT count(*) FROM sqlite_schema")
        if application != APPLICATION and (application or tables):
            raise Failure(f"{self.path} is no scan: use another DIR.")
        self._database.execute("PRAGMA journal_mode = WAL")
        if not tables:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")
            for statement in SCHEMA.values():
                self._database.execute(statement)
            self._put("state", "settings", {"form": FORM, **settings})
            self._database.execute("COMMIT")
        ((said,),) = self._database.execute("PRAGMA quick_check(1)")
        if (
            said != "ok"
            or dict(self._database.execute("SELECT name, sql FROM sqlite_schema")) != SCHEMA
        ):
            raise self.damaged()
        self._check_settings({"form": FORM, **settings})

    def _check_settings(self, settings: dict[str, Any]) -> None:
        before = self._get("state", "settings")
        other = sorted(
            name for name in {*before, *settings} if before.get(name) != settings.get(name)
        )
        if other:
            raise Failure(
                f"{self.path.parent} holds a scan with other {', '.join(other)}: "
                "use another DIR, or give the same files and options."
            )

    def _explain(self, error: sqlite3.OperationalError) -> str:
        if "locked" in str(error):
            return f"Another scan is at work in {self.path.parent}: wait, or use another DIR."
        return f"{self.path} cannot be used: {error}."

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def damaged(self) -> Failure:
        """The failure of a file that is not as it was written."""
        return Failure(f"{self.path} is damaged: remove {self.path.parent} and scan again.")

    def save(self, state: State, kept: dict[int, Kept]) -> None:
        """Make durable how far the scan has come, with what is kept of the chunks since."""
        value = state._asdict() | {"tally": state.tally.as_json()}
        self._database.execute("BEGIN IMMEDIATE")
        for number, chunk in kept.items():
            self._put("chunks", f"{number:012}", chunk)
        self._put("state", "state", value)
        self._database.execute("COMMIT")

    def state(self, proven: bytes) -> State:
        """How far the scan has come.

        Args:
            proven: The proven strings, one a line.
        """
        value = self._get("state", "state")
        if value is None:
            return State(0, "", [], Tally(proven))
        tally = Tally.read(value["tally"], proven)
        return State(value["chunks"], value["chain"], value["sizes"], tally)

    def note_files(self, names: list[str]) -> None:
        """Note that files of these names are the scan's, before they are written."""
        self._put("state", "files", sorted({*self.files(), *names}))

    def files(self) -> set[str]:
        """The names of the files that are the scan's."""
        return set(self._get("state", "files") or ())

    def kept(self) -> Iterator[Kept]:
        """What is kept of each chunk of which anything is, in order."""
        names = [name for (name,) in self._database.execute("SELECT name FROM chunks ORDER BY 1")]
        for name in names:
            source, deviations, refuting = self._get("chunks", name)
            yield Kept(
                source,
                [Deviating(*item) for item in deviations],
                [Refuting(*item) for item in refuting],
            )

    def _put(self, table: str, name: str, value: object) -> None:
        packed = zlib.compress(json.dumps(value).encode("ascii"), 1)
        self._database.execute(
            f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",  # noqa: S608 - our own names
            (name, packed, _seal(table, name, packed)),
        )

    def _get(self, table: str, name: str) -> Any:  # noqa: ANN401 - JSON
        row = self._database.execute(
            f"SELECT value, sha256 FROM {table} WHERE name = ?",  # noqa: S608 - our own names
            (name,),
        ).fetchone()
        if row is None:
            return None
        packed, seal = row
        if seal != _seal(table, name, packed):
            raise self.damaged()
        return json.loads(zlib.decompress(packed))


def _seal(table: str, name: str, packed: bytes) -> bytes:
    return hashlib.sha256(f"{table}\0{name}\0".encode() + packed).digest()
