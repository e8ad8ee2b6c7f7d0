"""Both numberings: bijections, with the numbers of those who thought of them."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering import census
from sanproof.proofs.numbering.census import MoveState
from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from tests.proofs.numbering.oracle import PAIRS, SIZE, play

BOARDS = 13**64
SEED_PIECES = "♙♘♗♖♕♔♟♞♝♜♛♚ "
FEN_PIECES = "PNBRQKpnbrqk."


@pytest.mark.parametrize(
    ("numbering", "size", "first"),
    [
        (PLACEMENTS, BOARDS, "/".join(["PPPPPPPP"] * 8)),
        (PLAUSIBLE, SIZE, "8/8/8/8/8/8/8/6Kk"),
    ],
)
def test_the_ends(numbering: Numbering, size: int, first: str) -> None:
    assert numbering.size == size
    assert numbering.position(0) == f"{first} w - - 0 1"
    assert [numbering.number(numbering.position(n)) for n in (0, size - 1)] == [0, size - 1]
    for number in (-1, size):
        with pytest.raises(ValueError, match="from 0 to"):
            numbering.position(number)
    assert list(numbering.random(1, 3)) == list(numbering.random(1, 3))
    assert list(numbering.random(1, 3)) != list(numbering.random(2, 3))


# Placements


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


@given(st.text("PNBRQKpnbrqk.", min_size=64, max_size=64))
def test_round_trip_from_a_board(pieces: str) -> None:
    rows = "/".join(pieces[i : i + 8] for i in range(0, 64, 8))
    for length in range(8, 0, -1):
        rows = rows.replace("." * length, str(length))
    assert board(PLACEMENTS.position(PLACEMENTS.number(rows))) == pieces


@given(st.integers(0, BOARDS - 1) | st.integers(13**63, BOARDS - 1))
def test_a_number_as_the_seed_has_it_where_it_has_64_digits(number: int) -> None:
    fen = PLACEMENTS.position(number)
    assert PLACEMENTS.number(fen) == PLACEMENTS.number(fen.split()[0]) == number
    assert (board(fen) == seed_position(number)) == (number >= 13**63)


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


# Plausible positions


def test_published_pairs() -> None:
    assert len(PAIRS) > 200
    numbers, fens = zip(*PAIRS[::3], strict=True)
    assert tuple(map(PLAUSIBLE.position, numbers)) == fens
    assert tuple(map(PLAUSIBLE.number, fens)) == numbers


# Both directions.


def case_numbers(case: MoveState) -> st.SearchStrategy[int]:
    ends, index = census.case_ends(), census.CASES.index(case)
    return st.integers(ends[index - 1] if index else 0, ends[index] - 1)


@given(st.sampled_from(census.CASES).flatmap(case_numbers))
def test_round_trip_from_a_number(number: int) -> None:
    fen = PLAUSIBLE.position(number)
    assert PLAUSIBLE.number(fen) == number
    index, multiplicity = map(int, fen.split()[4:])
    assert index < multiplicity == PLAUSIBLE.multiplicity(fen)
    assert PLAUSIBLE.number(fen, index=index) == number


@given(st.integers(0, 10**9), st.integers(0, 90))
def test_round_trip_from_a_game(seed: int, plies: int) -> None:
    """The en passant square is written where an enemy pawn stands beside."""
    board = play(seed, plies)
    fen = board.fen(en_passant="fen")
    try:
        multiplicity = PLAUSIBLE.multiplicity(fen)
    except ValueError as error:  # the known hole of the definition; see below
        if "a black pawn must face a white one" in str(error):
            return
        raise
    takers = [*board.generate_pseudo_legal_ep()]
    square = chess.square_name(takers[0].to_square) if takers else "-"
    found = PLAUSIBLE.position(PLAUSIBLE.number(fen, index=0)).split()
    assert found == [*board.fen().split()[:3], square, "0", str(multiplicity)]


# The index.

TWO_WAYS = PAIRS[-1][1].rsplit(" ", 2)[0]


def test_every_index_has_a_number_of_its_own() -> None:
    numbers = {PLAUSIBLE.number(TWO_WAYS, index=index) for index in range(140)}
    assert len(numbers) == 140
    fens = {PLAUSIBLE.position(number) for number in numbers}
    assert fens == {f"{TWO_WAYS} {index} 140" for index in range(140)}


def test_move_counters_mean_index_0_and_an_index_overrules_them() -> None:
    for counters in ("", " 0 1", " 50 60", " 140 140", " 7 139", " 0 140"):
        assert PLAUSIBLE.number(TWO_WAYS + counters) == PLAUSIBLE.number(TWO_WAYS, index=0)
    assert PLAUSIBLE.number(f"{TWO_WAYS} 3 140", index=5) == PLAUSIBLE.number(f"{TWO_WAYS} 5 140")
    for index in (-1, 140):
        with pytest.raises(ValueError, match="from 0 to 139"):
            PLAUSIBLE.number(TWO_WAYS, index=index)


def test_a_position_with_doubled_pawns_on_the_files_of_a_capture_in_passing() -> None:
    """The source reports 7 for this one, of which one exists (its issue 928)."""
    fen = "rnb1kbnr/pp2pppp/8/2Pp4/q2p4/8/PP1PPPPP/RNB1KB1R w KQkq d6 0 6"
    assert PLAUSIBLE.multiplicity(fen) == 1
    assert PLAUSIBLE.position(PLAUSIBLE.number(fen)).endswith(" d6 0 1")


def test_a_legal_position_that_the_definition_forgets() -> None:
    """1. c4 c5 2. Nf3 a6 3. Nd4 cxd4 4. c5 d5, as the source's issue 927 says."""
    board = chess.Board()
    for san in ["c4", "c5", "Nf3", "a6", "Nd4", "cxd4", "c5", "d5"]:
        board.push_san(san)
    with pytest.raises(ValueError, match="at least 7 files"):
        PLAUSIBLE.number(board.fen())


# Bad input.


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no kings"),
        ("8/8/8/8/8/8/8/KKk5 w - - 0 1", "2 kings"),
        ("8/8/8/8/8/8/8/KkP5 w - - 0 1", "first or the last rank"),
        ("8/8/8/8/8/8/8/Kk6 w K - 0 1", "K is not on e1"),
        ("8/8/8/8/8/8/8/Kk6 w qK - 0 1", "in this order"),
        ("8/8/8/8/8/8/8/Kk6 w  - 0 1", "six fields"),
        ("8/8/8/8/8/8/8/Kk6 w - e6 0 1", "no pawn has just"),
        ("8/8/8/8/8/8/8/Kk6 w - e3 0 1", "rank 6"),
        ("8/8/8/8/8/8/8/Kk6 w - x 0 1", "or a square"),
        ("8/8/4n3/3Pp3/8/8/8/Kk6 w - e6 0 1", "not empty"),
        ("8/4n3/8/3Pp3/8/8/8/Kk6 w - e6 0 1", "not empty"),
        ("8/pppppppp/p7/8/8/8/8/Kk6 w - - 0 1", "more than 8"),
        ("qq6/pppppppp/8/8/8/8/8/Kk6 w - - 0 1", "more than 8"),
        ("qqqqqqqq/q2k4/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "get past"),
        ("rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", "8 files"),
    ],
)
def test_bad_positions(fen: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PLAUSIBLE.number(fen)
