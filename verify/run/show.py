"""Prints the result of a run: a table for people, and what is wrong, if anything is."""

import shlex
from pathlib import Path
from typing import Any, Final

import click

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.tables.summary import DIMENSIONS, filled_in
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.findings.width import fitted

MAX_DIFFERENCES: Final = 50
VERDICTS: Final = tuple(verdict.value for verdict in Verdict)


def show_result(counts: dict[str, Any], directory: Path, *, again: bool) -> int:
    """Print the counts of a run. Return the exit code, which is 0 if nothing is wrong."""
    generator = counts["generator"]
    if again:
        _say(f"This run was finished before; nothing had to be done in {directory}.")
    _say(f"SAN strings matching {counts['only']}" if counts["only"] else "All SAN strings")
    click.echo("\n".join(["", *_table(counts), ""]))
    differences = [f"missing {san}: played in {fen}" for san, fen in generator["missing"].items()]
    differences += [f"too many: {why}" for why in generator["too_many"].values()]
    more = {"differences": differences, "most": MAX_DIFFERENCES, "again": again}
    for line in filled_in("end_of_run.txt", {**counts, **more}).splitlines():
        _say(line)
    _say(f"Everything is in {directory}.")
    name = shlex.quote(str(directory))
    _say(f"`sanproof audit {name}` checks it, `sanproof report {name}` shows it.")
    if counts["undecided"] or counts["undecided_players"]:
        return UNDECIDED
    return ANSWER_NO if differences else 0


def _say(text: str) -> None:
    click.echo(fitted(text, 2 if text.startswith("  ") else 0))


def _table(counts: dict[str, Any]) -> list[str]:
    """Return a table of the verdicts by each kind of string, as lines."""
    rows = [["", *VERDICTS]]
    for name in DIMENSIONS:
        parts = counts[f"by_{name}"].items()
        rows += [[part, *(f"{n:,}" for n in numbers.values())] for part, numbers in parts]
        rows.append([])
    rows.append(["all", *(f"{counts[verdict]:,}" for verdict in VERDICTS)])
    width = max(len(row[0]) for row in rows if row)
    return [
        "".join([f"  {row[0]:{width}}", *(f"{c:>12}" for c in row[1:])]) if row else ""
        for row in rows
    ]
