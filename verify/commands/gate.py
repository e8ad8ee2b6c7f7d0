"""``sanproof gate``: compare lists of strings with the proven one."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands.options import (
    command,
    flag,
    format_option,
    limit_option,
    run_option,
)
from sanproof.verify.errors import ANSWER_NO


@command
@click.argument("files", metavar="[FILE]...", nargs=-1)
@flag("--bare", "The list has no + and #. By default this is detected.")
@flag("--suffixed", "The list has + and #. By default this is detected.")
@flag("--ordered", "Require the published order: by length, then by text.")
@run_option
@format_option(["text", "json", "junit", "sarif", "github"])
@limit_option(20, "Show N differences of each kind (text, github), or their games (json).")
def gate(
    files: tuple[str, ...],
    run: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool,
    suffixed: bool,
    ordered: bool,
) -> None:
    """Check a list of strings: which are missing, extra or not SAN?

    Try:
      sanproof gate san_strings.txt
      python gen.py | sanproof gate -
      sanproof gate --format github san_strings.txt

    FILE holds one string per line, a JSON array, or a vocabulary (JSON with a number for each
    string, tokenizer.json), in any order. Without FILE, or with `-`, standard input is read.
    Missing strings are shown with a position and a game, extra ones with the reason, repeated and
    non-SAN ones with their line. One line says what the differences have in common.

    Exit code 0 if every list is exactly right, 1 if not, 2 if a list cannot be read.
    """
    from sanproof.verify.gate.formats import run_gate

    if bare and suffixed:
        raise click.UsageError("--bare and --suffixed exclude each other.")
    kind = bare if bare or suffixed else None
    if not run_gate(files, run, form, limit, bare=kind, ordered=ordered):
        sys.exit(ANSWER_NO)
