"""Things around a command that are not as they were: files, folders, signals, forged runs."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

from sanproof.verify.work.signals import SENTENCES
from tests.campaigns.attack.world import (
    CHANGES,
    PATIENCE_SECONDS,
    World,
    about,
    check_end,
    files_of,
    run_part,
    scan_into,
    tried,
)
from tests.campaigns.forging.__main__ import KINDS
from tests.campaigns.forging.model import NotCaught, lay_down, scene_of
from tests.verify.command import command, completed, sanproof, started

# --- Commands that write ---


def writers(world: World, out: Path) -> dict[str, list[str]]:
    """Return the commands that write to a folder, by name."""
    run, scanned = str(world.made / "sound"), str(world.made / "scanned")
    to = ("--out", str(out))
    merged = ("--merge", scanned, str(world.made / "scanned_more"))
    return {
        "verify": run_part(out),
        "scan": scan_into(world, out),
        "merge": ["scan", *merged, *to],
        "report": ["report", run, *to],
        "report of a scan": ["report", scanned, *to],
        "suite": ["conformance", "export", *to],
        "strings": ["export", "--what", "strings", "--out", str(out / "strings.txt")],
        "certificates": [
            "export",
            "--run",
            run,
            "--what",
            "certificates",
            "--out",
            str(out / "refutations"),
        ],
        "lists": ["generate", *to],
    }


INTO_FOLDERS: Final = frozenset({"strings", "certificates"})
"""Those that write a file to a folder which must be there."""


def written(world: World, name: str, out: Path) -> dict[str, bytes]:
    """Run a command undisturbed, and return what stands in its folder then."""
    if name == "verify":  # which takes longest
        shutil.copytree(world.made / "sound", out)
        return contents(out)
    if name in INTO_FOLDERS:
        out.mkdir()
    done = sanproof(*writers(world, out)[name])
    if done.returncode not in (0, 1):  # a library may fail cases of the suite
        raise NotCaught(f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    return contents(out)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder but for what tells times or is a command's own."""
    if any(folder.glob("*.sqlite3")):
        return files_of(folder)
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def give_again(world: World, name: str, out: Path, due: dict[str, bytes]) -> None:
    """Give a command again: it must leave what one leaves that nothing disturbed.

    Some refuse to write where something stands: there all of it must stand.
    """
    done = tried(*writers(world, out)[name])
    check_end(done.returncode, done.stderr)
    found = contents(out)
    if found != due and done.returncode not in (0, 1):
        raise NotCaught(f"given again, exit code {done.returncode}: {done.stderr[-300:]}")
    if different := sorted(n for n in {*found, *due} if found.get(n) != due.get(n)):
        raise NotCaught(f"given again, it leaves other {', '.join(different)}")


# --- Killed and stopped ---


def stopped(world: World) -> None:
    """Kill a command, or send it a signal and perhaps a second one; then give it again."""
    random, out = world.random, world.folder / "out"
    name = random.choice(sorted(writers(world, out)))
    due = written(world, name, world.folder / "undisturbed")
    if name in INTO_FOLDERS:
        out.mkdir()
    number = random.choice((signal.SIGKILL, *SENTENCES))
    with started(*writers(world, out)[name]) as process:
        deadline = time.monotonic() + random.uniform(0, 3 if name == "verify" else 1.5)
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        for _ in range(random.choice((1, 2))):
            if process.poll() is None:
                os.killpg(process.pid, number)
            time.sleep(random.uniform(0, 0.5))
        try:
            _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise NotCaught(f"goes on after {signal.Signals(number).name}") from error
    with about(f"{name}, {signal.Signals(number).name}"):
        # Before Python has begun to run our code, a signal ends it in its own way.
        ours = "<frozen site>" not in stderr
        documented = process.returncode in (0, 1, 128 + number, -number)
        if ours and (not documented or "Traceback" in stderr):
            raise NotCaught(f"exit code {process.returncode}: {stderr[-600:]}")
        give_again(world, name, out, due)


# --- Folders that cannot be written ---

AS_A_USER: Final = (
    *("setpriv", "--bounding-set", "-dac_override,-dac_read_search"),
    *("--inh-caps", "-dac_override,-dac_read_search"),
)
"""Takes from root the right to write everywhere."""


def unwritable(world: World) -> None:
    """Take away the right to write or read a folder, before or after it was written to."""
    random, out = world.random, world.folder / "out"
    name = random.choice(sorted(writers(world, out)))
    due = written(world, name, world.folder / "undisturbed")
    if random.random() < 0.5:
        out.mkdir()
    else:
        shutil.copytree(world.folder / "undisturbed", out)
    folder = random.choice([out, *(path for path in out.rglob("*") if path.is_dir())])
    mode = random.choice((0o000, 0o555, 0o111, 0o666))
    folder.chmod(mode)
    prefix = AS_A_USER if os.geteuid() == 0 else ()
    done = completed([*prefix, *command(*writers(world, out)[name])])
    folder.chmod(0o755)
    with about(f"{name}, {folder.relative_to(world.folder)} {mode:o}"):
        check_end(done.returncode, done.stderr)
        if done.returncode in (0, 1) and contents(out) != due:
            raise NotCaught(f"exit code {done.returncode}, and not all is there")
        give_again(world, name, out, due)


# --- A clock that goes back ---

BACKWARDS: Final = """
import random, time
now, seconds = time.time(), random.Random({seed})
def earlier():
    global now
    now -= seconds.expovariate(1 / 60)
    return now
time.time, time.time_ns = earlier, lambda: int(earlier() * 1e9)
"""
"""A module that Python imports first: each time that is asked for is before the last one."""


def backwards(world: World) -> None:
    """Run a command while the clock goes back, on files that are from the future."""
    random, out = world.random, world.folder / "out"
    name = random.choice(sorted(writers(world, out)))
    due = written(world, name, world.folder / "undisturbed")
    if name in INTO_FOLDERS:
        out.mkdir()
    elif random.random() < 0.5:
        shutil.copytree(world.folder / "undisturbed", out)
        for path in out.rglob("*"):
            os.utime(path, times=(0, time.time() + random.randint(-(10**9), 10**9)))
    clock = world.folder / "clock"
    clock.mkdir()
    (clock / "sitecustomize.py").write_text(BACKWARDS.format(seed=random.randrange(1 << 30)))
    env = os.environ | {"PYTHONPATH": str(clock)}
    with about(name):
        done = tried(*writers(world, out)[name], env=env)
        check_end(done.returncode, done.stderr)
        if done.returncode in (0, 1) and contents(out) != due:
            raise NotCaught("it leaves other bytes")
        give_again(world, name, out, due)


# --- Files that were changed between two calls of a command that writes ---


def changed_between(world: World) -> None:
    """Change a file that a command has written, and give the command again."""
    out, random = world.folder / "out", world.random
    name = random.choice(sorted(writers(world, out)))
    written(world, name, out)
    files = sorted(path for path in out.rglob("*") if path.is_file() and "sqlite3" not in path.name)
    path = random.choice([path for path in files if path.stat().st_size])
    followed = {"a link", "a pipe"} if name in INTO_FOLDERS else set()  # the user named the file
    how, before = random.choice(sorted(CHANGES.keys() - followed)), path.read_bytes()
    CHANGES[how](path, world.precious, random)
    with about(f"{name}, {path.relative_to(out)} {how}"):
        done = tried(*writers(world, out)[name])
        check_end(done.returncode, done.stderr)
        world.check_precious()
        if done.returncode == 0 and not _is_whole(path, before):
            raise NotCaught(f"exit code 0, and {path.name} is not as it was")


def _is_whole(path: Path, before: bytes) -> bool:
    """Return whether a file is there again; times differ, and a log is not written twice."""
    if path.name in ("summary.json", "manifest.json", "run.log", "scan.log"):
        return path.exists() or path.suffix == ".log"
    return path.is_file() and path.read_bytes() == before


# --- Folders that are not ours ---

MODULES: Final = (
    *("multiprocessing", "pickle", "json", "chess", "click", "numpy", "sqlite3", "venv", "pip"),
    *("verify", "proofs", "reports", "sitecustomize", "usercustomize", "tests", "random"),
)
IN_A_FOLDER: Final = (
    *("explain --prove O-O", "find O-O", "read Nf3", "gate --run {made}/sound games.pgn"),
    "scan --out scanned games.pgn --no-fast --workers 2",
    *("scan --check games.pgn", "audit {made}/run --workers 2"),
    "verify --out run --only O-O --workers 2 --no-games",
    "conformance run python-chess --only castling.*",
)


def hostile_folder(world: World) -> None:
    """Run a command in a folder full of modules, each of which notes that it was run."""
    note = world.folder / "was_run"
    for name in MODULES:
        text = f"open({str(note)!r}, 'a').write({name!r} + ' ')\n"
        (world.folder / f"{name}.py").write_text(text)
    shutil.copy(world.made / "games.pgn", world.folder / "games.pgn")
    line = world.random.choice(IN_A_FOLDER).format(made=shlex.quote(str(world.made)))
    done = subprocess.run(
        command(*shlex.split(line), first="import sys; sys.path[:1] = []; "),
        cwd=world.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    with about(line):
        if note.exists():
            raise NotCaught(f"it runs {note.read_text()}")
        check_end(done.returncode, done.stderr)


# --- Forged runs ---


def forged(world: World) -> None:
    """Give a forged run to every command that reads runs but the audit."""
    name, number = world.random.choice(sorted(KINDS)), world.random.randrange(1000)
    run = world.folder / "run"
    lay_down(KINDS[name](scene_of(world.runs, name, number)), run)
    for reader, arguments in readers(world, run).items():
        if reader not in OTHERS:
            with about(f"{name} {number}, {reader}"):
                done = tried(*arguments)
                check_end(done.returncode, done.stderr)


# --- Changed runs and scans ---

WHATS: Final = ("strings", "witnesses", "games", "reasons", "certificates", "vocabulary")
OTHERS: Final = frozenset({"audit", "report of a scan", "merge"})
"""The readers that forged runs are not for: the audit has a campaign of its own."""


def readers(world: World, folder: Path) -> dict[str, list[str]]:
    """Return the commands that read a finished run or scan, by name."""
    run, to = ["--run", str(folder)], ["--out", str(world.folder / "new")]
    return {
        "audit": ["audit", str(folder), "--workers", "2"],
        "report": ["report", str(folder), *to],
        "export": ["export", *run, "--what", world.random.choice(WHATS)],
        "gate": ["gate", *run, "data/san_strings.txt"],
        "explain": ["explain", *run, "Nf3"],
        "report of a scan": ["report", str(folder), *to],
        "merge": ["scan", "--merge", str(folder), str(world.made / "scanned_more"), *to],
    }


def changed(world: World) -> None:
    """Change a file of a finished run or scan, and give it to a command that reads such."""
    random, folder = world.random, world.folder / "finished"
    name = random.choice(sorted(readers(world, folder)))
    of = "scanned" if name in ("report of a scan", "merge") else "sound"
    shutil.copytree(world.made / of, folder)
    path = random.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    how = random.choice(sorted(CHANGES)) if path.stat().st_size else "removed"
    CHANGES[how](path, world.precious, random)
    with about(f"{name}, {path.relative_to(folder)} {how}"):
        done = tried(*readers(world, folder)[name])
        check_end(done.returncode, done.stderr)
        world.check_precious()
