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


def run(program: str, arguments: str, tree: Path) -> Usage:
    """Run a program in a checkout, with its modules compiled; exit code 1 is an answer too."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    line = [sys.executable, "-c", program, *arguments.split()]
    code, used = launched(line, cwd=tree, env=environment, stdout=subprocess.DEVNULL)
    if code not in (0, 1):
        sys.exit(f"{arguments} ends with {code}")
    return used


def measure(tree: Path, jobs: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, list[float]]]:
    """Run each job of a checkout once, between two loops of arithmetic.

    Yields:
        Its name; seconds, their ratio to ten loops, that of its processor time, and MiB.
    """
    with tempfile.TemporaryDirectory() as folder:
        run(*QUICK[0][1:], tree)  # which compiles the modules
        for name, program, arguments in jobs:
            before = run(LOOP, "", tree).processor_seconds
            used = run(program, arguments.format(folder), tree)
            loops = LOOPS * (before + run(LOOP, "", tree).processor_seconds) / 2
            ratios = [used.seconds / loops, used.processor_seconds / loops]
            yield name, [used.seconds, *ratios, used.mib]


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="how often to run jobs")
    parser.add_argument("--quick", action="store_true", help="without the search for games")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    options = parser.parse_args()
    trees = [ROOT, *([Path(options.against).resolve()] if options.against else [])]
    measured: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for tree in options.rounds * trees:
        for name, numbers in measure(tree, QUICK if options.quick else JOBS):
            measured[tree.name if len(trees) > 1 else "", name].append(numbers)
    print(" " * 36 + "seconds   ratio  of processor   MiB")
    for (tree_name, name), results in measured.items():
        seconds, ratio, processor, mib = map(median, zip(*results, strict=True))
        print(f"{tree_name} {name:<34}{seconds:>9.2f}{ratio:>8.3f}{processor:>14.3f}{mib:>6.0f}")


if __name__ == "__main__":
    main()
