"""``sanproof shorten``: search shorter games, count all games of some plies, check a user's."""

import sys
from itertools import chain
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    directory_option,
    only_option,
    scheduler_option,
    workers_option,
)
from sanproof.verify.errors import ANSWER_NO


def _check(path: Path) -> int:
    """Say what a user's games show earlier, and return the exit code."""
    from sanproof.verify.shorten.shortening import improvements

    found = improvements(path)
    for improvement in found:
        click.echo(str(improvement))
    click.echo(f"{len(found)} strings are shown earlier than in the known games.")
    return 0 if found else ANSWER_NO


@click.command("shorten")
@directory_option(
    "--out", "The folder of the search: new, empty, or of an earlier one, to continue it."
)
@click.option(
    "--rounds",
    metavar="N",
    type=click.IntRange(1, 100_000),
    help="With --out: search until N rounds are done in all, each some minutes of one core.",
)
@click.option(
    "--exhaust",
    metavar="PLIES",
    type=click.IntRange(1, 8),
    help="Count all games of this many plies. 7 take half a minute, 8 six minutes and 5 GB.",
)
@click.option(
    "--check",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Say which strings the games of a PGN file show earlier than the known games. With --out: "
    "begin with these games too.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0, 1_000_000),
    default=0,
    show_default=True,
    help="The same seed and rounds give the same games, however many workers there are.",
)
@only_option
@workers_option
@scheduler_option
def command(
    directory: Path | None,
    rounds: int | None,
    exhaust: int | None,
    check: Path | None,
    seed: int,
    only: str | None,
    workers: int,
    scheduler: str | None,
) -> None:
    """Search for a shorter game for each string.

    The search begins with the known games, and never makes one longer. DIR then holds
    `shortest.txt.xz`, a row for each player and string: the ply, a lower bound, and a game to mate.
    After Ctrl-C, the same command continues.

    With --only, it searches for these strings, and keeps others that it meets.

    With --exhaust, the strings that first occur at each ply are exact; with --out they are kept.
    With --check alone, exit code 0 if a game shows a string earlier, 1 if none does.

    \b
    Try:
      sanproof shorten --exhaust 6
      sanproof shorten --out short --rounds 1 --only 'O-O*'
      sanproof shorten --check my.pgn
    """  # noqa: D301
    from sanproof.verify.shorten.shortening import Folder, count_games

    if check is not None and directory is None:
        if (rounds, exhaust) != (None, None):
            raise click.UsageError(
                "--check with --rounds or --exhaust needs a folder: name it with --out."
            )
        sys.exit(_check(check))
    if rounds is not None and directory is None:
        raise click.UsageError("--rounds needs a folder: name it with --out.")
    if directory is None:
        if exhaust is None:
            raise click.UsageError("name a folder (--out), a file (--check) or plies (--exhaust).")
        for line in count_games(exhaust):
            click.echo(line)
        return
    folder = Folder(directory, seed, only)
    parts = (
        folder.add_games(check) if check else (),
        folder.add_all_games(exhaust) if exhaust else (),
        folder.rounds(rounds or 0, workers, scheduler),
    )
    for line in chain.from_iterable(parts):
        click.echo(line)
    click.echo(f"{folder.write_table():,} games in {directory}: {folder.in_words()}.")
