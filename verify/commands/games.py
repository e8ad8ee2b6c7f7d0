"""``sanproof games``: find the games of a run that has none."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import only_option, workers_option
from sanproof.verify.errors import Failure


@click.command("games")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@workers_option
@only_option
def command(directory: Path, workers: int, only: str | None) -> None:
    """Find the legal games of a run that was made with --no-games.

    A game leads from the initial position through the string's move to checkmate. Every string
    gets one for each player who can play it; a string for which none is found stays undecided,
    and the command ends with exit code 3. The files in DIR are then those of `sanproof verify`.

    Without --only, the strings are those of the run; if it is of all strings, the cover
    is found as well.

    \b
    Try:
      sanproof verify --only 'Ka1*' --no-games --out part && sanproof games part
    """  # noqa: D301
    from sanproof.verify.claims.selection import select
    from sanproof.verify.run.runner import pattern_of_run, run
    from sanproof.verify.run.show import show_result
    from sanproof.verify.work.provenance import require_solvers

    if not (directory / "run.sqlite3").exists():
        raise Failure(f"{directory} holds no run: `sanproof verify --out {directory}` makes one.")
    require_solvers("sanproof games")
    pattern = pattern_of_run(directory) if only is None else only
    result = run(directory, select(pattern), workers, cover=pattern is None)
    sys.exit(show_result(result, directory))
