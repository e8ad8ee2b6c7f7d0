"""Files that take much memory or time: each is audited in a process with little of either.

Some are small and unpack to more than a file may have. Others are as large as a file may be, and
hold what costs most to take apart.
"""

import json
import lzma
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, LONGEST_LINE, MOST_BYTES
from sanproof.reports.tables.names import (
    BARE_LIST,
    COVER,
    GAMES_PGN,
    IMPOSSIBLE,
    MANIFEST,
    SUMMARY,
    SUMMARY_TEXT,
    WITNESSES,
)
from tests.forgeries.certificates import certificates_of, formula_of
from tests.forgeries.model import (
    Files,
    Forgery,
    NotCaught,
    check_caught,
    fast_audits,
    read_files,
    sealed,
)
from tests.forgeries.summaries import with_true_counts
from tests.packing import gz, xz
from tests.verify.command import ROOT

MEMORY_BYTES: Final = 1 << 30
"""What the audit of a small run may need for the worst of files."""
SECONDS: Final = 60
"""After so much time of a processor, which no audit of a small run needs, it has hung."""
MEBIBYTE: Final = 1 << 20

Bomb = tuple[str, Callable[[Files], bytes]]
"""The name of the file, and its content in place of that of a sound run."""


def xz_bomb(text: bytes, mebibytes: int) -> bytes:
    """So much of the repeated text as an xz file, without its end, which nobody gets to see."""
    file = lzma.compress(b"x", preset=0)
    header = file[: 12 + 4 * (file[12] + 1)]  # the stream's, and the first block's
    block = text * (2 * MEBIBYTE // len(text))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    chunks = lzma.compress(block, format=lzma.FORMAT_RAW, filters=filters)[:-1]
    return header + chunks * (mebibytes // 2)


def gzip_bomb(text: bytes, mebibytes: int) -> bytes:
    """So much of the repeated text as a gzip file, without its end."""
    packer = zlib.compressobj(1, wbits=31)
    header = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(text * (MEBIBYTE // len(text))) + packer.flush(zlib.Z_FULL_FLUSH)
    return header + block * mebibytes


def huge_dictionary() -> bytes:
    """An xz file that asks for a dictionary of 512 MiB."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]
    return lzma.compress(b"cube", filters=filters)


def full(text: bytes, head: bytes = b"") -> bytes:
    """As much of the repeated text as a file may have."""
    return head + text * ((MOST_BYTES - len(head)) // len(text))


def full_xz(text: bytes, head: bytes = b"") -> bytes:
    """The same, packed."""
    return xz(full(text, head))


def full_gz(text: bytes, head: bytes = b"") -> bytes:
    """The same, packed as gzip packs."""
    return gz(full(text, head))


def full_certificate(run: Files) -> bytes:
    """A certificate of very many empty steps."""
    head = str(certificates_of(run)[0]).split("\n")[:3]
    return full_xz(b"1 0 1 0\n", "\n".join([*head, ""]).encode())


def steps_of_many_literals(run: Files, filler: Sequence[int]) -> bytes:
    """Long clauses that follow, each after very many hints that lead no further.

    The first follows because variable 1 is true. Under the others' assumption all of its literals
    but that one are false, again and again, until at last the formula's second clause is false.
    """
    certificate = certificates_of(run)[0]
    head = "\n".join(str(certificate).split("\n")[:3])
    number = certificate.steps[0].number
    second = formula_of(certificate.cube, certificate.scope, certificate.left_open)[1]
    literals = " ".join(map(str, (*second, *filler)))[: LONGEST_LINE // 2].rpartition(" ")[0]
    hints = f"{number} " * (LONGEST_LINE // 2 // len(f"{number} ") - 10)
    lines = [f"{number} 1 {literals} 0 1 0"]
    lines += [f"{number + i} {literals} 0 {hints}2 0" for i in range(1, 500)]
    return xz("\n".join([head, *lines, "\n"]).encode())


def many_lines(form: str, number: int) -> bytes:
    """Lines that are sorted and all different."""
    return "".join(f"{form.format(n)}\n" for n in range(10**6, 10**6 + number)).encode()


PACKED: Final[dict[str, Bomb]] = {
    "xz: 1 GiB of zeros": (CERTIFICATES, lambda _: xz_bomb(bytes(1), 1024)),
    "xz: dictionary of 512 MiB": (CERTIFICATES, lambda _: huge_dictionary()),
    "xz: 1 GiB of games": (GAMES, lambda _: xz_bomb(b"e2e4 1 e4\n".ljust(16), 1024)),
    "gzip: 1 GiB of zeros": (IMPOSSIBLE, lambda _: gzip_bomb(bytes(1), 1024)),
    "gzip: 1 GiB of PGN": (GAMES_PGN, lambda _: gzip_bomb(b'[Event "?"]\n', 1024)),
}
LARGE: Final[dict[str, Bomb]] = {
    "witnesses of line ends": (WITNESSES, lambda _: full(b"\n")),
    "a witness of one line": (WITNESSES, lambda _: full(b"K")),
    "a list of line ends": (BARE_LIST, lambda _: full(b"\n")),
    "a page of line ends": (SUMMARY_TEXT, lambda _: full(b"\n")),
    "a page of letters": (SUMMARY_TEXT, lambda _: full(b"x")),
    "a summary of empty objects": (SUMMARY, lambda _: full(b"{},", b"[")),
    "a summary of empty arrays": (SUMMARY, lambda _: full(b"[],", b"[")),
    "a summary of numbers": (SUMMARY, lambda _: full(b"1,", b"[")),
    "a manifest of empty objects": (MANIFEST, lambda _: full(b"{},", b"[")),
    "certificates of line ends": (CERTIFICATES, lambda _: full_xz(b"\n")),
    "two million line ends as certificates": (CERTIFICATES, lambda _: xz(b"\n" * 2**21)),
    "a certificate of empty steps": (CERTIFICATES, full_certificate),
    "a clause of one literal again and again": (
        CERTIFICATES,
        lambda run: steps_of_many_literals(run, [2] * LONGEST_LINE),
    ),
    "a clause of very many literals": (
        CERTIFICATES,
        lambda run: steps_of_many_literals(run, range(2, 20_000)),
    ),
    "impossible strings of line ends": (IMPOSSIBLE, lambda _: full_gz(b"\n")),
    "games of a move": (GAMES, lambda _: xz(many_lines("e2e4 1 e{}", 2**21 - 9))),
    "a cover of a move": (COVER, lambda _: xz(many_lines("e2e4 1 e{}", 2**21 - 9))),
    "PGN of empty lines": (GAMES_PGN, lambda _: full_gz(b"\n")),
    "PGN of one word": (GAMES_PGN, lambda _: full_gz(b"x" * 60_000 + b"\n")),
}
GROUPS: Final = {"packed": PACKED, "large": LARGE}


def forged(run: Files, name: str, content: bytes) -> Files:
    """The run with this file, whose hash the manifest has; a manifest stands for itself."""
    files = run | {name: content}
    if name == MANIFEST:
        return files
    return with_true_counts(files, run) if name == SUMMARY else sealed(files)


def drop(run: Files, played: Files, bombs: Mapping[str, Bomb]) -> None:
    """Audit each with little memory left; print a line for each: what is wrong, and the time."""
    for kind, (name, make) in bombs.items():
        start = run if name in run else played
        content = make(start)
        files = forged(start, name, content)
        began = time.process_time()
        with less_memory(MEMORY_BYTES):
            try:
                check_caught(Forgery(files, (name,)))
                wrong = ""
            except NotCaught as error:
                wrong = str(error)[:300]
        seconds = time.process_time() - began
        if seconds > SECONDS:
            wrong = f"it takes {seconds:.0f} s"
        click.echo(json.dumps([kind, wrong, seconds]))


@contextmanager
def less_memory(free_bytes: int) -> Iterator[None]:
    """Let this process have no more than so many bytes besides what it has (Linux only)."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + free_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def not_caught(runs: Path, group: str) -> dict[str, str]:
    """Drop a group of bombs in a process of their own: for each, what is wrong, or nothing.

    Args:
        runs: The directory with the directories ``run`` and ``played``.
        group: The name of the group.
    """
    program = [sys.executable, "-m", "tests.forgeries.bombs", group, str(runs.resolve())]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    told = {kind: wrong for kind, wrong, _ in map(json.loads, done.stdout.splitlines())}
    return told | {kind: done.stderr[-300:] for kind in GROUPS[group] if kind not in told}


def main(group: str, directory: str) -> None:
    """Drop a group of bombs on the runs in a directory."""
    from tests.forgeries.covers import with_cover  # noqa: PLC0415 - only the process needs it

    run, played = (read_files(Path(directory, name)) for name in ("run", "played"))
    with fast_audits():
        drop(run, with_cover(played), GROUPS[group])


if __name__ == "__main__":
    main(*sys.argv[1:])
