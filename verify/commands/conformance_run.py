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
    help="A file of expected failures: ids or shell patterns, one a line. If nothing that one "
    "matches fails any more, the run fails.",
)
@click.option(
    "--write-known",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the failures of this run to such a file.",
)
@click.option(
    "--from-game",
    is_flag=True,
    help="Send the moves from the initial position in place of the FEN, to adapters whose library "
    'reads none. One that greets with "from": "game" is asked so by itself.',
)
@timeout_option(10, "How long an adapter may take to greet, and for a case.")
@format_option(["text", "json", "junit", "github"])
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write that to a file, and print the text.",
)
@limit_option(20, "How many failures of each library text and github show.")
def command(
    commands: tuple[str, ...],
    level: str,
    suite: Path | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    known: Path | None,
    write_known: Path | None,
    from_game: bool,
    timeout_seconds: float,
    form: str,
    out: Path | None,
    limit: int,
) -> None:
    """Ask chess libraries the cases of the suite, and judge their answers.

    COMMAND starts, in a shell, an adapter: a program that asks the library. `python-chess` names
    our own adapter for that library. Several adapters are asked side by side.

    An adapter first prints one line of JSON such as {"sanproof": 1, "name": "my library",
    "version": "1.0", "language": "C", "operations": ["read", "write"]}. Then it reads cases, one
    a line, such as {"id": 1, "operation": "read", "fen": "...", "san": "Nf3"} or {"id": 2,
    "operation": "write", "fen": "...", "uci": "g1f3"}, and answers each with a line, {"id": 1,
    "result": "g1f3"} or {"id": 1, "rejected": "why"}. The other operations are moves (fen), play
    (fen, san) and game (pgn).

    Exit code 0 if every case that can fail passes, 1 if one fails, 2 if the suite or an option is
    wrong, 4 if an adapter does not start or does not stay alive.

    \b
    Try:
      sanproof conformance run python-chess
      sanproof conformance run 'python my_adapter.py'
      sanproof conformance run --only 'castling.*' 'node my_adapter.mjs'
      sanproof conformance run --known known.txt --format github ./adapter
    """  # noqa: D301
    from sanproof.verify.conformance.testing import Wishes, run_suite

    for text in commands:
        if not text.strip():
            raise click.BadParameter("a command is empty.", param_hint="COMMAND")
    wishes = Wishes(
        commands, level, suite, only, skip, known, timeout_seconds, from_game, write_known
    )
    if not run_suite(wishes, form, out, limit):
        sys.exit(ANSWER_NO)
