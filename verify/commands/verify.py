"""``sanproof verify``: decide strings in a run directory."""

import sys
from pathlib import Path

import click

from verify.commands.options import named_directory, only_option, workers_option
from verify.errors import ANSWER_NO


@click.command("verify")
@click.option(
    "--out",
    "directory",
    metavar="DIR",
    required=True,
    callback=named_directory,
    help="Run directory; made if it is not there. The same DIR again goes on where a run stopped.",
)
@workers_option
@only_option
@click.option(
    "--games/--no-games",
    default=True,
    show_default=True,
    help="Find a legal game for every string. Without, a valid position has to do.",
)
@click.option(
    "--suite/--no-suite",
    default=None,
    show_default="with games of all strings",
    help="Find the covering suite: as few games as can be that together show every string.",
)
def command(
    directory: Path, workers: int, only: str | None, *, games: bool, suite: bool | None
) -> None:
    """Decide every SAN string and write lists, games and reasons to DIR.

    \b
    DIR then holds
      san_strings.txt                 reachable strings without suffix, one a line
      san_strings_with_symbols.txt    all reachable strings
      witnesses.csv                   san,before_fen,uci,after_fen,game for each of them
      games.pgn.gz                    a game for each of them, by either player who can play it
      suite.pgn, suite.csv            as few games as can be that show every string, and where
      impossible.csv.gz               san,reason for every other string
      certificates.txt.xz             a refutation for each cube of strings
      summary.json, summary.md        the counts
      manifest.json                   the hash of each file
      run.sqlite3, run.log            what is kept to go on after a stop, and the log

    Ends with exit code 1 if a string stays undecided or the generator's list differs.
    """  # noqa: D301
    from verify.run.selection import select
    from verify.run.session import run
    from verify.run.show import show_result

    whole = games and only is None
    if suite and not whole:
        raise click.UsageError(
            "a suite is of all strings, and of games: leave out --only and --no-games"
        )
    chosen = whole if suite is None else suite
    result = run(directory, select(only), workers, games=games, suite=chosen)
    if not show_result(result, directory):
        sys.exit(ANSWER_NO)
