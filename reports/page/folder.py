"""Writes the files of a page to a folder, which is complete or absent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from sanproof.proofs.shortest.table import TABLE
from sanproof.reports.archive.door import Archive
from sanproof.reports.page.contents import read_contents
from sanproof.reports.page.kinds import rarities_page, records_page
from sanproof.reports.page.lookup import index_page, make_shards
from sanproof.reports.page.scan_page import read_scan, scan_page
from sanproof.reports.tables.files import write_folder

STATIC: Final = ("page.css", "san.js", "player.js", "why.js", "atlas.js", "page.js")
SCAN_STATIC: Final = ("page.css", "boards.js")
VENDORED: Final = ("board.css", "board.js", "LICENSES.txt")

Files = Iterator[tuple[str, bytes]]
"""The paths in the folder and the contents of files."""


def write_page(
    archive: Archive, folder: Path, selected: Callable[[str], bool] | None = None
) -> None:
    """Make the page of a run in a new or empty folder.

    ``selected`` tells which strings the run has decided, or is None for all.

    Raises:
        ArchiveError: A file of the run is missing or damaged.
        OSError: The folder cannot be written, or is not empty.
    """
    write_folder(folder, _files_of_run(archive, selected))


def write_scan_page(scan: Path, folder: Path, strings: Sequence[str]) -> None:
    """Make the page of a finished scan in a new or empty folder; see :func:`scan_page`.

    Raises:
        ArchiveError: A file of the scan is missing or damaged.
        OSError: The folder cannot be written, or is not empty.
    """
    page = scan_page(read_scan(scan), strings)
    write_folder(folder, [("index.html", page), *assets(SCAN_STATIC)])


def _files_of_run(archive: Archive, selected: Callable[[str], bool] | None) -> Files:
    contents = read_contents(archive)
    yield "index.html", index_page(contents)
    yield from assets(STATIC)
    for name, content in make_shards(contents, selected):
        yield f"data/{name}.js", content
    if observed := archive.observed:
        yield "rarities.html", rarities_page(contents, observed)
        for name, content in observed.files().items():
            yield f"downloads/{name}", content
    if archive.shortest is not None:
        yield "records.html", records_page(contents)
        yield f"downloads/{TABLE}", archive.shortest
    for name, _, content in contents.downloads:
        yield f"downloads/{name}", content


def assets(static: Iterable[str]) -> Files:
    """Yield the files of our own that ``static`` names, and all third-party ones."""
    package = files(__package__)
    for part, names in (("static", static), ("vendor", VENDORED)):
        for name in names:
            yield name, package.joinpath(part, name).read_bytes()
