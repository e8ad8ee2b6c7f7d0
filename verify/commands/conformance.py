"""``sanproof conformance``: runs and writes the test suite of SAN for chess libraries."""

import sys
from pathlib import Path
from typing import Any

import click

from sanproof.verify.commands import options
from sanproof.verify.errors import failure


def _patterns(name: str, text: str) -> options.Option:
    """Make an option that takes shell patterns of the ids of cases."""
    return click.option(name, metavar="PATTERN", multiple=True, help=text)


@options.command
@click.argument("commands", metavar="COMMAND...", nargs=-1, required=True)
@options.choice("--level", ["core", "smoke"], "The suite.", default="core")
@options.file("--suite", "An exported suite, instead of the installed one.")
@_patterns("--only", "Run only cases whose ids match, such as 'castling.*'. Repeatable.")
@_patterns("--skip", "Leave out cases whose ids match. Repeatable.")
@options.file(
    "--known",
    "A file of expected failures: ids or patterns, one per line. The run fails if all cases of a "
    "line pass.",
)
@options.file("--write-known", "Write the failures of this run to a file for --known.", is_new=True)
@options.flag("--from-game", "Send moves from the initial position instead of a FEN.")
@options.timeout(10, "The time limit for an adapter's first line, and for each case.")
@options.form(["text", "json", "junit", "github"])
@options.file("--out", "Write the output to a file, and print it as text.", is_new=True)
@options.limit(20, "Show N groups of failures per library (text, github).")
def run(form: str, out: Path | None, limit: int, **asked: Any) -> None:  # noqa: ANN401
    """Run the suite on chess libraries, and judge their answers.

    Try:
      sanproof conformance run python-chess
      sanproof conformance run 'python my_adapter.py'
      sanproof conformance run --only 'castling.*' 'node my_adapter.mjs'
      sanproof conformance run --known known.txt --format github ./adapter

    COMMAND is a shell command that starts an adapter, a program that connects the library. The word
    `python-chess` starts the adapter that comes with sanproof. Several run side by side. An adapter
    prints a greeting, then answers each case with one line.

    Greeting, cases and answers:
      {"sanproof": 1, "name": "my library", "version": "1.0",
       "language": "C", "operations": ["read", "write"]}
      {"id": 1, "operation": "read", "fen": "...", "san": "Nf3"}
      {"id": 1, "result": "g1f3"} or {"id": 1, "rejected": "why"}
      {"id": 2, "operation": "write", "fen": "...", "uci": "g1f3"}

    Exit code 0 if every failure is expected, 1 if one is not or all cases of a line of --known
    pass, 2 if the suite or an option is wrong, 4 if an adapter does not start, keeps crashing or
    answers no case.
    """
    from sanproof.verify.conformance.run import run_suite

    if not all(text.strip() for text in asked["commands"]):
        raise click.BadParameter("a command is empty.", param_hint="COMMAND")
    if code := run_suite(form, out, limit, **asked):
        sys.exit(code)


@options.command
@options.folder("--out", "The folder to write to; it is created if missing.", required=True)
def export(folder: Path) -> None:
    """Write the conformance suite, as plain JSON, with its schema.

    Try:
      sanproof conformance export --out suite

    The files are for copying into a repository, and can be used without sanproof, for anything (CC0
    1.0). `schema.json` describes them.
    """
    from sanproof.reports.archive.door import published_directory
    from sanproof.reports.tables.files import write_whole

    names = ["core.json", "schema.json", "smoke.json"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            write_whole(folder / name, (published_directory() / "conformance" / name).read_bytes())
    except OSError as error:
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error
    click.echo(f"{', '.join(names)} in {folder}")


_HELP = """
    Test how a chess library reads and writes SAN.

    Try:
      sanproof conformance run python-chess
      sanproof conformance export --out suite

    `export` writes the cases to files. A small program, the adapter, connects a library to `run`,
    which sends it the cases and judges its answers.
    """
conformance = click.Group("conformance", [run, export], help=options.help_text(_HELP))
