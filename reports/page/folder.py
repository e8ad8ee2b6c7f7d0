"""The folder of the page: whole under its name, or not there.

A page is built in a hidden folder beside its place, ``.NAME.sanproof``, and an earlier page stands
aside there for the moment in which the new one takes its name. So whatever kills the program leaves
nothing in another place, and the next ``sanproof report`` puts an earlier page back, and removes
what is left over.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.reports.archive.door import Archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.definitions import definitions_page
from sanproof.reports.page.html import index_page
from sanproof.reports.page.rarities import rarities_page
from sanproof.reports.page.scan_page import ComparedWith, scan_page
from sanproof.reports.page.scanned import Scan
from sanproof.reports.page.shards import NAMES, OBSERVED, make_shards, observed_shard

if sys.platform != "win32":
    import fcntl

MARKER: Final = "sanproof-page.json"
"""Names every file of the folder, so that a later page replaces this one and nothing else."""

INDEX: Final = "index.html"
RARITIES: Final = "rarities.html"
DEFINITIONS: Final = "definitions.html"
STATIC: Final = (
    "page.css",
    "tables.css",
    "san.js",
    "guesses.js",
    "player.js",
    "why.js",
    "seen.js",
    "atlas.js",
    "page.js",
)
SCAN_STATIC: Final = ("page.css", "tables.css", "boards.js")
VENDORED: Final = ("board.css", "board.js", "LICENSES.txt")
LOCK: Final = "lock"
NEW: Final = "new"
OLD: Final = "old"


class _Page(NamedTuple):
    """The names of a page's files but the marker, and the files, made when they are written."""

    names: list[str]
    files: Iterator[tuple[str, bytes]]


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
    _write(folder, archive.directory, lambda: _page_of_run(read_contents(archive), selected))


def write_scan_page(scan: Scan, folder: Path, proven: ComparedWith) -> None:
    """Make the page of a scan in a folder that is new, empty, or an earlier page.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
    """
    _write(folder, scan.directory, lambda: _page_of_scan(scan, proven))


def _write(folder: Path, source: Path, make: Callable[[], _Page]) -> None:
    """Put a page in its place, made once nothing stands in its way; ``source`` is not touched."""
    target = folder.resolve()
    try:
        _check_place(target, source.resolve())
    except OSError as error:
        raise FolderError(f"{target} cannot be written: {error.strerror or error}") from error
    put_folder(target, lambda work: write_files(work, "sanproof report", *make()))


def put_folder(folder: Path, build: Callable[[Path], None]) -> None:
    """Have a page made, in a folder that is new, empty, or an earlier page.

    ``build`` makes it in a folder that is not there yet, by :func:`write_files`.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
    """
    target = folder.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _workshop(target) as work:
            _recover(work / OLD, target)
            _check_target(target)
            for left_over in (work / OLD, work / NEW):
                _remove_page(left_over)
            try:
                build(work / NEW)
                _put(work / NEW, target, work / OLD)
            finally:
                _remove_page(work / NEW)
    except OSError as error:
        raise FolderError(f"{target} cannot be written: {error.strerror or error}") from error


def write_files(
    folder: Path, made_by: str, names: Sequence[str], files: Iterable[tuple[str, bytes]]
) -> None:
    """Write every file of a page; the marker comes first, so that a part is known as one.

    The folder is not there yet; the names are paths in it; ``made_by`` is a command.
    """
    folder.mkdir()
    marker = {"made by": made_by, "files": sorted(names)}
    (folder / MARKER).write_text(json.dumps(marker, indent=1) + "\n", "ascii")
    for name, content in files:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def _page_of_scan(scan: Scan, proven: ComparedWith) -> _Page:
    files_of = chain([(INDEX, scan_page(scan, proven))], _assets(SCAN_STATIC))
    return _Page([INDEX, *SCAN_STATIC, *VENDORED], files_of)


def _page_of_run(contents: Contents, selected: Callable[[str], bool] | None) -> _Page:
    names = [INDEX, DEFINITIONS, *STATIC, *VENDORED]
    names += [f"data/{name}.js" for name in NAMES]
    names += [f"downloads/{download.name}" for download in contents.downloads]
    if contents.observed is not None:
        names += [RARITIES, f"data/{OBSERVED}.js"]
        names += [f"downloads/{name}" for name in contents.observed.files()]
    return _Page(names, _files(contents, selected))


def _files(
    contents: Contents, selected: Callable[[str], bool] | None
) -> Iterator[tuple[str, bytes]]:
    """Every file of a run's page but the marker, with its path in the folder."""
    yield INDEX, index_page(contents)
    yield DEFINITIONS, definitions_page()
    yield from _assets(STATIC)
    for name, content in chain(make_shards(contents, selected), observed_shard(contents)):
        yield f"data/{name}.js", content
    if contents.observed is not None:
        yield RARITIES, rarities_page(contents, contents.observed)
        for name, content in contents.observed.files().items():
            yield f"downloads/{name}", content
    for download in contents.downloads:
        yield f"downloads/{download.name}", download.content


def _assets(static: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files that are the same on every page: some of our own, and all of others."""
    package = files(__package__)
    for part, names in (("static", static), ("vendor", VENDORED)):
        for name in names:
            yield name, package.joinpath(part, name).read_bytes()


def _check_place(target: Path, run: Path) -> None:
    if target == run or run in target.parents or target in run.parents:
        raise FolderError(
            f"the page {target} and the run {run} need folders apart from each other; name another "
            "folder with --out"
        )
    above = next(parent for parent in target.parents if parent.exists())
    if not above.is_dir():
        raise FolderError(f"{above} is not a folder; name another with --out")


def _check_target(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise FolderError(f"{target} is not a folder; name another with --out")
    if any(target.iterdir()) and not _is_page(target):
        raise FolderError(
            f"{target} holds something other than a page that sanproof made; "
            "name another folder with --out, or empty it"
        )


def _put(made: Path, target: Path, aside: Path) -> None:
    """Give the folder its name; an earlier page stands aside until it has it, and is removed."""
    if not target.exists():
        made.rename(target)
        return
    if not any(target.iterdir()):
        target.rmdir()
        made.rename(target)
        return
    target.rename(aside)
    try:
        made.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    _remove_page(aside)


@contextmanager
def _workshop(target: Path) -> Iterator[Path]:
    """The hidden folder beside the page, for one program at a time; removed when it is empty."""
    work = target.with_name(f".{target.name}.sanproof")
    if work.is_symlink():
        raise FolderError(f"{work} is a link, which sanproof did not make; remove it")
    lock = _locked(work, target)
    try:
        if strange := {path.name for path in work.iterdir()} - {LOCK, NEW, OLD}:
            raise FolderError(
                f"{work} holds {min(strange)!a}, which sanproof did not make; move it"
            )
        yield work
    finally:
        if not (work / NEW).exists() and not (work / OLD).exists():
            (work / LOCK).unlink(missing_ok=True)
            if not any(work.iterdir()):
                work.rmdir()
        os.close(lock)


def _locked(work: Path, target: Path) -> int:
    """The open lock file, once it is this program's; the system frees it when the program ends.

    Raises:
        FolderError: Another program has it.
    """
    while True:
        work.mkdir(exist_ok=True)
        try:
            lock = os.open(work / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue  # another program has just ended, and removed the folder
        try:
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), (work / LOCK).stat()):
                return lock
        except FileNotFoundError:
            pass  # as above
        except BlockingIOError as error:
            os.close(lock)
            raise FolderError(
                f"another `sanproof report` is writing {target}; wait until it has ended"
            ) from error
        os.close(lock)


def _recover(aside: Path, target: Path) -> None:
    """Put an earlier page back under its name if a program was killed before it did."""
    if aside.exists() and not target.exists() and (aside / INDEX).exists():
        aside.rename(target)


def _is_page(folder: Path) -> bool:
    """Whether everything in a folder was put there by :func:`write_page`."""
    try:
        known = {*json.loads((folder / MARKER).read_bytes())["files"], MARKER}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False
    return all(path.relative_to(folder).as_posix() in known for path in _walk(folder))


def _walk(folder: Path) -> Iterator[Path]:
    """Everything in a folder but its folders; what a link leads to is not looked at."""
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        yield from (Path(place, name) for name in (*names, *links))


def _remove_page(folder: Path) -> None:
    """Remove a page, or a part of one: its marker last, so that what is left is known as a part.

    Raises:
        FolderError: There is something other than a page.
    """
    if not folder.exists():
        return
    if not _is_page(folder) and {path.name for path in _walk(folder)} - {MARKER}:
        raise FolderError(f"{folder} holds something other than a page that sanproof made; move it")
    for path in _walk(folder):
        if path != folder / MARKER:
            path.unlink()
    for place, folders, _ in os.walk(folder, topdown=False):
        for name in folders:
            Path(place, name).rmdir()
    (folder / MARKER).unlink(missing_ok=True)
    folder.rmdir()
