"""What the commands ask of a run."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli

Asked = list[tuple[bool, bool, str | None]]
"""Whether games and a cover were asked for, and from which scheduler."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked: Asked = []

    def run(
        *_: object, games: bool = True, cover: bool = False, scheduler: str | None = None
    ) -> None:
        asked.append((games, cover, scheduler))

    monkeypatch.setattr("sanproof.verify.run.runner.run", run)
    monkeypatch.setattr("sanproof.verify.run.show.show_result", lambda *_: 0)
    return asked


def command(name: str, directory: Path, options: str) -> Result:
    place = ["--out", str(directory)] if name == "verify" else [str(directory)]
    return CliRunner().invoke(cli, [name, *place, *options.split()])


@pytest.mark.parametrize(
    ("options", "games", "cover"),
    [
        ("", True, True),
        ("--cover", True, True),
        ("--no-cover", True, False),
        ("--suite", True, True),  # the names of earlier versions
        ("--no-suite", True, False),
        ("--no-games", False, False),
        ("--no-games --no-cover", False, False),
        ("--only Q*d4", True, False),
        ("--only Q*d4 --no-cover", True, False),
    ],
)
def test_the_cover_is_part_of_a_whole_run(
    asked: Asked, tmp_path: Path, options: str, *, games: bool, cover: bool
) -> None:
    done = command("verify", tmp_path, options)
    assert (done.exit_code, done.output) == (0, "")
    assert asked == [(games, cover, None)]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://a.b:1", "tcp://[::1]:65535"])
def test_a_scheduler_is_passed_on(asked: Asked, tmp_path: Path, address: str) -> None:
    done = command("verify", tmp_path, f"--scheduler {address}")
    assert (done.exit_code, done.output) == (0, "")
    assert asked == [(True, True, address)]


@pytest.mark.parametrize("options", ["--cover --only Q*d4", "--cover --no-games"])
def test_a_cover_of_a_part_or_without_games_is_misuse(
    asked: Asked, tmp_path: Path, options: str
) -> None:
    done = command("verify", tmp_path, options)
    assert done.exit_code == 2
    assert "a cover is of all strings, and of games" in done.output
    assert asked == []


@pytest.mark.parametrize(("options", "cover"), [("", True), ("--only Q*d4", False)])
def test_games_makes_the_cover_of_a_whole_run(
    asked: Asked, tmp_path: Path, options: str, *, cover: bool
) -> None:
    (tmp_path / "run.sqlite3").touch()
    done = command("games", tmp_path, options)
    assert (done.exit_code, done.output) == (0, "")
    assert asked == [(True, cover, None)]
