"""``sanproof generate``: the lists from geometry alone."""

from pathlib import Path

import click

from sanproof.verify.commands.options import Directory, directory_option
from sanproof.verify.errors import Failure, failure


@click.command("generate")
@directory_option(
    "--out",
    "Where to write the two lists; - prints the one of all strings.",
    default=".",
    show_default="this directory",
    type=Directory(file_okay=False, allow_dash=True),
)
def command(directory: Path) -> None:
    """Generate the lists from geometry alone, in a fraction of a second.

    \b
    san_strings.txt                 without + and #
    san_strings_with_symbols.txt    all

    Each has one string per line, sorted by length and then by character, with LF between lines and
    none at the end. `sanproof verify` checks these lists.

    If a file of one of these names has other content, neither list is written, and the command
    ends with exit code 2.

    \b
    Try:
      sanproof generate --out lists
      sanproof generate --out - | sanproof gate -
    """  # noqa: D301
    from sanproof.generator.files import SUFFIXED_NAME, published_files, write_published_files

    if str(directory) == "-":
        click.echo(published_files()[SUFFIXED_NAME], nl=False)
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        paths = write_published_files(directory)
    except FileExistsError as error:
        raise Failure(f"{error.filename}: {error.strerror}.") from error
    except OSError as error:  # it may name a temporary file, which was not asked for
        raise failure(f"{directory} cannot be written: {error.strerror}.", error) from error
    for path in paths:
        click.echo(path)
