"""Shows random, damaged and large inputs to the commands that read what strangers wrote.

``python -m tests.campaigns.hostile [--seed S] [--count N] [--only WORD]``: game files that are
damaged, which both readers of the scan must read alike; games, lists, results and packed files
that could cost too much; texts, moves and positions; answers of an adapter. Every command must end
with an exit code that it documents, in 1 GiB, in time in proportion to its input, and print neither
a traceback nor a control character. First it is shown that such wrongs are noticed. The exit code
is 1 if anything is wrong.
"""

import argparse
import bz2
import gzip
import io
import lzma
import re
import shlex
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final, NamedTuple

import chess

from tests.campaigns.bench import launched
from tests.campaigns.damage import CHANGES, of_bytes
from tests.verify.command import ROOT, command, sanproof
from tests.verify.conformance.suites import write_suite
from tests.verify.scan.pgn import game, random_games, scanned

CODES: Final = range(7)
"""The exit codes that a command can document; 70 and more are an error of sanproof itself."""
MAX_MIB: Final = 1 << 10
PATIENCE_SECONDS: Final = 600
MAX_RATIO: Final = 3.0
"""Twice the input may take so many times as long; what is quadratic takes four times."""
NOISE_SECONDS: Final = 1.0
LARGE: Final = 1 << 22


class Wrong(Exception):
    """A command ended otherwise than it may."""


Try = Callable[[Random, Path], object]
"""Shows one input; raises Wrong."""


# --- Game files that are damaged, on both paths ---

WORDS: Final = (
    *(b"{", b"}", b"(", b")", b";", b"%", b"[", b'"', b"\\", b"\n", b"\r\n", b"\0", b"\xff", b"$"),
    *(b"\r", b"\x1a", b"\xc2\xa0", b"\xef\xbb\xbf", b" --", b" 1/2 ", b"1-0\n1. e4 "),
    *(b" +-", b"-+ ", b" = ", "±".encode(), b" \xb1 ", "‼".encode(), b" N ", b" D ", b"???"),
    *(b"1-0 ", b"0-1\n", b" 1:0 ", b" 1 - 0\n", b"1\x960", b", ", b". ", b" ch ", b"mate "),
    *(b" dbl ch ", b"e.p. ", b" + ", b" # ", b"!!! ", b"\n\n\n", b"\n\n\n[", b"\n[White A]\n"),
    *(b'\n[White"A"]\n', b'\n[\tBlack "B"]\n', b'\n[White-Elo "1"]\n', b"\x8a"),
    *(b'\n[Black "O"Neill"]\n', b'\n[Result "0-1"]\n'),
)
PARTS: Final = (
    *random_games(1, 12, longest=40),
    game("1. e4 e5 (1... c5 {[%clk 1]} 2. Nf3) 2. Ng1f3! $1 *"),
    game("1. O-O *", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    game("1. O-O *", fen="4k3/8/8/8/8/8/8/3K2R1 w G - 0 1"),
    game("1. e4 e5 1-0", Result="0-1"),
    game("1. e4 d5 2. exd5 Qxd5 3. P@e4 *", Variant="Crazyhouse"),
    "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n",
)


def changed(content: bytes, random: Random) -> bytes:
    """Return bytes with a word of a game file inserted, or with another small change."""
    if random.random() < 0.4:
        at = random.randrange(len(content) + 1)
        return content[:at] + random.choice(WORDS) + content[at:]
    return of_bytes(random.choice(list(CHANGES.values())), content, random)


def damaged(random: Random) -> bytes:
    """Return a file of games with some damage, or of random bytes."""
    if random.random() < 0.1:
        return random.randbytes(random.randrange(400))
    text = "".join(random.choices(PARTS, k=random.randrange(1, 4))).encode()
    for _ in range(random.randrange(1, 8)):
        text = changed(text, random)[:20_000] or b"\n"
    return text


def show_damaged(random: Random, _: Path) -> None:
    """Have both paths of the scan read a file; they must agree."""
    text = damaged(random)
    try:
        scanned(text)
    except Exception as error:
        raise Wrong(f"{text!r}: {type(error).__name__}: {error}"[:2000]) from error


# --- Large inputs ---


class Input(NamedTuple):
    """A file, and the command that reads it."""

    name: str
    text: Callable[[int], bytes]
    command: str


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> Callable[[int], bytes]:
    """Make a text that says one thing over and over."""
    return lambda size: before + piece * (size // len(piece)) + after


def packed(pack: Callable[[bytes], bytes], piece: bytes) -> Callable[[int], bytes]:
    """Make a small file that unpacks to sixteen times the size."""
    return lambda size: pack(piece * ((1 << 20) // len(piece))) * (16 * size >> 20)


def zipped(members: int, piece: bytes) -> Callable[[int], bytes]:
    """Make a zip file of members that unpack, together, to sixteen times the size."""

    def make(size: int) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(members):
                archive.writestr(f"{number}.pgn", piece * (16 * size // members // len(piece)))
        return file.getvalue()

    return make


MIXED: Final = b'(e4) {} Zz9 $1 ; -- 1-0 " \\ [Event "x"]\n\n*\n\n'
TAG: Final = b'[Event "x"]\n\n1. e4 '
SCAN, GATE = "scan --check FILE", "gate FILE"
LARGE_INPUTS: Final = (
    *(Input("x.pgn", repeated(piece, TAG, b" *\n"), SCAN) for piece in (
        b"!", b"(Q)", b"{}", b"(", b"$1 ", b"1. ", b"Nf6 Nf3 Ng8 Ng1 ", b"x", b'\n[A "x"]\n',
        b"+- = ??, ", b"e.p. 0-0 ", b"(e4) ", b";\n", b"\n%x\n", b'"\\', MIXED)),
    *(Input("x.pgn", repeated(piece), SCAN) for piece in (
        b"a", b"\n", b" \n\t\n", b"\xef\xbb\xbf", b"%x\n", b"\0", b"\r", b"1. Zz9 *\n\n")),
    Input("x.pgn", repeated(b"8/", b'[FEN "', b'"]\n\n1. e4 *\n'), SCAN),
    Input("x.pgn", repeated(b'\\"', b'[Event "', b'"]\n\n1. e4 *\n'), SCAN),
    Input("x.pgn.gz", packed(gzip.compress, b"\0"), SCAN),
    Input("x.pgn.bz2", packed(bz2.compress, b"\0"), SCAN),
    Input("x.pgn.xz", packed(lzma.compress, b"\n"), SCAN),
    Input("x.zip", zipped(1, b"{"), SCAN),
    Input("x.zip", zipped(4000, b"*\n\n"), SCAN),
    *(Input("x.txt", repeated(piece), GATE) for piece in (b"e", b"\n", b"e4\n", b"\xff\n")),
    *(Input("x.json", repeated(piece, b"[", b"1]"), GATE) for piece in (b"[", b"[],", b"1,")),
)  # fmt: skip


def measured(what: str, line: Sequence[str]) -> float:
    """Run a command; return the processor seconds.

    Raises:
        Wrong: It ends otherwise than it may, or takes too much memory.
    """
    with TemporaryFile() as printed, TemporaryFile() as said:
        code, used = launched(line, PATIENCE_SECONDS, cwd=ROOT, stdout=printed, stderr=said)
        said.seek(0)
        check_end(what, code, said.read(1 << 20).decode("utf-8", "replace"))
    if used.mib > MAX_MIB:
        raise Wrong(f"{what} takes {used.mib:.0f} MiB")
    return used.processor_seconds


def cost(given: Input, size: int, folder: Path) -> float:
    """Run the command on a text of about this size; return the processor seconds."""
    path = folder / given.name
    path.write_bytes(given.text(size))
    arguments = [str(path) if word == "FILE" else word for word in given.command.split()]
    return measured(f"{given.command} of {size:,} bytes", command(*arguments))


def check_end(what: str, code: int, said: str, printed: str = "") -> None:
    """Check how a command ended.

    Raises:
        Wrong: It was killed, has no sentence for what is wrong, or prints what a terminal obeys.
    """
    if code not in CODES or "Traceback" in said or "error in sanproof itself" in said:
        raise Wrong(f"{what} ends with {code}: {said[-600:]!a}")
    if found := re.search(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", printed + said):
        raise Wrong(f"{what} prints {found[0]!a}: {(said + printed)[:300]!a}")


def show_costs(given: Input, _: Random, folder: Path) -> None:
    """Compare what a large text costs with what one costs that is twice as long."""
    none, once, twice = (cost(given, size, folder) for size in (0, LARGE // 2, LARGE))
    if twice - none > MAX_RATIO * max(0, once - none) + NOISE_SECONDS:
        raise Wrong(f"{given.text(60)!r}: {once:.1f} s, and {twice:.1f} s twice")


# --- Texts, moves, positions ---

FENS: Final = (chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1")
TEXTS: Final = (
    *("Nf3", "exd6", "O-O", "Ba1b2+", "a8=Q#", "e2e4", "-", "", "--help", "\x1b[2J", "é", "♘f3"),
)


def changed_text(text: str, random: Random) -> str:
    """Return a text with some damage, as an argument can hold it."""
    content = text.encode() or b" "
    for _ in range(random.randrange(3)):
        content = changed(content, random) or b" "
    return content.replace(b"\0", b" ").decode("utf-8", "replace") * random.choice((1, 1, 1, 1000))


def show_texts(random: Random, folder: Path) -> None:
    """Ask a command about a text and a position."""
    text, fen = (changed_text(random.choice(few), random) for few in (TEXTS, FENS))
    arguments = random.choice(
        (
            ("explain", "--", text),
            ("read", "--fen", fen, "--", text),
            ("write", "--fen", fen, "--", text),
            ("position", "--", fen),
            ("find", "--timeout", "1", "--", text),
        )
    )
    done = sanproof(*arguments, cwd=folder)
    check_end(shlex.join(arguments), done.returncode, done.stderr, done.stdout)


# --- Answers of an adapter ---

ADAPTER: Final = """
import random, sys
chosen = random.Random({seed!r})
for line in sys.stdin.buffer:
    strange = [b"{{}}", b"null", b"[" * 9999, b"{{", b"x" * 10**6, bytes([chosen.randrange(256)])]
    answer = chosen.choice([line, *strange])
    sys.stdout.buffer.write(answer + chosen.choice([b"\\n", b"\\r\\n", b"\\n\\n", b""]))
    sys.stdout.buffer.flush()
    if chosen.random() < 0.05: sys.exit(chosen.randrange(256))
"""


def show_adapters(random: Random, folder: Path) -> None:
    """Have an adapter answer anything."""
    suite, program = write_suite(folder), folder / "adapter.py"
    program.write_text(ADAPTER.format(seed=random.random()))
    adapter = shlex.join([sys.executable, str(program)])
    arguments = ("conformance", "run", adapter, "--suite", str(suite), "--timeout", "1")
    done = sanproof(*arguments, cwd=folder)
    check_end("conformance run", done.returncode, done.stderr, done.stdout)


# --- The campaign ---


def searches(count: int) -> dict[str, Sequence[Try]]:
    """Return what is shown, by name."""
    return {
        "damaged games": [show_damaged] * (25 * count),
        "texts and positions": [show_texts] * (5 * count),
        "large inputs": [partial(show_costs, given) for given in LARGE_INPUTS],
        "adapters": [show_adapters] * count,
    }


PLANTED: Final = {
    "memory": "bytearray(1 << 31)",
    "a traceback": "1 / 0",
    "a control character": "print('\\x1b[2J', file=sys.stderr)",
    "a strange exit code": "sys.exit(77)",
}
"""What a program does wrong that stands in the place of a command."""


def planted() -> Iterator[str]:
    """Yield what is not noticed."""
    for name, statement in PLANTED.items():
        try:
            measured(name, [sys.executable, "-c", f"import sys\n{statement}"])
        except Wrong:
            continue
        yield f"{name} is not noticed"


def main() -> int:
    """Print how often each kind was tried, and what went wrong; return 1 if anything did."""
    parser = argparse.ArgumentParser(prog="hostile", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=40, help="tries of each search")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    parser.add_argument("--only", metavar="WORD", default="", help="a part of a search's name")
    options = parser.parse_args()
    all_wrong = list(planted())
    for name, tries in searches(options.count).items():
        if options.only in name:
            number = len(all_wrong)
            for which, show in enumerate(tries):
                with TemporaryDirectory(prefix="sanproof-hostile-") as folder:
                    try:
                        show(Random(f"{options.seed} {name} {which}"), Path(folder))
                    except Wrong as error:
                        all_wrong.append(f"{name} {which}: {error}")
            sys.stdout.write(f"{name:<24}{len(tries):>6} tried{len(all_wrong) - number:>6} wrong\n")
            sys.stdout.flush()
    sys.stdout.write("\n".join([*all_wrong, ""]))
    return 1 if all_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
