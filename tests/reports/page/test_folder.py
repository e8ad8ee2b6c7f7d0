"""The folder of the page: whole or not there, and nobody's files are lost."""

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.page import definitions, folder
from sanproof.reports.page.folder import MARKER, VENDORED, FolderError, write_page
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES, one_shard
from tests.verify.command import ROOT

definitions_page = cache(definitions.definitions_page)
"""The same bytes on each page, and most of the time that a page of one shard takes."""
VENDOR = ROOT / "reports" / "page" / "vendor"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run, of whose page only one shard is made: all of them take seconds."""
    monkeypatch.setattr(folder, "make_shards", one_shard)
    monkeypatch.setattr(folder, "definitions_page", definitions_page)
    return write_run(tmp_path / "run", FILES)


@pytest.fixture
def old(run: Path, tmp_path: Path) -> Path:
    """A page that was made before; its index tells whether it was replaced."""
    make(run, tmp_path / "page")
    (tmp_path / "page" / "index.html").write_text("older")
    return tmp_path / "page"


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def make(run: Path, target: Path) -> None:
    write_page(open_archive(run), target)


def is_new(page: Path) -> bool:
    """Whether a page is the new one, with every file that it names and nothing else."""
    found = {name for name in names(page) if (page / name).is_file()}
    assert found == {*json.loads((page / MARKER).read_text())["files"], MARKER}
    return (page / "index.html").read_text("utf-8") != "older"


def test_a_page_is_whole(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "page"
    make(run, target)
    assert is_new(target)
    assert [path.name for path in target.parent.iterdir()] == ["page"]
    for name, content in FILES.items():
        assert (target / "downloads" / name).read_bytes() == content
    assert "Qxf7%23" in (target / "index.html").read_text("utf-8")
    assert (target / "data" / "castling.js").read_text().startswith('sanproof.receive("castling"')


def test_an_empty_folder_and_an_earlier_page_are_replaced(
    run: Path, old: Path, tmp_path: Path
) -> None:
    (old / "page.css").unlink()
    (tmp_path / "empty").mkdir()
    for target in (old, tmp_path / "empty"):
        make(run, target)
        assert is_new(target)
    assert {path.name for path in tmp_path.iterdir()} == {"run", "page", "empty"}


@pytest.mark.parametrize("name", ["notes.txt", "data/mine.js"])
def test_a_page_with_something_of_others_is_left_alone(run: Path, old: Path, name: str) -> None:
    (old / name).write_text("mine")
    before = names(old)
    with pytest.raises(FolderError, match="something other than a page"):
        make(run, old)
    for marker in (
        None,
        "",
        "[]",
        "{}",
        '{"files": 3}',
        '{"files": []}',
        "[" * 100_000,
        '{"files": [[]]}',
    ):
        if marker is None:
            (old / MARKER).unlink()
        else:
            (old / MARKER).write_text(marker)
        with pytest.raises(FolderError, match="something other than a page"):
            make(run, old)
    assert names(old) == before
    assert (old / name).read_text() == "mine"


def test_what_a_link_in_a_page_leads_to_is_left_alone(run: Path, old: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "castling.js").write_text("mine")
    (old / "data" / "castling.js").unlink()
    (old / "data").rmdir()
    (old / "data").symlink_to(elsewhere)
    with pytest.raises(FolderError, match="something other than a page"):
        make(run, old)
    marker = {"files": ["data", *json.loads((old / MARKER).read_text())["files"]]}
    (old / MARKER).write_text(json.dumps(marker))  # a forged page may name the link itself
    make(run, old)
    assert (elsewhere / "castling.js").read_text() == "mine"
    assert is_new(old)


def test_a_place_where_no_page_can_be(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    before = names(tmp_path)
    for place, words in {
        **dict.fromkeys(("run", "run/page", "."), "need folders apart from each other"),
        "file": "is not a folder",
        "file/page": "cannot be written",
    }.items():
        with pytest.raises(FolderError, match=words):
            make(run, tmp_path / place)
    (run / "witnesses.csv").write_text("")
    with pytest.raises(ArchiveError, match="damaged"):
        make(run, tmp_path / "page")
    assert names(tmp_path) == before
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["make_shards", "replace"])
def test_a_failure_leaves_what_was_there_and_nothing_else(
    run: Path, old: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object) -> Iterator[tuple[str, bytes]]:
        raise error

    before = names(old.parent)
    monkeypatch.setattr(folder if step == "make_shards" else Path, step, fail)
    expected = FolderError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected) as raised:
        make(run, old)
    assert names(old.parent) == before
    assert not is_new(old)
    assert ".tmp" not in str(raised.value)  # no sentence names a temporary file


def test_vendored_files_are_those_that_are_written_down() -> None:
    """With version and licence."""
    locked = json.loads((VENDOR / "package-lock.json").read_text())["packages"]
    note = (VENDOR / "README.md").read_text("utf-8")
    for name in ("board.js", "board.css"):
        assert f"| `{name}` | `{sha256((VENDOR / name).read_bytes()).hexdigest()}` |" in note
    licences = (VENDOR / "LICENSES.txt").read_text("utf-8")
    assert "LICENSES.txt" in VENDORED
    shipped = [path for path, package in locked.items() if path and not package.get("dev")]
    assert shipped
    for path in shipped:
        name, package = path.removeprefix("node_modules/"), locked[path]
        assert f"| {name} | {package['version']} | {package['license']} |" in note
        assert f"{name} {package['version']}, {package['license']}" in licences
        assert package["integrity"].startswith("sha512-")
