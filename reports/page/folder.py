"""The folder of the page: whole under its name, or not there."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from reports.exports.archive import Archive
from reports.page.html import index_page
from reports.page.shards import make_shards
from reports.tables.names import MANIFEST

MARKER: Final = "sanproof-page.json"
"""Names every file of the folder, so that a later page replaces this one and nothing else."""

STATIC: Final = ("page.css", "san.js", "player.js", "atlas.js", "page.js")
VENDORED: Final = ("board.css", "board.js", "LICENSES.txt")


class FolderError(Exception):
    """The page cannot be put there; the message is a sentence without its full stop."""


def write_page(
    archive: Archive, folder: Path, selected: Callable[[str], bool] | None = None
) -> None:
    """Make the page of a run in a folder that is new, empty, or an earlier page.

    Args:
        archive: The run.
        folder: Where the page is to be.
        selected: Which strings the run is about; all if None.

    Raises:
        FolderError: There is something else.
        ArchiveError: The files of the run are not those of one run.
    """
    target = folder.resolve()
    _check_target(target, archive.directory.resolve())
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        temporary.chmod(0o755)
        names = []
        for name, content in _contents(archive, selected):
            path = temporary / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            names.append(name)
        marker = {"made by": "sanproof report", "files": sorted(names)}
        (temporary / MARKER).write_text(json.dumps(marker, indent=1) + "\n", "ascii")
        _put(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _contents(
    archive: Archive, selected: Callable[[str], bool] | None
) -> Iterator[tuple[str, bytes]]:
    """Every file of the page, with its path in the folder."""
    yield "index.html", index_page(archive)
    package = files(__package__)
    for part, names in (("static", STATIC), ("vendor", VENDORED)):
        for name in names:
            yield name, package.joinpath(part, name).read_bytes()
    for name, content in make_shards(archive, selected):
        yield f"data/{name}.js", content
    for name, content in archive.files():
        yield f"downloads/{name}", content
    yield f"downloads/{MANIFEST}", (archive.directory / MANIFEST).read_bytes()


def _check_target(target: Path, run: Path) -> None:
    if target == run or run in target.parents or target in run.parents:
        raise FolderError(f"{target} and the run {run} lie within each other")
    if not target.exists():
        return
    if not target.is_dir():
        raise FolderError(f"{target} is not a folder")
    if any(target.iterdir()) and not _is_page(target):
        raise FolderError(
            f"{target} holds something other than a page that sanproof made; "
            "name another folder, or empty it"
        )


def _is_page(folder: Path) -> bool:
    """Whether everything in a folder was put there by :func:`write_page`."""
    try:
        known = {*json.loads((folder / MARKER).read_bytes())["files"], MARKER}
    except (OSError, ValueError, LookupError, TypeError):
        return False
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return all(path.relative_to(folder).as_posix() in known for path in found)


def _put(made: Path, target: Path) -> None:
    """Give the folder its name; an earlier page stands aside until it has it."""
    if not target.exists():
        made.replace(target)
        return
    aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    target.replace(aside)
    try:
        made.replace(target)
    except BaseException:
        aside.replace(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
