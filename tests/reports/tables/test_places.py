"""Where a string is shown: without suffix at the earliest place of all games, else in its own."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.places import Place, find_places, shown_strings
from tests.verify.command import InlineExecutor


def game(number: int, san: str, sans: str) -> PgnGame:
    moves = tuple(sans.split())
    return PgnGame(number, san, moves.index(san), moves)


EARLY = [
    game(1, "e4", "a3 Nf6 Nf3 Nxe4 e4 Ke7#"),
    game(2, "Kh1#", "h3 e5 h4 e4 Kh1#"),
    game(3, "Kh1#", "e4 e5 Kxe5 Kh1#"),
    game(4, "Ke7#", "e4 e5 Kf5 Ke7#"),
]


def test_a_plain_string_is_shown_where_it_is_earliest_in_any_game() -> None:
    assert find_places(EARLY)["e4"] == [Place(4, 0), Place(2, 3)]  # game 3 has a capture


def test_a_string_with_a_suffix_is_shown_in_its_own_games() -> None:
    assert find_places(EARLY)["Kh1#"] == [Place(2, 4), Place(3, 3)]  # White's is first


def test_strings_without_a_game_of_their_own_are_not_of_the_run() -> None:
    assert set(find_places(EARLY)) == {"e4", "Kh1#", "Ke7#"}


MOVES = st.sampled_from(["e4", "Nf3", "Nxe4", "O-O", "Qh5+", "Kh1#"])


@given(st.lists(st.lists(MOVES, min_size=1, max_size=6), min_size=1, max_size=6), st.data())
def test_no_game_of_the_run_has_it_earlier(lists: list[list[str]], data: st.DataObject) -> None:
    games = []
    for number, sans in enumerate(lists, 1):
        ply = data.draw(st.integers(0, len(sans) - 1))
        games.append(PgnGame(number, sans[ply], ply, tuple(sans)))
    found = find_places(games)
    assert set(found) == {row.san for row in games}
    for san, places in found.items():
        assert all(games[place.game - 1].sans[place.ply] == san for place in places)
        if san[-1] in "+#":
            own = [Place(row.number, row.ply) for row in games if row.san == san]
            assert places == own
            continue
        for player in (0, 1):
            plies = [
                ply
                for row in games
                for ply, other in enumerate(row.sans)
                if (other, ply % 2) == (san, player)
            ]
            assert [place.ply for place in places if place.ply % 2 == player] == sorted(plies)[:1]
        assert places == sorted(places, key=lambda place: place.ply)


def test_the_positions_are_those_of_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that share their beginnings, with strings shown within what they share."""
    lines = (
        *(("f3", "f3 e5 g4 Qh4#"), ("d6", "f3 e5 g3 d6"), ("g3", "a3 a6 g3")),
        *(("e5", "a3 a6 a4 e5"), ("e6", "a3 a6 e3 h6 e4 h5 e5 h4 e6"), ("e6", "f3 e6 g4 Qh4#")),
    )  # White's game of e6 is the first of its own, and Black's shows it earlier
    games, moves = [], {}
    witnesses: dict[str, CheckedWitness] = {}
    for number, (san, line) in enumerate(lines, 1):
        games.append(played := game(number, san, line))
        board, ucis = chess.Board(), []
        for ply, text in enumerate(played.sans):
            before, move = board.fen(), board.push_san(text)
            ucis.append(move.uci())
            if ply == played.ply:
                found = CheckedWitness(san, before, move.uci(), board.fen())
                witnesses.setdefault(san, found)
        moves[san, played.ply % 2] = tuple(ucis)
    shown = shown_strings(games, moves.__getitem__, witnesses)
    monkeypatch.setattr("sanproof.reports.tables.places.BATCH", 1)
    assert shown_strings(games, moves.__getitem__, witnesses, InlineExecutor()) == shown
    assert [shown[san].places[0] for san in ("e5", "g3")] == [Place(1, 1), Place(2, 2)]
    assert shown["e6"].places == [Place(6, 1), Place(5, 8)]
    for san, (witness, places) in shown.items():
        board = chess.Board()
        for text in games[places[0].game - 1].sans[: places[0].ply]:
            board.push_san(text)
        assert (witness.san, witness.fen) == (san, board.fen())
        assert witness.uci == board.push_san(san).uci()
        assert witness.after_fen == board.fen()
