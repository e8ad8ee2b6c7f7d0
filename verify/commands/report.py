"""``sanproof report``: the page of a finished run."""

from pathlib import Path
from typing import Final

import click

from verify.commands.options import named_directory
from verify.errors import Failure

PUBLISHED_PAGE: Final = "sanproof-page"
"""The folder for the page of the published data, in the current folder."""


def run_report(directory: Path | None, folder: Path | None) -> None:
    """Write the page of a run and say where it is.

    Args:
        directory: The run; the published data if None.
        folder: Where the page is to be; if None beside the run, or for the published data in the
            current folder.

    Raises:
        Failure: The run cannot be read, or the page cannot be put there.
    """
    from reports.exports.archive import ArchiveError, open_archive
    from reports.page.contents import pattern_of
    from reports.page.folder import FolderError, write_page
    from verify.run.selection import select

    if folder is None:
        folder = Path(PUBLISHED_PAGE if directory is None else f"{directory.resolve()}-page")
    try:
        archive = open_archive(directory)
        write_page(archive, folder, select(pattern_of(archive)).selected)
    except (ArchiveError, FolderError) as error:
        raise Failure(f"{error}.") from error
    click.echo(folder / "index.html")


@click.command("report")
@click.argument(
    "directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--out",
    "folder",
    metavar="FOLDER",
    callback=named_directory,
    show_default=f"DIR-page beside DIR; without DIR {PUBLISHED_PAGE} here",
    help="Folder for the page: new, empty, or an earlier page, which is replaced.",
)
def command(directory: Path | None, folder: Path | None) -> None:
    """Write a page that answers for every string of the finished run in DIR.

    Without DIR the page is about the published data, which comes with sanproof. Open
    FOLDER/index.html, or put the folder on any web host: the page asks nothing of another host. It
    looks a string up and shows its game, or the reason why it is impossible; its atlas shows
    what can be written for each piece and destination; the files of the run can be downloaded.

    \b
    Try:
      sanproof report
      sanproof verify --out run && sanproof report run --out page

    Takes some seconds. The page shows what the run says; `sanproof audit` checks whether that is
    true.
    """  # noqa: D301
    run_report(directory, folder)
