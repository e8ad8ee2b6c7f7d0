"""Makes mutants in a copy of the tree, one after the other, and runs there what may notice them.

For the trusted rooms a table says what may. For all others it is a convention: the tests that
mirror the module, then those of its room.
"""

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
from typing import Final

from tests.campaigns.mutation.operators import Mutant
from tests.verify.command import ROOT

Detector = tuple[str, ...]
"""A module that Python runs, and its arguments: exit code 0 on the right tree, not on a mutant."""

PYTEST: Final = (
    *("pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m"),
    *("not slow and not browser", "--hypothesis-profile=mutants"),
)
FORMULAS: Final = "tests.campaigns.mutation.formulas"
ENCODING: Final = "strings positions"
TRUSTED: Final = {
    "proofs.kernel.files": "kernel/test_program.py forgeries",
    "proofs.kernel.refutation": "kernel/test_certificates.py forgeries",
    "proofs.kernel.games": "kernel/test_games.py forgeries",
    "proofs.kernel.certificates": "kernel/test_certificates.py forgeries",
    "proofs.kernel.theorem": "kernel/test_theorem.py forgeries",
    "proofs.kernel.workers": "kernel/test_program.py",
    "proofs.kernel.__main__": "kernel/test_program.py",
    "proofs.rules.squares": f"rules/test_rules.py {ENCODING}",
    "proofs.rules.san": "rules/test_rules.py",
    "proofs.rules.cubes": "rules/test_rules.py kernel/test_theorem.py",
    "proofs.rules.moves": "strings rules/test_rules.py positions",
    "proofs.encoding.cnf": f"encoding/test_cnf.py {ENCODING}",
    "proofs.encoding.written": ENCODING,
    "proofs.encoding.relaxation": ENCODING,
}
"""What notices a mutant of a module, the cheapest first. Not the tests by which stored refutations
must fit: no changed formula does, a right one neither."""
EXACT: Final = {f"proofs.search.{name}" for name in ("board", "exact", "moves")}
"""The exact formula models chess too."""
ROOMS: Final = ("generator", "proofs", "reports", "verify", "sanproof")

MOST_MEMORY: Final = 6 << 30
"""A test of packed files asks for a window of 2 GiB, and for as much again to fill it."""
PATIENCE: Final = 5
LONGEST_WAIT_SECONDS: Final = 60
"""A detector may take so many times as long on a mutant as on the right tree, and that besides."""


def detectors_of(module: str) -> list[Detector]:
    """Return what may notice a mutant of a module."""
    if module in TRUSTED:
        words = TRUSTED[module].split()
        return [
            (*PYTEST, f"tests/proofs/{word}") if "/" in word else (FORMULAS, word) for word in words
        ]
    *room, name = module.split(".")
    folder = ROOT.joinpath("tests", *room)
    while not folder.is_dir():
        folder = folder.parent
    paths = [path for path in (folder / f"test_{name}.py", folder) if path.exists()]
    found: list[Detector] = [(*PYTEST, str(path.relative_to(ROOT))) for path in paths]
    return [(FORMULAS, "positions"), *found] if module in EXACT else found


def room_of(module: str) -> str:
    """Return the folder that a module is in, as a module's name: at most two levels."""
    return ".".join(module.split(".")[:-1][:2])


def modules() -> Iterator[str]:
    """Yield every module that does something, in the order of the folders."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            is_of_the_tree = not any(folder.is_symlink() for folder in path.parents)
            if is_of_the_tree and (name in TRUSTED or not path.name.startswith("__")):
                yield name


def path_of(module: str, tree: Path = ROOT) -> Path:
    """Return the file of a module."""
    return Path(tree, *module.split(".")).with_suffix(".py")


@contextlib.contextmanager
def snapshot() -> Iterator[Path]:
    """Yield a copy of this tree as it is now, whatever is edited meanwhile."""
    left_out = shutil.ignore_patterns("__pycache__", ".*", "node_modules")
    with TemporaryDirectory(prefix="sanproof-mutants-") as directory:
        yield Path(shutil.copytree(ROOT, Path(directory, "tree"), symlinks=True, ignore=left_out))


def change(tree: Path, module: str, source: str) -> str:
    """Put another source into the tree, and return the one before.

    What numba compiled is forgotten, if the module has functions that it compiles.
    """
    path = path_of(module, tree)
    before = path.read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    for kept in tree.rglob("*.nb[ic]") if "compiled" in before else ():
        kept.unlink()
    return before


def limit_memory() -> None:
    """Limit the memory of this process and of those that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def detect(tree: Path, detector: Detector, seconds: float) -> tuple[str, str]:
    """Run a detector in a tree, in a process group of its own that is ended with it.

    Returns:
        What noticed something, or nothing; and the line of its output that says most.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", *detector],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        preexec_fn=limit_memory,  # noqa: PLW1509 - there are no threads
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        said = "it takes too long"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    complaints = [line for line in lines if line.startswith(("E  ", "FAILED", "ERROR"))]
    return detector[-1] if code else "", (complaints or lines[-1:] or [""])[0][:200]


def control(tree: Path, tried: Sequence[str]) -> tuple[dict[Detector, float], list[str]]:
    """Run what may notice mutants of some modules on the right tree.

    Returns:
        How many seconds each detector may take, and what is noticed though nothing is wrong.
    """
    sound = change(tree, "sanproof.__init__", "raise ImportError")
    if not detect(tree, ("sanproof", "--version"), 60)[0]:
        return {}, ["nothing: another tree than the copy is loaded"]
    change(tree, "sanproof.__init__", sound)
    limits, found = {}, []
    for detector in dict.fromkeys(each for module in tried for each in detectors_of(module)):
        started = time.perf_counter()
        noticed_by, said = detect(tree, detector, 3600)
        limits[detector] = PATIENCE * (time.perf_counter() - started) + LONGEST_WAIT_SECONDS
        if noticed_by:
            found.append(f"{noticed_by}: {said}")
    return limits, found


def judge(tree: Path, mutant: Mutant, limits: dict[Detector, float]) -> tuple[str, str]:
    """Make a mutant and run what may notice it, until something does; what the last one said."""
    noticed_by = said = ""
    sound = change(tree, mutant.module, mutant.source())
    for detector in detectors_of(mutant.module):
        noticed_by, said = detect(tree, detector, limits[detector])
        if noticed_by:
            break
    change(tree, mutant.module, sound)
    return noticed_by, said
