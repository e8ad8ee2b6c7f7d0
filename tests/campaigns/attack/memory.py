"""Large hostile input: every command must end, say what is wrong, and stay below 1 GB.

``python -m tests.campaigns.attack.memory [--megabytes N] [--only WORD]`` makes each input, gives it
to its command, and prints the peak memory of the largest process.
"""

import argparse
import gzip
import lzma
import os
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final, NamedTuple

from tests.campaigns.attack.ending import check_end
from tests.campaigns.forging.__main__ import Row, show
from tests.campaigns.forging.model import NotCaught
from tests.verify.command import ROOT, command

MEGABYTES: Final = 8
"""The size of an input; what is packed as a bomb unpacks to sixteen times as much."""
MOST_BYTES: Final = 1 << 30
PATIENCE_SECONDS: Final = 1800
"""A command that takes longer is killed, which is no end that the documentation knows."""
UNREAD: Final = re.compile(r"^[0-9,]+ games?, .* (not read|stopped)", re.MULTILINE)
"""The last line of ``scan --check`` says why it ends with 2, if that is for games."""

Make = Callable[[int], bytes]


class Hostile(NamedTuple):
    """An input and who reads it.

    Attributes:
        name: What is hostile about it.
        file: The name of its file.
        make: Makes it, of about so many bytes.
        arguments: The command; ``FILE`` stands for the file.
    """

    name: str
    file: str
    make: Make
    arguments: tuple[str, ...]


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> Make:
    """An input that says one thing over and over."""
    return lambda size: before + piece * (size // len(piece)) + after


def packed(pack: Callable[[bytes], bytes], piece: bytes = b"\0") -> Make:
    """A small file that unpacks to sixteen times the size."""

    def make(size: int) -> bytes:
        part = pack(piece * ((1 << 20) // len(piece)))
        return part * (16 * size >> 20)

    return make


TAG: Final = b'[Event "x"]\n'
GAMES: Final = {
    "one move text": repeated(b"!", TAG + b"\n1. e4", b" *\n"),
    "one move text of parentheses": repeated(b"(Q)", TAG + b"\n1. e8", b" *\n"),
    "letters": repeated(b"a"),
    "blank lines": repeated(b"\n"),
    "blank lines and spaces": repeated(b" \n\t\n"),
    "byte order marks": repeated(b"\xef\xbb\xbf"),
    "escaped lines": repeated(b"%x\n"),
    "a FEN": repeated(b"8/", TAG + b'[FEN "', b'"]\n\n1. e4 *\n'),
    "a tag": repeated(b'\\"', b'[Event "', b'"]\n\n1. e4 *\n'),
    "tags": repeated(b'[A "x"]\n', b"", b"\n1. e4 *\n"),
    "tags on one line": repeated(b'[A "x"]', b"", b" 1. e4 *\n"),
    "a comment": repeated(b"x", TAG + b"\n1. e4 {", b"} *\n"),
    "comments": repeated(b"{}", TAG + b"\n1. e4 ", b" *\n"),
    "variations within variations": repeated(b"(", TAG + b"\n1. e4 ", b" *\n"),
    "glyphs": repeated(b"$1 ", TAG + b"\n1. e4 ", b" *\n"),
    "move numbers": repeated(b"1. ", TAG + b"\n", b" *\n"),
    "empty games": repeated(TAG + b"\n*\n\n"),
    "knights going home": repeated(b"Nf3 Nf6 Ng1 Ng8 ", TAG + b"\n", b" *\n"),
    "nothing that can be read": repeated(b"1. Zz9 *\n\n"),
    "zeros": repeated(b"\0"),
    "carriage returns": repeated(b"\r"),
}


def hostile() -> list[Hostile]:
    """Every input with the command that reads it."""
    scan, gate = ("scan", "--check", "FILE"), ("gate", "FILE")
    report = ("conformance", "report", "FILE", "--out", "OUT")
    cases = [Hostile(f"scan: {name}", "x.pgn", make, scan) for name, make in GAMES.items()]
    cases += [
        Hostile("scan: a gzip bomb", "x.pgn.gz", packed(gzip.compress), scan),
        Hostile("scan: an xz bomb", "x.pgn.xz", packed(lzma.compress, b"\n"), scan),
        Hostile("gate: one line", "x.txt", repeated(b"e"), gate),
        Hostile("gate: empty lines", "x.txt", repeated(b"\n"), gate),
        Hostile("gate: one string", "x.txt", repeated(b"e4\n"), gate),
        Hostile("gate: brackets", "x.json", repeated(b"["), gate),
        Hostile("gate: empty arrays", "x.json", repeated(b"[],", b"[", b"1]"), gate),
        Hostile("gate: numbers", "x.json", repeated(b"1,", b"[", b"1]"), gate),
        Hostile("results: an xz bomb", "x.json.xz", packed(lzma.compress, b" "), report),
        Hostile("results: empty arrays", "x.json", repeated(b"[],", b"[", b"1]"), report),
        Hostile("results: empty arrays, packed", "x.json.xz", _packed_arrays, report),
    ]
    return cases


def _packed_arrays(size: int) -> bytes:
    return lzma.compress(repeated(b"[],", b"[", b"1]")(4 * size), preset=1)


def peak(arguments: list[str], given: Path) -> tuple[int, int, str, str]:
    """The exit code, the peak memory in bytes of the largest process, what was said and printed."""
    with given.open("rb") as standard_input, TemporaryFile() as printed:
        process = subprocess.Popen(
            command(*arguments),
            cwd=ROOT,
            stdin=standard_input,
            stdout=printed,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        patience = threading.Timer(PATIENCE_SECONDS, process.kill)
        patience.start()
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        patience.cancel()
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - 4000))
        said, last = said[-4000:], printed.read()
    process.returncode = os.waitstatus_to_exitcode(status)
    texts = said.decode(errors="replace"), last.decode(errors="replace")
    return process.returncode, usage.ru_maxrss * 1024, *texts


def attacks(megabytes: int, only: str = "") -> Iterator[Row]:
    """Give every input to its command; a line for each, with what it took."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for case in hostile():
        if only in case.name:
            taken, seconds, wrong = _tried(case, megabytes)
            name = f"{case.name}: {taken / 1e6:.0f} MB, {seconds:.0f} s"
            yield Row(name, 1, [f"{name}: {wrong}"] if wrong else [])


def _tried(case: Hostile, megabytes: int) -> tuple[int, float, str]:
    """The memory and the time that an input takes, and what is wrong with how its command ends."""
    with TemporaryDirectory(prefix="sanproof-memory-") as directory:
        path = Path(directory, case.file)
        path.write_bytes(case.make(megabytes << 20))
        names = {"FILE": str(path), "OUT": str(Path(directory, "out"))}
        start = time.monotonic()
        code, taken, said, printed = peak([names.get(word, word) for word in case.arguments], path)
        seconds = time.monotonic() - start
    try:
        check_end(code, said, is_said=not UNREAD.search(printed))
    except NotCaught as error:
        return taken, seconds, str(error) or "ends wrongly"
    return taken, seconds, "" if taken <= MOST_BYTES else "too much memory"


def main() -> int:
    """Try every input; print what it took, and fail if any took too much."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="the size of an input")
    parser.add_argument("--only", default="", help="a part of the names of those that are tried")
    given = parser.parse_args()
    wrong = show(attacks(given.megabytes, given.only))
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
