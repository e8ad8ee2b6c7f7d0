"""``sanproof scan``: compares every move of game files with its SAN, and counts the strings."""

import sys
from pathlib import Path
from typing import Any

import click

from sanproof.verify.commands import options


@options.command
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@options.folder(
    "--out",
    "The folder for the results: new, empty, or of the same scan, which then continues (with "
    "--find or --split: new or empty).",
)
@options.flag("--check", "Write nothing, and print what deviates: the default without --out.")
@options.form(["text", "json", "sarif", "github"], "Without --out: the output format.")
@options.limit(1000, "Without --out: print N deviations (text, sarif, github).")
@options.flag("--strict", "Report ! and ? after moves, missing tags and indented tags too.")
@options.choice("--rows", ["parquet", "csv"], "Write a row for each move, with the positions.")
@options.flag("--games", "Write a row for each game.")
@click.option(
    "--tags", metavar="NAME,...", help="With --rows or --games: columns for tags, such as ECO."
)
@click.option(
    "--where",
    metavar="EXPRESSION",
    help="Read only games whose tags match, such as \"WhiteElo >= 2500 and Result == '1-0'\".",
)
@click.option(
    "--find",
    metavar="SAN",
    help="Print where a string was played; with --out, write those games to found.pgn.",
)
@options.flag("--split", "Write games without deviations to clean.pgn, the others to broken.pgn.")
@options.flag("--rewrite", "Write the games in canonical SAN.")
@click.option(
    "--language",
    metavar="CODE",
    help="The language of the piece letters, such as de; by default detected for each game.",
)
@options.flag("--variations", "Check the moves of variations too.")
@click.option("--fast/--no-fast", default=True, help="Use compiled loops if numba is installed.")
@options.run
@options.workers
@options.scheduler
def scan(
    files: tuple[str, ...],
    folder: Path | None,
    form: str,
    limit: int,
    run: Path | None,
    workers: int,
    scheduler: str | None,
    *,
    check: bool,
    **how: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Check and count every move in game files.

    Try:
      sanproof scan games.pgn --out scanned
      sanproof scan --check games.pgn
      sanproof scan lichess.pgn.zst --out scanned --rows parquet
      curl -sL https://example.org/games.pgn.gz | sanproof scan --check -

    FILE is a PGN file, plain or compressed (gz, bz2, zst, xz, zip), a folder, or `-` for standard
    input. Each move is checked on the board. Deviations of a move have the names that
    `sanproof read` uses. Without --out they are printed; with it, they go to the folder, with
    counts. After Ctrl-C, the same command continues. Only such a scan, without --find and --split,
    uses several workers or a cluster.

    Exit code 0 if the scan is done and, without --out, nothing deviates (with --find: the string
    was played); 1 if not; 2 if a file or a game was not read to its end, no game matches --where,
    or a file has no moves; 5 if a legal move's string is not among the proven ones, which
    contradicts the theorem.
    """
    if scheduler and (folder is None or how["find"] or how["split"]):
        raise click.UsageError("--scheduler is for scans with --out, without --find and --split")
    _check_choices(folder, how, check=check)
    from sanproof.verify.scan.lint import lint, pick
    from sanproof.verify.scan.results import Options
    from sanproof.verify.scan.scanner import scan as scan_files
    from sanproof.verify.scan.scanner import show

    if how["tags"] is not None:
        how["tags"] = tuple(name.strip() for name in how["tags"].split(","))
    try:
        wanted = Options.checked(run, **{k: v for k, v in how.items() if v is not None})
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if wanted.find or wanted.split:
        sys.exit(pick(files, wanted, folder))
    if folder is None:
        sys.exit(lint(files, wanted, form, limit))
    summary = scan_files(files, folder, wanted, workers, scheduler=scheduler)
    sys.exit(show(summary, folder))


def _check_choices(folder: Path | None, how: dict[str, Any], *, check: bool) -> None:
    """Raise a UsageError if options exclude one another, or are empty."""
    tables = any(how[name] for name in ("rows", "rewrite", "games"))
    if check and folder:
        raise click.UsageError("--check writes nothing: leave out --check or --out")
    if how["find"] and how["split"]:
        raise click.UsageError("--find and --split were both given: choose one")
    if (how["find"] or how["split"]) and (check or tables):
        raise click.UsageError(
            "--find and --split cannot be combined with --check, --rows, --rewrite or --games"
        )
    if folder is None and (tables or how["split"]):
        raise click.UsageError(
            "--rows, --rewrite, --games and --split write files: name a folder with --out"
        )
    for name in ("tags", "where", "language", "find"):
        if how[name] == "":
            raise click.UsageError(f"--{name} is empty")
