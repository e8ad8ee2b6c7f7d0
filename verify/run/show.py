"""The end of a run on the terminal: a table for people, and what is wrong if anything is."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proofs.verdicts.rulings import Verdict
from reports.tables.names import SUITE_PGN
from reports.tables.summary import DIMENSIONS
from verify.run.session import RunResult

MOST_DIFFERENCES = 50


def show_result(result: RunResult, directory: Path) -> bool:
    """Print the counts of a run.

    Returns:
        Whether every string is decided and the generator's list is exactly the reachable strings.
    """
    console = Console(highlight=False, soft_wrap=True, markup=False)
    counts = result.summary
    if result.again:
        console.print(f"This run was finished before; nothing had to be done in {directory}.")
    console.print(_table(counts))
    settled = _show_undecided(console, counts)
    agreed = _show_differences(console, counts["generator"])
    played = _show_games(console, counts)
    times = counts["times"]
    console.print(
        f"{times['working_seconds']} s of search (work: {times['deciding_worker_seconds']} s "
        f"deciding, {times['games_worker_seconds']} s games, {times['suite_worker_seconds']} s "
        f"suite), {times['writing_seconds']} s writing."
    )
    console.print(f"Everything is in {directory}.")
    return settled and agreed and played


def _table(counts: dict[str, Any]) -> Table:
    title = f"SAN strings matching {counts['only']}" if counts["only"] else "All SAN strings"
    table = Table(title=Text(title), title_justify="left")
    table.add_column("")
    for verdict in Verdict:
        table.add_column(verdict.value, justify="right")
    for name in DIMENSIONS:
        for part, numbers in counts[f"by_{name}"].items():
            table.add_row(part, *(f"{n:,}" for n in numbers.values()))
        table.add_section()
    table.add_row("all", *(f"{counts[v.value]:,}" for v in Verdict), style="bold")
    return table


def _show_undecided(console: Console, counts: dict[str, Any]) -> bool:
    undecided = counts[Verdict.UNDECIDED.value]
    if undecided:
        some = ", ".join(counts["undecided_strings"][:8])
        console.print(
            f"UNDECIDED: {undecided:,} strings, such as {some}. Nothing follows for them."
        )
    return not undecided


def _show_games(console: Console, counts: dict[str, Any]) -> bool:
    games, undecided = counts["games"], counts["undecided_players"]
    if games is None:
        console.print("No games were looked for: reachable says here, in a valid position.")
        return True
    players = ", ".join(f"{n:,} by {name}" for name, n in games["strings_by_player"].items())
    console.print(f"Every reachable string is played in a legal game: {players}.")
    console.print(f"{games['games']:,} games of {games['plies_mean']} plies in the mean.")
    if suite := counts["suite"]:
        console.print(
            f"{SUITE_PGN}: {suite['games']:,} games show every string, and {suite['mates']:,} are "
            f"needed for as many mates; {suite['plies_mean']} plies in the mean."
        )
    if undecided:
        some = ", ".join(undecided[:8])
        console.print(f"UNDECIDED: for {len(undecided):,} who plays them, such as {some}.")
    return not undecided


def _show_differences(console: Console, check: dict[str, Any]) -> bool:
    missing, too_many = check["missing"], check["too_many"]
    if not missing and not too_many:
        console.print(
            f"The generator agrees: its {check['strings']:,} strings are the reachable ones."
        )
        return True
    console.print(f"The generator DIFFERS: {len(missing):,} missing, {len(too_many):,} too many.")
    shown = [f"  missing {san}: played in {fen}" for san, fen in missing.items()]
    shown += [f"  too many: {why}" for why in too_many.values()]
    for line in shown[:MOST_DIFFERENCES]:
        console.print(line)
    if len(shown) > MOST_DIFFERENCES:
        console.print(f"  and {len(shown) - MOST_DIFFERENCES:,} more, in summary.json")
    return False
