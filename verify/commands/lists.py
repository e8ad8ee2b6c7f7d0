"""``sanproof generate`` and ``gate``: writes the lists of strings, and checks those of others."""

import sys
from pathlib import Path

import click

from sanproof.verify.commands import options
from sanproof.verify.errors import ANSWER_NO, Failure, failure


@options.command
@options.folder("--out", "The folder for the two lists.", default=".", show_default="this folder")
def generate(folder: Path) -> None:
    """Write the lists of strings, computed from geometry alone.

    Try:
      sanproof generate --out lists
      sanproof gate lists/san_strings_with_symbols.txt

    san_strings.txt has the strings without + and #, san_strings_with_symbols.txt all: one per line,
    sorted by length and then by character, with LF between lines and none at the end. `sanproof
    verify` checks these lists. A file of one of these names with other content is not replaced.
    """
    from sanproof.generator.files import write_published_files

    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = write_published_files(folder)
    except FileExistsError as error:
        raise Failure(f"{error.filename} is another file: move it away first.") from error
    except OSError as error:  # it may name a temporary file, which was not asked for
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error
    for path in paths:
        click.echo(path)


@options.command
@click.argument("files", metavar="[FILE]...", nargs=-1)
@options.flag("--bare", "The list has no + and #. By default this is detected.")
@options.flag("--suffixed", "The list has + and #. By default this is detected.")
@options.flag("--ordered", "Require the published order: by length, then by text.")
@options.run
@options.form(["text", "json", "junit", "sarif", "github"])
@options.limit(20, "Show N differences of each kind (text, github), or their games (json).")
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
    non-SAN ones with their line. Often a line names rules of your generator to look at first.

    Exit code 0 if every list is exactly right, 1 if not, 2 if a list cannot be read.
    """
    from sanproof.verify.gate.formats import run_gate

    if bare and suffixed:
        raise click.UsageError("--bare and --suffixed exclude each other.")
    kind = bare if bare or suffixed else None
    if not run_gate(files, run, form, limit, bare=kind, ordered=ordered):
        sys.exit(ANSWER_NO)
