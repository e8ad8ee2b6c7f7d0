"""Files are whole or not there, and the same at any time of day."""

import gzip
import os
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.tables.files import csv_table, gzipped, joined_lines, write_whole


def test_a_file_gets_its_content_and_may_be_read_by_all(tmp_path: Path) -> None:
    write_whole(tmp_path / "list.txt", b"new")
    assert (tmp_path / "list.txt").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "list.txt").stat().st_mode) == 0o644
    write_whole(tmp_path / "list.txt", b"")
    assert (tmp_path / "list.txt").read_bytes() == b""


@pytest.mark.parametrize("step", ["os.fsync", "Path.replace", "Path.chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("before", [b"old", None])
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
    monkeypatch.setattr(f"reports.tables.files.{step}", fail)
    with pytest.raises(type(error)):
        write_whole(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([before] if before else [])


def test_nobody_sees_a_part_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file is moved to its name, all of it is on the disk."""
    path = tmp_path / "list.txt"
    path.write_bytes(b"old")
    events: list[str] = []
    replace, sync = Path.replace, os.fsync

    def watched_replace(source: Path, target: Path) -> Path:
        events.append("replace")
        assert source.read_bytes() == b"new" * 100_000
        assert source.parent == target.parent
        assert target.read_bytes() == b"old"
        return replace(source, target)

    def watched_sync(handle: int) -> None:
        events.append("fsync")
        assert os.fstat(handle).st_size == 300_000
        sync(handle)

    monkeypatch.setattr(Path, "replace", watched_replace)
    monkeypatch.setattr(os, "fsync", watched_sync)
    write_whole(path, b"new" * 100_000)
    assert events == ["fsync", "replace"]


def test_a_directory_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "list.txt", b"new")


@given(st.binary(max_size=2000))
def test_compressed_content_is_the_content(content: bytes) -> None:
    assert gzip.decompress(gzipped(content)) == content


def test_compressing_does_not_depend_on_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"Nf3,no-origin\n" * 1000
    before = gzipped(content)
    monkeypatch.setattr(time, "time", lambda: 4_000_000_000.0)
    assert gzipped(content) == before
    assert before[4:8] == bytes(4)  # RFC 1952: the time of the last change, 0 if there is none
    assert before[3] & 0b1000 == 0  # and no file name


lines = st.lists(st.text("abc12+#=", min_size=1, max_size=5))


@given(lines)
def test_lists_have_a_line_feed_between_lines_and_none_after_the_last(texts: list[str]) -> None:
    content = joined_lines(texts)
    assert content.decode("ascii").split("\n") == (texts or [""])
    assert content.count(b"\n") == max(0, len(texts) - 1)


@given(lines)
def test_tables_have_a_header_and_end_each_row(rows: list[str]) -> None:
    assert csv_table("a,b", rows).decode("ascii") == "".join(f"{x}\n" for x in ["a,b", *rows])


def test_what_is_not_ascii_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        joined_lines(["\u265a"])
    with pytest.raises(UnicodeEncodeError):
        csv_table("san", ["\u265a"])
