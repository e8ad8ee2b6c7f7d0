"""The folder of the page: whole or not there, and nobody's files are lost."""

import json
import stat
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from reports.exports.archive import Archive, open_archive
from reports.page import folder
from reports.page.folder import MARKER, VENDORED, FolderError, write_page
from reports.page.shards import make_shards
from tests.reports.exports.archives import write_run
from tests.reports.page.samples import FILES
from tests.verify.command import ROOT

VENDOR = ROOT / "reports" / "page" / "vendor"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run, of whose page only one shard is made: all of them take seconds."""
    monkeypatch.setattr(folder, "make_shards", one_shard)
    return write_run(tmp_path / "run", FILES)


def one_shard(
    archive: Archive, selected: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, bytes]]:
    yield next(make_shards(archive, selected))


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def test_a_page_is_whole_and_may_be_read_by_all(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "page"
    write_page(open_archive(run), target)
    found = {name for name in names(target) if (target / name).is_file()}
    assert found == {*json.loads((target / MARKER).read_text())["files"], MARKER}
    assert stat.S_IMODE(target.stat().st_mode) == 0o755
    assert names(target.parent) - {"page"} == {f"page/{name}" for name in names(target)}
    for name, content in FILES.items():
        assert (target / "downloads" / name).read_bytes() == content
    assert "Qxf7%23" in (target / "index.html").read_text("utf-8")
    assert (target / "data" / "castling.js").read_text().startswith('sanproof.receive("castling"')


def test_an_empty_folder_and_an_earlier_page_are_replaced(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    target.mkdir()
    write_page(open_archive(run), target)
    (target / "index.html").write_text("older")
    (target / "page.css").unlink()
    write_page(open_archive(run), target)
    assert (target / "index.html").read_text("utf-8").startswith("<!doctype html>")
    assert (target / "page.css").exists()
    assert names(tmp_path) & {"run", "page"} == {"run", "page"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("name", ["notes.txt", "data/mine.js"])
def test_a_page_with_something_of_others_is_left_alone(
    run: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "page"
    write_page(open_archive(run), target)
    (target / name).write_text("mine")
    with pytest.raises(FolderError, match="something other than a page"):
        write_page(open_archive(run), target)
    assert (target / name).read_text() == "mine"


@pytest.mark.parametrize("marker", [None, "", "[]", '{"files": 3}', '{"files": []}'])
def test_other_folders_are_left_alone(run: Path, tmp_path: Path, marker: str | None) -> None:
    target = tmp_path / "page"
    target.mkdir()
    (target / "notes.txt").write_text("mine")
    if marker is not None:
        (target / MARKER).write_text(marker)
    before = names(target)
    with pytest.raises(FolderError, match="something other than a page"):
        write_page(open_archive(run), target)
    assert names(target) == before


def test_a_file_in_the_way(run: Path, tmp_path: Path) -> None:
    (tmp_path / "page").write_text("mine")
    with pytest.raises(FolderError, match="is not a folder"):
        write_page(open_archive(run), tmp_path / "page")


@pytest.mark.parametrize("place", ["run", "run/page", "."])
def test_a_page_and_its_run_lie_apart(run: Path, tmp_path: Path, place: str) -> None:
    before = names(tmp_path)
    with pytest.raises(FolderError, match="lie within each other"):
        write_page(open_archive(run), tmp_path / place)
    assert names(tmp_path) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["make_shards", "_put"])
def test_a_failure_leaves_what_was_there_and_nothing_else(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    target = tmp_path / "page"
    write_page(open_archive(run), target)
    (target / "index.html").write_text("older")
    before = names(tmp_path)
    monkeypatch.setattr(folder, step, fail)
    with pytest.raises(type(error)):
        write_page(open_archive(run), target)
    assert names(tmp_path) == before
    assert (target / "index.html").read_text() == "older"


def test_an_earlier_page_comes_back_if_the_new_one_cannot_be_put(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page"
    write_page(open_archive(run), target)
    (target / "index.html").write_text("older")
    before = names(tmp_path)
    replace = Path.replace

    def fail_the_second(path: Path, to: Path) -> Path:
        if to == target and (path / "index.html").read_text("utf-8") != "older":
            raise OSError(13, "Permission denied")
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", fail_the_second)
    with pytest.raises(OSError, match="Permission denied"):
        write_page(open_archive(run), target)
    assert names(tmp_path) == before
    assert (target / "index.html").read_text() == "older"


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
