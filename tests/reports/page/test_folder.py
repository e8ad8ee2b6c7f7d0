"""The folder of the page: whole or not there, and nobody's files are lost."""

import fcntl
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.page import definitions, folder
from sanproof.reports.page.folder import LOCK, MARKER, NEW, OLD, VENDORED, FolderError, write_page
from sanproof.reports.page.shards import NAMES
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES, one_shard
from tests.verify.command import ROOT

definitions_page = cache(definitions.definitions_page)
"""The same bytes on each page, and most of the time that a page of one shard takes."""
VENDOR = ROOT / "reports" / "page" / "vendor"
WORK = ".page.sanproof"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run, of whose page only one shard is made: all of them take seconds."""
    monkeypatch.setattr(folder, "make_shards", one_shard)
    monkeypatch.setattr(folder, "NAMES", NAMES[:1])
    monkeypatch.setattr(folder, "definitions_page", definitions_page)
    return write_run(tmp_path / "run", FILES)


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def make(run: Path, target: Path) -> None:
    write_page(open_archive(run), target)


def is_whole(page: Path) -> bool:
    """Whether a page has every file that it names, and nothing else."""
    found = {name for name in names(page) if (page / name).is_file()}
    return found == {*json.loads((page / MARKER).read_text())["files"], MARKER}


def grow_old(page: Path) -> None:
    """Change a page, so that a test can see whether it was replaced."""
    (page / "index.html").write_text("older")


def is_old(page: Path) -> bool:
    return (page / "index.html").read_text("utf-8") == "older"


def test_a_page_is_whole(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "page"
    make(run, target)
    assert is_whole(target)
    assert names(target.parent) - {"page"} == {f"page/{name}" for name in names(target)}
    for name, content in FILES.items():
        assert (target / "downloads" / name).read_bytes() == content
    assert "Qxf7%23" in (target / "index.html").read_text("utf-8")
    assert (target / "data" / "castling.js").read_text().startswith('sanproof.receive("castling"')


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_who_may_read_the_page_is_for_the_user_to_say(run: Path, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        make(run, tmp_path / "page")
    finally:
        os.umask(before)
    assert (tmp_path / "page").stat().st_mode & 0o777 == 0o777 & ~mask
    assert (tmp_path / "page" / "index.html").stat().st_mode & 0o777 == 0o666 & ~mask


def test_an_empty_folder_and_an_earlier_page_are_replaced(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    target.mkdir()
    make(run, target)
    grow_old(target)
    (target / "page.css").unlink()
    make(run, target)
    assert is_whole(target)
    assert not is_old(target)
    assert {path.name for path in tmp_path.iterdir()} == {"run", "page"}


@pytest.mark.parametrize("name", ["notes.txt", "data/mine.js"])
def test_a_page_with_something_of_others_is_left_alone(
    run: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "page"
    make(run, target)
    (target / name).write_text("mine")
    with pytest.raises(FolderError, match="something other than a page"):
        make(run, target)
    assert (target / name).read_text() == "mine"


@pytest.mark.parametrize(
    "marker", [None, "", "[]", '{"files": 3}', '{"files": []}', "[" * 100_000, '{"files": [[]]}']
)
def test_other_folders_are_left_alone(run: Path, tmp_path: Path, marker: str | None) -> None:
    target = tmp_path / "page"
    target.mkdir()
    (target / "notes.txt").write_text("mine")
    if marker is not None:
        (target / MARKER).write_text(marker)
    before = names(target)
    with pytest.raises(FolderError, match="something other than a page"):
        make(run, target)
    assert names(target) == before


def test_what_a_link_in_a_page_leads_to_is_left_alone(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    make(run, target)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "castling.js").write_text("mine")
    (target / "data" / "castling.js").unlink()
    (target / "data").rmdir()
    (target / "data").symlink_to(elsewhere)
    with pytest.raises(FolderError, match="something other than a page"):
        make(run, target)
    marker = {"files": ["data", *json.loads((target / MARKER).read_text())["files"]]}
    (target / MARKER).write_text(json.dumps(marker))  # a forged page may name the link itself
    make(run, target)
    assert (elsewhere / "castling.js").read_text() == "mine"
    assert is_whole(target)


def test_a_file_in_the_way(run: Path, tmp_path: Path) -> None:
    (tmp_path / "page").write_text("mine")
    with pytest.raises(FolderError, match="is not a folder"):
        make(run, tmp_path / "page")
    assert (tmp_path / "page").read_text() == "mine"


@pytest.mark.parametrize("place", ["run", "run/page", "."])
def test_a_page_and_its_run_lie_apart(run: Path, tmp_path: Path, place: str) -> None:
    before = names(tmp_path)
    with pytest.raises(FolderError, match="need folders apart from each other"):
        make(run, tmp_path / place)
    assert names(tmp_path) == before


def test_a_place_that_cannot_be_written(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match=r"file is not a folder"):
        make(run, tmp_path / "file" / "page")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["make_shards", "_put"])
def test_a_failure_leaves_what_was_there_and_nothing_else(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    target = tmp_path / "page"
    make(run, target)
    grow_old(target)
    before = names(tmp_path)
    monkeypatch.setattr(folder, step, fail)
    expected = FolderError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected) as raised:
        make(run, target)
    assert names(tmp_path) == before
    assert is_old(target)
    assert WORK not in str(raised.value)  # no sentence names a temporary file


def test_an_earlier_page_comes_back_if_the_new_one_cannot_be_put(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page"
    make(run, target)
    grow_old(target)
    before = names(tmp_path)
    rename = Path.rename

    def fail_the_second(path: Path, to: Path) -> Path:
        if to == target and path.name == NEW:
            raise OSError(13, "Permission denied")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail_the_second)
    with pytest.raises(FolderError, match="cannot be written: Permission denied"):
        make(run, target)
    assert names(tmp_path) == before
    assert is_old(target)


def test_a_damaged_run_leaves_nothing(run: Path, tmp_path: Path) -> None:
    (run / "witnesses.csv").write_text("")
    with pytest.raises(ArchiveError, match="damaged"):
        make(run, tmp_path / "page")
    assert {path.name for path in tmp_path.iterdir()} == {"run"}


# Killed, and two at once

KILLED = """
import os, signal, sys
from functools import cache
from pathlib import Path
from sanproof.reports.archive.door import open_archive
from sanproof.reports.page import folder
from sanproof.reports.page.shards import NAMES
from tests.reports.page.samples import one_shard

folder.make_shards, folder.NAMES = one_shard, NAMES[:1]
folder.definitions_page = cache(folder.definitions_page)
run, place = map(Path, sys.argv[1:3])
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "open"}


def write(target, last):
    \"\"\"In a process of its own that is killed at a change of the file system; how it ended.\"\"\"
    changes = 0

    def count(event, arguments):
        nonlocal changes
        if event in CHANGES and str(place) in str(arguments[:2]) and str(run) not in str(arguments):
            if changes == last:
                os.kill(os.getpid(), signal.SIGKILL)
            changes += 1

    child = os.fork()
    if child == 0:
        sys.addaudithook(count)
        try:
            folder.write_page(open_archive(run), target)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


kills = 0
while True:
    target = place / str(kills) / "page"
    folder.write_page(open_archive(run), target)
    (target / "index.html").write_text("older")
    if write(target, kills) == 0:
        break
    kills += 1
print(kills)
"""


@pytest.mark.slow
def test_a_page_survives_a_kill_at_any_moment(run: Path, tmp_path: Path) -> None:
    """A program is killed at each of its changes in turn; the next one puts all in order."""
    place = tmp_path / "place"
    program = [sys.executable, "-c", KILLED, str(run), str(place)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    kills = int(done.stdout)
    assert kills > 30
    found = Counter(where_the_page_is(place / str(number)) for number in range(kills))
    assert set(found) == {"old", "old, aside", "new"}
    for number in range(kills):
        make(run, place / str(number) / "page")
        assert [path.name for path in (place / str(number)).iterdir()] == ["page"]
        assert is_whole(place / str(number) / "page")
        assert not is_old(place / str(number) / "page")


def where_the_page_is(place: Path) -> str:
    """Which page is whole after a kill: the old or the new one under its name, or the old aside."""
    target = place / "page"
    if target.exists():
        assert is_whole(target)
        return "old" if is_old(target) else "new"
    aside = place / WORK / OLD
    assert is_whole(aside)
    assert is_old(aside)
    return "old, aside"


def test_an_earlier_page_comes_back_although_the_next_page_fails(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    make(run, target)
    grow_old(target)
    (tmp_path / WORK).mkdir()
    target.rename(tmp_path / WORK / OLD)  # killed at the worst moment
    (run / "witnesses.csv").write_text("")
    with pytest.raises(ArchiveError):
        make(run, target)
    assert is_old(target)
    assert is_whole(target)
    assert {path.name for path in tmp_path.iterdir()} == {"run", "page"}


@pytest.mark.parametrize("name", ["notes.txt", f"{OLD}/notes.txt", f"{NEW}/notes.txt"])
def test_something_of_others_in_the_hidden_folder_is_left_alone(
    run: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / WORK / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(FolderError, match=r"holds"):
        make(run, tmp_path / "page")
    assert path.read_text() == "mine"


def test_a_link_in_place_of_the_hidden_folder_is_not_followed(run: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / WORK).symlink_to("elsewhere")
    with pytest.raises(FolderError, match="is a link"):
        make(run, tmp_path / "page")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_two_at_once(run: Path, tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()
    with (tmp_path / WORK / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(FolderError, match="another `sanproof report` is writing"):
            make(run, tmp_path / "page")
    assert not (tmp_path / "page").exists()
    make(run, tmp_path / "page")
    assert {path.name for path in tmp_path.iterdir()} == {"run", "page"}


# What is vendored


@pytest.mark.parametrize("name", ["board.js", "board.css"])
def test_vendored_files_are_those_that_are_written_down(name: str) -> None:
    note = (VENDOR / "README.md").read_text("utf-8")
    assert f"| `{name}` | `{sha256((VENDOR / name).read_bytes()).hexdigest()}` |" in note


def test_vendored_libraries_come_with_version_and_licence() -> None:
    locked = json.loads((VENDOR / "package-lock.json").read_text())["packages"]
    note = (VENDOR / "README.md").read_text("utf-8")
    licences = (VENDOR / "LICENSES.txt").read_text("utf-8")
    assert "LICENSES.txt" in VENDORED
    for path, package in locked.items():
        if path and not package.get("dev"):
            name = path.removeprefix("node_modules/")
            assert f"| {name} | {package['version']} | {package['license']} |" in note
            assert f"{name} {package['version']}, {package['license']}" in licences
            assert package["integrity"].startswith("sha512-")
