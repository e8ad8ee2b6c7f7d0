"""The command line. Each command imports what it needs when it runs, so that all start fast."""

import math
import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from verify.errors import ANSWER_NO, INTERRUPTED, MISUSE, Failure

CORES = os.cpu_count() or 1
EXIT_CODES = "Exit codes: 0 yes or done, 1 no, 2 misuse or out of reach, 130 interrupted."


def named_directory(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    """A directory if one was named; a name that is empty would silently be this directory."""
    if value == "":
        raise click.BadParameter("the name is empty")
    return None if value is None else Path(value)


def optional_directory(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Path | None:
    """A directory if one was named."""
    return None if value is None else named_directory(context, parameter, value)


workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 4 * CORES),
    default=CORES,
    show_default="one per core",
    help="Worker processes.",
)


run_option = click.option(
    "--run",
    "directory",
    metavar="DIR",
    callback=optional_directory,
    help="A finished run directory, instead of the published data.",
)


only_option = click.option(
    "--only",
    metavar="PATTERN",
    help="Decide the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sanproof", message="%(package)s %(version)s")
def cli() -> None:
    """Which SAN strings (Nf3, exd8=Q+, Qb6e3#) can occur in a legal chess game?

    sanproof decides every string of the grammar with a constraint solver: a witness position for
    each that can occur, a refutation for each that cannot.

    \b
    Try:
      sanproof explain 'Qa1b2#'         one string, with its board or its reason
      sanproof verify --out run         all 1,119,750 strings
      sanproof audit run                check that run again, without a solver
      sanproof report run               a page that looks strings up, of that run
      sanproof generate --out lists     the lists, from geometry alone
      sanproof gate san_strings.txt     is somebody's list exactly right?
    """  # noqa: D301 - click takes the character


@cli.command()
@click.option(
    "--out",
    "directory",
    metavar="DIR",
    required=True,
    callback=named_directory,
    help="Run directory; made if it is not there. The same DIR again goes on where a run stopped.",
)
@workers_option
@only_option
@click.option(
    "--games/--no-games",
    default=True,
    show_default=True,
    help="Find a legal game for every string. Without, a valid position has to do.",
)
@click.option(
    "--suite/--no-suite",
    default=None,
    show_default="with games of all strings",
    help="Find the covering suite: as few games as can be that together show every string.",
)
def verify(
    directory: Path, workers: int, only: str | None, *, games: bool, suite: bool | None
) -> None:
    """Decide every SAN string and write lists, games and reasons to DIR.

    \b
    DIR then holds
      san_strings.txt                 reachable strings without suffix, one a line
      san_strings_with_symbols.txt    all reachable strings
      witnesses.csv                   san,before_fen,uci,after_fen,game for each of them
      games.pgn.gz                    a game for each of them, by either player who can play it
      suite.pgn, suite.csv            as few games as can be that show every string, and where
      impossible.csv.gz               san,reason for every other string
      certificates.txt.xz             a refutation for each cube of strings
      summary.json, summary.md        the counts
      manifest.json                   the hash of each file
      run.sqlite3, run.log            what is kept to go on after a stop, and the log

    Ends with exit code 1 if a string stays undecided or the generator's list differs.
    """  # noqa: D301
    from verify.commands.show import show_result
    from verify.run.selection import select
    from verify.run.session import run

    whole = games and only is None
    if suite and not whole:
        raise click.UsageError(
            "a suite is of all strings, and of games: leave out --only and --no-games"
        )
    chosen = whole if suite is None else suite
    result = run(directory, select(only), workers, games=games, suite=chosen)
    if not show_result(result, directory):
        sys.exit(ANSWER_NO)


@cli.command("games")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@workers_option
@only_option
def find_games(directory: Path, workers: int, only: str | None) -> None:
    """Find the legal games of a run that was made with --no-games.

    A game leads from the starting array through the string's move to checkmate. Every string gets
    one for each player who can play it; a string for which none is found stays undecided, and the
    command ends with exit code 1. The files in DIR are then those of `sanproof verify`, the
    covering suite among them unless --only is given.
    """
    from verify.commands.show import show_result
    from verify.run.selection import select
    from verify.run.session import run

    if not (directory / "run.sqlite3").exists():
        raise Failure(f"{directory} holds no run: `sanproof verify --out {directory}` makes one.")
    result = run(directory, select(only), workers, suite=only is None)
    if not show_result(result, directory):
        sys.exit(ANSWER_NO)


@cli.command()
@click.option(
    "--out",
    "directory",
    metavar="DIR",
    default=".",
    show_default="this directory",
    type=click.Path(file_okay=False),
    callback=named_directory,
    help="Where to write the two lists.",
)
def generate(directory: Path) -> None:
    """Write the lists that geometry gives, in a few milliseconds.

    \b
    san_strings.txt                 without + and #
    san_strings_with_symbols.txt    all
    One string a line, sorted by length and then by character, LF between lines, none at the end.
    They are a claim; `sanproof verify` is what checks it.
    """  # noqa: D301
    from generator.files import write_published_files

    directory.mkdir(parents=True, exist_ok=True)
    for path in write_published_files(directory):
        click.echo(path)


@cli.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, exists=True))
@workers_option
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Have every refutation checked by dratify, another author's checker, as well.",
)
def audit(directory: Path, workers: int, second_opinion: bool) -> None:
    """Re-check everything in a run directory, without search and without a solver.

    Rebuilds every formula from the rules, checks every refutation and every witness, and that
    together they decide each string exactly once. Ends with the sentence that is thereby proved,
    or with exit code 1 and the file and item that does not hold.
    """
    from verify.commands.audit import run_audit

    run_audit(directory, workers, second_opinion=second_opinion)


@cli.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    "folder",
    metavar="FOLDER",
    callback=named_directory,
    show_default="DIR-page, beside DIR",
    help="Folder for the page: new, empty, or an earlier page, which is replaced.",
)
def report(directory: Path, folder: Path | None) -> None:
    """Write a page that answers for every string of the finished run in DIR.

    Open FOLDER/index.html, or put the folder on any web host: it asks nothing of another. It
    looks a string up and shows its game, or the reason why there is none; an atlas tells what
    occurs for each piece and destination; the files of the run can be downloaded.

    \b
    Try:
      sanproof verify --out run && sanproof report run --out page

    Takes some seconds. The page shows what the run says; that it is true is for `sanproof audit`.
    """  # noqa: D301
    from verify.commands.report import run_report

    run_report(directory, folder)


@cli.command()
@click.argument("san")
def explain(san: str) -> None:
    """Say whether a SAN string can occur, and show why.

    A reachable string is shown with its board, FEN and move; an impossible one with the reason.
    Exit code 0 if it is reachable, 1 if it is not.
    """
    from verify.commands.explain import explain as explain_string

    explanation = explain_string(san)
    click.echo(explanation.text)
    if not explanation.reachable:
        sys.exit(ANSWER_NO)


@cli.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--command", metavar="COMMAND", help="Run this in a shell first; it makes the list.")
@click.option(
    "--reads",
    metavar="FILE",
    multiple=True,
    help="With --command: a list that it writes. Without, the list is what it prints.",
)
@click.option(
    "--timeout",
    "timeout_seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    default=600,
    show_default=True,
    help="How long the command may take.",
)
@click.option(
    "--bare/--suffixed",
    default=None,
    help="The list is the one without suffixes, or the one with. Found out if not told.",
)
@run_option
@click.option("--prove", is_flag=True, help="Prove each difference afresh, with solvers.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "sarif", "github"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Differences of each sort that the forms text and github show.",
)
def gate(
    files: tuple[str, ...],
    command: str | None,
    reads: tuple[str, ...],
    timeout_seconds: float,
    directory: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool | None,
    prove: bool,
) -> None:
    """Is a list of SAN strings exactly right?

    FILE holds one string a line or a JSON array, in any order; `-` or none is standard input.
    What is missing is shown with its position and game, what is too many with the reason, what is
    repeated or no SAN string with its line. Exit code 0 if every list is exactly right, 1 if not,
    2 if one could not be read.

    \b
    Try:
      sanproof gate san_strings.txt
      sanproof gate --command 'python gen.py' --reads san_strings.txt
      sanproof gate --format github san_strings.txt
    """  # noqa: D301
    from verify.commands.gate import run_gate

    if math.isnan(timeout_seconds):  # which lies in every range
        raise click.BadParameter("nan is no number of seconds.", param_hint="'--timeout'")
    if command is None and reads:
        raise click.UsageError("--reads names what a --command writes; name lists as FILE.")
    if command is not None and files:
        raise click.UsageError("with --command, name what it writes with --reads.")
    right = run_gate(
        reads if command is not None else files,
        directory,
        form,
        limit,
        bare=bare,
        afresh=prove,
        command=command,
        timeout_seconds=timeout_seconds,
    )
    if not right:
        sys.exit(ANSWER_NO)


@cli.command()
@click.option(
    "--what",
    type=click.Choice(["strings", "vocabulary", "witnesses", "games", "impossible"]),
    default="strings",
    show_default=True,
    help="The table.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "epd", "json", "jsonl", "parquet", "pgn", "txt"]),
    help="How it is written. Without, what FILE ends with, or the table's usual form.",
)
@click.option("--columns", metavar="NAMES", help="Columns, with commas between their names.")
@click.option("--bare", is_flag=True, help="Leave out strings with + or #.")
@run_option
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to FILE, which appears when it is complete, instead of standard output.",
)
def export(
    what: str,
    form: str | None,
    columns: str | None,
    directory: Path | None,
    out: Path | None,
    *,
    bare: bool,
) -> None:
    """Write strings, positions, games or reasons for other programs.

    \b
    strings      each reachable string, its parts, and how it is said
    vocabulary   each reachable string with its id, counted from 0
    witnesses    before_fen,san,after_fen for each: what parsers are tested with
    games        the proof games
    impossible   every other string of the grammar with its reason

    \b
    Try:
      sanproof export --what witnesses --format csv --out positions.csv
      sanproof export --what vocabulary --out vocabulary.json

    docs/data.md describes every column.
    """  # noqa: D301
    from verify.commands.export import run_export

    run_export(what, form, columns, directory, out, bare=bare)


def main() -> NoReturn:
    """Run the command line; every failure becomes a sentence on standard error."""
    try:
        code = cli.main(standalone_mode=False) or 0
    except click.exceptions.Abort:
        code = _fail("Interrupted.", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        code = MISUSE
    except Failure as error:
        code = _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        code = _fail("Interrupted.", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has had enough
        _discard_output()
        code = ANSWER_NO
    except OSError as error:
        if error.filename is None:
            _discard_output()
        code = _fail(f"{error.filename or 'The output'}: {error.strerror}.", MISUSE)
    except MemoryError:
        code = _fail("There is not enough memory.", MISUSE)
    sys.exit(code)


def end_interrupted() -> NoReturn:
    """End the process after Ctrl-C, on a line of its own."""
    click.echo(err=True)
    sys.exit(_fail("Interrupted.", INTERRUPTED))


def _discard_output() -> None:
    """Keep Python from writing once more as it ends, which would fail again, with exit code 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)  # names may hold any
    click.echo(f"sanproof: {plain}", err=True)
    return code
