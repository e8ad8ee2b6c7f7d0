"""Comparing what readers say of games, without fetching anything."""

from pathlib import Path

from tests.campaigns.packages.__main__ import (
    Difference,
    Reading,
    by_python_chess,
    by_sanproof,
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
        assert len(why.split()) > 5
        assert difference.sanproof != difference.other


def test_differences_are_found_by_game() -> None:
    assert not list(game_by_game("a", [A, B], [A, B]))
    assert list(game_by_game("a", [B, A], [B, B])) == [
        Difference("a", 2, "whole", "True", "False"),
        Difference("a", 2, "moves", "2", "1"),
        Difference("a", 2, "strings", "e5", ""),
    ]
    assert list(game_by_game("a", [A], [A, B])) == [
        Difference("a", 0, "games", "1", "2"),
        Difference("a", 0, "strings", "", "e4"),
    ]


def test_what_is_not_explained_fails_and_so_does_what_is_no_difference() -> None:
    one, other = (Difference(name, 0, "games", "1", "2") for name in ("a", "b"))
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
