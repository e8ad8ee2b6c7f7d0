"""Time and memory of sanproof, beside the time that plain arithmetic takes on the same machine.

``nox -s bench -- --rounds 3`` runs whole commands three times and prints medians; ``--quick``
leaves out those that search for games, and ``--against DIR`` runs the checkout in DIR in turn.

Nothing is asserted. A ratio is to ten loops of ten million steps of arithmetic, of which two are
run with each command: the machine may be slower a minute later. What other processes take makes a
command's seconds more, and hardly its processor time.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = "import sys; sys.argv = sys.argv[1:]; from {} import main; sys.exit(main{})"
SANPROOF: Final = PROGRAM.format("sanproof.verify.commands.start", "()")
KERNEL: Final = PROGRAM.format("sanproof.proofs.kernel.__main__", "(sys.argv[1:])")
LOOK_UP: Final = "import sanproof; sanproof.look_up('Qb6e3#')"
LOOP: Final = "total = 0\nfor number in range(10_000_000): total += number * number"
LOOPS: Final = 10
"""Ten such loops are 1 in the table; about what a generator takes that proves nothing."""
JOBS: Final = (
    ("explain Qb6e3#", SANPROOF, "sanproof explain Qb6e3#"),
    ("explain Ba1b2+", SANPROOF, "sanproof explain Ba1b2+"),
    ("import sanproof, look_up", LOOK_UP, ""),
    ("kernel on data", KERNEL, "sanproof data"),
    ("scan of the cover", SANPROOF, "sanproof scan --workers 1 --check data/cover.pgn.xz"),
    ("verify --no-games", SANPROOF, "sanproof verify --no-games --out {}/two"),
    ("verify --no-games, again", SANPROOF, "sanproof verify --no-games --out {}/two"),
    (
        *("verify --no-games, one worker", SANPROOF),
        "sanproof verify --no-games --out {}/one --workers 1",
    ),
    ("verify", SANPROOF, "sanproof verify --out {}/whole"),
    ("audit of that", SANPROOF, "sanproof audit {}/whole"),
)
"""Each job's name, the program that Python runs, and its arguments with a folder for results."""
QUICK: Final = JOBS[:-2]


class Usage(NamedTuple):
    """The costs of a process, with all that it started: its largest process, in MiB, at the end."""

    seconds: float
    processor_seconds: float
    mib: float


LAUNCHER: Final = """
import json, os, subprocess, sys, time
begun = time.perf_counter()
process = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(process.pid, 0)
process.returncode = 0
seconds, code = time.perf_counter() - begun, os.waitstatus_to_exitcode(status)
answer = [code, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss]
os.write(int(sys.argv[1]), json.dumps(answer).encode())
"""
"""Starts a process from a small one: the peak of a child is its parent's at first."""


def launched(
    line: Sequence[str],
    patience_seconds: float | None = None,
    **options: Any,  # noqa: ANN401 - subprocess.Popen's
) -> tuple[int, Usage]:
    """Run a program to its end, or kill it after some time; return its exit code and usage."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", LAUNCHER, str(writer), *line],
        pass_fds=[writer],
        start_new_session=True,
        **options,
    )
    os.close(writer)
    try:
        process.wait(patience_seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with os.fdopen(reader, "rb") as answer:
        killed = f"[{-signal.SIGKILL}, 0, 0, 0]".encode()
        code, seconds, processor_seconds, peak = json.loads(answer.read() or killed)
    scale = 1024 if sys.platform == "darwin" else 1
    return code, Usage(seconds, processor_seconds, peak / scale / 1024)


def run(line: Sequence[str], tree: Path) -> Usage:
    """Run a program in a checkout, with its modules compiled; exit code 1 is an answer too."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as errors:
        code, used = launched(
            line, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        if code not in (0, 1):
            errors.seek(0)
            sys.exit(errors.read().decode(errors="replace"))
    return used


class Measured(NamedTuple):
    """A job as it was run once, and the seconds that ten loops took just before and after."""

    used: Usage
    loops_seconds: float


def measure(tree: Path, jobs: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, Measured]]:
    """Run each job of a checkout once, between two loops of arithmetic."""
    loop = [sys.executable, "-c", LOOP]
    with tempfile.TemporaryDirectory() as folder:
        lines = {
            name: [sys.executable, "-c", program, *arguments.format(folder).split()]
            for name, program, arguments in jobs
        }
        run(next(iter(lines.values())), tree)  # which compiles the modules
        for name, line in lines.items():
            before = run(loop, tree).processor_seconds
            used = run(line, tree)
            loops = LOOPS * (before + run(loop, tree).processor_seconds) / 2
            yield name, Measured(used, loops)


def row(name: str, results: Sequence[Measured]) -> str:
    """Return a job's row, in medians."""
    ratios = [result.used.seconds / result.loops_seconds for result in results]
    processor = [result.used.processor_seconds / result.loops_seconds for result in results]
    shown = f"{name:<34}{median(r.used.seconds for r in results):>9.2f}{median(ratios):>8.3f}"
    return f"{shown}{median(processor):>14.3f}{max(r.used.mib for r in results):>6.0f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="how often to run jobs")
    parser.add_argument("--quick", action="store_true", help="without the search for games")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    options = parser.parse_args()
    trees = [ROOT, *([Path(options.against).resolve()] if options.against else [])]
    measured: dict[tuple[Path, str], list[Measured]] = defaultdict(list)
    for _ in range(options.rounds):
        for tree in trees:
            for name, result in measure(tree, QUICK if options.quick else JOBS):
                measured[tree, name].append(result)
    print(" " * 36 + "seconds   ratio  of processor   MiB")
    for (tree, name), results in measured.items():
        print(row(f"{tree.name}: {name}" if len(trees) > 1 else name, results), flush=True)


if __name__ == "__main__":
    main()
