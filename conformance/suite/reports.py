"""Public reports of errors in SAN, and the cases that would have caught them.

They stand in ``reports.txt``: the address, what went wrong, and the ids of cases that fail with the
error; of a report without such a case, ``-`` and the reason.
"""

from typing import Final, NamedTuple

from sanproof.reports.tables.rows import table


class Report(NamedTuple):
    """A public report: where it is, what went wrong, and the ids of cases that would catch it.

    If there are none, ``why_none`` says why.
    """

    url: str
    symptom: str
    cases: tuple[str, ...]
    why_none: str


_NONE: Final = "- "

PUBLIC: Final = tuple(
    Report(url, symptom, (), cases.removeprefix(_NONE))
    if cases.startswith(_NONE)
    else Report(url, symptom, tuple(cases.split()), "")
    for url, symptom, cases in table(__package__, "reports.txt", 3)
)
"""The reports."""

REPORTS: Final[dict[str, tuple[str, ...]]] = {report.url: report.cases for report in PUBLIC}
"""For each report the ids of the cases."""
