"""``sanproof verify`` and ``audit``: make a run, continue it, and check it again."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    directory_option,
    only_option,
    scheduler_option,
    workers_option,
)


@click.command("verify")
@directory_option(
    "--out",
    "Run directory: new, empty, or of an earlier run, which then continues where it stopped. "
    "[required]",
)
@workers_option
@scheduler_option
@only_option
@click.option(
    "--games/--no-games",
    default=True,
    help="Find a legal game for every string; with --no-games only a valid position.",
)
@click.option(
    "--cover/--no-cover",
    default=None,
    show_default="with games of all strings",
    help="Find the cover: as few games as possible that together show every string.",
)
def verify(
    directory: Path | None,
    workers: int,
    scheduler: str | None,
    only: str | None,
    *,
    games: bool,
    cover: bool | None,
) -> None:
    """Decide every SAN string and write lists, games and reasons to DIR.

    Other files in DIR are never replaced or removed, and a finished run is never reduced to a part
    of it. After Ctrl-C, the same command continues; after --no-games, it adds the games.

    The exit code is 3 if a string stays undecided, 1 if the generator's list differs.

    \b
    DIR then holds:
      san_strings.txt               reachable strings without suffix
      san_strings_with_symbols.txt  all reachable strings
      witnesses.csv                 a position and a move for each of them, and
                                    where its games show it
      games.pgn.gz                  a game for each of them, by each player
      cover.pgn, cover.csv          few games that together show every string
      impossible.csv.gz             every other string, with the reason
      certificates.txt.xz           a refutation for each cube of strings
      summary.json, summary.md      the counts
      manifest.json                 the hash of each file
      run.sqlite3, run.log          the state, for continuing, and the log

    \b
    Try:
      sanproof verify --only 'Ka1*' --out part
      sanproof verify --out run
    """  # noqa: D301
    if directory is None:
        raise click.UsageError("Name a directory for the run, as in 'sanproof verify --out run'.")
    whole = games and only is None
    if cover and not whole:
        raise click.UsageError(
            "--cover needs the games of all strings: leave out --only and --no-games"
        )
    from sanproof.verify.claims.selection import select
    from sanproof.verify.run.runner import run
    from sanproof.verify.run.show import show_result
    from sanproof.verify.work.provenance import require_solvers

    require_solvers("sanproof verify")
    chosen = whole if cover is None else cover
    result = run(directory, select(only), workers, games=games, cover=chosen, scheduler=scheduler)
    sys.exit(show_result(result, directory))


@click.command("audit")
@click.argument(
    "directory",
    metavar="[DIR]",
    required=False,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@workers_option
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Fail if Z3, which otherwise is used only where it is installed, is missing.",
)
def audit(directory: Path | None, workers: int, *, second_opinion: bool) -> None:
    """Check everything in a run directory again, without search.

    Without DIR it checks the published data.

    It rebuilds every formula from the rules, follows every refutation, and replays every game; the
    theorem rests on this and the list of strings alone. Then it compares all other files, to the
    byte, names any that the run did not write, and has a second solver, Z3, refute every formula
    too, if it is installed. If something is wrong, it prints the file and the item, and ends with
    exit code 1; if DIR holds no run, with 2.

    \b
    Try:
      sanproof verify --only 'Ka1*' --out part && sanproof audit part
      sanproof audit
    """  # noqa: D301
    from sanproof.reports.archive.door import published_directory
    from sanproof.verify.audit.auditor import run_audit

    run_audit(directory or published_directory(), workers, second_opinion=second_opinion)
