"""The published files: their bytes, and what happens when they cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator import files
from generator.strings import both_lists


def test_one_string_a_line_and_no_newline_at_the_end(tmp_path: Path) -> None:
    paths = [Path(path) for path in files.write_published_files(tmp_path)]
    assert [path.name for path in paths] == ["san_strings.txt", "san_strings_with_symbols.txt"]
    for path, texts in zip(paths, both_lists(), strict=True):
        content = path.read_bytes()
        assert content.decode("ascii").split("\n") == texts
        assert not content.endswith(b"\n")
        assert b"\r" not in content
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_writing_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(b"something longer that was there before")
    files.write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    path = tmp_path / "list.txt"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error)):
        files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_directory_that_is_a_file_is_an_os_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(OSError, match="file"):
        files.write_published_files(path)


def test_importing_the_generator_loads_no_slow_module() -> None:
    slow = ["re", "enum", "dataclasses", "typing", "collections", "pathlib", "tempfile", "chess"]
    program = f"import sys, generator.files; print([m for m in {slow} if m in sys.modules])"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
