"""Shows forgeries of every kind to the kernel, and prints how many were caught.

``python -m tests.campaigns.forging [--seed S] [--count N] [--only WORD]``: each kind is made N
times of the evidence for a few cubes, and shown to the kernel in this process. Its program, in
1 GiB, reads what stands in the place of a file, and hazards. The exit code is 1 if anything was not
caught.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

from tests.campaigns.forging import certificates, damage, games, kernel, trees
from tests.campaigns.forging.hazards import HAZARDS
from tests.campaigns.forging.model import Kind, NotCaught, lay_down
from tests.campaigns.forging.parts import certificates_of
from tests.proofs.kernel.evidence import part

EVIDENCE: Final[dict[str, Kind]] = {
    **trees.EVIDENCE,
    **games.EVIDENCE,
    **certificates.EVIDENCE,
    **damage.EVIDENCE,
}
"""The kinds: each forges a file that the kernel reads, or all three."""
Row = tuple[str, int, list[str]]
"""A kind, how often it was tried, and what was not caught."""


def attempt(name: str, checks: Iterable[Callable[[], object]]) -> Row:
    """Do checks that raise NotCaught, and say what was not caught."""
    tried, wrong = 0, []
    for check in checks:
        tried += 1
        try:
            check()
        except NotCaught as error:
            wrong.append(f"{name} {tried - 1}: {error}")
    return name, tried, wrong


def before_the_kernel(names: Iterable[str], count: int, seed: int) -> Iterator[Row]:
    """Forge the evidence for a few cubes, and show it to the kernel in this process."""
    files = kernel.contents_of(part())
    with kernel.on_a_part() as executor:
        sound = kernel.judge(files, executor)
        for name in names:
            randoms = (Random(f"{seed} {name} {number}") for number in range(count))
            forged = (EVIDENCE[name](files, random) for random in randoms)
            yield attempt(
                name, (partial(kernel.check_refused, one, executor, sound) for one in forged)
            )


def by_the_program(only: str) -> Iterator[Row]:
    """Have the kernel's program read what is no file, and hazards."""
    files = kernel.contents_of(part())
    small = min(certificates_of(files), key=lambda c: len(c.steps))
    check = kernel.check_refused_by_program

    def without(name: str, make: damage.Maker, folder: Path) -> None:
        lay_down({other: files[other] for other in files if other != name}, folder)
        make(folder / name)

    for kind, (make, says) in damage.INSTEAD.items():
        if only in kind:
            makers = (partial(without, name, make) for name in files)
            yield attempt(f"program: {kind}", (partial(check, each, says) for each in makers))
    for kind, (name, content, says) in HAZARDS.items():
        if only in kind:
            forged = files | {name: content(small)}
            yield attempt(f"program: {kind}", [partial(check, partial(lay_down, forged), says)])


def main() -> int:
    """Print the table; return 1 if anything was not caught."""
    parser = argparse.ArgumentParser(prog="forging", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=5, help="tries of each kind")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    parser.add_argument("--only", metavar="WORD", default="", help="a part of the names of kinds")
    options = parser.parse_args()
    started, wrong = time.perf_counter(), list[str]()
    chosen = [name for name in EVIDENCE if options.only in name]
    sys.stdout.write(f"{'kind':<60} {'tried':>6} {'right':>6}\n")
    for name, tried, missed in chain(
        before_the_kernel(chosen, options.count, options.seed), by_the_program(options.only)
    ):
        wrong += missed
        sys.stdout.write(f"{name:<60} {tried:>6} {tried - len(missed):>6}\n")
        sys.stdout.flush()
    seconds = time.perf_counter() - started
    sys.stdout.write("\n".join([*wrong, f"seed {options.seed}, {seconds:.0f} s", ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
