"""Which game is shown: for strings without suffix the earliest one of the run."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.exports.archive import Archive, ArchiveError, GameRow, WitnessRow
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.games import Games, Moment, choose_games


class Run:
    """A run that consists of these games."""

    directory = Path("run")

    def __init__(self, games: Iterable[GameRow]) -> None:
        self.games = lambda: iter(games)


def chosen(games: list[GameRow], witnesses: dict[str, int]) -> Games:
    run: Any = Run(games)
    return choose_games(run, [WitnessRow(san, "", "", "", n) for san, n in witnesses.items()])


def game(number: int, san: str, sans: str) -> GameRow:
    moves = tuple(sans.split())
    ply = moves.index(san) + 1
    return GameRow(number, san, "white" if ply % 2 else "black", ply, moves, "1-0")


EARLY = [
    game(1, "e4", "a3 Nf6 Nf3 Nxe4 e4 Ke7#"),
    game(2, "e4", "h3 e5 h4 e4 Kh1#"),
    game(3, "Kh1#", "e4 e5 Kxe5 Kh1#"),
    game(4, "Ke7#", "e4 e5 Kf5 Ke7#"),
]


def test_a_plain_string_is_shown_where_it_is_earliest_in_any_game() -> None:
    found = chosen(EARLY, {"e4": 1})
    assert found.moments["e4"] == [Moment(4, 0), Moment(2, 3)]  # game 3 has a capture
    assert found.moves == {2: "h3 e5 h4 e4 Kh1#", 4: "e4 e5 Kf5 Ke7#"}


def test_a_string_with_a_suffix_is_shown_in_its_own_game() -> None:
    assert chosen(EARLY, {"Kh1#": 3}).moments["Kh1#"] == [Moment(3, 3)]  # and not in 2, at ply 4


def test_games_and_players_are_counted() -> None:
    found = chosen(EARLY, {"e4": 1, "Kh1#": 3})
    assert (found.total, found.plies) == (4, 6 + 5 + 4 + 4)
    assert found.players == {"White and Black": 1, "Black": 1}


MOVES = st.sampled_from(["e4", "Nf3", "Nxe4", "O-O", "Qh5+", "Kh1#"])


@given(st.lists(st.lists(MOVES, min_size=1, max_size=6), min_size=1, max_size=6), st.data())
def test_no_game_of_the_run_has_it_earlier(lists: list[list[str]], data: st.DataObject) -> None:
    games = []
    for number, sans in enumerate(lists, 1):
        ply = data.draw(st.integers(1, len(sans)))
        games.append(GameRow(number, sans[ply - 1], "", ply, tuple(sans), ""))
    witnesses = {row.san: row.number for row in reversed(games)}
    found = chosen(games, witnesses)
    for san, moments in found.moments.items():
        for moment in moments:
            assert found.moves[moment.game].split()[moment.ply] == san
        players = [moment.ply % 2 for moment in moments]
        assert len(set(players)) == len(players)
        if san[-1] in "+#":
            assert {m.game for m in moments} <= {g.number for g in games if g.san == san}
            assert moments[0].game == witnesses[san]
            continue
        for row in games:
            for ply, other in enumerate(row.sans):
                assert other != san or ply >= moments[players.index(ply % 2)].ply


@pytest.mark.parametrize(
    ("games", "witnesses", "words"),
    [
        ([], {"e4": 1}, "has no game 1"),
        (EARLY, {"e4": 9}, "has no game 9"),
        (EARLY, {"d4": 1}, "has no game that shows d4"),
        ([GameRow(1, "e4", "white", 2, ("e4", "e5"), "1-0")], {"e4": 1}, "game 1, which lacks e4"),
        ([GameRow(1, "e4", "white", 3, ("e4", "e5"), "1-0")], {"e4": 1}, "game 1, which lacks e4"),
    ],
)
def test_games_that_do_not_fit(games: list[GameRow], witnesses: dict[str, int], words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        chosen(games, witnesses)


def test_the_published_games(published: Archive, contents: Contents) -> None:
    witnesses, found = contents.witnesses, contents.games
    assert found is not None
    assert found.moments["e4"][0].ply == 0
    assert found.moments["Nf3"][0].ply == 0
    assert set(found.moments) == set(published.strings())
    by_player = published.summary["games"]["strings_by_player"]
    assert sorted(found.players.values()) == sorted(by_player.values())
    for row in witnesses[:: len(witnesses) // 50]:
        for moment in found.moments[row.san]:
            board = chess.Board()
            for san in found.moves[moment.game].split()[: moment.ply]:
                board.push_san(san)
            if row.san[-1] in "+#" and moment == found.moments[row.san][0]:
                assert board.fen() == row.before_fen
            assert board.san(board.parse_san(row.san)) == row.san
