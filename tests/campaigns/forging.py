"""Shows forged evidence of every kind to the kernel: ``nox -s forging -- --seed 7 --count 20``.

Each kind is made so many times of the evidence for a few cubes. The kernel must refuse it in one
plain sentence, or prove the same theorem by games and certificates that hold by definition as well.
The kernel's program reads, in 1 GiB, files that want much memory or time. The exit code is 1 if
anything was not caught.
"""

import argparse
import lzma
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, ParamSpec, TypeVar
from unittest import mock

from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula
from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    STRINGS,
    EvidenceError,
    text_of,
)
from sanproof.proofs.rules.san import list_order
from sanproof.verify.work.executors import Inline
from tests.campaigns.damage import CHANGES, SEPARATORS, Change
from tests.proofs.kernel.evidence import (
    Evidence,
    Paragraph,
    is_sound,
    lay_down,
    only,
    paragraphs,
    part,
)
from tests.verify.command import ROOT

P = ParamSpec("P")
R = TypeVar("R")
Forge = Callable[[Evidence, Random], Evidence]
MAX_TRIES: Final = 1000
"""A change that changes nothing so often never will."""
MAX_MEMORY: Final = 1 << 30
MAX_SENTENCE: Final = 400
PATIENCE_SECONDS: Final = 300


# --- A change of one file ---

WHOLE: Final = r"(?s).+"
TARGETS: Final[dict[str, tuple[int, str, tuple[str, ...]]]] = {
    "list": (0, WHOLE, ("characters", "lines")),
    "games": (1, WHOLE, ("characters", "words", "lines")),
    "a game": (1, r".+", ("characters", "words")),
    "certificates": (2, WHOLE, tuple(SEPARATORS)),
    "a certificate": (2, r"(?s)cube .+?(?=\n\n)", ("characters", "words", "lines")),
    "a certificate's header": (2, r"cube .*\n.*\n.*", ("characters", "words", "lines")),
    "a certificate's line": (2, r".+", ("characters", "words")),
}
"""Which of the three texts is changed, one of which places in it, and which pieces of it."""


def in_order(number: int, text: str) -> str:
    """Return the list or the games as a forger who knows their order writes them."""
    if number == 0:
        return "\n".join(sorted(text.split("\n"), key=list_order))
    return "".join(f"{line}\n" for line in sorted(text.splitlines())) if number == 1 else text


def changing(target: str, change: Change) -> Forge:
    """Change a part of one text; half of the times its lines are put in order again."""
    number, pattern, _ = TARGETS[target]

    def forge(evidence: Evidence, random: Random) -> Evidence:
        texts, old = list(evidence), evidence[number]
        places = list(re.finditer(pattern, old))
        for _ in range(MAX_TRIES):
            start, end = random.choice(places).span()
            texts[number] = old[:start] + change(old[start:end], random) + old[end:]
            if random.random() < 0.5:
                texts[number] = in_order(number, texts[number])
            if texts[number] != old:
                return Evidence(*texts)
        raise ValueError(f"nothing is changed in {target}")

    return forge


FORGERIES: Final[dict[str, Forge]] = {
    f"{target}, {name}": changing(target, change)
    for target, (_, _, levels) in TARGETS.items()
    for name, change in CHANGES.items()
    if name.startswith(levels)
}


# --- The kernel in this process ---


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


def judge(evidence: Evidence, executor: Executor) -> theorem.Theorem:
    """Return what the kernel says of three files, or raise an EvidenceError."""
    strings, games, certificates = (text_of(*file) for file in evidence.files.items())
    return theorem.establish(strings, games, certificates, executor)


def accepted(forged: Evidence, executor: Executor, sound: theorem.Theorem) -> str:
    """Return what the kernel does wrongly with a forgery; nothing if it catches it.

    It must not accept it if something in it does not hold or the theorem is another, nor crash.
    """
    try:
        proved = judge(forged, executor)
        holds = proved[:3] == sound[:3] and is_sound(forged)
    except EvidenceError as error:
        return unclear(str(error))
    except Exception as error:  # noqa: BLE001 - a crash is reported by its name
        return f"{type(error).__name__}: {error}"[:300]
    return "" if holds else "it is accepted"


def unclear(message: str) -> str:
    """Return what is wrong with the form of a refusal, if anything is."""
    is_plain = message.isprintable() and message.isascii() and len(message) <= MAX_SENTENCE
    return "" if is_plain else f"its refusal is not one plain line: {message[:80]!a}"


def missed(names: Iterable[str], count: int, seed: int) -> Iterator[str]:
    """Yield what the kernel does not catch of so many forgeries of each kind."""
    with on_a_part() as executor:
        sound = judge(part(), executor)
        for name, number in product(names, range(count)):
            forged = FORGERIES[name](part(), Random(f"{seed} {name} {number}"))
            if wrong := accepted(forged, executor, sound):
                yield f"{name} {number}: {wrong}"


# --- The kernel's program: what wants much memory or time ---

ON_A_PART: Final = (
    "import sys; sys.path.insert(0, {root!r}); from tests.proofs.kernel.evidence import only\n"
    "from sanproof.proofs.kernel.__main__ import main\n"
    "with only(): sys.exit(main(sys.argv[1:]))"
)


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the kernel's program on a part, each of its processes in less than 1 GiB of memory."""
    return subprocess.run(
        [sys.executable, "-c", ON_A_PART.format(root=str(ROOT)), str(folder)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # for the workers
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY)),
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def xz(text: bytes) -> bytes:
    """Return an xz file with lines that pack badly at its end: a dense one is refused unread."""
    noise = Random(7).randbytes(len(text) // 80).hex(sep="\n", bytes_per_sep=30_000)
    return lzma.compress(text + noise.encode(), preset=0)


def xz_bomb(mebibytes: int) -> bytes:
    """Return so many zeros as an xz file, without its end, which is not read."""
    file = lzma.compress(b"x", preset=0)
    header = file[: 12 + 4 * (file[12] + 1)]  # the stream's, and the first block's
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    chunks = lzma.compress(bytes(2 << 20), format=lzma.FORMAT_RAW, filters=filters)[:-1]
    return header + chunks * (mebibytes // 2)


@cache
def small() -> tuple[Paragraph, int]:
    """Return a short certificate, and the number of its first step."""
    found = min(paragraphs(part().certificates), key=lambda paragraph: len(paragraph.lines))
    return found, int(found.lines[0].split(" ")[0])


def certificate(lines: Iterable[str]) -> bytes:
    """Return the file with a certificate that has other lines."""
    return xz(str(small()[0]._replace(lines=[*lines])).encode())


def many_hints() -> bytes:
    """Return a certificate of long clauses that follow, each after very many hints.

    The first follows because variable 1 is true. Under the others' assumption all of its literals
    but that one are false, again and again, until at last the formula's second clause is false.
    """
    found, first = small()
    formula = closing_formula(CUBES_BY_NAME[found.cube], Scope(found.scope), found.open)
    literals = " ".join(map(str, (*formula.clauses[1], *range(2, 6000))))
    hints = f"{first} " * (LONGEST_LINE // 2 // len(f"{first} ") - 10)
    after = (f"{first + i} {literals} 0 {hints}2 0" for i in range(1, 500))
    return certificate([f"{first} 1 {literals} 0 1 0", *after])


def games_of_a_move() -> bytes:
    """Return as many games as a file may have lines, sorted and all different."""
    chosen = Random(7)
    numbers = sorted({chosen.getrandbits(60) for _ in range(MOST_LINES - 9)})
    return lzma.compress(b"".join(b"e2e4 1 e%018x\n" % n for n in numbers), preset=0)


LONG_CLAUSE: Final = f"1 {'-9 ' * ((LONGEST_LINE - 20) // 3)}0 1 0"
HAZARDS: Final[dict[str, tuple[str, Callable[[], bytes], str]]] = {
    "1 GiB of zeros": (CERTIFICATES, lambda: xz_bomb(1024), "unpacks to more"),
    "a list of one line": (STRINGS, lambda: b"7" * MOST_BYTES, "longer than any"),
    "games of line ends": (
        GAMES, lambda: xz(b"\n" * (MOST_BYTES * 9 // 10)), "more lines than any"),
    "a million certificates": (
        CERTIFICATES, lambda: xz(b"cube O-O\n\n" * 10**6), "more certificates than cubes"),
    "games of a move": (GAMES, games_of_a_move, "writes its move as e4"),
    "a game of 13,000 plies": (
        GAMES, lambda: lzma.compress(b"g1f3 g8f6 f3g1 f6g8 " * 3250 + b"1 Nf3\n"), "fivefold"),
    "empty steps": (CERTIFICATES, lambda: certificate(["1 0 1 0"] * 2_000_000), "is not line"),
    "long clauses that hold": (
        CERTIFICATES, lambda: certificate(f"{small()[1] + i} {LONG_CLAUSE}" for i in range(800)),
        "does not end in"),
    "hints to a clause of very many literals": (CERTIFICATES, many_hints, "hints name more"),
}  # fmt: skip
"""The file that is replaced, what with, and what the kernel must say of it."""


def accepted_by_program(name: str, content: bytes, says: str) -> str:
    """Return what the kernel's program does wrongly with another content of a file, if anything.

    It must refuse it with exit code 1 and one sentence that says so.
    """
    with TemporaryDirectory(prefix="sanproof-forged-") as directory:
        lay_down(part().files | {name: content}, Path(directory))
        try:
            done = run(Path(directory))
        except subprocess.TimeoutExpired:
            return f"it takes more than {PATIENCE_SECONDS} s"
    is_refusal = re.fullmatch(r"sanproof kernel: Not proved: [^\n]*\.\n", done.stderr)
    if done.returncode != 1 or not is_refusal or says not in done.stderr:
        return f"exit code {done.returncode}: {done.stderr[:300]!a}"
    return unclear(done.stderr.removesuffix("\n"))


def main() -> int:
    """Say how much was tried, and what was not caught; return 1 if anything was not."""
    parser = argparse.ArgumentParser(prog="forging", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=5, help="tries of each kind")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    options = parser.parse_args()
    wrong = list(missed(FORGERIES, options.count, options.seed))
    for kind, (name, content, says) in HAZARDS.items():
        if found := accepted_by_program(name, content(), says):
            wrong.append(f"{kind}: {found}")
    number = len(FORGERIES) * options.count + len(HAZARDS)
    sys.stdout.write("\n".join([*wrong, f"{number} tried, {len(wrong)} not caught", ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
