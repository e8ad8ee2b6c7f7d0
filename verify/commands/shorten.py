"""``sanproof shorten``: search shorter games, count all games of some plies, check a user's."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    command,
    file_option,
    folder_option,
    number_option,
    only_option,
    scheduler_option,
    workers_option,
)
from sanproof.verify.errors import ANSWER_NO


@command
@folder_option("--out", "The folder of the search: new, empty, or of an earlier one to continue.")
@number_option(
    "--rounds",
    "With --out: search for N rounds, each takes some minutes of one core.",
    *(1, 100_000),
)
@number_option(
    "--exhaust",
    "Count all games of this many plies. 7 take half a minute, 8 six minutes and 6 GB.",
    *(1, 8),
    metavar="PLIES",
)
@file_option(
    "--check",
    "Say which strings the games of a PGN file reach earlier than the known games. With --out: "
    "begin with these games too.",
)
@number_option(
    "--seed",
    "The same seed and rounds find the same games, however many workers there are.",
    *(0, 1_000_000),
    default=0,
)
@only_option
@workers_option
@scheduler_option
def shorten(
    folder: Path | None,
    rounds: int | None,
    exhaust: int | None,
    check: Path | None,
    seed: int,
    only: str | None,
    workers: int,
    scheduler: str | None,
) -> None:
    """Search for shorter games.

    Try:
      sanproof shorten --exhaust 6
      sanproof shorten --out short --rounds 1 --only 'O-O*'
      sanproof shorten --check my.pgn

    The search begins with the shortest known game for each string, and never makes one longer. The
    folder then holds `shortest.txt.xz`, a row for each player and string: the ply, a lower bound,
    and a game to mate. It is written after each round, and the next search in the folder goes on
    from there.

    With --only, it searches for the strings that match, but keeps shorter games for others that it
    happens to find. With --exhaust, it counts which strings first occur at each ply.

    With --check alone, exit code 0 if a game reaches a string earlier, 1 if none does.
    """
    from sanproof.verify.shorten.shortening import Folder, counts, improvements

    if exhaust:
        if folder or check or rounds:
            raise click.UsageError("--exhaust counts all games: give it alone.")
        for line in counts(exhaust):
            click.echo(line)
    elif folder:
        search = Folder(folder, seed, only)
        for line in search.improve(rounds or 0, workers, scheduler, check):
            click.echo(line)
        click.echo(f"{len(search.rows):,} games in {folder}: {search.search}.")
    elif check and not rounds:
        found = improvements(check)
        click.echo("".join(f"{improvement}\n" for improvement in found), nl=False)
        click.echo(f"{len(found)} strings are shown earlier than in the known games.")
        sys.exit(0 if found else ANSWER_NO)
    else:
        raise click.UsageError("Give a folder with --out, or give only --check or --exhaust.")
