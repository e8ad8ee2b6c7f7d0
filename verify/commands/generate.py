"""``sanproof generate``: the lists from geometry alone."""

from pathlib import Path

import click

from sanproof.verify.commands.options import command, folder_option
from sanproof.verify.errors import Failure, failure


@command
@folder_option(
    "--out",
    "The folder for the two lists.",
    default=".",
    show_default="this folder",
)
def generate(folder: Path) -> None:
    """Write the lists of strings, computed from geometry alone.

    Try:
      sanproof generate --out lists
      sanproof gate lists/san_strings_with_symbols.txt

    The lists:
      san_strings.txt                 without + and #
      san_strings_with_symbols.txt    all

    Each has one string per line, sorted by length and then by character, with LF between lines and
    none at the end. It takes a fraction of a second. `sanproof verify` checks these lists.

    If a file of one of these names has other content, neither list is written, and the exit code is
    2.
    """
    from sanproof.generator.files import write_published_files

    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = write_published_files(folder)
    except FileExistsError as error:
        raise Failure(f"{error.filename}: {error.strerror}.") from error
    except OSError as error:  # it may name a temporary file, which was not asked for
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error
    for path in paths:
        click.echo(path)
