"""``sanproof generate``: the lists from geometry alone."""

from pathlib import Path

import click

from verify.commands.options import named_directory


@click.command("generate")
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
def command(directory: Path) -> None:
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
