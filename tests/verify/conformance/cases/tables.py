"""The tables of docs/suite.md.

``python -m tests.verify.conformance.cases.tables`` writes them again.
"""

import json
from collections import Counter
from pathlib import Path

from sanproof.verify.conformance.cases.build import core_suite, further_suite
from sanproof.verify.conformance.cases.impossible import FILE
from sanproof.verify.conformance.cases.reports import PUBLIC
from tests.verify.command import ROOT

PAGE = ROOT / "docs" / "suite.md"
IMPOSSIBLE = ROOT / "data" / "conformance" / FILE


def mechanisms() -> str:
    """A row for each mechanism, with the numbers of its cases."""
    core = Counter((case.mechanism, case.colour) for case in core_suite().cases)
    full = Counter(case.mechanism for case in further_suite().cases)
    rows = ["| mechanism | White | Black | full |", "| --- | --: | --: | --: |"]
    rows += [
        f"| `{name}` | {core[name, 'white']} | {core[name, 'black']} | {number} |"
        for name, number in sorted(full.items())
    ]
    white = sum(number for (_, colour), number in core.items() if colour == "white")
    black = sum(core.values()) - white
    return "\n".join([*rows, f"| **all** | {white} | {black} | {sum(full.values())} |"])


def impossible() -> str:
    """A row for each combination that does not occur."""
    content = json.loads(IMPOSSIBLE.read_bytes())
    rows = ["| combination | question | formulas refuted |", "| --- | --- | --: |"]
    decided = [(entry, entry.get("formulas") or "in words") for entry in content["combinations"]]
    undecided = [(entry, "undecided") for entry in content["undecided"]]
    rows += [
        f"| {entry['combination']} | `{entry['question']}` | {how} |"
        for entry, how in decided + undecided
    ]
    return "\n".join(rows)


def reports() -> str:
    """A row for each public report."""
    rows = ["| report | symptom | cases |", "| --- | --- | --- |"]
    for report in PUBLIC:
        name = report.url.removeprefix("https://github.com/").replace("/issues/", " ")
        cases = ", ".join(f"`{case}`" for case in report.cases)
        rows.append(f"| [{name}]({report.url}) | {report.symptom} | {cases} |")
    return "\n".join(rows)


TABLES = {"mechanisms": mechanisms, "impossible": impossible, "reports": reports}


def written(page: str) -> str:
    """The page with its tables written again."""
    for name, table in TABLES.items():
        before, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not start or not end:
            raise ValueError(f"there is no place for the table {name}")
        page = f"{before}{start}\n{table()}\n\n{end}{after}"
    return page


def main(path: Path = PAGE) -> None:
    path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
