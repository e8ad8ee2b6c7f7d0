"""Questions to the kernel about forged files: in this process, or by its program in little memory.

It must refuse them in one plain sentence, whatever they hold.
"""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, ParamSpec, TypeVar
from unittest import mock

from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS, EvidenceError, text_of
from sanproof.verify.work.executors import Inline
from tests.campaigns.forging.model import Files, Forgery, NotCaught, pack
from tests.proofs.kernel.evidence import Evidence, only
from tests.verify.command import ROOT

P = ParamSpec("P")
R = TypeVar("R")

MAX_MEMORY: Final = 1 << 30
MAX_SENTENCE: Final = 400
PATIENCE_SECONDS: Final = 300
ON_A_PART: Final = (
    "import sys; sys.path.insert(0, {root!r}); from tests.proofs.kernel.evidence import only\n"
    "from sanproof.proofs.kernel.__main__ import main\n"
    "with only(): sys.exit(main(sys.argv[1:]))"
)
ON_ALL: Final = (
    "import runpy, sys; sys.path.insert(0, {root!r}); "
    "runpy.run_module('sanproof.proofs.kernel', run_name='__main__')"
)


def contents_of(evidence: Evidence) -> Files:
    """Return the files of some evidence."""
    names = (STRINGS, GAMES, CERTIFICATES)
    texts = (text.encode("utf-8", "surrogateescape") for text in evidence)
    return {name: pack(name, text) for name, text in zip(names, texts, strict=True)}


# --- In this process ---


class Remembering(Inline):
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


@contextmanager
def on_a_part() -> Iterator[Executor]:
    """Have the kernel take a few cubes for all, in small batches; what passed passes at once."""
    with only(), mock.patch.object(theorem, "BATCH", 10):
        yield Remembering()


def judge(files: Files, executor: Executor) -> theorem.Theorem:
    """Return what the kernel says of three files, or raise an EvidenceError."""
    strings, games, certificates = (
        text_of(name, files[name]) for name in (STRINGS, GAMES, CERTIFICATES)
    )
    return theorem.establish(strings, games, certificates, executor)


def check_sentence(message: str) -> None:
    """Check the form of a refusal; raise NotCaught if it is wrong."""
    if not message.isprintable() or not message.isascii():
        raise NotCaught(f"its refusal is not one plain line: {message[:80]!a}")
    if len(message) > MAX_SENTENCE:
        raise NotCaught(f"its refusal has {len(message)} characters: {message[:80]!a}")


def check_refused(forgery: Forgery, executor: Executor, sound: theorem.Theorem) -> bool:
    """Show a forgery to the kernel; return whether it is refused.

    Raises:
        NotCaught: It is accepted, though not harmless or with another theorem, or the kernel
            crashes.
    """
    try:
        proved = judge(forgery.files, executor)
    except EvidenceError as error:
        check_sentence(str(error))
        return True
    except Exception as error:
        raise NotCaught(f"{type(error).__name__}: {error}"[:300]) from error
    if not forgery.harmless:
        raise NotCaught("it is accepted")
    if proved[:3] != sound[:3]:
        raise NotCaught("it is accepted, and another theorem")
    return False


# --- By the kernel's program ---


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the kernel's program, each of its processes in less than 1 GiB of memory."""
    return subprocess.run(
        [sys.executable, "-c", program.format(root=str(ROOT)), *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # for the workers
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY)),
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def check_refused_by_program(make: Callable[[Path], object], says: str) -> None:
    """Have the kernel's program read a folder that is made.

    Raises:
        NotCaught: It does not refuse it with exit code 1 and one sentence that says that (a
            regular expression).
    """
    with TemporaryDirectory(prefix="sanproof-forged-") as directory:
        make(Path(directory))
        try:
            done = run(ON_A_PART, directory)
        except subprocess.TimeoutExpired as error:
            raise NotCaught(f"takes more than {PATIENCE_SECONDS} s") from error
    if done.returncode != 1:
        raise NotCaught(f"exit code {done.returncode}: {done.stderr[-300:]!a}")
    if not re.fullmatch(r"sanproof kernel: Not proved: [^\n]*\.\n", done.stderr):
        raise NotCaught(f"not one sentence: {done.stderr[:300]!a}")
    if not re.search(says, done.stderr):
        raise NotCaught(f"it says something else: {done.stderr[:300]!a}")
    check_sentence(done.stderr.removesuffix("\n"))
