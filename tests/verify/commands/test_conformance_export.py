"""``sanproof conformance export`` writes the published core, and says what is wrong."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.conformance_export import command, export
from sanproof.verify.conformance import strings as full
from sanproof.verify.conformance.strings import LineError, published_lines
from sanproof.verify.conformance.suite import Level, read_suite
from sanproof.verify.errors import Failure
from tests.verify.command import ROOT

PUBLISHED = ROOT / "data" / "conformance"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_it_writes_the_published_core(tmp_path: Path) -> None:
    result = run("--out", str(tmp_path / "new" / "suite"))
    assert (result.exit_code, result.stderr) == (0, "")
    for path in (tmp_path / "new" / "suite").iterdir():
        assert path.read_bytes() == (PUBLISHED / path.name).read_bytes()


def test_it_writes_the_full_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few strings, which is enough to see the parts together."""
    monkeypatch.setattr(full, "published_lines", lambda path: published_lines(path)[::2000])
    result = run("--out", str(tmp_path), "--level", "full")
    assert result.exit_code == 0
    suite = read_suite((tmp_path / "full.json").read_bytes(), "")
    core = read_suite((PUBLISHED / "core.json").read_bytes(), "")
    assert suite.level is Level.FULL
    assert {case.id for case in core.cases} < {case.id for case in suite.cases}
    assert any(case.id.startswith("string.") for case in suite.cases)
    assert len({case.id for case in suite.cases}) == len(suite.cases)
    assert all(suite.games[case.game] is not None for case in suite.cases if case.game is not None)
    assert "strings" in result.stderr


def test_out_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(Failure, match="name a folder"):
        export(path, "core")


def test_out_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Failure, match="cannot be written"):
        export(tmp_path / "file" / "folder", "core")


def test_damaged_games_are_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_: Path) -> list[str]:
        raise LineError("games.txt.xz: is cut short")

    monkeypatch.setattr(full, "published_lines", damaged)
    with pytest.raises(Failure, match="cut short"):
        export(tmp_path, "full")
    assert not (tmp_path / "full.json").exists()
