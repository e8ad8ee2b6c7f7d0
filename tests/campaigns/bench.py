"""Time and memory of sanproof, beside the time that plain arithmetic takes on the same machine.

    nox -s harden -- bench                whole commands, with what is asked of them
    nox -s harden -- bench --rounds 3     three times, and the medians
    nox -s harden -- bench --quick        without those that search for games
    nox -s harden -- bench --against DIR  in turn with the checkout in DIR
    nox -s harden -- bench --parts        parts of the work: about half a minute
    nox -s harden -- bench --page run     only the page of a finished run
    nox -s harden -- bench --scan 60000   only the scan of so many games, beside other readers

Nothing is asserted. A ratio is to ten loops of ten million steps of arithmetic, of which two are
run with each command: the machine may be slower a minute later. What other processes take makes a
command's seconds more, and hardly its processor time.
"""

import argparse
import gzip
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sanproof.generator.strings import both_lists
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.decide import decide_cube, preferences
from sanproof.proofs.search.exact import encode_exact, encode_witness
from sanproof.proofs.search.gates import dimacs
from sanproof.proofs.search.preferences import ANYTHING
from sanproof.proofs.search.solvers import CadicalSession, Z3Context, Z3Session
from sanproof.proofs.verdicts.witness import Witness, check_witness
from sanproof.verify.run.harness import units_for
from sanproof.verify.run.workers import WorkUnit, solve_unit
from tests.strings import strings_of

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; sys.argv = sys.argv[1:]; from {} import main; sys.exit(main{})"
ORBITS = {
    "queen": Cube("Q", "", "d4"),
    "rook": Cube("R", "", "d4"),
    "bishop": Cube("B", "", "d4"),
    "knight": Cube("N", "", "d4"),
    "king": Cube("K", "", "d4"),
    "pawn": Cube("", "", "d4"),
    "promotion": Cube("", "", "d8"),
    "castling": Cube("O-O", "", ""),
}
EXPLAINED = ("e4", "Qb6e3#", "a1=Q#", "Ba1b2+", "Qxd4=Q#")


class Figure(NamedTuple):
    """A measured quantity; ``limit`` is what was asked for, None if nothing was."""

    name: str
    values: list[float]
    unit: str
    limit: float | None = None

    def row(self) -> str:
        """The figure as a row of the table."""
        middle = median(self.values)
        spread = f"{min(self.values):,.4g} to {max(self.values):,.4g}"
        limit, ratio = "", ""
        if self.limit is not None:
            limit, ratio = f"{self.limit:,.4g} {self.unit}", f"{middle / self.limit:.0%}"
        shown = f"{middle:,.4g} {self.unit}"
        return f"{self.name:<44} {shown:>13}  {spread:<20} {limit:>9} {ratio:>6}"


def seconds(action: Callable[[], object], repeats: int) -> list[float]:
    """How long the action takes, each time."""
    action()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        action()
        times.append(time.perf_counter() - begun)
    return times


def milliseconds(action: Callable[[], object], repeats: int) -> list[float]:
    """The same in milliseconds."""
    return [1000 * value for value in seconds(action, repeats)]


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


def commands() -> Iterator[Figure]:
    """The commands that answer at once, as whole processes."""
    with tempfile.TemporaryDirectory() as directory:
        times = seconds(lambda: sanproof("generate", "--out", directory), 20)
    yield Figure("sanproof generate", times, "s", 0.07)
    yield Figure("  python -c pass, for comparison", seconds(bare_python, 20), "s")
    for san in EXPLAINED:
        times = seconds(lambda san=san: sanproof("explain", san), 3)  # type: ignore[misc]
        yield Figure(f"sanproof explain {san}", times, "s", 2.0)


def bare_python() -> None:
    """Start the interpreter and end it."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def parts() -> Iterator[Figure]:
    """The parts of the work, in this process."""
    yield Figure("both lists of the generator", milliseconds(both_lists, 50), "ms", 10.0)
    cube = Cube("Q", "", "d4")
    yield Figure("encode Qd4, exact", milliseconds(lambda: encode_exact(cube), 10), "ms")
    times = milliseconds(lambda: encode_witness(cube, ANYTHING), 10)
    yield Figure("encode Qd4, for witnesses", times, "ms")
    yield Figure(
        "encode Qd4, relaxed", milliseconds(lambda: encode_relaxation(cube, Scope.CHECK), 10), "ms"
    )
    cnf = encode_exact(cube).cnf
    yield Figure("  write that as DIMACS, exact", milliseconds(lambda: dimacs(cnf), 10), "ms")
    yield from sessions(cube)
    witnesses = list(decide_cube(Cube("N", "", "d4")).witnesses.values())
    times = seconds(lambda: check_all(witnesses), 10)
    yield Figure("check witnesses of Nd4", [len(witnesses) / t for t in times], "/s")
    for piece, cube in ORBITS.items():
        (unit,) = [unit for unit in units_for([cube]) if cube in unit]
        yield Figure(f"decide the work unit of {cube} ({piece})", decisions(unit), "s")


def sessions(cube: Cube) -> Iterator[Figure]:
    """How large a cube's formulas are, and what the solvers take for the first answer to one."""
    witness = encode_witness(cube, preferences(cube)[0])
    geometry = encode_relaxation(cube, Scope.GEOMETRY)
    encodings = {
        "geometry": geometry,
        "check": encode_relaxation(cube, Scope.CHECK),
        "exact": encode_exact(cube),
        "witness with given men": witness,
    }
    for name, encoding in encodings.items():
        yield Figure(f"  clauses of {cube}, {name}", [len(encoding.cnf.clauses) / 1000], "k")
    yield Figure("make a context of Z3", milliseconds(Z3Context, 10), "ms")
    context = Z3Context()
    yield from first_question("Z3", "geometry", lambda: Z3Session(geometry.cnf, [], context), [])
    mate = witness.literals(next(san for san in strings_of(cube) if san.suffix == "#"))
    for name, session in (("Z3", Z3Session), ("CaDiCaL", CadicalSession)):
        opening = partial(session, witness.cnf, [])
        yield from first_question(name, "witness with given men", opening, mate)


def first_question(
    solver: str,
    name: str,
    opening: Callable[[], CadicalSession | Z3Session],
    question: Sequence[int],
) -> Iterator[Figure]:
    """How long it takes to open a session, and to answer its first question."""
    yield Figure(f"open a session of {solver}, {name}", milliseconds(opening, 5), "ms")
    opened = [opening() for _ in range(6)]
    times = milliseconds(lambda: opened.pop().solve(question), 5)
    yield Figure("  its first question", times, "ms")


def check_all(witnesses: list[Witness]) -> None:
    """Check every witness with python-chess."""
    for witness in witnesses:
        check_witness(witness)


def decisions(unit: WorkUnit) -> list[float]:
    """How long a worker takes for a work unit: search, proofs and checks."""
    return seconds(lambda: solve_unit(unit), 3)


LOOP = 10_000_000
"""Steps of arithmetic, to compare machines by."""
LOOPS = 10
"""So many loops are 1 in the table; about what a generator takes that proves nothing."""


class Asked(NamedTuple):
    """What is asked of a job on two quiet cores: the ratio that it must keep, and the goal."""

    condition: float
    goal: float


JOBS: dict[str, Asked | None] = {
    "explain Qb6e3#": Asked(0.012, 0.008),
    "explain Ba1b2+": Asked(0.012, 0.008),
    "import sanproof, look_up": Asked(0.012, 0.008),
    "kernel on data": Asked(0.6, 0.3),
    "verify --no-games": Asked(1.0, 0.6),
    "verify --no-games, one worker": None,
    "verify --no-games, again": None,
    "verify": Asked(7.0, 4.0),
    "audit of that": Asked(1.4, 0.8),
}
LOOK_UP = "import sanproof; sanproof.look_up('Qb6e3#')"


class Measured(NamedTuple):
    """A job as it was run once, and the seconds that ten loops took just before and after."""

    used: Usage
    loops_seconds: float


def jobs(trees: Sequence[Path], rounds: int, *, quick: bool) -> Iterator[str]:
    """The table: whole commands, in turn in each checkout, as medians."""
    yield " " * 36 + "seconds   ratio  of processor   MiB  condition   goal"
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
    """A job's row: medians, and what is asked."""
    ratios = [result.used.seconds / result.loops_seconds for result in results]
    processor = [result.used.processor_seconds / result.loops_seconds for result in results]
    shown = f"{name:<34}{median(r.used.seconds for r in results):>9.2f}{median(ratios):>8.3f}"
    shown += f"{median(processor):>14.3f}{max(r.used.mib for r in results):>6.0f}"
    asked = JOBS[name]
    return shown if asked is None else f"{shown}{asked.condition:>11}{asked.goal:>7}"


def run_jobs(tree: Path, *, quick: bool) -> Iterator[tuple[str, Measured]]:
    """Each job once, between two loops of arithmetic."""
    kernel = command("proofs.kernel.__main__", "data", tree=tree, main="(sys.argv[1:])")
    with tempfile.TemporaryDirectory() as directory:
        one, two, whole = (str(Path(directory, name)) for name in ("one", "two", "whole"))
        positions = ("verify", "--no-games", "--out")
        sanproof("explain", "Ba1b2+", tree=tree)  # which compiles the modules
        yield "explain Qb6e3#", beside_loops(lambda: sanproof("explain", "Qb6e3#", tree=tree))
        yield "explain Ba1b2+", beside_loops(lambda: sanproof("explain", "Ba1b2+", tree=tree))
        look_up = beside_loops(lambda: run_python("-c", LOOK_UP, tree=tree))
        yield "import sanproof, look_up", look_up
        yield "kernel on data", beside_loops(lambda: run_python(*kernel, tree=tree))
        yield "verify --no-games", beside_loops(lambda: sanproof(*positions, two, tree=tree))
        again = beside_loops(lambda: sanproof(*positions, two, tree=tree))
        yield "verify --no-games, again", again
        alone = beside_loops(lambda: sanproof(*positions, one, "--workers", "1", tree=tree))
        yield "verify --no-games, one worker", alone
        if not quick:
            yield "verify", beside_loops(lambda: sanproof("verify", "--out", whole, tree=tree))
            yield "audit of that", beside_loops(lambda: sanproof("audit", whole, tree=tree))


def beside_loops(job: Callable[[], Usage]) -> Measured:
    """Run a job, with a loop of arithmetic before it and one after it."""
    before = arithmetic()
    used = job()
    return Measured(used, LOOPS * (before + arithmetic()) / 2)


def arithmetic() -> float:
    """The processor seconds of a process that does a fixed piece of work, as a script does it."""
    loop = f"total = 0\nfor number in range({LOOP}): total += number * number"
    return run_python("-c", loop).processor_seconds


def page(run: str) -> Iterator[Figure]:
    """``sanproof report``, and how much of the page a phone loads; packed as web hosts pack it."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory, "page")
        directory_of_run = str(Path(run).resolve())  # sanproof is run from the root of this tree
        times = seconds(lambda: sanproof("report", directory_of_run, "--out", str(folder)), 3)
        yield Figure(f"sanproof report {run}", times, "s")
        sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
        yield Figure("  its folder", [sum(sizes) / 2**20], "MiB")
        names = ("index.html", "board.js", "san.js", "player.js", "seen.js", "atlas.js", "page.js")
        first = [folder / name for name in (*names, "board.css", "page.css")]
        shards = list((folder / "data").iterdir())
        for packed, size in ((", packed", packed_kib), ("", kib)):
            figures = [sum(map(size, first))]
            yield Figure(f"  first view{packed}, without its string", figures, "KiB")
            yield Figure(f"  look-up{packed}", [size(path) for path in shards], "KiB")


def kib(path: Path) -> float:
    """The size of a file."""
    return path.stat().st_size / 1024


def packed_kib(path: Path) -> float:
    """The size of a file as gzip leaves it."""
    return len(gzip.compress(path.read_bytes())) / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="how often to run jobs")
    parser.add_argument("--quick", action="store_true", help="without the search for games")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    parser.add_argument("--parts", action="store_true", help="only parts of the work")
    parser.add_argument("--page", metavar="RUN", help="only the page of this finished run")
    parser.add_argument("--scan", metavar="N", type=int, help="only the scan of N games")
    options = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    if options.scan:
        from tests.campaigns.bench_scan import main as scan  # noqa: PLC0415 - it needs the extra

        scan(options.scan)
        return
    if not (options.parts or options.page):
        trees = [ROOT, *([Path(options.against).resolve()] if options.against else [])]
        for line in jobs(trees, options.rounds, quick=options.quick):
            print(line, flush=True)
        return
    print(f"{'':<44} {'median':>13}  {'spread':<20} {'limit':>9} {'ratio':>6}")
    figures = page(options.page) if options.page else chain(commands(), parts())
    for figure in figures:
        print(figure.row(), flush=True)


if __name__ == "__main__":
    main()
