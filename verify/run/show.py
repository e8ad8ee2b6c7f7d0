"""The end of a run on the terminal: a table for people, and what is wrong if anything is."""

import shlex
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.tables.summary import DIMENSIONS, filled_in
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.findings.width import fitted

MAX_DIFFERENCES: Final = 50
VERDICTS: Final = tuple(verdict.value for verdict in Verdict)


def show_result(counts: dict[str, Any], directory: Path, *, again: bool) -> int:
    """Print the counts of a run, and return the exit code: 0 if all is well, or what is wrong."""
    generator = counts["generator"]
    if again:
        _say(f"This run was finished before; nothing had to be done in {directory}.")
    _say(f"SAN strings matching {counts['only']}" if counts["only"] else "All SAN strings")
    Console(highlight=False, markup=False, emoji=False).print(_table(counts))
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


def _table(counts: dict[str, Any]) -> Table:
    table = Table()
    table.add_column("")
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right")
    for name in DIMENSIONS:
        for part, numbers in counts[f"by_{name}"].items():
            table.add_row(part, *(f"{n:,}" for n in numbers.values()))
        table.add_section()
    table.add_row("all", *(f"{counts[verdict]:,}" for verdict in VERDICTS), style="bold")
    return table
