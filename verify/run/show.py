"""The end of a run on the terminal: a table for people, and what is wrong if anything is."""

import sys
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.tables.names import COVER_PGN
from sanproof.reports.tables.summary import DIMENSIONS, length_in_words
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.findings.width import columns_of, fitted
from sanproof.verify.run.runner import RunResult

MOST_DIFFERENCES: Final = 50
WIDE: Final = 1000
"""More columns than any line of ours has."""
VERDICTS: Final = tuple(verdict.value for verdict in Verdict)


def say(text: str) -> None:
    """Print a sentence."""
    click.echo(fitted(text, 2 if text.startswith("  ") else 0))


def show_table(table: Table, plain: list[str]) -> None:
    """Print a table, or the same as sentences where the terminal is too narrow for it."""
    console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
    width = columns_of(sys.stdout)
    console.width = WIDE
    if width is None or console.measure(table).maximum <= width:
        console.print(table)
        return
    for line in plain:
        say(line)


def exit_code(result: RunResult) -> int:
    """What a run says to scripts: 0 if all is well, or what is wrong."""
    if result.summary["undecided"] or result.summary["undecided_players"]:
        return UNDECIDED
    generator = result.summary["generator"]
    return ANSWER_NO if generator["missing"] or generator["too_many"] else 0


def show_result(result: RunResult, directory: Path) -> bool:
    """Print the counts of a run.

    Returns:
        Whether every string is decided and the generator's list is exactly the reachable strings.
    """
    counts = result.summary
    if result.again:
        say(f"This run was finished before; nothing had to be done in {directory}.")
    show_table(_table(counts), _plain_table(counts))
    settled = _show_undecided(counts)
    agreed = _show_differences(counts["generator"])
    played = _show_games(counts)
    _show_times(counts["times"], again=result.again)
    say(f"Everything is in {directory}.")
    return settled and agreed and played


def _title(counts: dict[str, Any]) -> str:
    return f"SAN strings matching {counts['only']}" if counts["only"] else "All SAN strings"


def _table(counts: dict[str, Any]) -> Table:
    table = Table(title=Text(_title(counts)), title_justify="left")
    table.add_column("", no_wrap=True)
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right", no_wrap=True)
    for name in DIMENSIONS:
        for part, numbers in counts[f"by_{name}"].items():
            table.add_row(part, *(f"{n:,}" for n in numbers.values()))
        table.add_section()
    table.add_row("all", *(f"{counts[verdict]:,}" for verdict in VERDICTS), style="bold")
    return table


def _plain_table(counts: dict[str, Any]) -> list[str]:
    parts = [item for name in DIMENSIONS for item in counts[f"by_{name}"].items()]
    rows = [*parts, ("all", {verdict: counts[verdict] for verdict in VERDICTS})]
    lines = [
        f"{part}: " + ", ".join(f"{n:,} {verdict}" for verdict, n in numbers.items())
        for part, numbers in rows
    ]
    return [_title(counts), *lines]


def _show_undecided(counts: dict[str, Any]) -> bool:
    undecided = counts[Verdict.UNDECIDED.value]
    if undecided:
        some = ", ".join(counts["undecided_strings"][:8])
        say(
            f"UNDECIDED: {number_of(undecided, 'string')}, such as {some}. Nothing follows for "
            f"{'it' if undecided == 1 else 'them'}."
        )
    return not undecided


def _show_games(counts: dict[str, Any]) -> bool:
    games, undecided = counts["games"], counts["undecided_players"]
    if games is None:
        say("No games were searched: reachable means here, in a valid position.")
        return True
    if games["games"]:
        players = ", ".join(f"{n:,} by {name}" for name, n in games["strings_by_player"].items())
        say(f"Every reachable string is played in a legal game: {players}.")
        say(
            f"{number_of(games['games'], 'game')} of {length_in_words(games)}, each from the "
            "initial position to mate."
        )
    cover = counts["cover"]
    if cover and cover["games"]:
        say(
            f"{COVER_PGN}: {number_of(cover['games'], 'game')} of {length_in_words(cover)} show "
            f"every string; the {number_of(cover['mates'], 'mate')} need at least as many games."
        )
    if undecided:
        some = ", ".join(undecided[:8])
        say(f"UNDECIDED: who plays {number_of(len(undecided), 'string')}, such as {some}.")
    return not undecided


def _show_differences(check: dict[str, Any]) -> bool:
    missing, too_many = check["missing"], check["too_many"]
    if not missing and not too_many:
        strings = check["strings"]
        agreement = (
            f"its {number_of(strings, 'string is', 'strings are')} exactly what is reachable"
            if strings
            else "it has none of these strings, and none is reachable"
        )
        say(f"The generator agrees: {agreement}.")
        return True
    say(f"The generator DIFFERS: {len(missing):,} missing, {len(too_many):,} too many.")
    shown = [f"  missing {san}: played in {fen}" for san, fen in missing.items()]
    shown += [f"  too many: {why}" for why in too_many.values()]
    for line in shown[:MOST_DIFFERENCES]:
        say(line)
    if len(shown) > MOST_DIFFERENCES:
        say(f"  and {len(shown) - MOST_DIFFERENCES:,} more, in summary.json")
    return False


def _show_times(times: dict[str, float], *, again: bool) -> None:
    """How long it took: this command, and the work of the whole run, which may be of several."""
    work = [("deciding", times["deciding_worker_seconds"])]
    work += [("games", times["games_worker_seconds"])] * bool(times["games_worker_seconds"])
    work += [("cover", times["cover_worker_seconds"])] * bool(times["cover_worker_seconds"])
    if not again:
        say(
            f"This command searched for {times['working_seconds']} s and wrote for "
            f"{times['writing_seconds']} s."
        )
    parts = ", ".join(f"{seconds} s {name}" for name, seconds in work)
    say(f"The workers' time since the run began: {parts}.")
