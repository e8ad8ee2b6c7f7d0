"""``sanproof report``: the page of a finished run, or of a scan of game files."""

from pathlib import Path
from typing import Final

import click

from sanproof.verify.commands.options import directory_option
from sanproof.verify.errors import failure

PUBLISHED_PAGE: Final = "sanproof-page"
"""The folder for the page of the published data, in the current folder."""


def _write_scan_page(directory: Path, folder: Path) -> None:
    from sanproof.reports.archive.door import open_archive
    from sanproof.reports.archive.observed import open_observed
    from sanproof.reports.page.folder import write_scan_page
    from sanproof.reports.page.scan_page import ComparedWith
    from sanproof.reports.page.scanned import read_scan

    archive = open_archive()
    proven = ComparedWith(archive.strings(), open_observed(archive.directory))
    write_scan_page(read_scan(directory), folder, proven)


@click.command("report")
@click.argument(
    "directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path, exists=True)
)
@directory_option(
    "--out",
    "The folder for the page: new, empty, or an earlier page, which is replaced.",
    "folder",
    metavar="FOLDER",
    show_default=f"DIR-page; without DIR {PUBLISHED_PAGE}",
)
def command(directory: Path | None, folder: Path | None) -> None:
    """Write a web page about a finished run, or a scan, in DIR.

    Without DIR the page is about the published data, which comes with sanproof. Open
    FOLDER/index.html, or put the folder on any web host: the page loads nothing from elsewhere. It
    looks a string up and shows its game, or the reason why it is impossible; its atlas shows
    what can be written for each piece and destination; the files of the run can be downloaded.

    If DIR holds a scan, the page shows how many of the possible strings occurred in the game
    files, the most frequent and the rarest ones, and deviations with boards.

    \b
    Try:
      sanproof report
      sanproof verify --out run && sanproof report run --out page
      sanproof scan games.pgn --out scanned && sanproof report scanned

    It takes ten seconds. `sanproof audit` checks whether the run is right; for a run that
    somebody sent you, do that first.
    """  # noqa: D301
    from sanproof.reports.archive.door import ArchiveError, open_archive
    from sanproof.reports.page.folder import FolderError, write_page
    from sanproof.reports.page.scanned import is_scan

    if folder is None:
        folder = Path(PUBLISHED_PAGE if directory is None else f"{directory.resolve()}-page")
    try:
        if directory is not None and is_scan(directory):
            _write_scan_page(directory, folder)
        else:
            from sanproof.verify.claims.selection import select

            archive = open_archive(directory)
            click.echo(f"Making the page of {archive.directory} ...", err=True)
            write_page(archive, folder, select(archive.summary["only"]).selected)
    except (ArchiveError, FolderError) as error:
        raise failure(f"{error}.", error) from error
    click.echo(folder / "index.html")
