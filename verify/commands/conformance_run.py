"""``sanproof conformance run``: ask chess libraries the cases of the suite."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    format_option,
    level_option,
    limit_option,
    timeout_option,
)
from sanproof.verify.errors import ANSWER_NO


@click.command("run")
@click.argument("commands", metavar="COMMAND...", nargs=-1, required=True)
@level_option("Which suite: the small one, or the one with every string, which is written first.")
@click.option(
    "--suite",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A suite that was exported, instead of the one that is installed.",
)
@click.option(
    "--only",
    metavar="PATTERN",
    multiple=True,
    help="Ask the cases whose ids match a shell pattern, such as 'castling.*'. Repeatable.",
)
@click.option(
    "--skip",
    metavar="PATTERN",
    multiple=True,
    help="Do not ask the cases whose ids match a shell pattern. Repeatable.",
)
@click.option(
    "--known",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Failures that are expected, an id a line. One that passes fails the run.",
)
@timeout_option(10, "How long an adapter may take to greet, and for a case.")
@format_option(["text", "json", "junit", "github"])
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write that to a file, and print the text.",
)
@limit_option(20, "Failures of each library that the forms text and github show.")
def command(
    commands: tuple[str, ...],
    level: str,
    suite: Path | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    known: Path | None,
    timeout_seconds: float,
    form: str,
    out: Path | None,
    limit: int,
) -> None:
    """Ask chess libraries the cases of the suite, and judge their answers.

    COMMAND starts an adapter: a program that reads cases, one a line, asks the library, and writes
    its answers. It runs in a shell. `python-chess` names our own adapter for that library, which
    is always there. Several adapters are asked side by side. docs/conformance.md has complete
    adapters in Python and JavaScript.

    Exit code 0 if every case that can fail passes, 1 if one fails, 2 if the suite or an option is
    wrong, 4 if an adapter does not start or does not stay alive.

    \b
    Try:
      sanproof conformance run python-chess
      sanproof conformance run 'python my_adapter.py'
      sanproof conformance run --only 'castling.*' 'node my_adapter.mjs'
      sanproof conformance run --known known.txt --format github ./adapter
    """  # noqa: D301
    from sanproof.verify.conformance.libraries.testing import Wishes, run_suite

    for text in commands:
        if not text.strip():
            raise click.BadParameter("a command is empty.", param_hint="COMMAND")
    wishes = Wishes(commands, level, suite, only, skip, known, timeout_seconds)
    if not run_suite(wishes, form, out, limit):
        sys.exit(ANSWER_NO)
