"""Shows forgeries of every kind to the kernel and to the audit, and prints how many were caught.

``python -m tests.campaigns.forging [--seed S] [--count N] [--only WORD]``: each kind is made N
times. First come the sound files, which must pass; then the kernel sees forgeries of its three
files, in the evidence for a few cubes; the audit sees them in runs; and the kernel's program, in
1 GiB, what stands in the place of a file, and hazards. The exit code is 1 if anything was not
caught.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.campaigns.forging import certificates, damage, games, kernel, trees
from tests.campaigns.forging.hazards import HAZARDS
from tests.campaigns.forging.model import (
    Files,
    Forgery,
    Kind,
    NotCaught,
    Runs,
    Scene,
    audit_files,
    check_caught,
    fast_audits,
    make_runs,
    read_files,
    scene_of,
)
from tests.campaigns.forging.parts import certificates_of
from tests.proofs.kernel.evidence import part

EVIDENCE: Final[dict[str, Kind]] = {
    **trees.EVIDENCE,
    **games.EVIDENCE,
    **certificates.EVIDENCE,
    **damage.EVIDENCE,
}
"""The kinds: each forges a file that the kernel reads, and that the audit of a run reads too."""


class Row(NamedTuple):
    """A line of the table: a kind, how often it was tried, and what was wrong."""

    kind: str
    tried: int
    wrong: list[str]


def attempt(name: str, checks: Iterable[Callable[[], object]]) -> Row:
    """Do checks that raise NotCaught, and say what was not caught."""
    tried, wrong = 0, []
    for check in checks:
        tried += 1
        try:
            check()
        except NotCaught as error:
            wrong.append(f"{name} {tried - 1}: {error}")
    return Row(name, tried, wrong)


def line_of(row: Row) -> str:
    """Return a line of the table."""
    return f"{row.kind:<60} {row.tried:>6} {row.tried - len(row.wrong):>6}"


def show(rows: Iterable[Row]) -> list[str]:
    """Print each line of the table as soon as it is known; return what was wrong."""
    tried, wrong = 0, []
    sys.stdout.write(f"{'kind':<60} {'tried':>6} {'right':>6}\n")
    for row in rows:
        tried += row.tried
        wrong += row.wrong
        sys.stdout.write(line_of(row) + "\n")
        sys.stdout.flush()
    sys.stdout.write(line_of(Row("all", tried, wrong)) + "\n")
    return wrong


def options_of(name: str, about: str | None, count: int) -> argparse.ArgumentParser:
    """Return the options of a campaign that tries each kind so many times."""
    parser = argparse.ArgumentParser(prog=name, description=about)
    parser.add_argument("--count", metavar="N", type=int, default=count, help="tries of each kind")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    parser.add_argument("--only", metavar="WORD", default="", help="a part of the names of kinds")
    return parser


def read_runs(directory: Path) -> Runs:
    """Return the runs that were made in a directory, each audited."""
    runs = Runs(*(read_files(directory / name) for name in Runs._fields))
    for files in runs:
        audit_files(files)  # or nothing that follows says anything
    return runs


# --- What is tried ---


def kernel_scene(files: Files, kind: str, number: int, seed: int) -> Scene:
    """Return the scene of a try on files that the kernel reads."""
    return Scene(files, files, files, Random(f"{seed} {kind} {number}"))


def before_the_kernel(names: Iterable[str], count: int, seed: int) -> Iterator[Row]:
    """Forge the evidence for a few cubes, and show it to the kernel in this process."""
    files = kernel.contents_of(part())
    with kernel.on_a_part() as executor:
        sound = kernel.judge(files, executor)
        for name in names:
            scenes = (kernel_scene(files, name, number, seed) for number in range(count))
            forged = map(EVIDENCE[name], scenes)
            checks = (partial(kernel.check_refused, f, executor, sound) for f in forged)
            yield attempt(f"kernel: {name}", checks)


def before_the_audit(runs: Runs, names: Iterable[str], count: int, seed: int) -> Iterator[Row]:
    """Forge the runs, and have them audited in this process."""
    for name in names:
        scenes = (scene_of(runs, name, number, seed) for number in range(count))
        forged = map(EVIDENCE[name], scenes)
        yield attempt(f"audit: {name}", (partial(check_caught, forgery) for forgery in forged))


def by_the_program(only: str) -> Iterator[Row]:
    """Have the kernel's program read what is no file, and hazards."""
    files = kernel.contents_of(part())
    small = min(certificates_of(files), key=lambda c: len(c.steps))
    check = kernel.check_refused_by_program
    for name, (make, says) in damage.INSTEAD.items():
        if only in name:
            forged = (Forgery(files, (), instead={file: make}) for file in files)
            yield attempt(f"program: {name}", (partial(check, each, says) for each in forged))
    for name, (file, content, says) in HAZARDS.items():
        if file in files and only in name:
            forgery = Forgery(files | {file: content(small)}, ())
            yield attempt(f"program: {name}", [partial(check, forgery, says)])


def main() -> int:
    """Print the table; return 1 if anything was not caught."""
    options = options_of("forging", __doc__, 5).parse_args()
    started = time.perf_counter()
    chosen = [name for name in EVIDENCE if options.only in name]
    with fast_audits(), TemporaryDirectory() as temporary:
        make_runs(Path(temporary))
        runs = read_runs(Path(temporary))
        wrong = show(
            chain(
                before_the_kernel(chosen, options.count, options.seed),
                before_the_audit(runs, chosen, options.count, options.seed),
                by_the_program(options.only),
            )
        )
    largest = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    seconds = time.perf_counter() - started
    said = f"seed {options.seed}, {seconds:.0f} s, the largest process {largest // 1024} MiB"
    sys.stdout.write("\n".join([*wrong, said, ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
