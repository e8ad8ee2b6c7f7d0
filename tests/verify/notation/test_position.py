from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.notation.position import _WRONG, FenError, board_of, joined
from sanproof.verify.notation.reading import read

PAGE = Path(__file__).parents[3] / "docs" / "notation.md"
CHECKED_BY_THREE = "4k3/8/8/8/4r3/2n5/1r2K3/8 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "is not a FEN: empty fen"),
        ("hello", "is not a FEN"),
        ("8/8/8/8/8/8/8 w - - 0 1", "expected 8 rows"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "is not a FEN"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "is not a FEN"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or the last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "a right to castle"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "not to move is in check"),
        ("8/k7/8/8/Q7/QQQQQQQQ/QQQQQQQQ/4K3 b - - 0 1", "more than sixteen men"),
        (CHECKED_BY_THREE, "more than two men give check"),
    ],
)
def test_bad_positions_are_refused_in_a_sentence(fen: str, words: str) -> None:
    with pytest.raises(FenError) as caught:
        read("e4", fen)
    message = str(caught.value)
    assert words in message
    assert message.endswith(".")
    assert "\n" not in message


@given(st.text(max_size=200))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    refused = ""
    try:
        assert board_of(text).is_valid()
    except FenError as error:
        refused = str(error)
    assert refused.isprintable()
    assert len(refused) < 1200


def test_every_fault_that_python_chess_knows_has_words() -> None:
    assert set(_WRONG) == set(chess.Status)


def test_the_last_fields_may_be_missing() -> None:
    assert board_of("4k3/8/8/8/8/8/8/4K3").fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def test_joined() -> None:
    assert [joined(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert joined(["a", "b", "c"], "or") == "a, b or c"


def test_a_check_that_only_the_last_move_rules_out_is_read() -> None:
    """No move ends with these two checks; docs/notation.md says that the position is read."""
    fen = "4k3/8/8/8/7b/8/8/r3K3 w - - 0 1"
    assert len(board_of(fen).checkers()) == 2
    assert fen in PAGE.read_text("utf-8")
