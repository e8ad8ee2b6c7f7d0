"""``sanproof verify``, ``audit``, ``report`` and ``shorten``: makes, checks and shows runs."""

import sys
from pathlib import Path
from typing import Any, Final

import click

from sanproof.verify.commands import options
from sanproof.verify.errors import ANSWER_NO, failure


def _folder_argument(name: str, **kind: bool) -> options.Option:
    """Make an argument that may name a folder."""
    return click.argument(
        name,
        metavar="[FOLDER]",
        required=False,
        type=click.Path(path_type=Path, exists=True, **kind),
    )


@options.command
@options.folder(
    "--out", "Required: the folder for the results, new, empty, or of a run, which then continues."
)
@options.workers
@options.scheduler
@options.only
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

    The folder of a finished run holds the two lists of strings, `witnesses.csv` with a position
    and a move for each string, a game for each, the reason for every other string, the
    refutations, the cover (the fewest games that together contain every string), a summary, and the
    hash of each file.

    Other files in the folder are never replaced or removed, and a finished run is never reduced to
    a part of it. After Ctrl-C, the same command continues; after --no-games, it adds the games.

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


@options.command
@_folder_argument("folder", file_okay=False)
@options.workers
@options.flag("--second-opinion", "Require Z3. By default it is used if it is installed.")
def audit(folder: Path | None, workers: int, *, second_opinion: bool) -> None:
    """Check the results of a run without trusting the search.

    Try:
      sanproof verify --only 'Ka1*' --out part && sanproof audit part
      sanproof audit

    FOLDER holds the results of `sanproof verify`. Without it, the published data is checked.

    The audit rebuilds every formula from the rules, follows every refutation, and replays every
    game. The theorem rests only on these checks and the list of strings. Then the audit makes
    all other files again from this evidence, except the log and the state of a stopped run,
    compares them byte for byte, and names any that the run did not write. If a second solver, Z3,
    is installed, it refutes every formula too.

    If something is wrong, the audit prints the file and the item, and the exit code is 1. If FOLDER
    does not hold a run, the exit code is 2.
    """
    from sanproof.reports.archive.door import published_directory
    from sanproof.verify.audit.whole import run_audit

    run_audit(folder or published_directory(), workers, second_opinion=second_opinion)


PUBLISHED_PAGE: Final = "sanproof-page"
"""The folder for the page of the published data, in the current folder."""


@options.command
@_folder_argument("source")
@options.folder(
    "--out",
    "The folder for the page, new or empty.",
    show_default=f"FOLDER-page; without FOLDER {PUBLISHED_PAGE}",
)
def report(source: Path | None, folder: Path | None) -> None:
    """Make a web page from a run or a scan.

    Try:
      sanproof report
      sanproof verify --out run && sanproof report run --out page
      sanproof scan games.pgn --out scanned && sanproof report scanned

    FOLDER holds the results of `sanproof verify` or `sanproof scan`. Without it, the page is about
    the published data, which comes with sanproof. Open index.html in the page's folder, or put the
    folder on any web host: the page loads nothing from elsewhere.

    The page of a run shows the game of each string, or the reason why it is impossible; that of a
    scan, which strings occurred, the rarest ones, and deviations with boards. It takes ten
    seconds. For a run that somebody sent you, use `sanproof audit` first.
    """
    from sanproof.reports.archive.door import ArchiveError, open_archive
    from sanproof.reports.page.folder import write_page, write_scan_page
    from sanproof.reports.page.scan_page import is_scan
    from sanproof.verify.claims.selection import select

    if folder is None:
        folder = Path(PUBLISHED_PAGE if source is None else f"{source.resolve()}-page")
    try:
        if source is not None and is_scan(source):
            write_scan_page(source, folder, open_archive().strings())
        else:
            archive = open_archive(source)
            click.echo(f"Making the page of {archive.directory} ...", err=True)
            write_page(archive, folder, select(archive.summary["only"]).selected)
    except ArchiveError as error:
        raise failure(f"{error}.", error) from error
    except OSError as error:
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error
    click.echo(folder / "index.html")


@options.command
@options.folder("--out", "The folder of the search: new, empty, or of an earlier one to continue.")
@options.number("--rounds", "With --out: search for N rounds of some minutes each.", 1, 100_000)
@options.number(
    "--exhaust",
    "Count all games of this many plies. 7 take half a minute, 8 six minutes and 6 GB.",
    *(1, 8),
    metavar="PLIES",
)
@options.file(
    "--check",
    "Say which strings the games of a PGN file reach earlier than the known games. With --out: "
    "begin with these games too.",
)
@options.number("--seed", "The same seed and rounds find the same games.", 0, 1_000_000, default=0)
@options.only
@options.workers
@options.scheduler
def shorten(
    folder: Path | None,
    rounds: int | None,
    exhaust: int | None,
    check: Path | None,
    seed: int,
    only: str | None,
    **where: Any,  # noqa: ANN401 - of each its type
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
    happens to find. With --exhaust, it counts how many strings first occur at each ply.

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
        for line in search.improve(rounds or 0, sent=check, **where):
            click.echo(line)
        click.echo(f"{len(search.rows):,} games in {folder}: {search.search}.")
    elif check and not rounds:
        found = improvements(check)
        click.echo("".join(f"{improvement}\n" for improvement in found), nl=False)
        click.echo(f"{len(found)} strings are shown earlier than in the known games.")
        sys.exit(0 if found else ANSWER_NO)
    else:
        raise click.UsageError("Give a folder with --out, or give only --check or --exhaust.")
