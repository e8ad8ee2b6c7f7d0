"""Games as PGN: one form to the byte, which other readers understand."""

import io
import re
from itertools import pairwise
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sanproof.reports.tables.pgn
from sanproof.reports.tables.pgn import (
    PgnError,
    PgnGame,
    movetext,
    number_games,
    read_pgn,
    wrapped,
    write_pgn,
)

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


def test_what_differs_from_export_format_is_said() -> None:
    """Additional tags stand in ASCII order there (PGN standard 8.1.1)."""
    tags = re.findall(r"^\[(\w+) ", write_pgn(FOOLS_MATE), re.MULTILINE)
    assert tags[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    wrong = [f"`{a}` stands before `{b}`" for a, b in pairwise(tags[7:]) if a > b]
    documentation = (Path(__file__).parents[3] / "docs" / "data.md").read_text("utf-8")
    for text in (sanproof.reports.tables.pgn.__doc__ or "", documentation):
        said = re.findall(r"`\w+` stands before `\w+`", " ".join(text.split()).replace("``", "`"))
        assert said == wrong


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


CHANGES = {
    "a tag of another name": ("Event", "Events"),
    "another value": ("sanproof", "Hastings"),
    "a tag left out": ('[Site "?"]\n', ""),
    "a tag too many": ('[Site "?"]\n', '[Site "?"]\n[ECO "A00"]\n'),
    "tags exchanged": ('[White "?"]\n[Black "?"]', '[Black "?"]\n[White "?"]'),
    "no number": ('Round "7"', 'Round "?"'),
    "a number with a zero in front": ('Round "7"', 'Round "07"'),
    "a number too large to be read": ('Round "7"', f'Round "{"9" * 5000}"'),
    "another result": ('"0-1"', '"1-0"'),
    "another result at the end": ("# 0-1", "# 1-0"),
    "another number of plies": ('PlyCount "4"', 'PlyCount "5"'),
    "no result at the end": (" 0-1\n", "\n"),
    "a move's number missing": ("2. g4", "g4"),
    "another move's number": ("2. g4", "3. g4"),
    "a line broken too early": (" 2. g4", "\n2. g4"),
    "a comment": ("f3", "f3 {a comment}"),
    "no empty line at the end": ("0-1\n\n", "0-1\n"),
    "one empty line more": ("0-1\n\n", "0-1\n\n\n"),
    "something in front": ("[Event", "%\n[Event"),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_no_other_form_is_read(old: str, new: str) -> None:
    changed = TEXT.replace(old, new, 1)
    assert changed != TEXT
    with pytest.raises(PgnError, match=r"its tags are not|canonical form, see ") as caught:
        read_pgn(changed)
    assert str(caught.value).isprintable()
    if new == 'PlyCount "5"':
        assert """see '[PlyCount "5"]'""" in str(caught.value)


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
