"""Time and memory of sanproof, as a table with the limits that were set for it.

    python tests/bench.py                everything but whole runs: about half a minute
    python tests/bench.py --full         with whole runs, on all cores
    python tests/bench.py --jobs         the jobs that have goals, each three times (--rounds N)
    python tests/bench.py --jobs --against DIR   in turn with the checkout in DIR, for a comparison
    python tests/bench.py --page run     only the page of a finished run
    python tests/bench.py --scan 60000   only the scan of so many games, beside other readers

Each figure is the median of several measurements; the spread is from the fastest to the slowest.
Nothing is asserted: compare figures of one machine with each other, or with those of another by
the time that the same arithmetic takes on both.
"""

import argparse
import gzip
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

# Not tests/, the folder of this file: its folders have the names of the packages.
sys.path.insert(0, str(Path(__file__).parents[1]))

from sanproof.generator.strings import both_lists
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.decide import decide_cube, wishes
from sanproof.proofs.search.dimacs import dimacs
from sanproof.proofs.search.exact import encode_exact, encode_witness
from sanproof.proofs.search.solvers import CadicalSession, Z3Context, Z3Session
from sanproof.proofs.search.wishes import ANYTHING
from sanproof.proofs.verdicts.check import check_witness
from sanproof.proofs.verdicts.witness import Witness
from sanproof.verify.run.harness import units_for
from sanproof.verify.run.workers import WorkUnit, solve_unit
from tests.strings import strings_of

ROOT = Path(__file__).parents[1]
PROGRAM = "import sys; sys.argv[0] = 'sanproof'; from {} import main; main()"
START_THEN = "verify.start"
"""Where the command began until version 0.1.0."""
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


def sanproof(*arguments: str, tree: Path = ROOT) -> None:
    """Run the command of a checkout as a process; exit code 1 is an answer too."""
    start = (
        "sanproof.verify.commands.start"
        if (tree / "verify/commands/start.py").exists()
        else START_THEN
    )
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(start), *arguments],
        cwd=tree,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)


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
    witness = encode_witness(cube, wishes(cube)[0])
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
GOALS = {
    "verify --no-games": 10.0,
    "  with one worker": None,
    "  again, finished": 0.5,
    "verify, games and cover too": 75.0,
    "audit of that": 20.0,
    "explain Qb6e3#": 0.2,
    "explain Ba1b2+": 0.2,
}
"""The most that each job was to take on a quiet machine of two cores, in seconds."""


def jobs(trees: Sequence[Path], rounds: int) -> Iterator[Figure]:
    """The jobs that have goals, as whole processes, in turn in each checkout."""
    times: dict[tuple[Path, str], list[float]] = defaultdict(list)
    for _ in range(rounds):
        for tree in trees:
            for name, taken in timed_jobs(tree):
                times[tree, name].append(taken)
    for tree in trees:
        where = f", {tree.name}" if len(trees) > 1 else ""
        for name, limit in GOALS.items():
            yield Figure(name + where, times[tree, name], "s", limit)
        growth = zip(times[tree, "  with one worker"], times[tree, "verify --no-games"])  # noqa: B905
        yield Figure(
            f"two workers against one{where}", [one / two for one, two in growth], "times", 1.8
        )
    yield Figure("python -c pass", seconds(bare_python, 20), "s")
    yield Figure(f"{LOOP:,} steps of arithmetic", seconds(arithmetic, 3), "s")


def timed_jobs(tree: Path) -> Iterator[tuple[str, float]]:
    """Each job once."""

    def taken(*arguments: str) -> float:
        begun = time.perf_counter()
        sanproof(*arguments, tree=tree)
        return time.perf_counter() - begun

    with tempfile.TemporaryDirectory() as directory:
        one, two, whole = (str(Path(directory, name)) for name in ("one", "two", "whole"))
        yield "explain Qb6e3#", taken("explain", "Qb6e3#")
        yield "explain Ba1b2+", taken("explain", "Ba1b2+")
        yield "  with one worker", taken("verify", "--no-games", "--workers", "1", "--out", one)
        positions = ("verify", "--no-games", "--workers", "2", "--out", two)
        yield "verify --no-games", taken(*positions)
        yield "  again, finished", taken(*positions)
        yield "verify, games and cover too", taken("verify", "--workers", "2", "--out", whole)
        yield "audit of that", taken("audit", whole, "--workers", "2")


def arithmetic() -> int:
    """A fixed piece of work."""
    total = 0
    for number in range(LOOP):
        total += number * number
    return total


WHOLE_RUNS = {
    "without games": (("--no-games",), 60.0, 60.0),
    "with games, no cover": (("--no-cover",), 240.0, 120.0),
    "with games and cover": ((), 240.0, 120.0),
}
"""The arguments of whole runs, and what was set for them and for their audits, in seconds."""


def whole_runs() -> Iterator[Figure]:
    """``sanproof verify`` from nothing, on all cores, once more when finished, and the audit."""
    for name, (arguments, limit, audit_limit) in WHOLE_RUNS.items():
        with tempfile.TemporaryDirectory() as directory:
            run = str(Path(directory, "run"))
            verify = ("verify", "--out", run, *arguments)
            begun = time.perf_counter()
            sanproof(*verify)
            yield Figure(f"verify {name}, from nothing", [time.perf_counter() - begun], "s", limit)
            yield Figure("  memory of the largest process so far", [largest_mib()], "MiB", 500.0)
            yield Figure("  verify, finished", seconds(lambda: sanproof(*verify), 3), "s", 1.0)  # noqa: B023
            size = sum(path.stat().st_size for path in Path(run).iterdir())
            yield Figure("  its run directory", [size / 2**20], "MiB")
            begun = time.perf_counter()
            sanproof("audit", run)
            yield Figure(f"audit {name}", [time.perf_counter() - begun], "s", audit_limit)
            yield Figure("  memory of the largest process so far", [largest_mib()], "MiB", 500.0)


def largest_mib() -> float:
    """The memory of the largest process that has ended."""
    scale = 1024 if sys.platform == "darwin" else 1
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / scale / 1024


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
    parser.add_argument("--full", action="store_true", help="with whole runs")
    parser.add_argument("--jobs", action="store_true", help="only the jobs that have goals")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often to run them")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    parser.add_argument("--page", metavar="RUN", help="only the page of this finished run")
    parser.add_argument("--scan", metavar="N", type=int, help="only the scan of N games")
    options = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    if options.scan:
        from tests.bench_scan import main as scan  # noqa: PLC0415 - it needs the extra

        scan(options.scan)
        return
    print(f"{'':<44} {'median':>13}  {'spread':<20} {'limit':>9} {'ratio':>6}")
    # Whole runs first: the memory of children is the maximum over all that have ended.
    measures: list[Callable[[], Iterator[Figure]]] = [commands, parts]
    if options.full:
        measures.insert(0, whole_runs)
    if options.jobs:
        trees = [ROOT, *([Path(options.against)] if options.against else [])]
        measures = [lambda: jobs(trees, options.rounds)]
    if options.page:
        measures = [lambda: page(options.page)]
    for measure in measures:
        for figure in measure():
            print(figure.row(), flush=True)


if __name__ == "__main__":
    main()
