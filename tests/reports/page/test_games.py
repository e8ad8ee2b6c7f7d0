"""Which moment is shown: those that the run's table of witnesses names."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chess
import pytest

from sanproof.reports.archive.door import Archive, ArchiveError, GameRow, WitnessRow
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.games import Games, Moment, choose_games


class Run:
    """A run that consists of these games."""

    directory = Path("run")

    def __init__(self, games: Iterable[GameRow]) -> None:
        self.games = lambda: iter(games)


def chosen(*places: int) -> Games:
    """What is chosen for e4, which is shown at these places."""
    run: Any = Run(EARLY)
    return choose_games(run, [WitnessRow("e4", "", "", "", *places)])


def game(number: int, san: str, sans: str) -> GameRow:
    moves = tuple(sans.split())
    ply = moves.index(san) + 1
    return GameRow(number, san, "white" if ply % 2 else "black", ply, moves, "1-0")


EARLY = [
    game(1, "e4", "a3 Nf6 Nf3 Nxe4 e4 Ke7#"),
    game(2, "e4", "h3 e5 h4 e4 Kh1#"),
    game(3, "Kh1#", "e4 e5 Kxe5 Kh1#"),
]


def test_a_string_is_shown_at_its_places() -> None:
    found = chosen(3, 1, 2, 4)
    assert found.moments["e4"] == [Moment(3, 0), Moment(2, 3)]
    assert found.moves == {2: "h3 e5 h4 e4 Kh1#", 3: "e4 e5 Kxe5 Kh1#"}


def test_games_and_players_are_counted() -> None:
    found = chosen(2, 4)
    assert (found.total, found.plies) == (3, 6 + 5 + 4)
    assert found.players == {"Black": 1}


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((4, 1), "has no game 4"),
        ((3, 1, 4, 1), "has no game 4"),
        ((3, 2), "has game 3, which lacks e4"),
        ((3, 9), "has game 3, which lacks e4"),
        ((), "has no game that shows e4"),
    ],
)
def test_places_that_do_not_fit(places: tuple[int, ...], words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        chosen(*places)


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
