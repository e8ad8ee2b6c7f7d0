"""The end of a run on the terminal: a table for people, and what is wrong if anything is."""

import textwrap
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.tables.names import COVER_PGN
from sanproof.reports.tables.summary import DIMENSIONS, length_in_words
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.run.runner import RunResult

MOST_DIFFERENCES: Final = 50
WIDE: Final = 1000
"""More columns than any line of ours has."""
VERDICTS: Final = tuple(verdict.value for verdict in Verdict)


class Output:
    """Standard output; on a terminal, lines end between words, and elsewhere none is cut.

    A word that is longer than the terminal is wide, such as the name of a directory, stays whole.
    """

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
        self._terminal_width = self._console.width if self._console.is_terminal else None
        self._console.width = WIDE

    def say(self, text: str) -> None:
        """Print a sentence."""
        if self._terminal_width is not None:
            indent = "  " if text.startswith("  ") else ""
            text = textwrap.fill(
                text,
                max(1, self._terminal_width),
                break_long_words=False,
                break_on_hyphens=False,
                subsequent_indent=2 * indent,
            )
        self._console.print(text)

    def show(self, table: Table, plain: list[str]) -> None:
        """Print a table, or the same as sentences where the terminal is too narrow for it."""
        width = self._console.measure(table).maximum
        if self._terminal_width is None or width <= self._terminal_width:
            self._console.print(table)
            return
        for line in plain:
            self.say(line)


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
    output = Output()
    counts = result.summary
    if result.again:
        output.say(f"This run was finished before; nothing had to be done in {directory}.")
    output.show(_table(counts), _plain_table(counts))
    settled = _show_undecided(output, counts)
    agreed = _show_differences(output, counts["generator"])
    played = _show_games(output, counts)
    _show_times(output, counts["times"], again=result.again)
    output.say(f"Everything is in {directory}.")
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


def _show_undecided(output: Output, counts: dict[str, Any]) -> bool:
    undecided = counts[Verdict.UNDECIDED.value]
    if undecided:
        some = ", ".join(counts["undecided_strings"][:8])
        output.say(
            f"UNDECIDED: {number_of(undecided, 'string')}, such as {some}. Nothing follows for "
            f"{'it' if undecided == 1 else 'them'}."
        )
    return not undecided


def _show_games(output: Output, counts: dict[str, Any]) -> bool:
    games, undecided = counts["games"], counts["undecided_players"]
    if games is None:
        output.say("No games were searched: reachable means here, in a valid position.")
        return True
    if games["games"]:
        players = ", ".join(f"{n:,} by {name}" for name, n in games["strings_by_player"].items())
        output.say(f"Every reachable string is played in a legal game: {players}.")
        output.say(
            f"{number_of(games['games'], 'game')} of {length_in_words(games)}, each from the "
            "initial position to mate."
        )
    cover = counts["cover"]
    if cover and cover["games"]:
        output.say(
            f"{COVER_PGN}: {number_of(cover['games'], 'game')} of {length_in_words(cover)} show "
            f"every string; the {number_of(cover['mates'], 'mate')} need at least as many games."
        )
    if undecided:
        some = ", ".join(undecided[:8])
        output.say(f"UNDECIDED: who plays {number_of(len(undecided), 'string')}, such as {some}.")
    return not undecided


def _show_differences(output: Output, check: dict[str, Any]) -> bool:
    missing, too_many = check["missing"], check["too_many"]
    if not missing and not too_many:
        strings = check["strings"]
        agreement = (
            f"its {number_of(strings, 'string is', 'strings are')} exactly what is reachable"
            if strings
            else "it has none of these strings, and none is reachable"
        )
        output.say(f"The generator agrees: {agreement}.")
        return True
    output.say(f"The generator DIFFERS: {len(missing):,} missing, {len(too_many):,} too many.")
    shown = [f"  missing {san}: played in {fen}" for san, fen in missing.items()]
    shown += [f"  too many: {why}" for why in too_many.values()]
    for line in shown[:MOST_DIFFERENCES]:
        output.say(line)
    if len(shown) > MOST_DIFFERENCES:
        output.say(f"  and {len(shown) - MOST_DIFFERENCES:,} more, in summary.json")
    return False


def _show_times(output: Output, times: dict[str, float], *, again: bool) -> None:
    """How long it took: this command, and the work of the whole run, which may be of several."""
    work = [("deciding", times["deciding_worker_seconds"])]
    work += [("games", times["games_worker_seconds"])] * bool(times["games_worker_seconds"])
    work += [("cover", times["cover_worker_seconds"])] * bool(times["cover_worker_seconds"])
    if not again:
        output.say(
            f"This command searched for {times['working_seconds']} s and wrote for "
            f"{times['writing_seconds']} s."
        )
    parts = ", ".join(f"{seconds} s {name}" for name, seconds in work)
    output.say(f"The workers' time since the run began: {parts}.")
