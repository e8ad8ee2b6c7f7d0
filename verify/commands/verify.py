"""``sanproof verify``: decide strings in a run directory."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    named_directory,
    only_option,
    scheduler_option,
    with_earlier_names,
    workers_option,
)


@click.command("verify", context_settings=with_earlier_names)
@click.option(
    "--out",
    "directory",
    metavar="DIR",
    callback=named_directory,
    help="Run directory: new, empty, or of an earlier run, which then continues where it stopped. "
    "[required]",
)
@workers_option
@scheduler_option
@only_option
@click.option(
    "--games/--no-games",
    default=True,
    show_default=True,
    help="Find a legal game for every string. With --no-games a valid position is enough.",
)
@click.option(
    "--cover/--no-cover",
    default=None,
    show_default="with games of all strings",
    help="Find the cover: as few games as possible that together show every string.",
)
def command(
    directory: Path | None,
    workers: int,
    scheduler: str | None,
    only: str | None,
    *,
    games: bool,
    cover: bool | None,
) -> None:
    """Decide every SAN string and write lists, games and reasons to DIR.

    Files in DIR that the run did not write are never replaced or removed, and a finished run is
    never cut down to a part of it. Ctrl-C ends the command; the same command continues later.

    Ends with exit code 3 if a string stays undecided, 1 if the generator's list differs.

    \b
    DIR then holds:
      san_strings.txt               reachable strings without suffix, one a line
      san_strings_with_symbols.txt  all reachable strings
      witnesses.csv                 for each of them a position and a move, and
                                    where its games show it
      games.pgn.gz                  a game for each of them, by each player
      cover.pgn, cover.csv          few games that together show every string
      impossible.csv.gz             every other string, with the reason
      certificates.txt.xz           a refutation for each cube of strings
      summary.json, summary.md      the counts
      manifest.json                 the hash of each file
      run.sqlite3, run.log          what is kept to continue, and the log

    \b
    Try:
      sanproof verify --only 'Ka1*' --out part
      sanproof verify --out run
    """  # noqa: D301
    if directory is None:
        raise click.UsageError("name a directory for the run: sanproof verify --out run")
    whole = games and only is None
    if cover and not whole:
        raise click.UsageError(
            "a cover is of all strings, and of games: leave out --only and --no-games"
        )
    from sanproof.verify.claims.selection import select
    from sanproof.verify.run.runner import run
    from sanproof.verify.run.show import show_result
    from sanproof.verify.work.provenance import require_solvers

    require_solvers("sanproof verify")
    chosen = whole if cover is None else cover
    result = run(directory, select(only), workers, games=games, cover=chosen, scheduler=scheduler)
    sys.exit(show_result(result, directory))
