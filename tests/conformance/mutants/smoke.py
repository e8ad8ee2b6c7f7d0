"""Chooses the smallest suite: the cases of the core that find most mutants, greedily.

``python -m tests.conformance.mutants.smoke`` writes ``smoke.txt`` again; it takes as long as
the session ``suite_mutants``. Each case in turn is the one that finds most of the mutants that are
not found yet; of equals the first by id.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from conformance.suite.build import core_suite
from sanproof.verify.conformance.suite import Case
from tests.conformance.mutants.measure import asked, fails, touching
from tests.conformance.mutants.operators import Mutant, Mutated, mutants
from tests.verify.command import ROOT

MOST: Final = 150
FILE: Final = ROOT / "conformance" / "suite" / "smoke.txt"
HEAD: Final = (
    "# The cases of the smallest suite, which find most mutants: ids of the core, chosen greedily."
)


def found_by(cases: Sequence[Case], chosen: Sequence[Mutant]) -> list[set[int]]:
    """For each case the numbers of the mutants that it finds."""
    touched = touching(cases, chosen)
    found: list[set[int]] = [set() for _ in cases]
    for number, mutant in enumerate(chosen):
        with Mutated(mutant):
            for case in touched[mutant]:
                if fails(cases[case]):
                    found[case].add(number)
    return found


def greedily(found: Iterable[set[int]], most: int) -> list[int]:
    """The numbers of at most so many sets, each of which adds most to those before it."""
    left = list(found)
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = max(range(len(left)), key=lambda number: (len(left[number]), -number))
        new = left[best]
        if not new:
            break
        chosen.append(best)
        left = [numbers - new for numbers in left]
    return chosen


def main(words: Sequence[str]) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    file: Path = parser.parse_args(words).file
    cases = asked(core_suite())
    chosen = greedily(found_by(cases, mutants()), MOST)
    ids = sorted(cases[number].id for number in chosen)
    file.write_text("\n".join([HEAD, *ids]) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
