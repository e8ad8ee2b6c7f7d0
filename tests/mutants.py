"""Small wrong changes to rules, encoder and checkers; something must notice each of them.

Each mutant is made in a copy of the tree, and what may notice it is run there, the cheapest first,
until something does. Before that everything is run in a copy without change, where it must find
nothing. As a program (``nox -s mutants``) it prints a line for each mutant, and ends with exit code
1 if any survives, or if any is stale: its text is no longer found exactly once, or it does not
even load.

That a formula's hash changes does not count as noticing: every change to the encoder does that, a
right one as well.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.mutation.checkers import CHECKERS
from tests.mutation.forms import FORMS
from tests.mutation.model import FORGERIES, Detector, Mutant
from tests.mutation.rules import RULES

ROOT: Final = Path(__file__).parents[1]
COPIED: Final = ("generator", "proofs", "reports", "tests", "verify", "pyproject.toml")
MUTANTS: Final = (*RULES, *FORMS, *CHECKERS)
LOADED: Final = (
    "import importlib, pathlib, sys\n"
    "here = pathlib.Path.cwd().resolve()\n"
    "files = [importlib.import_module(name).__file__ for name in sys.argv[1:]]\n"
    "sys.exit(not all(here in pathlib.Path(file).resolve().parents for file in files))"
)
"""Loads modules, and fails if any of them comes from elsewhere: from the installed tree."""

ALL_MODULES: Final = (
    *("generator.strings", "proofs.search.decide", "proofs.search.refute"),
    *("reports.tables.outputs", "verify.audit.session", "verify.commands.cli"),
    *("verify.run.session", "tests.verify.audit.corruption", "tests.proofs.encoding.adequacy"),
)


class Outcome(NamedTuple):
    """How a detector ended."""

    noticed: bool
    how: str
    output: str = ""


class Result(NamedTuple):
    """What became of a mutant, and in what time.

    Attributes:
        mutant: The mutant.
        noticed_by: The detector that noticed it; empty if it survives.
        said: What the detector said.
        stale: Why it is no mutant any more; empty if it is one.
        seconds: The time that all took.
    """

    mutant: Mutant
    noticed_by: str
    said: str
    stale: str
    seconds: float


def stale(mutant: Mutant, tree: Path = ROOT) -> str:
    """What is wrong with a mutant's text; empty if it is in its file exactly once."""
    text = (tree / mutant.file).read_text(encoding="utf-8")
    found = text.count(mutant.old)
    if found != 1:
        return f"its text is found {found} times"
    try:
        compile(text.replace(mutant.old, mutant.new), mutant.file, "exec")
    except SyntaxError as error:
        return f"it is not Python: {error}"
    return ""


@contextmanager
def snapshot() -> Iterator[Path]:
    """A copy of this tree as it is now, whatever is edited meanwhile."""
    with TemporaryDirectory(prefix="sanproof-mutants-") as directory:
        tree = Path(directory, "tree")
        tree.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", ".*")
                shutil.copytree(ROOT / name, tree / name, ignore=ignored)
            else:
                shutil.copy2(ROOT / name, tree / name)
        yield tree


@contextmanager
def mutated(tree: Path, mutant: Mutant) -> Iterator[Path]:
    """A copy of a tree with a mutant's change; compiled files come along, but for that one's."""
    outdated = f"{Path(mutant.file).stem}.*.pyc"
    with TemporaryDirectory(prefix="sanproof-mutant-") as directory:
        copy = Path(directory, "tree")
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(outdated))
        path = copy / mutant.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        yield copy


def run_in(copy: Path, arguments: Sequence[str], timeout_seconds: int) -> Outcome:
    """Run Python in a copy, where nothing but the copy is imported; stop it after some time."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONHASHSEED": "0",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # it takes half of a short test's time
    }
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        return Outcome(noticed=True, how=f" (stopped after {timeout_seconds} s)")
    finally:
        stop_group(process)
    return Outcome(process.returncode != 0, "", output)


def stop_group(process: subprocess.Popen[str]) -> None:
    """End whatever is left of a program and of those it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def judge(tree: Path, mutant: Mutant) -> Result:
    """Make a mutant of a tree and run what may notice it, until something does."""
    started = time.perf_counter()
    noticed_by, said, wrong = "", "", stale(mutant, tree)
    if not wrong:
        with mutated(tree, mutant) as copy:
            module = mutant.file.removesuffix(".py").replace("/", ".")
            unloaded = run_in(copy, ("-c", LOADED, module), 60).noticed
            wrong = "it does not load" if unloaded else ""
            for name, arguments, timeout_seconds in () if wrong else mutant.detectors:
                outcome = run_in(copy, arguments, timeout_seconds)
                if outcome.noticed:
                    noticed_by, said = name + outcome.how, gist(outcome.output)
                    break
    return Result(mutant, noticed_by, said, wrong, time.perf_counter() - started)


def gist(output: str) -> str:
    """The line of a program's output that says most: pytest's first complaint, or the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [line for line in lines if line.startswith(("E  ", "FAILED", "ERROR"))]
    return (complaints or lines[-1:] or [""])[0][:200]


def check_control(tree: Path, detectors: Sequence[Detector], workers: int) -> list[str]:
    """Run detectors in the tree without change: those that find something, with what they say."""
    if run_in(tree, ("-c", LOADED, *ALL_MODULES), 60).noticed:
        return ["what is loaded is not the copy"]
    if any(FORGERIES in detector.arguments for detector in detectors):
        made = run_in(tree, ("-m", FORGERIES, "--make"), 600)
        if made.noticed:
            return [f"no run to forge\n{made.output}"]
    with ThreadPoolExecutor(workers) as pool:
        outcomes = pool.map(lambda d: run_in(tree, d.arguments, d.timeout_seconds), detectors)
        return [
            f"{detector.name}{outcome.how}\n{outcome.output[-3000:]}"
            for detector, outcome in zip(detectors, outcomes, strict=True)
            if outcome.noticed
        ]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def line_of(result: Result) -> str:
    """A result's line in the table."""
    mutant, noticed_by, _, wrong, seconds = result
    verdict = f"STALE: {wrong}" if wrong else noticed_by or "SURVIVES"
    return f"| {mutant.what} | `{mutant.file}` | {verdict} | {seconds:.1f} |"


def run(tree: Path, mutants: Sequence[Mutant], workers: int, *, why: bool) -> int:
    """Judge mutants and print the table; the number of those that survive or are stale."""
    say("| mutant | file | noticed by | seconds |\n| --- | --- | --- | --: |")
    bad, by = 0, Counter[str]()
    with ThreadPoolExecutor(workers) as pool:
        for result in pool.map(lambda mutant: judge(tree, mutant), mutants):
            bad += not result.noticed_by
            by[result.noticed_by.partition(" (")[0] or "nothing"] += 1
            say(line_of(result))
            if why:
                say(f"  {result.said}")
    say("")
    for name, count in by.most_common():
        say(f"{count:4} noticed by {name}")
    return bad


def check(mutants: Sequence[Mutant], workers: int, *, why: bool) -> int:
    """First the control, then the mutants: 0 if all is as it should be."""
    started = time.perf_counter()
    detectors = list(dict.fromkeys(d for mutant in mutants for d in mutant.detectors))
    with snapshot() as tree:
        found = check_control(tree, detectors, workers)
        for message in found:
            say(f"Something is noticed in the unchanged tree: {message}")
        if found:
            return 1
        seconds = time.perf_counter() - started
        say(f"Unchanged, {len(detectors)} detectors notice nothing: {seconds:.0f} s\n")
        bad = run(tree, mutants, workers, why=why)
    seconds = time.perf_counter() - started
    say(f"{len(mutants)} mutants, {bad} of them not noticed or stale, in {seconds:.0f} s")
    return 1 if bad or not mutants else 0


def show(mutants: Sequence[Mutant]) -> int:
    """List mutants, and which of them are stale."""
    wrong = [stale(mutant) for mutant in mutants]
    for mutant, why in zip(mutants, wrong, strict=True):
        say(f"{mutant.file}: {mutant.what}" + (f"  STALE: {why}" if why else ""))
    say(f"{len(mutants)} mutants, {sum(map(bool, wrong))} stale")
    return 1 if any(wrong) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a mutant survives or is stale, or if something is found where nothing is wrong."""
    parser = argparse.ArgumentParser(description="Check that small wrong changes are noticed.")
    parser.add_argument("--only", default="", help="mutants with this in their file or name")
    parser.add_argument("--list", action="store_true", help="list them, and whether they are stale")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--why", action="store_true", help="show what the detectors said")
    options = parser.parse_args(arguments)
    chosen = [m for m in MUTANTS if options.only in f"{m.file}: {m.what}"]
    return show(chosen) if options.list else check(chosen, options.workers, why=options.why)


if __name__ == "__main__":
    sys.exit(main())
