"""``sanproof report``: the page of a finished run."""

from pathlib import Path

import click

from reports.exports.archive import ArchiveError, open_archive
from reports.page.folder import FolderError, write_page
from verify.errors import Failure
from verify.run.selection import select


def run_report(directory: Path, folder: Path | None) -> None:
    """Write the page of a run, beside it if no folder is named, and say where it is.

    Raises:
        Failure: The run cannot be read, or the folder holds something else.
    """
    if folder is None:
        folder = Path(f"{directory.resolve()}-page")
    try:
        archive = open_archive(directory)
        write_page(archive, folder, select(archive.summary["only"]).selected)
    except (ArchiveError, FolderError) as error:
        raise Failure(f"{error}.") from error
    click.echo(folder / "index.html")
