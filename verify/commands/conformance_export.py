"""``sanproof conformance export``: writes the conformance suite and its schema."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from sanproof.verify.commands.options import level_option
from sanproof.verify.errors import Failure, failure

_STEP: Final = 500
"""After how many strings a display is told."""


def export(out: Path, level: str) -> list[str]:
    """Write the files of a suite to a folder.

    Args:
        out: The folder, which is made if it is not there.
        level: ``core`` or ``full``.

    Returns:
        The names of the files.

    Raises:
        Failure: A file cannot be written, or the published games cannot be read.
    """
    from sanproof.reports.exports.archive import ArchiveError, published_directory
    from sanproof.reports.tables.files import whole_file, write_whole
    from sanproof.verify.conformance.cases.full import full_suite_lines
    from sanproof.verify.conformance.cases.publish import SCHEMA_FILE, publish, schema_bytes
    from sanproof.verify.conformance.cases.strings import LineError

    if out.exists() and not out.is_dir():
        raise Failure(f"{out} is a file: name a folder.")
    try:
        if level == "core":
            return publish(out)
        out.mkdir(parents=True, exist_ok=True)
        name = f"{level}.json"
        with whole_file(out / name) as file, _progress() as watch:
            for piece in full_suite_lines(published_directory(), watch):
                file.write(piece.encode("ascii"))
        write_whole(out / SCHEMA_FILE, schema_bytes())
    except (ArchiveError, LineError) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error
    return [name, SCHEMA_FILE]


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """How many strings are done, on a terminal; elsewhere a line now and then."""
    if not sys.stderr.isatty():
        yield _tell
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Writing strings", total=None)

        def watch(done: int, total: int) -> None:
            if done % _STEP == 0 or done == total:
                bar.update(task, completed=done, total=total)

        yield watch


def _tell(done: int, total: int) -> None:
    if total and done % (total // 4 or 1) == 0:
        click.echo(f"{done:,} of {total:,} strings", err=True)


@click.command("export")
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder to write to; it is made if it is not there.",
)
@level_option("core: what a project copies into its repository. full: every string as well.")
def command(out: Path, level: str) -> None:
    """Write the conformance suite, as plain JSON, with its schema.

    \b
    Try:
      sanproof conformance export --out suite
      sanproof conformance export --out suite --level full

    `schema.json` describes the suite's file: games, and cases with a position of a game, what is
    asked, what is expected, and why. No program of ours is needed to use it. Each file appears
    under its name when it is complete. The suite is free to use for anything (CC0 1.0).
    """  # noqa: D301 - click takes the character
    names = export(out, level)
    click.echo(f"{' and '.join(names)} in {out}")
