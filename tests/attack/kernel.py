"""Forged evidence, shown to the kernel: it must refuse it all, in one sentence, in bounded memory.

``python -m tests.attack.kernel [--seed S] [--count N] [--data DIR] [--whole N]``

Most forgeries are made N times in the evidence for a few cubes, and shown to the kernel in this
process. Traps and bombs go to the kernel's program, each of whose processes may take less than
1 GiB of memory; so do some forgeries in the evidence for all strings (``--whole``). Evidence that
was not forged is shown first, and must be accepted.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar
from unittest import mock

from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.files import EvidenceError, text_of
from tests.attack.certificates import CERTIFICATES
from tests.attack.containers import DAMAGES, Contents, contents_of
from tests.attack.folders import TRAPS
from tests.attack.forgery import Forgeries, Scene
from tests.attack.lists import LIES, LISTS
from tests.attack.played import LAWS, LINES
from tests.attack.refutations import REFUTATIONS
from tests.proofs.kernel.evidence import DATA, PART, Evidence, only, part, published
from tests.verify.command import ROOT, InlineExecutor

P = ParamSpec("P")
R = TypeVar("R")

MOST_MEMORY: Final = 1 << 30
LONGEST_SENTENCE: Final = 400
PATIENCE_SECONDS: Final = 300
KINDS: Final[dict[str, Forgeries]] = {
    "lists": LISTS,
    "lies in several files": LIES,
    "games against the Laws": LAWS,
    "lines of games": LINES,
    "certificates": CERTIFICATES,
    "refutations": REFUTATIONS,
}
ON_A_PART: Final = (
    "import sys; sys.path.insert(0, {root!r}); from tests.proofs.kernel.evidence import only\n"
    "from sanproof.proofs.kernel.__main__ import main\n"
    "with only(): sys.exit(main(sys.argv[1:]))"
)
ON_ALL: Final = (
    "import runpy, sys; sys.path.insert(0, {root!r}); "
    "runpy.run_module('sanproof.proofs.kernel', run_name='__main__')"
)


class Verdict(NamedTuple):
    """What came of one forgery.

    Attributes:
        kind: Its kind.
        name: What was done.
        wrong: What the kernel did wrong; empty if it did right.
        accepted: Whether the kernel accepted it, which it may if it was harmless.
        seconds: How long that took.
    """

    kind: str
    name: str
    wrong: str
    accepted: bool
    seconds: float


# --- In this process ---


class Remembering(InlineExecutor):
    """Does the work in this process, and what was done with success only once."""

    def __init__(self) -> None:
        self._done: dict[tuple[object, str], Future[Any]] = {}

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, or remember what came out."""
        key = (fn, repr(args))
        future = self._done.get(key) or super().submit(fn, *args, **kwargs)
        if future.exception() is None:
            self._done[key] = future
        return future


def judge(contents: Contents, executor: Executor) -> theorem.Theorem:
    """What the kernel says of three files.

    Raises:
        EvidenceError: It refuses them.
    """
    strings, games, certificates = (text_of(name, content) for name, content in contents.items())
    return theorem.establish(strings, games, certificates, executor)


def sentence_wrong(message: str) -> str:
    """What is wrong with the form of a refusal; empty if nothing."""
    if not message.isprintable() or not message.isascii():
        return f"its refusal is not one plain line: {message[:80]!a}"
    if len(message) > LONGEST_SENTENCE:
        return f"its refusal has {len(message)} characters: {message[:80]!a}"
    return ""


def show(
    contents: Contents, executor: Executor, sound: theorem.Theorem, *, harmless: bool
) -> tuple[str, bool]:
    """Show forged files to the kernel: what it does wrong, and whether it accepts them."""
    try:
        proved = judge(contents, executor)
    except EvidenceError as error:
        return sentence_wrong(str(error)), False
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return f"{type(error).__name__}: {error}", False
    if not harmless:
        return "accepted", True
    same = proved[:3] == sound[:3]
    return "" if same else "accepted, and another theorem", True


def forgeries(
    evidence: Evidence, seed: int, count: int
) -> Iterator[tuple[str, str, bool, Contents]]:
    """Forged files, each different from all others and from those that are not forged.

    Yields:
        The kind, the name, whether it is harmless, and the files.
    """
    sound = contents_of(evidence)
    seen = set()
    for number in range(count):
        for kind, name, harmless, make in _makers(evidence, sound):
            forged = make(Random(f"{seed} {name} {number}"))
            if forged == sound:
                raise ValueError(f"{name}: nothing is changed")
            if tuple(forged.values()) not in seen:
                seen.add(tuple(forged.values()))
                yield kind, name, harmless, forged


Maker = tuple[str, str, bool, Callable[[Random], Contents]]


def _makers(evidence: Evidence, sound: Contents) -> Iterator[Maker]:
    def in_texts(make: Callable[[Scene], Evidence]) -> Callable[[Random], Contents]:
        return lambda random: contents_of(make(Scene(evidence, random)))

    for kind, listed in KINDS.items():
        for forgery in listed:
            yield kind, forgery.name, forgery.harmless, in_texts(forgery.make)
    for damage in DAMAGES:
        yield "containers", damage.name, damage.harmless, partial(damage.make, sound)


def attack_in_process(evidence: Evidence, seed: int, count: int) -> Iterator[Verdict]:
    """Show forgeries of each kind, made several times, to the kernel in this process.

    Small batches, and what was accepted once is not checked again: most of it is not forged.
    """
    with only(), mock.patch.object(theorem, "BATCH", 10):
        executor = Remembering()
        sound = judge(contents_of(evidence), executor)
        for kind, name, harmless, forged in forgeries(evidence, seed, count):
            started = time.perf_counter()
            wrong, accepted = show(forged, executor, sound, harmless=harmless)
            yield Verdict(kind, name, wrong, accepted, time.perf_counter() - started)


# --- By the kernel's program ---


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the kernel's program, each of its processes in less than 1 GiB of memory."""
    return subprocess.run(
        [sys.executable, "-c", program.format(root=str(ROOT)), *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # for the workers
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)),
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str], says: str, code: int = 1) -> str:
    """What is wrong with how the program refused its files; empty if nothing."""
    if done.returncode != code:
        return f"exit code {done.returncode}: {done.stderr[-300:]!a}"
    begin, end = (
        ("sanproof kernel: Not proved: ", ".\n") if code == 1 else ("sanproof kernel: ", "\n")
    )
    if not (done.stderr.startswith(begin) and done.stderr.endswith(end)):
        return f"not one sentence: {done.stderr[:300]!a}"
    if not re.search(says, done.stderr):
        return f"it says something else: {done.stderr[:300]!a}"
    return sentence_wrong(done.stderr.removesuffix("\n"))


def written(contents: Contents, folder: Path) -> None:
    """Put the files into a folder."""
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def _spring(contents: Contents, name: str, set_up: Callable[[Path], object], says: str) -> Verdict:
    started = time.perf_counter()
    with TemporaryDirectory(prefix="sanproof-attack-") as directory:
        folder = Path(directory)
        written(contents, folder)
        set_up(folder)
        try:
            wrong = refused(run(ON_A_PART, directory), says)
        except subprocess.TimeoutExpired:
            wrong = f"takes more than {PATIENCE_SECONDS} s"
    return Verdict("traps and bombs", name, wrong, False, time.perf_counter() - started)


def attack_by_program(evidence: Evidence) -> Iterator[Verdict]:
    """Set traps and bombs for the kernel's program."""
    contents = contents_of(evidence)
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(lambda trap: _spring(contents, *trap), TRAPS)


MISUSE: Final[dict[str, tuple[str, ...]]] = {
    "no folder": (),
    "two folders": (".", "."),
    "a folder that does not exist": ("no/such/folder",),
    "a file for a folder": (__file__,),
    "an option": ("--help",),
}


def attack_by_misuse() -> Iterator[Verdict]:
    """Call the kernel's program in a wrong way."""
    for name, arguments in MISUSE.items():
        started = time.perf_counter()
        wrong = refused(run(ON_ALL, *arguments), "Name one folder", code=2)
        yield Verdict("misuse", name, wrong, False, time.perf_counter() - started)


def attack_the_whole(directory: Path, seed: int, count: int) -> Iterator[Verdict]:
    """Forge the evidence for all strings, and show it to the kernel's program as users run it."""
    evidence, random = published(directory), Random(seed)
    choices = [(kind, f) for kind, listed in KINDS.items() for f in listed if not f.harmless]
    for kind, forgery in random.sample(choices, min(count, len(choices))):
        started = time.perf_counter()
        with TemporaryDirectory(prefix="sanproof-attack-") as folder:
            written(contents_of(forgery.make(Scene(evidence, random))), Path(folder))
            wrong = refused(run(ON_ALL, folder), "")
        name = f"{kind}: {forgery.name}"
        yield Verdict("the whole evidence", name, wrong, False, time.perf_counter() - started)


def control(evidence: Evidence) -> str:
    """What is wrong if nothing is forged; empty if the kernel accepts that."""
    with TemporaryDirectory(prefix="sanproof-attack-") as folder:
        written(contents_of(evidence), Path(folder))
        done = run(ON_A_PART, folder)
    return "" if done.returncode == 0 and not done.stderr else done.stderr or done.stdout


# --- The program ---


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def report(verdicts: Iterable[Verdict], *, every: bool) -> int:
    """Print a line for each kind, and for each forgery with which something is wrong.

    Returns:
        How many of those there are.
    """
    made, passed, bad = Counter[str](), Counter[str](), 0
    for verdict in verdicts:
        made[verdict.kind] += 1
        passed[verdict.kind] += verdict.accepted
        bad += bool(verdict.wrong)
        if verdict.wrong or every:
            how = verdict.wrong or "right"
            say(f"{verdict.kind}: {verdict.name}: {how}, {verdict.seconds:.1f} s")
    say("| kind | forged | refused | accepted, for it is harmless |\n| --- | --: | --: | --: |")
    for kind, count in made.items():
        say(f"| {kind} | {count} | {count - passed[kind]} | {passed[kind]} |")
    say(f"| **all** | {made.total()} | {made.total() - passed.total()} | {passed.total()} |")
    return bad


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if the kernel does anything wrong."""
    parser = argparse.ArgumentParser(description="Show forged evidence to the kernel.")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random")
    parser.add_argument("--count", type=int, default=3, help="how often each forgery is made")
    parser.add_argument("--whole", type=int, default=2, help="how many in all of the evidence")
    parser.add_argument("--data", type=Path, default=DATA, help="where the sound evidence is")
    parser.add_argument("--every", action="store_true", help="print a line for each forgery")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    evidence = part(PART, options.data)
    if wrong := control(evidence):
        say(f"The evidence that was not forged is refused: {wrong}")
        return 1

    def verdicts() -> Iterator[Verdict]:
        yield from attack_in_process(evidence, options.seed, options.count)
        yield from attack_by_program(evidence)
        yield from attack_by_misuse()
        yield from attack_the_whole(options.data, options.seed, options.whole)

    bad = report(verdicts(), every=options.every)
    largest = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    seconds = time.perf_counter() - started
    say(f"{bad} handled wrongly; {seconds:.0f} s; the largest process took {largest // 1024} MiB")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
