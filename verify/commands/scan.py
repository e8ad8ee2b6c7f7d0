"""``sanproof scan``: compare the moves of game files with how they are written, and count them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sanproof.verify.commands.options import (
    directory_option,
    format_option,
    limit_option,
    run_option,
    scheduler_option,
    workers_option,
)

if TYPE_CHECKING:
    from sanproof.verify.scan.chunks import Options


@click.command("scan")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@directory_option(
    "--out",
    "The folder for the results: new, empty, or of the same scan, which then continues.",
    "out",
)
@click.option(
    "--check", is_flag=True, help="Only print the deviations; exit code 1 if there are any."
)
@format_option(["text", "json", "sarif", "github"], "With --check: the output format.")
@limit_option(1000, "With --check: the number of deviations that text, sarif and github show.")
@click.option(
    "--strict",
    is_flag=True,
    help="Report ! and ? after a move too: PGN for exchange has codes such as $1 instead.",
)
@click.option(
    "--rows",
    type=click.Choice(["parquet", "csv"]),
    help="Write a row for each move, with the positions before and after it.",
)
@click.option(
    "--tags",
    metavar="NAME,...",
    help="With --rows or --games: add a column for each of these tags, such as ECO,WhiteElo.",
)
@click.option(
    "--where",
    metavar="EXPRESSION",
    help="Read only games whose tags match, such as \"WhiteElo >= 2500 and Result == '1-0'\".",
)
@click.option(
    "--find",
    metavar="SAN",
    help="Print where a string was played, such as 'O-O-O#'; with --out, write those games to "
    "found.pgn.",
)
@click.option(
    "--split",
    is_flag=True,
    help="Write games without deviations to clean.pgn in --out, the others to broken.pgn.",
)
@click.option("--rewrite", is_flag=True, help="Write the games in canonical SAN.")
@click.option(
    "--language",
    metavar="CODE",
    help="The language of the piece letters, such as de; by default detected for each game.",
)
@click.option("--games", is_flag=True, help="Write a row for each game, and a list of duplicates.")
@click.option("--variations", is_flag=True, help="Check the moves of variations too.")
@click.option(
    "--fast/--no-fast",
    default=True,
    help="Use compiled loops if numba is installed; the results are the same.",
)
@run_option
@workers_option
@scheduler_option
def command(
    files: tuple[str, ...],
    out: Path | None,
    form: str,
    limit: int,
    workers: int,
    scheduler: str | None,
    *,
    check: bool,
    **how: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Check and count every move of game files.

    FILE is a PGN file, plain or compressed (gz, bz2, zst, xz, zip), a folder, or `-` for standard
    input. Each move is checked on the board. Deviations from canonical SAN have the names that
    `sanproof read` uses.

    With --out, counts and deviations go to DIR; after Ctrl-C, the same command continues. Without
    it, or with --check, deviations are printed with their lines.

    Exit code 0 if the scan is done, and without --out if all moves are canonical SAN; 1 if one is
    not; 2 if a file or a game was not read to its end, no game matches --where, or a file has no
    moves; 5 if a legal move's string is not among the proven ones, which would refute the theorem.

    \b
    Try:
      sanproof scan games.pgn --out scanned
      sanproof scan --check games.pgn
      sanproof scan lichess.pgn.zst --out scanned --rows parquet
      curl -sL https://example.org/games.pgn.gz | sanproof scan --check -
    """  # noqa: D301 - click takes the character
    tables = any(how[name] for name in ("rows", "rewrite", "games"))
    picks = how["find"] or how["split"]
    if (check and out) or (how["find"] and how["split"]):
        raise click.UsageError("of --check and --out, and of --find and --split, choose one")
    if picks and (check or tables or scheduler):
        raise click.UsageError("--find and --split are asked for alone, but with --where and --out")
    if out is None and (tables or scheduler or how["split"]):
        raise click.UsageError(
            "--rows, --rewrite, --games, --split and --scheduler write files: name a directory "
            "with --out"
        )
    options = _options(**how)
    if picks or out is None:
        from sanproof.verify.scan.lint import lint, pick

        sys.exit(pick(files, options, out) if picks else lint(files, options, form, limit))
    from sanproof.verify.scan.outputs import show
    from sanproof.verify.scan.scanner import Settings, scan

    summary = scan(files, out, Settings(options, workers, scheduler=scheduler))
    sys.exit(show(summary, out))


def _options(directory: Path | None, **how: Any) -> "Options":  # noqa: ANN401 - of each its type
    """Return how each chunk is scanned."""
    from sanproof.verify.scan.chunks import Options

    for name in ("tags", "where", "language", "find"):
        if how[name] == "":
            raise click.UsageError(f"--{name} is empty")
    if how["tags"] is not None:
        how["tags"] = tuple(name.strip() for name in how["tags"].split(","))
    try:
        return Options.checked(directory, **{k: v for k, v in how.items() if v is not None})
    except ValueError as error:
        raise click.UsageError(str(error)) from error
