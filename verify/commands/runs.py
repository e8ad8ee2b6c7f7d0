"""``sanproof verify`` and ``audit``: make a run, continue it, and check it again."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    command,
    flag,
    folder_option,
    only_option,
    scheduler_option,
    workers_option,
)


@command
@folder_option(
    "--out",
    "The folder for the results: new, empty, or of an earlier run, which then continues. It must "
    "be given.",
)
@workers_option
@scheduler_option
@only_option
@click.option(
    "--games/--no-games",
    default=True,
    help="Find a legal game for every string. Without games, each has a valid position.",
)
def verify(
    folder: Path | None, workers: int, scheduler: str | None, only: str | None, *, games: bool
) -> None:
    """Decide every string from scratch, with solvers.

    Try:
      sanproof verify --only 'Ka1*' --out part
      sanproof verify --out run

    The folder then holds:
      san_strings.txt               strings that can occur, without + and #
      san_strings_with_symbols.txt  all strings that can occur
      witnesses.csv                 a position and a move for each of them, and
                                    which game contains it
      games.pgn.xz                  a game for each of them, by each player
      cover.pgn, cover.csv          few games that together contain every string
      impossible.csv.xz             every other string, with the reason
      certificates.txt.xz           the refutations
      summary.json, summary.md      the counts
      manifest.json                 the hash of each file
      run.sqlite3, run.log          the state, for continuing, and the log

    Other files in the folder are never replaced or removed, and a finished run is never reduced to
    a part of it. After Ctrl-C, the same command continues; after --no-games, it adds the games.
    The cover is a small set of games that together contain every string.

    The exit code is 3 if a string stays undecided, 1 if the list differs from the one that
    `sanproof generate` writes.
    """
    if folder is None:
        raise click.UsageError("Name a folder for the run, as in 'sanproof verify --out run'.")
    from sanproof.verify.claims.selection import select
    from sanproof.verify.run.runner import run
    from sanproof.verify.run.show import show_result
    from sanproof.verify.work.provenance import require_solvers

    require_solvers("sanproof verify")
    cover = games and only is None
    counts, again = run(
        folder, select(only), workers, games=games, cover=cover, scheduler=scheduler
    )
    sys.exit(show_result(counts, folder, again=again))


@command
@click.argument(
    "folder",
    metavar="[FOLDER]",
    required=False,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@workers_option
@flag("--second-opinion", "Require Z3. By default it is used if it is installed.")
def audit(folder: Path | None, workers: int, *, second_opinion: bool) -> None:
    """Check the results of a run without trusting the search.

    Try:
      sanproof verify --only 'Ka1*' --out part && sanproof audit part
      sanproof audit

    FOLDER holds the results of `sanproof verify`. Without it, the published data is checked.

    The audit rebuilds every formula from the rules, follows every refutation, and replays every
    game. The theorem rests only on these checks and the list of strings. Then the audit compares
    all other files, byte for byte, and names any that the run did not write. If a second solver,
    Z3, is installed, it refutes every formula too.

    If something is wrong, the audit prints the file and the item, and the exit code is 1. If FOLDER
    does not hold a run, the exit code is 2.
    """
    from sanproof.reports.archive.door import published_directory
    from sanproof.verify.audit.auditor import run_audit

    run_audit(folder or published_directory(), workers, second_opinion=second_opinion)
