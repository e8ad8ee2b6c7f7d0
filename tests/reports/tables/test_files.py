"""Files and folders are whole or not there, and lists and tables end as they are published."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.tables.files import csv_table, joined_lines, write_folder, write_whole


@pytest.mark.parametrize("mode", [0o600, 0o755])
def test_permissions_are_those_of_the_umask_and_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "list.txt"
    before = os.umask(0o777 & ~mode)
    try:
        write_whole(path, b"new")
    finally:
        os.umask(before)
    for content in (b"newer", b""):
        write_whole(path, content)
        assert path.read_bytes() == content
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & mode


@pytest.mark.parametrize("before", [b"old", None])
def test_a_link_stays_and_the_file_that_it_names_is_written(
    tmp_path: Path, before: bytes | None
) -> None:
    """Also one of several steps, into another folder, to a file that is not there yet."""
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "list.txt"
    if before is not None:
        target.write_bytes(before)
    (tmp_path / "step").symlink_to(Path("far") / "list.txt")
    (tmp_path / "link").symlink_to("step")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "step").is_symlink()
    assert target.read_bytes() == b"new"
    assert not target.is_symlink()
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["far", "link", "list.txt", "step"]


def test_pipes_and_devices_are_written_through(tmp_path: Path) -> None:
    """As root a device would be replaced, for every program of the system."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as other:
        read = other.submit(pipe.read_bytes)
        write_whole(pipe, b"new" * 100_000)
        assert read.result() == b"new" * 100_000
    link.symlink_to("/dev/null")
    write_whole(link, b"new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert sorted(tmp_path.iterdir()) == [link, pipe]


def test_a_folder_is_filled_only_if_it_is_new_or_empty(tmp_path: Path) -> None:
    given_files = [("a", b"1"), ("deep/b", b"2")]
    (tmp_path / "empty").mkdir()
    for name in ("x/new", "empty"):
        assert write_folder(tmp_path / name, given_files) == 2
        found = {p.name: p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        assert found == {"a": b"1", "b": b"2"}
    before = sorted(tmp_path.rglob("*"))
    for name in ("x", "x/new", "x/new/a"):
        with pytest.raises(OSError, match="new or empty"):
            write_folder(tmp_path / name, given_files)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize(
    ("step", "before"),
    [("os.fsync", None), ("Path.replace", None), ("Path.replace", b"old"), ("Path.chmod", b"old")],
)
def test_a_failure_leaves_what_was_there_and_nothing_else(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    error: BaseException,
    before: bytes | None,
) -> None:
    def fail(*_: object) -> None:
        raise error

    path = tmp_path / "list.txt"
    if before is not None:
        path.write_bytes(before)
    monkeypatch.setattr(f"sanproof.reports.tables.files.{step}", fail)
    with pytest.raises(type(error)):
        write_whole(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([before] if before else [])


def test_an_error_names_what_is_made_and_not_where(tmp_path: Path) -> None:
    for path in (Path("/proc/x"), tmp_path / "none" / "x"):
        with pytest.raises(OSError, match=str(path)):
            write_whole(path, b"x")
    with pytest.raises(OSError, match="full"):
        write_folder(tmp_path / "full", [("x", b""), ("x/y", b"")])
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.text("abc12+#=", min_size=1, max_size=5)))
def test_lists_end_without_a_line_feed_and_tables_with_one(texts: list[str]) -> None:
    assert joined_lines(texts).decode("ascii").split("\n") == (texts or [""])
    assert csv_table("a,b", texts).decode("ascii") == "".join(f"{x}\n" for x in ["a,b", *texts])
    for write in (joined_lines, lambda rows: csv_table("san", rows)):
        with pytest.raises(UnicodeEncodeError):
            write(["\u265a"])
