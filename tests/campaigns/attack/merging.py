"""``sanproof scan --merge`` under attack: parts that are damaged, forged, lost or half written.

What must hold: a documented end, and one sentence if it is a failure; nothing but the whole result
or nothing; and the parts as they were.
"""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tests.campaigns.attack.ending import World, about, check_end
from tests.campaigns.attack.stores import PRECIOUS, edit, scan_files
from tests.campaigns.attack.surroundings import CHANGES
from tests.campaigns.forging.model import NotCaught
from tests.verify.command import sanproof, started

STORE: Final = "scan.sqlite3"
LONGEST_SECONDS: Final = 2.0


def _edited(part: Path, precious: Path, random: Random) -> str:
    return edit(part / STORE, precious, random)


def _flipped(part: Path, _: Path, random: Random) -> str:
    content = bytearray((part / STORE).read_bytes())
    at = random.randrange(len(content))
    content[at] ^= 1 << random.randrange(8)
    (part / STORE).write_bytes(content)
    return f"bit of byte {at}"


def _half_written(part: Path, _: Path, random: Random) -> str:
    size = random.randrange((part / STORE).stat().st_size)
    os.truncate(part / STORE, size)
    return f"store cut to {size} bytes"


def _lost(part: Path, _: Path, random: Random) -> str:
    path = random.choice(sorted(path for path in part.rglob("*") if path.is_file()))
    path.unlink()
    return f"{path.relative_to(part)} lost"


def _changed(part: Path, precious: Path, random: Random) -> str:
    files = [path for path in part.rglob("*") if path.is_file() and path.name != STORE]
    path, how = random.choice(sorted(files)), random.choice(sorted(CHANGES))
    CHANGES[how](path, precious)
    return f"{path.relative_to(part)} {how}"


def _no_folder(part: Path, precious: Path, random: Random) -> str:
    how = random.choice(("nothing", "a file", "an empty folder", "a link to nothing"))
    shutil.rmtree(part)
    if how == "a file":
        part.write_bytes(b"x")
    elif how == "an empty folder":
        part.mkdir()
    elif how == "a link to nothing":
        part.symlink_to(precious.with_name("nowhere"))
    return how


def _other_part(part: Path, _: Path, __: Random) -> str:
    other = next(path for path in part.parent.iterdir() if path.is_dir() and path != part)
    shutil.rmtree(part)
    shutil.copytree(other, part)
    return "one part twice"


DAMAGES: Final[dict[str, Callable[[Path, Path, Random], str]]] = {
    "rows of its store, hashes made right": _edited,
    "a bit of its store": _flipped,
    "half written": _half_written,
    "a file lost": _lost,
    "a file changed": _changed,
    "no folder": _no_folder,
    "twice": _other_part,
}


def merged_parts(world: World) -> None:
    """One of two parts is damaged, and they are merged; or the merging is killed on the way."""
    parts = [world.folder / "parts" / name for name in ("one", "two")]
    for part, sound in zip(parts, (world.scanned, world.second), strict=True):
        shutil.copytree(sound, part)
    precious = world.folder / PRECIOUS
    precious.write_text("precious")
    arguments = ["scan", "--merge", *map(str, parts), "--out", str(world.folder / "out")]
    what = "killed"
    if world.random.random() < 1 / (1 + len(DAMAGES)):
        _killed(arguments, world.random)
    else:
        name = world.random.choice(sorted(DAMAGES))
        what = f"{name}: {DAMAGES[name](world.random.choice(parts), precious, world.random)}"
    before = _content(parts[0].parent)
    done = sanproof(*arguments)
    with about(what):
        _check(world, done.returncode, done.stderr)
        if _content(parts[0].parent) != before or precious.read_text() != "precious":
            raise NotCaught("a part, or a file beside it, is not as it was")


def _killed(arguments: list[str], random: Random) -> None:
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


def _check(world: World, code: int, stderr: str) -> None:
    check_end(code, stderr)
    out = world.folder / "out"
    if code == 0 and scan_files(out) != scan_files(world.merged):
        raise NotCaught("exit code 0 with other files")
    if code and out.exists():
        raise NotCaught(f"exit code {code}, and there is a result")
    if code and len(stderr.strip().splitlines()) > 1:
        raise NotCaught(f"more than a sentence: {stderr[-600:]}")


def _content(folder: Path) -> dict[Path, object]:
    """All files below a folder, without what SQLite has beside an open file."""
    return {
        path: path.readlink() if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or (path.is_file() and not path.name.endswith(("-wal", "-shm")))
    }
