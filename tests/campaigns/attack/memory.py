"""Large hostile input: every command must end, say what is wrong, and stay below 1 GiB."""

import bz2
import gzip
import io
import lzma
import os
import re
import resource
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final

import zstandard

from tests.campaigns.attack.world import check_end
from tests.campaigns.bench import Usage, launched
from tests.campaigns.forging.__main__ import Row
from tests.campaigns.forging.hazards import HAZARDS
from tests.campaigns.forging.hazards import Make as Hazard
from tests.campaigns.forging.model import Files, Forgery, NotCaught, Runs, lay_down, sealed
from tests.campaigns.forging.parts import certificates_of
from tests.verify.command import ROOT, command

MEGABYTES: Final = 8
"""The size of an input; what is packed as a bomb unpacks to sixteen times as much."""
MAX_MIB: Final = 1 << 10
PATIENCE_SECONDS: Final = 1800
"""A command that takes longer is killed, which is no end that the documentation knows."""
MAX_SECONDS: Final = 60
"""After so much time of a processor, which no audit of a small run needs, it has hung."""
UNREAD: Final = re.compile(r"^[0-9,]+ games?, .* (not read|stopped|unclosed)", re.MULTILINE)
"""The last line of ``scan --check`` says why it ends with 2, if that is for games."""

Make = Callable[[int], bytes]


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> Make:
    """Return an input that says one thing over and over."""
    return lambda size: before + piece * (size // len(piece)) + after


def packed(pack: Callable[[bytes], bytes], piece: bytes = b"\0") -> Make:
    """Return a small file that unpacks to sixteen times the size."""
    return lambda size: pack(piece * ((1 << 20) // len(piece))) * (16 * size >> 20)


def zipped(members: int, piece: bytes, *, encrypted: bool = False) -> Make:
    """Return a zip file of members that unpack, together, to sixteen times the size."""

    def make(size: int) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(members):
                archive.writestr(f"{number}.pgn", piece * (16 * size // members // len(piece)))
        content = file.getvalue()
        if encrypted:  # as the flags say, here and in the directory
            content = content.replace(b"PK\3\4\x14\0\0", b"PK\3\4\x14\0\1")
            content = content.replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1")
        return content

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
SCAN, GATE, COMPARE = "scan --check FILE", "gate FILE", "conformance compare FILE FILE"
AUDIT: Final = "audit DIR --workers 1"
BRACKETS: Final = repeated(b"[],", b"[", b"1]")
HOSTILE: Final[dict[str, tuple[str, Make, str]]] = {
    **{f"scan: {name}": ("x.pgn", make, SCAN) for name, make in GAMES.items()},
    "scan: a gzip bomb": ("x.pgn.gz", packed(gzip.compress), SCAN),
    "scan: a bzip2 bomb": ("x.pgn.bz2", packed(bz2.compress), SCAN),
    "scan: an xz bomb": ("x.pgn.xz", packed(lzma.compress, b"\n"), SCAN),
    "scan: a Zstandard bomb": ("x.pgn.zst", packed(zstandard.compress, b"e4 "), SCAN),
    "scan: a zip bomb": ("x.zip", zipped(1, b"{"), SCAN),
    "scan: a zip bomb of many files": ("x.zip", zipped(4000, b"*\n\n"), SCAN),
    "scan: an encrypted zip bomb": ("x.zip", zipped(10, b"\0", encrypted=True), SCAN),
    "gate: one line": ("x.txt", repeated(b"e"), GATE),
    "gate: empty lines": ("x.txt", repeated(b"\n"), GATE),
    "gate: one string": ("x.txt", repeated(b"e4\n"), GATE),
    "gate: brackets": ("x.json", repeated(b"["), GATE),
    "gate: empty arrays": ("x.json", BRACKETS, GATE),
    "gate: numbers": ("x.json", repeated(b"1,", b"[", b"1]"), GATE),
    "results: an xz bomb": ("x.json.xz", packed(lzma.compress, b" "), COMPARE),
    "results: empty arrays": ("x.json", BRACKETS, COMPARE),
    "results: empty arrays, packed": (
        *("x.json.xz", lambda size: lzma.compress(BRACKETS(4 * size), preset=1), COMPARE),
    ),
}
"""A file, its content, and the command that reads it."""


def peak(arguments: list[str], given: Path) -> tuple[int, Usage, str, str]:
    """Return exit code, what it took, and the ends of what was said and printed."""
    with given.open("rb") as standard_input, TemporaryFile() as printed, TemporaryFile() as said:
        streams = {"stdin": standard_input, "stdout": printed, "stderr": said}
        code, used = launched(command(*arguments), PATIENCE_SECONDS, cwd=ROOT, **streams)
        ends = []
        for file in (said, printed):
            file.seek(max(0, file.seek(0, os.SEEK_END) - 4000))
            ends.append(file.read().decode(errors="replace"))
    return code, used, ends[0], ends[1]


def inputs(runs: Runs, size: int) -> Iterator[tuple[str, str, str, Callable[[], Files]]]:
    """Yield every input: its name, its file, the command that reads it, and what makes it."""
    for name, (file, make, line) in HOSTILE.items():
        yield name, file, line, lambda file=file, make=make: {file: make(size)}  # type: ignore[misc]
    for name, (file, hazard, _) in HAZARDS.items():
        run = runs.run if file in runs.run else runs.played

        def forged(run: Files = run, file: str = file, hazard: Hazard = hazard) -> Files:
            return sealed(run, {file: hazard(certificates_of(run)[0])})

        yield f"audit: {name}", file, AUDIT, forged


def attacks(runs: Runs, megabytes: int, only: str = "") -> Iterator[Row]:
    """Give every input to its command; a line for each, with what it took."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, file, line, make in inputs(runs, megabytes << 20):
        if only not in name:
            continue
        with TemporaryDirectory(prefix="sanproof-memory-") as directory:
            lay_down(Forgery(make(), ()), Path(directory))
            path = Path(directory, file)
            names = {"FILE": str(path), "DIR": directory}
            code, used, said, printed = peak([names.get(w, w) for w in line.split()], path)
        try:
            check_end(code, said, is_said=not UNREAD.search(printed))
            wrong = "" if used.mib <= MAX_MIB else "too much memory"
            if line == AUDIT and (
                code != 1 or f" {file}: " not in said or used.processor_seconds > MAX_SECONDS
            ):
                wrong = f"not refused as it should be: {said[-300:]}"
        except NotCaught as error:
            wrong = str(error)
        shown = f"{name}: {used.mib:.0f} MiB, {used.processor_seconds:.0f} s"
        yield Row(shown, 1, [f"{shown}: {wrong}"] if wrong else [])
