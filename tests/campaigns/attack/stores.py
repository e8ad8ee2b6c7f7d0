"""Stores that were edited with care, so that every hash in them is right.

A row is lost, doubled, renamed, or has a part that is lost, doubled or of another shape. What a
scan's store counts is not changed to another number: only a new scan could tell.
"""

import copy
import hashlib
import json
import sqlite3
import zlib
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.campaigns.attack.world import (
    PRECIOUS,
    World,
    about,
    check_again,
    copied,
    flip,
    run_part,
    scan_into,
)

NAMES: Final = (
    *(f"../{PRECIOUS}", "/etc/hostname", "", ".", "..", "run.log", "summary.md", "san_strings.txt"),
    *("0" * 12, "9" * 12, "-1", "x" * 5000, "Na1", "a\nb", "\udcff".encode("utf-8", "replace")),
)
"""The names that a row gets instead."""
SHAPES: Final[tuple[object, ...]] = (
    *(None, True, -1, 1 << 70, 1.5, "", "x", [], {}, [[]], "8/8/8/8/8/8/8/8 w - - 0 1"),
)


class Row(NamedTuple):
    """A row of a store, taken apart."""

    table: str
    name: str
    value: Any
    seconds: float
    after: bytes = b""
    """The part that a scan keeps after the value, unpacked."""


def read_rows(store: Path) -> list[Row]:
    """Return all rows of a store."""
    database = sqlite3.connect(store)
    try:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema ORDER BY 1")]
        rows = [(t, *row) for t in tables for row in database.execute(f"SELECT * FROM {t}")]
    finally:
        database.close()
    found = []
    for table, name, content, seconds, _ in rows:
        unpacker = zlib.decompressobj()
        value, rest = json.loads(unpacker.decompress(content)), unpacker.unused_data
        found.append(Row(table, name, value, seconds, zlib.decompress(rest) if rest else b""))
    return found


def put(store: Path, row: Row | None, instead_of: Row | None = None) -> None:
    """Put a row into a store, with its right hash, perhaps in the place of another."""
    with sqlite3.connect(store) as database:
        if instead_of is not None:
            statement = f"DELETE FROM {instead_of.table} WHERE name = ?"
            database.execute(statement, (instead_of.name,))
        if row is not None:
            value = zlib.compress(json.dumps(row.value).encode(), 1)
            value += zlib.compress(row.after, 1) if row.after else b""
            told = f"{(row.table, row.name, row.seconds)!a}\n".encode() + value
            columns = (row.name, value, row.seconds, hashlib.sha256(told).digest())
            database.execute(f"INSERT OR REPLACE INTO {row.table} VALUES (?, ?, ?, ?)", columns)
    database.close()


def edit(store: Path, precious: Path, random: Random) -> str:
    """Edit a store in one way, and say which."""
    row = random.choice(read_rows(store))
    kind = random.choice(("lose", "double", "rename", "shape", "shape", "part", "bytes"))
    name = str(random.choice((*NAMES, str(precious))))
    if kind == "lose":
        put(store, None, row)
    elif kind in ("double", "rename"):
        put(store, row._replace(name=name), row if kind == "rename" else None)
    elif kind == "bytes":
        half = row.after[: random.randrange(max(1, len(row.after)))]
        put(store, row._replace(after=random.choice((half, row.after + b"x"))))
    else:
        put(store, row._replace(value=changed(row.value, random, shape=kind == "shape")))
    return f"{kind} {row.name[:20]!a} of {row.table}" + f" ({name[:30]!a})" * (kind[-1] == "e")


def changed(value: Any, random: Random, *, shape: bool) -> Any:  # noqa: ANN401 - JSON
    """Return a value with another shape somewhere in it; or else with a part lost or doubled."""
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
    """Return every place in lists and objects, with its list or object."""
    if not isinstance(value, (list, dict)):
        return []
    own = list(range(len(value)) if isinstance(value, list) else value)
    below = [place for at in own for place in _places(value[at])]
    return [(value, at) for at in own] + below


def edited(world: World) -> None:
    """Edit a store of a finished run or scan, and give the command again."""
    folder, random = world.folder / "out", world.random
    name = random.choice(("sound", "scanned"))
    copied(world.made / name, folder, random)
    store = folder / ("run.sqlite3" if name == "sound" else "scan.sqlite3")
    what = edit(store, world.precious, random)
    arguments = run_part(folder) if name == "sound" else scan_into(world, folder)
    with about(f"{name}, {what}"):
        check_again(world, folder, arguments, world.made / name)


def flipped(world: World) -> None:
    """Flip random bits of a finished run's store, and give the command again."""
    world.precious  # noqa: B018 - makes it
    folder = world.folder / "out"
    flip(copied(world.made / "sound", folder, world.random) / "run.sqlite3", world.random)
    check_again(world, folder, run_part(folder), world.made / "sound")
