"""Makes mutants in a copy of the tree, one after the other, and runs there what may notice them.

Each mutant has a process of its own, forked from this one, which has loaded whatever takes long to
load and is not under test. Nothing of the tree is loaded here but this room.
"""

import contextlib
import importlib
import json
import math
import os
import resource
import shutil
import signal
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import chess
import hypothesis
import pytest

from tests.campaigns.mutation.detectors import ROOT, Detector, detectors_of
from tests.campaigns.mutation.operators import Mutant

ROOMS: Final = ("generator", "proofs", "reports", "tests", "verify", "sanproof")
"""The packages that are imported from the copy only."""
LEFT_OUT: Final = ("__pycache__", ".*", "node_modules")
DATA: Final = ("san_strings_with_symbols.txt", "games.txt.xz", "certificates.txt.xz")
PRELOADED: Final = (chess, hypothesis, pytest)
MOST_MEMORY: Final = 6 << 30
"""A test of packed files asks for a window of 2 GiB, and for as much again to fill it."""
PATIENCE: Final = 5
"""The factor by which the detectors of a mutant may take longer than on the right tree."""
SHORTEST_LIMIT_SECONDS: Final = 20
LONGEST_WAIT_SECONDS: Final = 120
"""This much longer it may take in all, in which it waits for others or for ever."""
ANY_MODULE: Final = "proofs.kernel"
"""The module that is loaded first where nothing is changed."""
TIME: Final = "the time limit"
"""The name of what has noticed a mutant that does not end in time."""
FEW_EXAMPLES: Final = 12
"""The examples in the first round, which most mutants end: those of the usual session."""
MANY_EXAMPLES: Final = 100
"""The number that Hypothesis uses by itself."""


class Outcome(NamedTuple):
    """The end of a mutant, or of the right tree.

    Attributes:
        noticed_by: The detector that noticed something; empty if none did.
        said: What it said.
        seconds: The time that all took.
        cpu_seconds: The time that it computed.
    """

    noticed_by: str
    said: str
    seconds: float
    cpu_seconds: float


class Limit(NamedTuple):
    """The time that something may take.

    Attributes:
        cpu_seconds: The time that it may compute: it does not depend on what else the machine does.
        seconds: The time in all, for what does not compute but waits.
    """

    cpu_seconds: int
    seconds: float


class Round(NamedTuple):
    """The work of one process.

    Attributes:
        detectors: What runs, in this order.
        most_examples: How many examples stand for a hundred.
    """

    detectors: tuple[Detector, ...]
    most_examples: int


def rounds(module: str) -> list[Round]:
    """Return what a module's mutants go through: each test in brief, then everything in full."""
    every = detectors_of(module)
    brief = tuple(detector for detector in every if "".join(detector.arguments[-1:])[-3:] == ".py")
    return [Round(brief, FEW_EXAMPLES), Round(every, MANY_EXAMPLES)][0 if brief else 1 :]


@contextlib.contextmanager
def snapshot(data: Path) -> Iterator[Path]:
    """Yield a copy of this tree as it is now, whatever is edited meanwhile."""
    with TemporaryDirectory(prefix="sanproof-mutants-") as directory:
        tree = Path(directory, "tree")
        shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for name in DATA:
            shutil.copy2(data / name, tree / "data")
        yield tree


def path_of(module: str, tree: Path) -> Path:
    """Return the file of a module."""
    return Path(tree, *module.split(".")).with_suffix(".py")


@contextlib.contextmanager
def mutated(mutant: Mutant, tree: Path) -> Iterator[None]:
    """Put a mutant's change into the tree meanwhile, with nothing compiled of that module."""
    path = path_of(mutant.module, tree)
    source = path.read_text(encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
    path.write_text(mutant.source, encoding="utf-8")
    forget_compiled(source, tree)
    try:
        yield
    finally:
        path.write_text(source, encoding="utf-8")
        forget_compiled(source, tree)


def forget_compiled(source: str, tree: Path) -> None:
    """Remove what numba has kept, if a file has loops: those of other files may hold them."""
    if "proofs.games.compiled import" in source:
        for kept in tree.rglob("*.nb[ic]"):
            kept.unlink(missing_ok=True)


def without_shrinking(most_examples: int) -> None:
    """Let Hypothesis stop at the first counterexample: how small it is does not matter."""
    register = hypothesis.settings.register_profile
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    fixed = {"phases": phases, "database": None, "max_examples": most_examples}

    def registered(name: str, *args: object, **options: object) -> None:
        register(name, *args, **{**options, **fixed})  # type: ignore[arg-type]

    type.__setattr__(hypothesis.settings, "register_profile", staticmethod(registered))


def enter(tree: Path, most_examples: int, cpu_seconds: int) -> None:
    """Become a process in which nothing but the copy is imported."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    os.chdir(tree)
    for name in list(sys.modules):
        if name.partition(".")[0] in ROOMS:
            del sys.modules[name]
    sys.path[:] = [str(tree), *(p for p in sys.path if p and Path(p).resolve() != ROOT)]
    os.environ["PYTHONPATH"] = str(tree)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    without_shrinking(most_examples)


def loaded(module: str) -> str:
    """Return what to load first; that must not run the kernel's program, which its tests load."""
    installed = module if module.startswith("sanproof.") else f"sanproof.{module}"
    return installed.removesuffix(".__main__")


class QuickFirst:
    """For pytest: runs tests in the order of the time that they took on the right tree."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        self._seconds = defaultdict[str, float](float, known)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests; those that take as long as each other stay in their order."""
        items.sort(key=lambda item: self._seconds[item.nodeid])
        self._seconds.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the time of a test, which is reported in parts."""
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep the times if every test passed."""
        if exitstatus == pytest.ExitCode.OK:
            self._kept.write_text(json.dumps(self._seconds), encoding="utf-8")


def notice(detectors: Sequence[Detector], module: str) -> str:
    """Return the first detector that ends otherwise than with exit code 0; empty if none does."""
    file = importlib.import_module(module).__file__
    if file is None or Path.cwd() not in Path(file).parents:
        return f"what is loaded is not the copy: {file}"
    for detector in detectors:
        arguments = list(detector.arguments)
        if detector.module == "pytest":
            kept = Path(f"seconds {zlib.crc32(' '.join(arguments).encode()):08x}.json")
            code: int = pytest.main(arguments, plugins=[QuickFirst(kept)])
        else:
            code = importlib.import_module(detector.module).main(arguments)
        if code != 0:
            return detector.name
    return ""


def in_a_child(tree: Path, module: str, round_: Round, cpu_seconds: int, output: Path) -> int:
    """Fork a process that runs detectors, and writes what it says into a file; its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    noticed = "an error"
    try:
        os.setsid()
        with output.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        enter(tree, round_.most_examples, cpu_seconds)
        noticed = notice(round_.detectors, module)
    except BaseException as error:  # noqa: BLE001 - whatever ends it, it is noticed
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        Path(f"{output}.noticed").write_text(noticed, encoding="utf-8")
        os._exit(0)


def watch(child: int, seconds: float) -> tuple[bool, float]:
    """Wait for a process, at most so long, and end all it started.

    Returns:
        Whether it ended before its time, and how long it computed.
    """
    until = time.monotonic() + seconds
    ended, status, used = os.wait4(child, os.WNOHANG)
    try:
        while not ended and time.monotonic() < until:
            time.sleep(0.02)
            ended, status, used = os.wait4(child, os.WNOHANG)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    computed_too_long = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    in_time = bool(ended) and not computed_too_long
    return in_time, used.ru_utime + used.ru_stime


def run(tree: Path, module: str, limit: Limit, round_: Round) -> Outcome:
    """Run the detectors of a round in the tree as it is."""
    started = time.perf_counter()
    with TemporaryDirectory() as directory:
        output = Path(directory, "output")
        child = in_a_child(tree, module, round_, limit.cpu_seconds, output)
        in_time, cpu_seconds = watch(child, limit.seconds)
        said = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
        noticed = Path(f"{output}.noticed")
        name = noticed.read_text(encoding="utf-8") if noticed.exists() else "its sudden end"
    seconds = time.perf_counter() - started
    late = f"{TIME} ({limit.cpu_seconds} s)"
    return Outcome(name if in_time else late, said, seconds, cpu_seconds)


def control(tree: Path, modules: Sequence[str]) -> tuple[dict[Round, Limit], list[str]]:
    """Run what the modules need on the right tree.

    Returns:
        How long each round may take, and what is noticed though nothing is wrong.
    """
    outcomes: dict[Round, Outcome] = {}
    limits: dict[Round, Limit] = {}
    for round_ in (round_ for module in modules for round_ in rounds(module)):
        alone = [round_._replace(detectors=(detector,)) for detector in round_.detectors]
        for part in alone:
            if part not in outcomes:
                outcomes[part] = run(tree, ANY_MODULE, Limit(3600, 3600), part)
        cpu_seconds = math.ceil(PATIENCE * sum(outcomes[part].cpu_seconds for part in alone))
        seconds = PATIENCE * sum(outcomes[part].seconds for part in alone)
        limits[round_] = Limit(
            max(cpu_seconds, SHORTEST_LIMIT_SECONDS), seconds + LONGEST_WAIT_SECONDS
        )
    found = [f"{o.noticed_by}:\n{o.said[-3000:]}" for o in outcomes.values() if o.noticed_by]
    return limits, found


def judge(tree: Path, mutant: Mutant, limits: Mapping[Round, Limit]) -> Outcome:
    """Make a mutant and run what may notice it, until something does; the last outcome."""
    with mutated(mutant, tree):
        *brief, last = rounds(mutant.module)
        for round_ in brief:
            outcome = run(tree, loaded(mutant.module), limits[round_], round_)
            if outcome.noticed_by:
                return outcome
        return run(tree, loaded(mutant.module), limits[last], last)


def gist(output: str) -> str:
    """Return the line of an output that says most: pytest's first complaint, or the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [line for line in lines if line.startswith(("E  ", "FAILED", "ERROR"))]
    return (complaints or lines[-1:] or [""])[0][:200]
