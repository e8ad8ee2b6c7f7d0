"""Time and memory of sanproof, beside the time that plain arithmetic takes on the same machine.

    nox -s harden -- bench                whole commands
    nox -s harden -- bench --rounds 3     three times, and the medians
    nox -s harden -- bench --quick        without those that search for games
    nox -s harden -- bench --against DIR  in turn with the checkout in DIR
    nox -s harden -- bench --scan 60000   only the scan of so many games, beside other readers

Nothing is asserted. A ratio is to ten loops of ten million steps of arithmetic, of which two are
run with each command: the machine may be slower a minute later. What other processes take makes a
command's seconds more, and hardly its processor time.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; sys.argv = sys.argv[1:]; from {} import main; sys.exit(main{})"


class Usage(NamedTuple):
    """What a process took, with all that it started: its largest process, in MiB, at the end."""

    seconds: float
    processor_seconds: float
    mib: float


def command(module: str, *arguments: str, tree: Path = ROOT, main: str = "()") -> list[str]:
    """How to run a module's ``main`` in a checkout, of any time."""
    package = "sanproof." if (tree / "sanproof" / "verify").exists() else ""
    return ["-c", PROGRAM.format(package + module, main), "sanproof", *arguments]


def sanproof(*arguments: str, tree: Path = ROOT) -> Usage:
    """Run the command of a checkout as a process."""
    return run_python(*command("verify.commands.start", *arguments, tree=tree), tree=tree)


LAUNCHER = """
import json, os, subprocess, sys, time
begun = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
process.returncode = 0
seconds = time.perf_counter() - begun
print(json.dumps([status, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""Starts a process from a small one: the peak of a child is its parent's at first."""


def run_python(*arguments: str, tree: Path = ROOT) -> Usage:
    """Run Python in a checkout, with its modules compiled; exit code 1 is an answer too."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.run(
            [sys.executable, "-I", "-c", LAUNCHER, sys.executable, *arguments],
            cwd=tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            check=True,
        )
        status, *used = json.loads(process.stdout)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            errors.seek(0)
            sys.exit(errors.read().decode(errors="replace"))
    seconds, processor_seconds, peak = used
    scale = 1024 if sys.platform == "darwin" else 1
    return Usage(seconds, processor_seconds, peak / scale / 1024)


LOOP = 10_000_000
"""Steps of arithmetic, to compare machines by."""
LOOPS = 10
"""So many loops are 1 in the table; about what a generator takes that proves nothing."""


JOBS = (
    *("explain Qb6e3#", "explain Ba1b2+", "import sanproof, look_up", "kernel on data"),
    *("verify --no-games", "verify --no-games, again", "verify --no-games, one worker"),
    *("verify", "audit of that"),
)
LOOK_UP = "import sanproof; sanproof.look_up('Qb6e3#')"


class Measured(NamedTuple):
    """A job as it was run once, and the seconds that ten loops took just before and after."""

    used: Usage
    loops_seconds: float


def jobs(trees: Sequence[Path], rounds: int, *, quick: bool) -> Iterator[str]:
    """The table: whole commands, in turn in each checkout, as medians."""
    yield " " * 36 + "seconds   ratio  of processor   MiB"
    measured: dict[tuple[Path, str], list[Measured]] = defaultdict(list)
    for _ in range(rounds):
        for tree in trees:
            for name, result in run_jobs(tree, quick=quick):
                measured[tree, name].append(result)
    for tree in trees:
        if len(trees) > 1:
            yield f"{tree.name}:"
        yield from (row(name, measured[tree, name]) for name in JOBS if measured[tree, name])


def row(name: str, results: Sequence[Measured]) -> str:
    """A job's row, in medians."""
    ratios = [result.used.seconds / result.loops_seconds for result in results]
    processor = [result.used.processor_seconds / result.loops_seconds for result in results]
    shown = f"{name:<34}{median(r.used.seconds for r in results):>9.2f}{median(ratios):>8.3f}"
    return f"{shown}{median(processor):>14.3f}{max(r.used.mib for r in results):>6.0f}"


def run_jobs(tree: Path, *, quick: bool) -> Iterator[tuple[str, Measured]]:
    """Each job once, between two loops of arithmetic."""
    kernel = command("proofs.kernel.__main__", "data", tree=tree, main="(sys.argv[1:])")
    with tempfile.TemporaryDirectory() as directory:
        one, two, whole = (str(Path(directory, name)) for name in ("one", "two", "whole"))

        def asked(*arguments: str) -> Callable[[], Usage]:
            return lambda: sanproof(*arguments, tree=tree)

        positions = ("verify", "--no-games", "--out")
        doings: list[Callable[[], Usage]] = [
            asked("explain", "Qb6e3#"),
            asked("explain", "Ba1b2+"),
            lambda: run_python("-c", LOOK_UP, tree=tree),
            lambda: run_python(*kernel, tree=tree),
            asked(*positions, two),
            asked(*positions, two),
            asked(*positions, one, "--workers", "1"),
            asked("verify", "--out", whole),
            asked("audit", whole),
        ]
        sanproof("explain", "Ba1b2+", tree=tree)  # which compiles the modules
        for name, do in list(zip(JOBS, doings, strict=True))[: -2 if quick else None]:
            yield name, beside_loops(do)


def beside_loops(job: Callable[[], Usage]) -> Measured:
    """Run a job, with a loop of arithmetic before it and one after it."""
    before = arithmetic()
    used = job()
    return Measured(used, LOOPS * (before + arithmetic()) / 2)


def arithmetic() -> float:
    """The processor seconds of a process that does a fixed piece of work, as a script does it."""
    loop = f"total = 0\nfor number in range({LOOP}): total += number * number"
    return run_python("-c", loop).processor_seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="how often to run jobs")
    parser.add_argument("--quick", action="store_true", help="without the search for games")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    parser.add_argument("--scan", metavar="N", type=int, help="only the scan of N games")
    options = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    if options.scan:
        from tests.campaigns.bench_scan import main as scan  # noqa: PLC0415 - it needs the extra

        scan(options.scan)
        return
    trees = [ROOT, *([Path(options.against).resolve()] if options.against else [])]
    for line in jobs(trees, options.rounds, quick=options.quick):
        print(line, flush=True)


if __name__ == "__main__":
    main()
