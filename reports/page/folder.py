"""The folder of a page: whole under its name, or not there.

It replaces an earlier page, which a list of its files tells from another folder.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final

from sanproof.proofs.shortest.table import TABLE
from sanproof.reports.archive.door import Archive
from sanproof.reports.archive.observed import Observed
from sanproof.reports.page.contents import read_contents
from sanproof.reports.page.index import index_page
from sanproof.reports.page.rarities import rarities_page
from sanproof.reports.page.records import records_page
from sanproof.reports.page.scan_page import read_scan, scan_page
from sanproof.reports.page.shards import atlas_shards, make_shards
from sanproof.reports.tables.files import whole_folder

MARKER: Final = "sanproof-page.json"
"""Names every file of the folder, so that a later page replaces this one and nothing else."""

STATIC: Final = (
    *("page.css", "tables.css", "san.js", "guesses.js", "player.js"),
    *("why.js", "seen.js", "atlas.js", "page.js"),
)
SCAN_STATIC: Final = ("page.css", "tables.css", "boards.js")
VENDORED: Final = ("board.css", "board.js", "LICENSES.txt")

Files = Iterable[tuple[str, bytes]]
"""Files by their paths in the folder."""


class FolderError(Exception):
    """The page cannot be put there; the message is a sentence without its full stop."""


def write_page(
    archive: Archive, folder: Path, selected: Callable[[str], bool] | None = None
) -> None:
    """Make the page of a run in a folder that is new, empty, or an earlier page.

    ``selected`` says which strings the run is about; all if None.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
        ArchiveError: The files of the run are not those of one run.
    """
    put_folder(folder, "sanproof report", _files_of_run(archive, selected), archive.directory)


def write_scan_page(
    scan: Path, folder: Path, strings: Sequence[str], observed: Observed | None
) -> None:
    """Make the page of a finished scan in a folder that is new, empty, or an earlier page.

    Args:
        scan: The folder of the scan.
        folder: That of the page.
        strings: The strings that can be written, in list order.
        observed: How often each was played elsewhere, if that is known.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
        ArchiveError: A file of the scan is missing or damaged.
    """
    page = scan_page(read_scan(scan), strings, observed)
    put_folder(folder, "sanproof report", [("index.html", page), *assets(SCAN_STATIC)], scan)


def put_folder(folder: Path, made_by: str, made: Files, source: Path | None = None) -> None:
    """Put files, which the command ``made_by`` makes, in a folder: new, empty or an earlier page.

    Raises:
        FolderError: There is something else, or it is in the folder of the ``source`` or around
            it, or it cannot be written.
    """
    target, run = folder.resolve(), source and source.resolve()
    if run and (target == run or run in target.parents or target in run.parents):
        raise FolderError(
            f"the page {target} and the run {run} need separate folders; name another "
            "folder with --out"
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _check_target(target)
        with whole_folder(target, replaces=True) as building:
            names = []
            for name, content in made:
                path = building / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
                names.append(name)
            marker = {"made by": made_by, "files": sorted(names)}
            (building / MARKER).write_text(json.dumps(marker, indent=1) + "\n", "ascii")
    except OSError as error:
        raise FolderError(f"{target} cannot be written: {error.strerror or error}") from error


def _files_of_run(archive: Archive, selected: Callable[[str], bool] | None) -> Files:
    contents = read_contents(archive)
    yield "index.html", index_page(contents)
    yield from assets(STATIC)
    for name, content in chain(make_shards(contents, selected), atlas_shards(contents)):
        yield f"data/{name}.js", content
    if contents.observed is not None:
        yield "rarities.html", rarities_page(contents, contents.observed)
        for name, content in contents.observed.files().items():
            yield f"downloads/{name}", content
    if contents.shortest is not None:
        yield "records.html", records_page(contents, contents.shortest)
        yield f"downloads/{TABLE}", contents.shortest.content
    for name, _, content in contents.downloads:
        yield f"downloads/{name}", content


def assets(static: Iterable[str]) -> Files:
    """Return the files that are the same on every page: some of our own, and all of others."""
    package = files(__package__)
    for part, names in (("static", static), ("vendor", VENDORED)):
        for name in names:
            yield name, package.joinpath(part, name).read_bytes()


def _check_target(target: Path) -> None:
    """Refuse a folder that holds a file which no page put there."""
    if not target.exists():
        return
    if not target.is_dir():
        raise FolderError(f"{target} is not a folder; name another with --out")
    try:
        known = {*json.loads((target / MARKER).read_bytes())["files"], MARKER}
    except (OSError, ValueError, LookupError, TypeError):
        known = set()
    found = (path for path in target.rglob("*") if path.is_symlink() or not path.is_dir())
    if any(path.relative_to(target).as_posix() not in known for path in found):
        raise FolderError(
            f"{target} holds something other than a page that sanproof made; "
            "name another folder with --out, or empty it"
        )
