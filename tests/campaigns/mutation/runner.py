"""Makes mutants in a copy of the tree, one after the other, and runs there what may notice them."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.campaigns.mutation.detectors import ROOT, Detector, detectors_of
from tests.campaigns.mutation.operators import Mutant

LEFT_OUT: Final = ("__pycache__", ".*", "node_modules")
DATA: Final = ("san_strings_with_symbols.txt", "games.txt.xz", "certificates.txt.xz")
MOST_MEMORY: Final = 6 << 30
"""A test of packed files asks for a window of 2 GiB, and for as much again to fill it."""
PATIENCE: Final = 5
"""The factor by which a detector may take longer on a mutant than on the right tree."""
LONGEST_WAIT_SECONDS: Final = 60
"""So much longer it may take besides."""


class Outcome(NamedTuple):
    """The end of a mutant, or of the right tree.

    Attributes:
        noticed_by: The detector that noticed something; empty if none did.
        in_time: Whether it ended by itself.
        said: What it said.
        seconds: The time that all took.
    """

    noticed_by: str
    in_time: bool
    said: str
    seconds: float


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
    """Put a mutant's change into the tree meanwhile; numba forgets what it compiled of it."""
    path = path_of(mutant.module, tree)
    source = path.read_text(encoding="utf-8")
    for text in (mutant.source, source):
        path.write_text(text, encoding="utf-8")
        if "proofs.games.compiled import" in source:
            for kept in tree.rglob("*.nb[ic]"):
                kept.unlink()
        if text is not source:
            yield


def limit_memory() -> None:
    """Limit the memory of this process and of those that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def detect(tree: Path, detector: Detector, seconds: float) -> Outcome:
    """Run a detector in a tree, in a process group of its own that is ended with it."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", detector.module, *detector.arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        preexec_fn=limit_memory,  # noqa: PLW1509 - there are no threads
    )
    in_time = True
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        in_time, said = False, "it takes too long"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    noticed = detector.name if code or not in_time else ""
    return Outcome(noticed, in_time, said, time.perf_counter() - started)


def control(tree: Path, modules: Sequence[str]) -> tuple[dict[Detector, float], list[str]]:
    """Run what the modules need on the right tree.

    Returns:
        How many seconds each detector may take, and what is noticed though nothing is wrong.
    """
    broken = tree / "sanproof" / "__init__.py"
    sound = broken.read_text(encoding="utf-8")
    broken.write_text("raise ImportError", encoding="utf-8")
    if not detect(tree, Detector("import", "sanproof", ("--version",)), 60).noticed_by:
        return {}, ["nothing: another tree than the copy is loaded"]
    broken.write_text(sound, encoding="utf-8")
    detectors = dict.fromkeys(each for module in modules for each in detectors_of(module))
    outcomes = {each: detect(tree, each, 3600) for each in detectors}
    limits = {
        each: PATIENCE * outcome.seconds + LONGEST_WAIT_SECONDS
        for each, outcome in outcomes.items()
    }
    found = [f"{o.noticed_by}:\n{o.said[-3000:]}" for o in outcomes.values() if o.noticed_by]
    return limits, found


def judge(tree: Path, mutant: Mutant, limits: dict[Detector, float]) -> Outcome:
    """Make a mutant and run what may notice it, until something does; the last outcome."""
    with mutated(mutant, tree):
        outcomes = (detect(tree, each, limits[each]) for each in detectors_of(mutant.module))
        for outcome in outcomes:
            if outcome.noticed_by:
                return outcome
    return outcome


def gist(output: str) -> str:
    """Return the line of an output that says most: pytest's first complaint, or the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [line for line in lines if line.startswith(("E  ", "FAILED", "ERROR"))]
    return (complaints or lines[-1:] or [""])[0][:200]
