"""``sanproof report``: the page of a finished run, or of a scan of game files."""

from pathlib import Path
from typing import Final

import click

from sanproof.verify.commands.options import command, folder_option
from sanproof.verify.errors import failure

PUBLISHED_PAGE: Final = "sanproof-page"
"""The folder for the page of the published data, in the current folder."""


@command
@click.argument(
    "source", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path, exists=True)
)
@folder_option(
    "--out",
    "The folder for the page, new or empty.",
    show_default=f"FOLDER-page; without FOLDER {PUBLISHED_PAGE}",
)
def report(source: Path | None, folder: Path | None) -> None:
    """Make a web page from a run or a scan.

    Try:
      sanproof report
      sanproof verify --out run && sanproof report run --out page
      sanproof scan games.pgn --out scanned && sanproof report scanned

    FOLDER holds the results of `sanproof verify` or `sanproof scan`. Without it, the page is about
    the published data, which comes with sanproof. Open index.html in the page's folder, or put the
    folder on any web host: the page loads nothing from elsewhere.

    The page of a run looks a string up and shows its game, or the reason why it is impossible. Its
    atlas shows what can be written for each piece and destination. The files of the run can be
    downloaded. The page of a scan shows how many of the possible strings occurred in the game
    files, the most frequent and the rarest ones, and notation errors with boards.

    It takes ten seconds. For a run that somebody sent you, use `sanproof audit` first.
    """
    from sanproof.reports.archive.door import ArchiveError, open_archive
    from sanproof.reports.page.folder import write_page, write_scan_page
    from sanproof.reports.page.scan_page import is_scan
    from sanproof.verify.claims.selection import select

    if folder is None:
        folder = Path(PUBLISHED_PAGE if source is None else f"{source.resolve()}-page")
    try:
        if source is not None and is_scan(source):
            write_scan_page(source, folder, open_archive().strings())
        else:
            archive = open_archive(source)
            click.echo(f"Making the page of {archive.directory} ...", err=True)
            write_page(archive, folder, select(archive.summary["only"]).selected)
    except ArchiveError as error:
        raise failure(f"{error}.", error) from error
    except OSError as error:
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error
    click.echo(folder / "index.html")
