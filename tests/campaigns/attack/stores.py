"""Stores that somebody has edited with care, so that every hash in them is right; and merged scans.

A row is lost, doubled, renamed, or has a part that is lost, doubled or of another shape. What a
scan's store counts is not changed to another number: only a new scan could tell.
"""

import copy
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.campaigns.attack.world import (
    CHANGES,
    PRECIOUS,
    World,
    about,
    check_again,
    check_end,
    copied,
    flip,
    run_part,
    scan_files,
    scan_into,
)
from tests.campaigns.forging.model import NotCaught
from tests.verify.command import sanproof, started

NAMES: Final = (
    *(f"../{PRECIOUS}", "/etc/hostname", "", ".", "..", "run.log", "summary.md", "san_strings.txt"),
    *("0" * 12, "9" * 12, "-1", "x" * 5000, "Na1", "a\nb", "\udcff".encode("utf-8", "replace")),
)
"""What a row is called instead."""
SHAPES: Final[tuple[object, ...]] = (
    *(None, True, -1, 1 << 70, 1.5, "", "x", [], {}, [[]], "8/8/8/8/8/8/8/8 w - - 0 1"),
)
LONGEST_SECONDS: Final = 2.0


class Row(NamedTuple):
    """A row of a store, taken apart."""

    table: str
    name: str
    value: Any
    seconds: float
    after: bytes = b""
    """What a scan keeps after the value, unpacked."""


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
    """A store of a finished run or scan is edited, and the command given again."""
    folder, random = world.folder / "out", world.random
    name = random.choice(("sound", "scanned"))
    copied(world.made / name, folder, random)
    store = folder / ("run.sqlite3" if name == "sound" else "scan.sqlite3")
    what = edit(store, world.precious, random)
    arguments = run_part(folder) if name == "sound" else scan_into(world, folder)
    with about(f"{name}, {what}"):
        check_again(world, folder, arguments, world.made / name)


def flipped(world: World) -> None:
    """Random bits of a finished run's store."""
    world.precious  # noqa: B018 - makes it
    folder = world.folder / "out"
    flip(copied(world.made / "sound", folder, world.random) / "run.sqlite3", world.random)
    check_again(world, folder, run_part(folder), world.made / "sound")


# --- Parts of a merged scan: damaged, forged, lost or half written ---


def _some(part: Path, random: Random, *, store: bool = True) -> Path:
    found = [path for path in part.rglob("*") if path.is_file()]
    return random.choice(sorted(path for path in found if store or "sqlite3" not in path.name))


def _no_folder(part: Path, precious: Path, random: Random) -> None:
    shutil.rmtree(part)
    random.choice((
        lambda: None,
        lambda: part.write_bytes(b"x"),
        part.mkdir,
        lambda: part.symlink_to(precious.with_name("nowhere")),
    ))()  # fmt: skip


def _twice(part: Path, _: Path, __: Random) -> None:
    other = next(path for path in part.parent.iterdir() if path.is_dir() and path != part)
    shutil.rmtree(part)
    shutil.copytree(other, part)


DAMAGES: Final[dict[str, Callable[[Path, Path, Random], object]]] = {
    "rows of its store": lambda part, precious, r: edit(part / "scan.sqlite3", precious, r),
    "a bit of its store": lambda part, _, random: flip(part / "scan.sqlite3", random),
    "half written": lambda part, p, random: CHANGES["cut"](part / "scan.sqlite3", p, random),
    "a file lost": lambda part, _, random: _some(part, random).unlink(),
    "a file changed": lambda part, precious, random: CHANGES[random.choice(sorted(CHANGES))](
        _some(part, random, store=False), precious, random
    ),
    "no folder": _no_folder,
    "twice": _twice,
}


def merged(world: World) -> None:
    """One of two parts is damaged, and they are merged; or the merging is killed on the way."""
    parts = [world.folder / "parts" / name for name in ("one", "two")]
    for part, name in zip(parts, ("scanned", "second"), strict=True):
        shutil.copytree(world.made / name, part)
    out = world.folder / "out"
    arguments = ["scan", "--merge", *map(str, parts), "--out", str(out)]
    what = world.random.choice((*sorted(DAMAGES), "killed"))
    if what == "killed":
        killed(arguments, world.random)
    else:
        DAMAGES[what](world.random.choice(parts), world.precious, world.random)
    world.precious  # noqa: B018 - makes it
    before = _content(world.folder / "parts")
    done = sanproof(*arguments)
    with about(what):
        check_end(done.returncode, done.stderr)
        world.check_precious()
        if done.returncode == 0 and scan_files(out) != scan_files(world.made / "merged"):
            raise NotCaught("exit code 0 with other files")
        if done.returncode and out.exists():
            raise NotCaught(f"exit code {done.returncode}, and there is a result")
        if done.returncode and len(done.stderr.strip().splitlines()) > 1:
            raise NotCaught(f"more than a sentence: {done.stderr[-600:]}")
        if _content(world.folder / "parts") != before:
            raise NotCaught("a part is not as it was")


def killed(arguments: list[str], random: Random) -> None:
    """Kill a merge at some time; nothing but the whole result, or nothing, may be left."""
    with started(*arguments) as process:
        time.sleep(random.uniform(0, LONGEST_SECONDS))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    out = Path(arguments[-1])
    if out.exists():
        if not (out / "summary.json").exists():
            raise NotCaught("killed, and half of the result is there")
        shutil.rmtree(out)


def _content(folder: Path) -> dict[Path, object]:
    """Return all files below a folder, without what SQLite has beside an open file."""
    return {
        path: path.readlink() if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or (path.is_file() and not path.name.endswith(("-wal", "-shm")))
    }
