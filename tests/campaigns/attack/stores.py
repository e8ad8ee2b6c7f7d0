"""Stores that somebody has edited with care: every hash in them is right again.

A row is lost, doubled, renamed, or has a part that is lost, doubled or of another shape. What a
scan's store counts is not changed to another number: only a new scan could tell.
"""

import copy
import hashlib
import json
import shutil
import sqlite3
import zlib
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.campaigns.attack.ending import SCAN, World, about, check_end, run_part
from tests.campaigns.forging.model import NotCaught
from tests.verify.command import outputs, sanproof

PRECIOUS: Final = "precious.txt"
NAMES: Final = (
    *(f"../{PRECIOUS}", "/etc/hostname", "", ".", "..", "run.log", "summary.md", "san_strings.txt"),
    *("0" * 12, "9" * 12, "-1", "x" * 5000, "Na1", "a\nb", "\udcff".encode("utf-8", "replace")),
)
"""What a row is called instead; ``{precious}`` is somebody's file, by its whole name."""
SHAPES: Final[tuple[object, ...]] = (
    None,
    True,
    -1,
    1 << 70,
    1.5,
    "",
    "x",
    [],
    {},
    [[]],
    "8/8/8/8/8/8/8/8 w - - 0 1",
)


class Row(NamedTuple):
    """A row of a store, taken apart."""

    table: str
    name: str
    value: Any
    seconds: float
    after: bytes = b""
    """What a scan keeps after the value, unpacked."""


def read_rows(store: Path) -> list[Row]:
    """All rows of a store."""
    database = sqlite3.connect(store)
    try:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema ORDER BY 1")]
        return [
            Row(table, name, *_unpacked(value, seconds))
            for table in tables
            for name, value, seconds, _ in database.execute(f"SELECT * FROM {table}")
        ]
    finally:
        database.close()


def _unpacked(content: bytes, seconds: float) -> tuple[Any, float, bytes]:
    unpacker = zlib.decompressobj()
    value, rest = json.loads(unpacker.decompress(content)), unpacker.unused_data
    return value, seconds, zlib.decompress(rest) if rest else b""


def put(store: Path, row: Row, instead_of: Row | None = None) -> None:
    """Put a row into a store, with its right hash, perhaps in the place of another."""
    value = zlib.compress(json.dumps(row.value).encode(), 1)
    value += zlib.compress(row.after, 1) if row.after else b""
    digest = hashlib.sha256(f"{(row.table, row.name, row.seconds)!a}\n".encode() + value).digest()
    with sqlite3.connect(store) as database:
        if instead_of is not None:
            statement = f"DELETE FROM {instead_of.table} WHERE name = ?"
            database.execute(statement, (instead_of.name,))
        statement = f"INSERT OR REPLACE INTO {row.table} VALUES (?, ?, ?, ?)"
        database.execute(statement, (row.name, value, row.seconds, digest))
    database.close()


def lose(store: Path, row: Row) -> None:
    """Take a row out."""
    with sqlite3.connect(store) as database:
        database.execute(f"DELETE FROM {row.table} WHERE name = ?", (row.name,))
    database.close()


def edit(store: Path, precious: Path, random: Random) -> str:
    """Edit a store in one way, and say which."""
    row = random.choice(read_rows(store))
    kind = random.choice(("lose", "double", "rename", "shape", "shape", "part", "bytes"))
    name = str(random.choice((*NAMES, str(precious))))
    if kind == "lose":
        lose(store, row)
    elif kind in ("double", "rename"):
        put(store, row._replace(name=name), row if kind == "rename" else None)
    elif kind == "bytes":
        half = row.after[: random.randrange(max(1, len(row.after)))]
        put(store, row._replace(after=random.choice((half, row.after + b"x"))))
    else:
        put(store, row._replace(value=changed(row.value, random, shape=kind == "shape")))
    return f"{kind} {row.name[:20]!a} of {row.table}" + f" ({name[:30]!a})" * (kind[-1] == "e")


def changed(value: Any, random: Random, *, shape: bool) -> Any:  # noqa: ANN401 - JSON
    """A value with another shape somewhere in it; or, if not so, a part lost or doubled."""
    value = copy.deepcopy(value)
    places = [place for place in _places(value) if shape or isinstance(place[0], list)]
    if not places:
        return random.choice(SHAPES)
    holder, at = random.choice(places)
    if shape:
        holder[at] = random.choice([s for s in SHAPES if type(s) is not type(holder[at])])
    elif random.random() < 0.5:
        del holder[at]
    else:
        holder.insert(at, copy.deepcopy(holder[at]))
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Every place in lists and objects, with its list or object."""
    if not isinstance(value, (list, dict)):
        return []
    own = list(range(len(value)) if isinstance(value, list) else value)
    below = [place for at in own for place in _places(value[at])]
    return [(value, at) for at in own] + below


def edited_run(world: World) -> None:
    """The store of a finished run, edited; given again, the run has its bytes or is refused."""
    folder = world.folder / "run"
    whole = world.random.random() < 0.5
    shutil.copytree(world.sound, folder, ignore=None if whole else _all_but_the_store)
    _edited(world, folder, "run.sqlite3", run_part(folder), outputs(world.sound))


def edited_scan(world: World) -> None:
    """The same of a scan."""
    folder = world.folder / "scan"
    whole = world.random.random() < 0.5
    shutil.copytree(world.scanned, folder, ignore=None if whole else _all_but_the_store)
    arguments = ["scan", str(world.games), "--out", str(folder), *SCAN]
    _edited(world, folder, "scan.sqlite3", arguments, scan_files(world.scanned))


def _all_but_the_store(_: str, names: list[str]) -> list[str]:
    return [name for name in names if ".sqlite3" not in name]


def scan_files(folder: Path) -> dict[str, bytes]:
    """What a scan leaves, but for what it keeps for itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("scan.")
    }


def _edited(
    world: World, folder: Path, store: str, arguments: list[str], sound: dict[str, bytes]
) -> None:
    precious = world.folder / PRECIOUS
    precious.write_text("precious")
    what = edit(folder / store, precious, world.random)
    done = sanproof(*arguments)
    with about(what):
        check_end(done.returncode, done.stderr)
        if precious.read_text() != "precious":
            raise NotCaught("a file beside the directory was changed")
        found = outputs(folder) if store.startswith("run") else scan_files(folder)
        if done.returncode == 0 and found != sound:
            different = {n for n in {*found, *sound} if found.get(n) != sound.get(n)}
            raise NotCaught(f"exit code 0 with other {', '.join(sorted(different))}")
