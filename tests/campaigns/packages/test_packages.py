"""Comparing what readers say of games, without fetching anything."""

from pathlib import Path

import pytest

from tests.campaigns.packages.__main__ import (
    PGN_EXTRACT,
    PYTHON_CHESS,
    Difference,
    NotFetched,
    Package,
    Reading,
    by_python_chess,
    by_sanproof,
    fetch,
    file_by_file,
    game_by_game,
    read_explained,
    read_list,
    unexplained,
)
from tests.verify.scan.pgn import game, random_games

A = Reading(whole=True, moves=2, strings=("e4", "e5"))
B = Reading(whole=False, moves=1, strings=("e4",))


def test_every_explanation_is_of_a_package_and_says_why() -> None:
    folders = tuple(f"{package.folder}/" for package in read_list())
    assert read_explained()
    for difference, why in read_explained().items():
        assert difference.file.startswith(folders)
        assert difference.reader in {PYTHON_CHESS, PGN_EXTRACT}
        assert len(why.split()) > 5
        assert difference.sanproof != difference.other


def test_differences_are_found_by_game_and_by_file() -> None:
    assert not [*game_by_game("a", [A, B], [A, B]), *file_by_file("a", [A, B], (2, 1))]
    assert list(game_by_game("a", [B, A], [B, B])) == [
        Difference("a", 2, PYTHON_CHESS, "whole", "True", "False"),
        Difference("a", 2, PYTHON_CHESS, "moves", "2", "1"),
        Difference("a", 2, PYTHON_CHESS, "strings", "e5", ""),
    ]
    assert list(game_by_game("a", [A], [A, B])) == [
        Difference("a", 0, PYTHON_CHESS, "games", "1", "2"),
        Difference("a", 0, PYTHON_CHESS, "strings", "", "e4"),
    ]
    assert list(file_by_file("a", [A, B], (3, 1))) == [
        Difference("a", 0, PGN_EXTRACT, "games", "2", "3")
    ]


def test_what_is_not_explained_fails_and_so_does_what_is_no_difference() -> None:
    one, other = (Difference(name, 0, PYTHON_CHESS, "games", "1", "2") for name in ("a", "b"))
    assert not unexplained([one], {one: "because"})
    assert len(unexplained([one], {one: ""})) == 1
    assert len(unexplained([one], {other: "because"})) == 2


def test_both_readers_say_the_same_of_clean_games(tmp_path: Path) -> None:
    path = tmp_path / "games/sub/a.pgn"
    path.parent.mkdir(parents=True)
    path.write_text("".join(random_games(5, 4, 20)) + game("1. e4 e5 2. Ke3 *"))
    (ours,) = by_sanproof(tmp_path / "games", tmp_path / "scan", fast=False).values()
    assert [reading.whole for reading in ours] == [True] * 4 + [False]
    assert not list(game_by_game("a", ours, by_python_chess(path)))


def test_a_package_that_cannot_be_had_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # where there is no program
    package = Package("npm", "kokopu", "1", "0" * 64)
    with pytest.raises(NotFetched, match="kokopu@1"):
        fetch([package], tmp_path / "games")
    assert fetch([package._replace(registry="Debian")], tmp_path / "games") == []
    assert "NOT COMPARED: kokopu=1" in capsys.readouterr().err
