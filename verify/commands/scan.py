"""``sanproof scan``: compare the moves of game files with how they are written, and count them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from sanproof.verify.commands.options import (
    directory_option,
    format_option,
    limit_option,
    number_option,
    run_option,
    scheduler_option,
    workers_option,
)
from sanproof.verify.errors import MISUSE, REFUTED

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
@click.option(
    "--merge",
    is_flag=True,
    help="Merge finished scans, the directories FILE..., into --out, with their tables of moves "
    "and rewritten games, but without a cluster's scan.log.",
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
    help="Use the native reader if it is installed; the results are the same.",
)
@number_option(
    "--sample",
    "Have python-chess check one in N games of the native reader.",
    *(1, 1_000_000_000),
    default=1000,
)
@number_option("--seed", "Check other games.", 0, 2**63 - 1, default=0)
@run_option
@workers_option
@scheduler_option
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    out: Path | None,
    form: str,
    limit: int,
    workers: int,
    scheduler: str | None,
    *,
    check: bool,
    merge: bool,
    **how: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Check and count every move of game files.

    FILE is a PGN file, plain or compressed (gz, bz2, zst, xz, zip), a folder, an address, or `-`
    for standard input. Each move is checked on the board. Deviations from canonical SAN have the
    names that `sanproof read` uses.

    With --out, counts and deviations go to DIR; after Ctrl-C, the same command continues. Without
    it, or with --check, deviations are printed with their lines. With --merge, finished scans
    become one, as if all their files had been scanned together.

    Exit code 0 if the scan is done, and without --out if all moves are canonical SAN; 1 if one is
    not; 2 if a file or a game was not read to its end, no game matches --where, or a file has no
    moves; 5 if a legal move's string is not among the proven ones, which would refute the theorem.

    \b
    Try:
      sanproof scan games.pgn --out scanned
      sanproof scan --check games.pgn
      sanproof scan lichess.pgn.zst --out scanned --rows parquet
      sanproof scan --merge scans/* --out all
    """  # noqa: D301 - click takes the character
    if how["find"] or how["split"]:
        _pick(files, out, has_others=check or merge or bool(scheduler), **how)
    if check and out and not merge:
        raise click.UsageError("both --check and --out were given: choose one")
    check = out is None
    if check and (how["rows"] or how["rewrite"] or how["games"]):
        raise click.UsageError(
            "--rows, --rewrite and --games write files: name a directory with --out"
        )
    if check and scheduler:
        raise click.UsageError("--scheduler is for --out: --check reads the files here")
    if merge:
        sys.exit(_merge(context, files, out, how["directory"]))
    options = _options(**how)
    if out is None:
        from sanproof.verify.scan.lint import lint

        sys.exit(lint(files, options, form, limit))
    from sanproof.verify.scan.scanner import Settings, scan

    sys.exit(_show(scan(files, out, Settings(options, workers, scheduler=scheduler)), out))


def _pick(files: tuple[str, ...], out: Path | None, *, has_others: bool, **how: Any) -> NoReturn:  # noqa: ANN401 - of each its type
    """Find a string, or split the games, and end the command."""
    others = any(how[name] for name in ("rows", "tags", "rewrite", "games")) or has_others
    if others or (how["find"] and how["split"]):
        raise click.UsageError("--find and --split are asked for alone, but with --where and --out")
    if how["split"] and out is None:
        raise click.UsageError("--split writes files: name a directory with --out")
    from sanproof.verify.scan.lint import pick

    sys.exit(pick(files, _options(**how), out))


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


def _merge(
    context: click.Context, names: tuple[str, ...], out: Path | None, directory: Path | None
) -> int:
    """Add finished scans and print what they found; the exit code."""
    from sanproof.verify.scan.chunks import proven_lines
    from sanproof.verify.scan.merging import merge

    source = context.get_parameter_source
    given = {name for name in context.params if source(name) == ParameterSource.COMMANDLINE}
    if other := sorted(given - {"merge", "files", "out", "directory"}):
        options = ", ".join(f"--{name}" for name in other)
        raise click.UsageError(f"--merge takes the options of the scans: leave out {options}")
    if out is None:
        raise click.UsageError("name a directory with --out")
    return _show(merge([Path(name) for name in names], out, proven_lines(directory)), out)


def _show(summary: dict[str, Any], out: Path) -> int:
    """Print what was found; the exit code."""
    from sanproof.verify.scan.outputs import check_moves, is_whole, show

    show(summary, out)
    if summary["refuting"]:
        return REFUTED
    check_moves(summary)
    total = summary["total"] | summary.get("variations", {"total": {}})["total"]
    is_good = is_whole(total) and not (summary["damaged"] or summary.get("unfitting"))
    return 0 if is_good else MISUSE
