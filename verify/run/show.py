"""The end of a run on the terminal: a table for people, and what is wrong if anything is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.tables.names import COVER_PGN
from sanproof.reports.tables.summary import DIMENSIONS, length_in_words
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.findings.width import fitted
from sanproof.verify.run.runner import RunResult

MAX_DIFFERENCES: Final = 50
VERDICTS: Final = tuple(verdict.value for verdict in Verdict)


def show_result(result: RunResult, directory: Path) -> int:
    """Print the counts of a run, and return the exit code: 0 if all is well, or what is wrong."""
    counts, times = result.summary, result.summary["times"]
    if result.again:
        _say(f"This run was finished before; nothing had to be done in {directory}.")
    _say(f"SAN strings matching {counts['only']}" if counts["only"] else "All SAN strings")
    Console(highlight=False, markup=False, emoji=False).print(_table(counts))
    for sentence in (*_undecided(counts), *_differences(counts), *_games(counts)):
        _say(sentence)
    if not result.again:
        _say(
            f"This command searched for {times['working_seconds']} s and wrote for "
            f"{times['writing_seconds']} s."
        )
    _say(f"Everything is in {directory}.")
    if counts["undecided"] or counts["undecided_players"]:
        return UNDECIDED
    generator = counts["generator"]
    return ANSWER_NO if generator["missing"] or generator["too_many"] else 0


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


def _undecided(counts: dict[str, Any]) -> Iterator[str]:
    if undecided := counts[Verdict.UNDECIDED.value]:
        some = ", ".join(counts["undecided_strings"][:8])
        follows = f"Nothing follows for {'it' if undecided == 1 else 'them'}."
        yield f"UNDECIDED: {number_of(undecided, 'string')}, such as {some}. {follows}"
    if players := counts["undecided_players"]:
        some = ", ".join(players[:8])
        yield f"UNDECIDED: who plays {number_of(len(players), 'string')}, such as {some}."


def _differences(counts: dict[str, Any]) -> Iterator[str]:
    check = counts["generator"]
    missing, too_many = check["missing"], check["too_many"]
    if not missing and not too_many:
        agreement = (
            f"its {number_of(check['strings'], 'string is', 'strings are')} exactly what is "
            "reachable"
            if check["strings"]
            else "it has none of these strings, and none is reachable"
        )
        yield f"The generator agrees: {agreement}."
        return
    yield f"The generator DIFFERS: {len(missing):,} missing, {len(too_many):,} too many."
    lines = [f"  missing {san}: played in {fen}" for san, fen in missing.items()]
    lines += [f"  too many: {why}" for why in too_many.values()]
    yield from lines[:MAX_DIFFERENCES]
    if len(lines) > MAX_DIFFERENCES:
        yield f"  and {len(lines) - MAX_DIFFERENCES:,} more, in summary.json"


def _games(counts: dict[str, Any]) -> Iterator[str]:
    games, cover = counts["games"], counts["cover"]
    if games is None:
        yield "No games were searched: reachable means here, in a valid position."
    elif games["games"]:
        players = ", ".join(f"{n:,} by {name}" for name, n in games["strings_by_player"].items())
        yield f"Every reachable string is played in a legal game: {players}."
        length = length_in_words(games)
        yield f"{number_of(games['games'], 'game')} of {length}, from the initial position to mate."
    if cover and cover["games"]:
        shown = f"{number_of(cover['games'], 'game')} of {length_in_words(cover)}"
        needed = f"the {number_of(cover['mates'], 'mate')} need at least as many games"
        yield f"{COVER_PGN}: {shown} show every string; {needed}."
