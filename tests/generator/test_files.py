"""The published files: their bytes, and what happens when they cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanproof.generator import files
from sanproof.generator.strings import both_lists


def test_one_string_a_line_and_no_newline_at_the_end(tmp_path: Path) -> None:
    paths = [Path(path) for path in files.write_published_files(tmp_path)]
    assert [path.name for path in paths] == ["san_strings.txt", "san_strings_with_symbols.txt"]
    for path, texts in zip(paths, both_lists(), strict=True):
        content = path.read_bytes()
        assert content.decode("ascii").split("\n") == texts
        assert not content.endswith(b"\n")
        assert b"\r" not in content
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert files.write_published_files(tmp_path) == list(map(str, paths))


@pytest.mark.parametrize("name", [files.BARE_NAME, files.SUFFIXED_NAME])
def test_another_file_of_the_name_is_refused_and_neither_list_written(
    tmp_path: Path, name: str
) -> None:
    """Also what looks like a list: it may be the only one of its kind."""
    content = files.published_files()[name] + b"\n"
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileExistsError, match="content") as caught:
        files.write_published_files(tmp_path)
    assert caught.value.filename == str(tmp_path / name)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, content)]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(type(error)):
        files.write_published_files(tmp_path)
    assert list(tmp_path.iterdir()) == []
