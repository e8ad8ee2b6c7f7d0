"""The mutants that the cases of the suite find, by operator: ``nox -s suite``.

``python -m tests.conformance.mutants [--each N]`` asks about every mutant, or each Nth. Many are
still chess, so no case can find them: a condition has the same value in every position, or a table
says something twice. The exit code is 1 if, of all, the core or its smallest part finds too few.
``--keep`` writes the table into ``docs/tables``. No case is chosen for a mutant.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from conformance.keep import csv_text
from conformance.suite.build import smoke_of
from tests.conformance.mutants.measure import asked, core_suite, finders
from tests.conformance.mutants.operators import Mutant, mutants
from tests.verify.command import ROOT

LEAST: Final = {"smoke": 0.69, "core": 0.756}
"""Of 4,129 mutants the core of 3.2.0 finds 3,124, and its smallest part 2,862."""
TABLE: Final = ROOT / "docs" / "tables" / "mutants.csv"


def counts(chosen: Sequence[Mutant]) -> Iterator[Sequence[str | int]]:
    """Yield a row for each operator and one for all: the mutants, and how many each level finds."""
    core = core_suite()
    suites = {"smoke": smoke_of(core), "core": core}
    found = {level: finders(asked(suite), chosen) for level, suite in suites.items()}
    yield "operator", "mutants", *suites
    for operator in [*sorted({mutant.operator for mutant in chosen}), "all"]:
        those = [mutant for mutant in chosen if operator in (mutant.operator, "all")]
        numbers = (sum(by[mutant] is not None for mutant in those) for by in found.values())
        yield operator, len(those), *numbers


def is_enough(rows: Sequence[Sequence[str | int]]) -> bool:
    """Check whether each level finds its share of all mutants."""
    all_of_them = dict(zip(rows[0], rows[-1], strict=True))
    number = int(all_of_them["mutants"])
    return all(int(all_of_them[level]) >= share * number for level, share in LEAST.items())


def main(words: list[str]) -> int:
    """Ask about the mutants and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1, help="ask about each Nth mutant")
    parser.add_argument("--keep", action="store_true", help="write the table into docs/tables")
    options = parser.parse_args(words)
    if options.keep and options.each != 1:
        parser.error("--keep is about all mutants: leave out --each")
    rows = list(counts(mutants()[:: options.each]))
    if options.keep:
        TABLE.write_text(csv_text(rows), encoding="utf-8")
    for first, *rest in rows:
        sys.stdout.write(f"{first:20}{''.join(str(cell).rjust(11) for cell in rest)}\n")
    return 0 if options.each != 1 or is_enough(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
