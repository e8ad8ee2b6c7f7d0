import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.placements import PLACEMENTS

BOARDS = 13**64
SEED_PIECES = "♙♘♗♖♕♔♟♞♝♜♛♚ "
FEN_PIECES = "PNBRQKpnbrqk."


def seed_position(index: int) -> str:
    """Return the code of the seed, by Roberto Alsina, as a board; without its recursion."""
    text = ""
    while True:
        index, digit = divmod(index, 13)
        text = SEED_PIECES[digit] + text
        if not index:
            return text.rjust(64).translate(str.maketrans(SEED_PIECES, FEN_PIECES))


def board(fen: str) -> str:
    placement = fen.split(maxsplit=1)[0].replace("/", "")
    return "".join("." * int(c) if c.isdigit() else c for c in placement)


def test_the_ends() -> None:
    assert PLACEMENTS.size == BOARDS
    assert PLACEMENTS.position(0) == "/".join(["PPPPPPPP"] * 8) + " w - - 0 1"
    assert PLACEMENTS.position(BOARDS - 1) == "/".join("8" * 8) + " w - - 0 1"
    for number in (-1, BOARDS):
        with pytest.raises(ValueError, match="from 0 to"):
            PLACEMENTS.position(number)


@given(st.integers(0, BOARDS - 1))
def test_round_trip_from_a_number(number: int) -> None:
    fen = PLACEMENTS.position(number)
    assert PLACEMENTS.number(fen) == number
    assert PLACEMENTS.number(fen.split()[0]) == number


@given(st.text("PNBRQKpnbrqk.", min_size=64, max_size=64))
def test_round_trip_from_a_board(pieces: str) -> None:
    rows = "/".join(pieces[i : i + 8] for i in range(0, 64, 8))
    for length in range(8, 0, -1):
        rows = rows.replace("." * length, str(length))
    assert board(PLACEMENTS.position(PLACEMENTS.number(rows))) == pieces


@given(st.integers(13**63, BOARDS - 1))
def test_as_the_seed_where_a_number_has_64_digits(number: int) -> None:
    assert board(PLACEMENTS.position(number)) == seed_position(number)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "8 ranks"),
        ("8/8/8/8/8/8/8", "8 ranks"),
        ("8/8/8/8/8/8/8/9", "neither a piece"),
        ("8/8/8/8/8/8/8/44", "two digits"),
        ("8/8/8/8/8/8/8/7", "7 squares"),
        ("8/8/8/8/8/8/8/x7", "neither a piece"),
        ("8/8/8/8/8/8/8/8 w -", "six fields"),
        ("8/8/8/8/8/8/8/8 x - -", "w or b"),
        ("8/8/8/8/8/8/8/8 w - - 0 ²", "whole numbers"),
    ],
)
def test_bad_fens(fen: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PLACEMENTS.number(fen)


def test_slices_and_samples() -> None:
    assert list(PLACEMENTS.positions(5, 2)) == [PLACEMENTS.position(5), PLACEMENTS.position(6)]
    assert len(list(PLACEMENTS.positions(BOARDS - 3, 10))) == 3
    assert list(PLACEMENTS.positions(BOARDS - 2)) == list(PLACEMENTS.positions(BOARDS - 2, 2))
    assert list(PLACEMENTS.positions(BOARDS)) == []
    assert list(PLACEMENTS.random(1, 3)) == list(PLACEMENTS.random(1, 3))
    assert list(PLACEMENTS.random(1, 3)) != list(PLACEMENTS.random(2, 3))
    for arguments, wrong in (((BOARDS + 1,), "start"), ((-1,), "start"), ((0, -1), "count")):
        with pytest.raises(ValueError, match=wrong):
            PLACEMENTS.positions(*arguments)
    with pytest.raises(ValueError, match="count"):
        PLACEMENTS.random(0, -1)
