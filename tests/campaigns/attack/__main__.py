"""Commands under attack: killed, stopped, given damaged stores and forged runs, with no output.

``python -m tests.campaigns.attack [--seed S] [--count N] [--only WORD]`` tries each kind of
attack N times, and each hostile input of :mod:`tests.campaigns.attack.memory` once. What
must hold: no traceback; an exit code that the documentation knows, with a sentence if it is a
failure; and whatever was done to a run, it ends with the bytes of one to which nothing was done, or
it says that it is damaged.
"""

import argparse
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import click

from sanproof.verify.work.signals import SENTENCES
from tests.campaigns.attack import memory
from tests.campaigns.attack.ending import PART, SCAN, World, check_end
from tests.campaigns.attack.merging import merged_parts
from tests.campaigns.attack.stores import edited_run, edited_scan
from tests.campaigns.attack.surroundings import changed_between, hostile_folder, lying_server
from tests.campaigns.forging.__main__ import KINDS, Row, read_runs, show
from tests.campaigns.forging.model import NotCaught, lay_down, make_runs, scene_of
from tests.verify.command import ROOT, command, outputs, sanproof, started, verify
from tests.verify.scan.pgn import random_games

PATIENCE_SECONDS: Final = 120
STORE: Final = "run.sqlite3"
WHATS: Final = ("strings", "witnesses", "games", "reasons", "certificates", "vocabulary")
STREAMS: Final = {
    "output closed": ">&-",
    "errors closed": "2>&-",
    "both closed": ">&- 2>&-",
    "output full": ">/dev/full",
    "errors full": "2>/dev/full",
    "output read in part": "| head -c 1",
}
COMMANDS: Final = (
    "explain Nf3",
    "explain Ba1b2+",
    "gate data/san_strings.txt",
    "gate --format json README.md",
    "read Nf3 --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
    "export --what strings",
    "positions --count 3",
    "conformance",
)

Attack = Callable[[World], None]


def check_resumed(world: World) -> None:
    """The run, given again, ends with the bytes of the sound one.

    Raises:
        NotCaught: It does not.
    """
    done = sanproof(*verify(world.folder, PART, 2))
    if done.returncode:
        raise NotCaught(f"given again: exit code {done.returncode}: {done.stderr[-300:]}")
    if outputs(world.folder) != outputs(world.sound):
        raise NotCaught("given again, it ends with other bytes")


def kill(world: World) -> None:
    """The whole group is killed at some time, perhaps twice, and the run given again."""
    for _ in range(world.random.choice((1, 2))):
        with started(*verify(world.folder, PART, 2)) as process:
            _wait(process, world.random.uniform(0, 3))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    check_resumed(world)


def stop(world: World) -> None:
    """A signal, and perhaps a second one soon after; then the run is given again."""
    number = world.random.choice(list(SENTENCES))
    with started(*verify(world.folder, PART, 2)) as process:
        _wait(process, world.random.uniform(0, 3))
        for _ in range(world.random.choice((1, 2))):
            if process.poll() is None:
                os.killpg(process.pid, number)
            time.sleep(world.random.uniform(0, 0.5))
        try:
            _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise NotCaught(f"goes on after {signal.Signals(number).name}") from error
    # Before Python has begun to run our code, a signal ends it in its own way.
    if process.returncode not in (0, 128 + number, -number) or "Traceback" in stderr:
        raise NotCaught(f"exit code {process.returncode}: {stderr[-600:]}")
    check_resumed(world)


def _wait(process: subprocess.Popen[str], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)


def flip(world: World) -> None:
    """Random bits of a finished run's store."""
    store = _copied_store(world)
    content = bytearray(store.read_bytes())
    for _ in range(world.random.choice((1, 1, 8))):
        content[world.random.randrange(len(content))] ^= 1 << world.random.randrange(8)
    store.write_bytes(content)
    _check_damaged(world)


def aim(world: World) -> None:
    """One byte of one field of a finished run's store, changed by SQLite itself."""
    store = _copied_store(world)
    with sqlite3.connect(store) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master")]
        table = world.random.choice(sorted(t for t in tables if not t.startswith("sqlite")))
        rows = database.execute(f"SELECT * FROM {table}").fetchall()
        if rows:
            columns = [c[1] for c in database.execute(f"PRAGMA table_info({table})")]
            row = world.random.choice(rows)
            at = world.random.randrange(len(row))
            database.execute(
                f"UPDATE {table} SET {columns[at]} = ? WHERE name = ?",
                (_changed(row[at], world.random), row[0]),
            )
    database.close()
    _check_damaged(world)


def _changed(value: object, random: Random) -> object:
    if isinstance(value, (str, bytes)) and value:
        content = bytearray(value.encode() if isinstance(value, str) else value)
        content[random.randrange(len(content))] ^= 1 << random.randrange(7)
        return content.decode("latin-1") if isinstance(value, str) else bytes(content)
    return random.choice((None, -1, "x", b"", 1e300))


def _copied_store(world: World) -> Path:
    """The store alone, so that the files are written again, or with them."""
    if world.random.random() < 0.5:
        for path in world.sound.iterdir():
            shutil.copy(path, world.folder)
    else:
        shutil.copy(world.sound / STORE, world.folder)
    return world.folder / STORE


def _check_damaged(world: World) -> None:
    """Given again, the run ends with the same bytes, or it says what is wrong."""
    done = sanproof(*verify(world.folder, PART, 2))
    check_end(done.returncode, done.stderr)
    if done.returncode == 0 and outputs(world.folder) != outputs(world.sound):
        raise NotCaught("exit code 0 with other bytes")


def forge(world: World) -> None:
    """A forged run, in every command that reads runs but the audit."""
    name = world.random.choice(sorted(KINDS))
    number = world.random.randrange(1000)
    run = world.folder / "run"
    lay_down(KINDS[name](scene_of(world.runs, name, number)), run)
    for arguments in (
        ("report", str(run), "--out", str(world.folder / "page")),
        ("export", "--run", str(run), "--what", world.random.choice(WHATS)),
        ("gate", "--run", str(run), "data/san_strings.txt"),
        ("explain", "--run", str(run), "Nf3"),
    ):
        done = sanproof(*arguments)
        try:
            check_end(done.returncode, done.stderr)
        except NotCaught as error:
            raise NotCaught(f"{name} {number}, {' '.join(arguments[:1])}: {error}") from error


def close(world: World) -> None:
    """A command whose streams are closed, full, or read in part only."""
    line, streams = world.random.choice(COMMANDS), world.random.choice(sorted(STREAMS))
    typed = f"set -o pipefail; {shlex.join(command())} {line} {STREAMS[streams]}"
    done = subprocess.run(
        ["/bin/bash", "-c", typed],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    try:
        check_end(done.returncode, done.stderr, is_said=False)
    except NotCaught as error:
        raise NotCaught(f"{line}, {streams}: {error}") from error


ATTACKS: Final[dict[str, Attack]] = {
    "killed, and given again": kill,
    "stopped by signals, and given again": stop,
    "random bits of the store": flip,
    "fields of the store": aim,
    "rows of a run's store, hashes made right": edited_run,
    "rows of a scan's store, hashes made right": edited_scan,
    "parts of a merged scan": merged_parts,
    "files changed between two calls": changed_between,
    "hostile folders": hostile_folder,
    "servers that lie": lying_server,
    "forged runs": forge,
    "closed and full streams": close,
}


def make_sound(directory: Path) -> None:
    """Make what the attacks start from: runs, a run of the part, games and scans of them."""
    make_runs(directory)
    _make(verify(directory / "sound", PART, 2))
    make_scans(directory)


def make_scans(directory: Path) -> None:
    """Make games, two scans of them, and the scan into which these are merged."""
    games = directory / "games.pgn"
    games.write_text(
        "".join(random_games(7, 40)).replace("O-O ", "0-0 ").replace("\n1. Nf3", "\n1. Ng1f3")
    )
    others = directory / "others.pgn"
    others.write_text("".join(random_games(8, 20)).replace("O-O ", "0-0 "))
    first, second = str(directory / "scanned"), str(directory / "second")
    _make(("scan", str(games), "--out", first, *SCAN))
    _make(("scan", str(others), "--out", second, *SCAN))
    _make(("scan", "--merge", first, second, "--out", str(directory / "merged")))


def _make(arguments: Sequence[str]) -> None:
    done = sanproof(*arguments)
    if done.returncode:
        raise RuntimeError(done.stderr)


def attacks(directory: Path, count: int, seed: int, only: str = "") -> Iterator[Row]:
    """Try each attack so many times, and say what was wrong."""
    runs = read_runs(directory)
    for name, attack in ATTACKS.items():
        if only not in name:
            continue
        wrong = []
        for number in range(count):
            with TemporaryDirectory() as folder:
                world = World(
                    *(directory / "sound", runs, Path(folder), Random(f"{seed} {name} {number}")),
                    *(directory, directory / "games.pgn", directory / "scanned"),
                )
                try:
                    attack(world)
                except NotCaught as error:
                    wrong.append(f"{name} {number}: {error}")
        yield Row(name, count, wrong)


def main() -> int:
    """Print the table; the exit code is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="attack", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=20, help="tries of each kind")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    parser.add_argument("--only", metavar="WORD", default="", help="a part of the names of kinds")
    parser.add_argument(
        *("--megabytes", "-m"),
        type=int,
        default=memory.MEGABYTES,
        help="the size of hostile inputs",
    )
    options = parser.parse_args()
    begun = time.perf_counter()
    with TemporaryDirectory() as temporary:
        make_sound(Path(temporary))
        rows = chain(
            attacks(Path(temporary), options.count, options.seed, options.only),
            memory.attacks(options.megabytes, options.only),
        )
        wrong = show(rows)
    click.echo(f"seed {options.seed}, {time.perf_counter() - begun:.0f} s")
    for line in wrong:
        click.echo(line, err=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
