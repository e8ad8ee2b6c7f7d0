"""Outputs of AlphaZero's and Lc0's networks, compared with what their sources say."""

import pytest

from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.exports.exports import plan
from sanproof.reports.exports.long_form import Shown
from sanproof.reports.exports.policies import (
    ALPHAZERO_OUTPUTS,
    alphazero_output,
    lc0_outputs,
    lc0_text,
)

LC0 = lc0_outputs()


def test_the_table_of_lc0() -> None:
    """Pieces of kIdxToMove in lc0's src/chess/bitboard.cc."""
    moves = list(LC0)
    assert len(moves) == 1858
    expected = "a1b1 a1c1 a1d1 a1e1 a1f1 a1g1 a1h1 a1a2 a1b2 a1c2 a1a3 a1b3 a1c3 a1a4 a1d4 a1a5"
    expected += " a1e5 a1a6 a1f6 a1a7 a1g7 a1a8 a1h8 b1a1"
    assert moves[:24] == expected.split()
    at = LC0["e4b1"]
    assert moves[at - 1 : at + 4] == ["d4h8", "e4b1", "e4e1", "e4h1", "e4c2"]
    assert moves[-68:-64] == ["h8f8", "h8g8", "a7a8q", "a7a8r"]
    assert moves[-4:] == ["h7g8b", "h7h8q", "h7h8r", "h7h8b"]


@pytest.mark.parametrize(
    ("uci", "player", "castling", "text"),
    [
        ("e7e8n", WHITE, False, "e7e8"),
        ("e7e8q", WHITE, False, "e7e8q"),
        ("e2d1r", BLACK, False, "e7d8r"),
        ("g8f6", BLACK, False, "g1f3"),
        ("e1g1", WHITE, False, "e1g1"),
        ("e1g1", WHITE, True, "e1h1"),
        ("e8c8", BLACK, True, "e1a1"),
    ],
)
def test_moves_as_lc0_has_them(uci: str, player: str, castling: bool, text: str) -> None:
    assert lc0_text(uci, player, castling=castling) == text
    assert text in LC0


@pytest.mark.parametrize(
    ("uci", "player", "output"),
    [
        ("a1a2", WHITE, 0),  # the first direction is north
        ("a1b2", WHITE, 7),
        ("a1b3", WHITE, 56),  # the first leap
        ("a7a8n", WHITE, 48 * 73 + 64 + 3),  # straight on is the second of three directions
        ("b7a8n", WHITE, 49 * 73 + 64),
        ("b7c8r", WHITE, 49 * 73 + 72),
        ("e7e8q", WHITE, 52 * 73),
        ("h8h7", BLACK, 0),  # the board turned by half
        ("e8g8", BLACK, 3 * 73 + 6 * 7 + 1),  # castling: two to the west of d1
    ],
)
def test_the_planes_of_gym_chess(uci: str, player: str, output: int) -> None:
    assert alphazero_output(uci, player) == output


def test_what_no_output_has() -> None:
    for uci in ("a1b4", "a1a1", "a7c8r", "a2a4q"):
        with pytest.raises(ValueError, match=uci):
            alphazero_output(uci, WHITE)
        assert lc0_text(uci, WHITE, castling=False) not in LC0
    assert lc0_text("e1e2", WHITE, castling=True) not in LC0


@pytest.mark.parametrize("what", ["alphazero", "lc0"])
def test_a_wrong_row_is_said_to_be_wrong(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = Shown("Na1-b4", WHITE, 1, 1, "a1b4")
    monkeypatch.setattr("sanproof.reports.exports.long_form.moves", lambda: [row])
    with pytest.raises(ArchiveError, match="is damaged: no output stands for a1b4"):
        list(plan(what, "csv", None, bare=False).rows(open_archive()))


@pytest.mark.parametrize("what", ["alphazero", "lc0"])
def test_each_move_has_one_output_and_most_planes_are_idle(what: str) -> None:
    archive = open_archive()
    rows = list(plan(what, "csv", None, bare=False).rows(archive))
    assert [row[0] for row in rows] == list(
        range(ALPHAZERO_OUTPUTS if what == "alphazero" else 1858)
    )
    uci = {row[0]: row[1] for row in plan("uci", "csv", None, bare=False).rows(archive)}
    for column, player in ((1, "white"), (2, "black")):
        moves = [move for row in rows for move in str(row[column]).split()]
        assert len(moves) == len(set(moves))
        plain = {move for move in moves if not move.startswith("O")}
        assert plain == {text for text, players in uci.items() if player in str(players)}
        assert {move for move in moves if move.startswith("O")} == {"O-O", "O-O-O"}
    used = [row for row in rows if row[1] or row[2]]
    assert len(used) == 1858
    assert all(bool(row[1]) == bool(row[2]) for row in rows)
