"""The published files: their bytes, and what happens when they cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.generator import files
from sanproof.generator.strings import both_lists

ROOT = Path(__file__).parents[2]


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


def test_the_same_lists_again_are_left_as_they_are(tmp_path: Path) -> None:
    paths = files.write_published_files(tmp_path)
    before = [Path(path).stat().st_mtime_ns for path in paths]
    assert files.write_published_files(tmp_path) == paths
    assert [Path(path).stat().st_mtime_ns for path in paths] == before


@pytest.mark.parametrize("name", [files.BARE_NAME, files.SUFFIXED_NAME])
@pytest.mark.parametrize("content", [b"", b"precious", b"Nf3\nNf6", "a list, and more"])
def test_another_file_of_the_name_is_refused_and_neither_list_written(
    tmp_path: Path, name: str, content: bytes | str
) -> None:
    """Also what looks like a list: it may be the only one of its kind."""
    if isinstance(content, str):
        content = files.published_files()[name] + b"\n"
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileExistsError, match="a file with other content exists") as caught:
        files.write_published_files(tmp_path)
    assert caught.value.filename == str(tmp_path / name)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, content)]


@pytest.mark.parametrize("kind", ["directory", "pipe", "dangling link"])
def test_what_is_no_file_is_refused_unread(tmp_path: Path, kind: str) -> None:
    path = tmp_path / files.SUFFIXED_NAME
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        files.write_published_files(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_command_left_is_removed(tmp_path: Path) -> None:
    killed = (
        "import os, signal, sys; from generator import files; "
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL); "
        "files.write_published_files(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path)], cwd=ROOT, check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".sanproof-")
    (tmp_path / ".sanproof-notes.txt").touch()
    written = [Path(path).name for path in files.write_published_files(tmp_path)]
    assert {path.name for path in tmp_path.iterdir()} == {*written, ".sanproof-notes.txt"}


def test_what_another_command_is_writing_is_left_to_it(tmp_path: Path) -> None:
    handle, temporary = files._create_in(str(tmp_path))
    files.write_published_files(tmp_path)
    assert Path(temporary).exists()
    os.close(handle)
    files.remove_leftovers(str(tmp_path))
    assert not Path(temporary).exists()


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
    program = (
        f"import sys, sanproof.generator.files; print([m for m in {slow} if m in sys.modules])"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
