"""Counts the mutants that the cases of the suite find, by operator: ``nox -s suite``.

The table is docs/tables/mutants.csv. Many mutants are still chess, so no case can find them: a
condition has the same value in every position, or a table says something twice. No case is chosen
for a mutant.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from conformance.keep import csv_text
from conformance.suite.build import smoke_of
from tests.conformance.mutants.measure import asked, core_suite, finders
from tests.conformance.mutants.operators import Mutant, mutants
from tests.verify.command import ROOT

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


if __name__ == "__main__":
    TABLE.write_text(csv_text(counts(mutants())), encoding="utf-8")
