"""The tables of docs/tables that are about the conformance suite.

``python -m tests.conformance.tables`` writes them again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from conformance.keep import csv_text
from conformance.suite.build import PUBLIC, core_suite, further_suite
from tests.verify.command import ROOT

FOLDER: Final = ROOT / "docs" / "tables"


def mechanisms() -> Iterable[Sequence[object]]:
    """A row for each mechanism: its cases in the core by who moves, and in the full suite.

    Those of the strings, which only the full suite has, are left out.
    """
    core = Counter((case.mechanism, case.colour) for case in core_suite().cases)
    full = Counter(case.mechanism for case in further_suite().cases)
    yield "mechanism", "core: White", "core: Black", "full"
    for name, number in sorted(full.items()):
        yield name, core[name, "white"], core[name, "black"], number


def reports() -> Iterable[Sequence[object]]:
    """A row for each public report: the cases that would have caught it, or why there are none."""
    yield "report", "symptom", "cases", "why none"
    for report in PUBLIC:
        yield report.url, report.symptom, " ".join(report.cases), report.why_none


TABLES: Final[dict[str, Callable[[], Iterable[Sequence[object]]]]] = {
    "mechanisms.csv": mechanisms,
    "reports.csv": reports,
}


def main() -> None:
    """Write all tables."""
    for name in TABLES:
        (FOLDER / name).write_text(csv_text(TABLES[name]()), encoding="utf-8")


if __name__ == "__main__":
    main()
