"""What the commands ask of a run."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli


class Asked:
    """In place of ``verify.run.runner.run``: keeps what it was asked for."""

    def __init__(self) -> None:
        self.wishes: list[dict[str, Any]] = []
        self.schedulers: list[str | None] = []

    def run(
        self,
        *_: object,
        games: bool = True,
        cover: bool = False,
        scheduler: str | None = None,
    ) -> None:
        self.wishes.append({"games": games, "cover": cover})
        self.schedulers.append(scheduler)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked = Asked()
    monkeypatch.setattr("sanproof.verify.run.runner.run", asked.run)
    monkeypatch.setattr("sanproof.verify.run.show.show_result", lambda *_: 0)
    return asked


def command(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


WISHES = {
    (): {"games": True, "cover": True},
    ("--cover",): {"games": True, "cover": True},
    ("--no-cover",): {"games": True, "cover": False},
    ("--suite",): {"games": True, "cover": True},  # the names of earlier versions
    ("--no-suite",): {"games": True, "cover": False},
    ("--no-games",): {"games": False, "cover": False},
    ("--no-games", "--no-cover"): {"games": False, "cover": False},
    ("--only", "Q*d4"): {"games": True, "cover": False},
    ("--only", "Q*d4", "--no-cover"): {"games": True, "cover": False},
}


@pytest.mark.parametrize("arguments", WISHES, ids=" ".join)
def test_the_cover_is_part_of_a_whole_run(
    asked: Asked, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = command("verify", "--out", str(tmp_path), *arguments)
    assert (done.exit_code, done.output) == (0, "")
    assert asked.wishes == [WISHES[arguments]]


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tls://scheduler.example:1", "tcp://[::1]:65535"]
)
def test_a_scheduler_is_passed_on(asked: Asked, tmp_path: Path, address: str) -> None:
    for arguments, passed in ((("--scheduler", address), address), ((), None)):
        done = command("verify", "--out", str(tmp_path), *arguments)
        assert (done.exit_code, done.output) == (0, "")
        assert asked.schedulers.pop() == passed


@pytest.mark.parametrize("arguments", [("--only", "Q*d4"), ("--no-games",)], ids=" ".join)
def test_a_cover_of_a_part_or_without_games_is_misuse(
    asked: Asked, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = command("verify", "--out", str(tmp_path), "--cover", *arguments)
    assert done.exit_code == 2
    assert "a cover is of all strings, and of games" in done.output
    assert asked.wishes == []


@pytest.mark.parametrize(("arguments", "cover"), [((), True), (("--only", "Q*d4"), False)])
def test_games_makes_the_cover_of_a_whole_run(
    asked: Asked, tmp_path: Path, arguments: tuple[str, ...], *, cover: bool
) -> None:
    (tmp_path / "run.sqlite3").touch()
    done = command("games", str(tmp_path), *arguments)
    assert (done.exit_code, done.output) == (0, "")
    assert asked.wishes == [{"games": True, "cover": cover}]
