"""``sanproof report``: the page of a finished run."""

from pathlib import Path

import click

from reports.exports.archive import ArchiveError, open_archive
from reports.page.folder import FolderError, write_page
from verify.commands.options import named_directory
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


@click.command("report")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    "folder",
    metavar="FOLDER",
    callback=named_directory,
    show_default="DIR-page, beside DIR",
    help="Folder for the page: new, empty, or an earlier page, which is replaced.",
)
def command(directory: Path, folder: Path | None) -> None:
    """Write a page that answers for every string of the finished run in DIR.

    Open FOLDER/index.html, or put the folder on any web host: it asks nothing of another. It
    looks a string up and shows its game, or the reason why there is none; an atlas tells what
    occurs for each piece and destination; the files of the run can be downloaded.

    \b
    Try:
      sanproof verify --out run && sanproof report run --out page

    Takes some seconds. The page shows what the run says; that it is true is for `sanproof audit`.
    """  # noqa: D301
    run_report(directory, folder)
