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
    World,
    about,
    check_again,
    check_end,
    run_part,
    scan_into,
)
from tests.campaigns.forging.__main__ import KINDS
from tests.campaigns.forging.model import NotCaught, lay_down, scene_of
from tests.verify.command import command, sanproof, started

PATIENCE_SECONDS: Final = 120

# --- Killed and stopped ---


def stopped(world: World) -> None:
    """Kill a run, or send it a signal and perhaps a second one; then give the command again."""
    world.precious  # noqa: B018 - makes it
    random, out = world.random, world.folder / "out"
    number = random.choice((signal.SIGKILL, *SENTENCES))
    with started(*run_part(out)) as process:
        deadline = time.monotonic() + random.uniform(0, 3)
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
    # Before Python has begun to run our code, a signal ends it in its own way.
    if process.returncode not in (0, 128 + number, -number) or "Traceback" in stderr:
        raise NotCaught(f"exit code {process.returncode}: {stderr[-600:]}")
    check_again(world, out, run_part(out), world.made / "sound")
    if not (out / "summary.json").exists():
        raise NotCaught("given again, it is not finished")


# --- Files that were changed between two calls of a command that writes ---


def changed_between(world: World) -> None:
    """Change a file that a command has written, and give the command again."""
    out, random = world.folder / "out", world.random
    run, scanned = str(world.made / "sound"), str(world.made / "scanned")
    commands = {
        "verify": run_part(out),
        "scan": scan_into(world, out),
        "report": ["report", run, "--out", str(out)],
        "report of a scan": ["report", scanned, "--out", str(out)],
        "suite": ["conformance", "export", "--out", str(out)],
        "export": ["export", "--what", "strings", "--out", str(out / "strings.txt")],
        "certificates": ["export", "--run", run, "--what", "certificates", "--out", str(out)],
    }
    name = random.choice(sorted(commands))
    if name == "verify":  # which takes longest
        shutil.copytree(run, out)
    else:
        if name == "export":
            out.mkdir()
        done = sanproof(*commands[name])
        if done.returncode:
            raise NotCaught(f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    files = sorted(path for path in out.rglob("*") if path.is_file() and "sqlite3" not in path.name)
    path = random.choice([path for path in files if path.stat().st_size])
    how, before = random.choice(sorted(CHANGES)), path.read_bytes()
    CHANGES[how](path, world.precious, random)
    done = sanproof(*commands[name])
    with about(f"{name}, {path.relative_to(out)} {how}"):
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
    whats = ("strings", "witnesses", "games", "reasons", "certificates", "vocabulary")
    for arguments in (
        ("report", str(run), "--out", str(world.folder / "page")),
        ("export", "--run", str(run), "--what", world.random.choice(whats)),
        ("gate", "--run", str(run), "data/san_strings.txt"),
        ("explain", "--run", str(run), "Nf3"),
    ):
        done = sanproof(*arguments)
        with about(f"{name} {number}, {arguments[0]}"):
            check_end(done.returncode, done.stderr)
