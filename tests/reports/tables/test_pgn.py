"""Games as PGN, in one form to the byte, and where in them a string is shown."""

import io
from itertools import pairwise

import chess
import chess.pgn
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness
from sanproof.reports.tables.pgn import (
    PgnGame,
    movetext,
    number_games,
    read_pgn,
    wrapped,
    write_pgn,
)
from sanproof.reports.tables.places import Place, find_places, positions_of

FOOLS_MATE = PgnGame(7, "Qh4#", 3, ("f3", "e5", "g4", "Qh4#"))
SCHOLARS_MATE = PgnGame(8, "Bc4", 4, ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"))
SLOW_MATE = PgnGame(9, "f3", 16, (*("Nf3", "Nf6", "Ng1", "Ng8") * 4, *FOOLS_MATE.sans))
GAMES = (FOOLS_MATE, SCHOLARS_MATE, SLOW_MATE)
TEXT = """[Event "sanproof"]
[Site "?"]
[Date "????.??.??"]
[Round "7"]
[White "?"]
[Black "?"]
[Result "0-1"]
[PlyCount "4"]
[Shows "Qh4#"]
[ShownAtPly "4"]

1. f3 e5 2. g4 Qh4# 0-1

"""


def test_a_game_is_written_as_described() -> None:
    assert write_pgn(FOOLS_MATE) == TEXT


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_read_as_it_was_written_and_by_python_chess_too(game: PgnGame) -> None:
    assert read_pgn(write_pgn(game)) == game
    read = chess.pgn.read_game(io.StringIO(write_pgn(game)))
    assert read is not None
    assert read.errors == []
    end = read.end()
    assert tuple(node.san() for node in read.mainline()) == game.sans
    assert end.board().is_checkmate()
    assert read.headers["Result"] == end.board().result()
    assert read.headers["PlyCount"] == str(end.ply())
    shown = list(read.mainline())[int(read.headers["ShownAtPly"]) - 1]
    assert shown.san() == read.headers["Shows"] == game.san
    assert chess.COLOR_NAMES[shown.turn()] != game.colour  # it is the other's turn then


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Event", "Events"),
        ('[Site "?"]\n', ""),
        ('[Site "?"]\n', '[Site "?"]\n[ECO "A00"]\n'),
        ('Round "7"', 'Round "?"'),
        ("[Event", "%\n[Event"),
    ],
)
def test_no_other_tags_are_read(old: str, new: str) -> None:
    with pytest.raises(ValueError, match=r"tags|invalid literal"):
        read_pgn(TEXT.replace(old, new, 1))


@given(st.lists(st.text("abc", min_size=1, max_size=79)))
@example(["a" * 39, "b" * 39])  # 79 characters with the space between them
@example(["a" * 39, "b" * 40])
def test_lines_are_as_long_as_they_may_be(words: list[str]) -> None:
    """Shorter than 80 characters (PGN standard 8.2.1)."""
    lines = wrapped(" ".join(words)).split("\n")
    assert " ".join(lines) == " ".join(words)
    assert all(len(line) < 80 for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split(" ")[0]) >= 80


def test_games_are_in_the_order_of_their_strings_and_white_s_is_first() -> None:
    games = [("Qa1", 4), ("a1=Q", 1), ("e4+", 7), ("e4+", 8), ("e4", 9), ("a3", 0)]
    numbered = number_games((san, ply, ()) for san, ply in games)
    right = [("a3", 0), ("e4", 9), ("Qa1", 4), ("e4+", 8), ("e4+", 7), ("a1=Q", 1)]
    assert [(game.san, game.ply) for game in numbered] == right
    assert [game.number for game in numbered] == [1, 2, 3, 4, 5, 6]
    assert [game.colour for game in numbered[3:5]] == ["white", "black"]


@pytest.mark.parametrize("plies", [0, 1, 2, 3, 397, 398, 399, 400, 401, 1001])
def test_every_move_of_white_s_has_its_number(plies: int) -> None:
    sans = ["Nf3", "Nf6"] * 600
    numbered = [f"{1 + ply // 2}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(sans)]
    assert movetext(sans[:plies]) == " ".join(numbered[:plies])


def game(number: int, san: str, sans: str) -> PgnGame:
    moves = tuple(sans.split())
    return PgnGame(number, san, moves.index(san), moves)


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
            ranked = sorted(
                (ply, " ".join(row.sans).count("x"), row.number)
                for row in games
                for ply, other in enumerate(row.sans)
                if (other, ply % 2) == (san, player)
            )  # of equally early places the one in the game with the fewest captures
            first = [Place(number, ply) for ply, _, number in ranked[:1]]
            assert [place for place in places if place.ply % 2 == player] == first
        assert places == sorted(places, key=lambda place: place.ply)


def test_positions_are_those_before_and_after_the_last_move() -> None:
    """Of games that share their beginnings, one of which ends within another."""
    lines = ["f3 e5 g4 Qh4#", "f3 e5 g3", "a3 a6 a4 e5", "a3 a6", "a3 a6 e3 h6", "f3 e6 g4"]
    wanted = []
    expected: dict[str, Witness] = {}
    for line in lines:
        board, before, moves, san = chess.Board(), "", [], ""
        for san in line.split():
            before = board.fen()
            moves.append(board.push_san(san).uci())
        wanted.append((moves, san))
        expected[san] = Witness(san, before, moves[-1], board.fen())
    assert positions_of(wanted) == expected
