"""Tours: which men a string needs, and where a game may not go on."""

from collections import Counter

import pytest

from proofs.games.men import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from proofs.suite.tours import Station, can_follow, men_after

QUIET = Station("Nc3", "4k3/8/5n2/8/8/8/8/1N2K3 w - - 0 1", "b1c3", ())


def with_clock(station: Station, plies: int) -> Station:
    """The station after so many plies without progress."""
    return station._replace(before_fen=station.before_fen.replace(" 0 1", f" {plies} 90"))


@pytest.mark.parametrize(
    ("san", "kind", "number"),
    [
        ("Kd1", KING, 1),
        ("Qb3#", QUEEN, 1),
        ("Rhxb3", ROOK, 2),
        ("B1b2+", BISHOP, 2),
        ("Nd1b2#", KNIGHT, 3),
        ("a4", PAWN, 1),
        ("axb8=Q#", PAWN, 1),
    ],
)
def test_a_string_needs_the_moving_man_and_a_twin_for_what_is_written(
    san: str, kind: int, number: int
) -> None:
    others = dict.fromkeys({KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN} - {kind}, 9)
    assert can_follow(san, {kind: number} | others)
    assert not can_follow(san, {kind: number - 1} | others)


def test_a_promoted_man_is_counted_and_its_pawn_is_not() -> None:
    first = Station("b8=N", "8/1P6/8/8/5k2/8/8/K2Q3R w - - 0 1", "b7b8n", ())
    assert men_after(first) == Counter([KING, QUEEN, ROOK, KNIGHT])


def test_black_s_men_are_not_counted() -> None:
    assert men_after(QUIET) == Counter([KING, KNIGHT])


def test_a_move_that_is_not_written_so_begins_nothing() -> None:
    with pytest.raises(ValueError, match="b1c3 is not Na3 in"):
        men_after(QUIET._replace(san="Na3"))


def test_no_game_goes_on_after_75_moves_without_progress() -> None:
    assert men_after(with_clock(QUIET, 149))
    with pytest.raises(ValueError, match="b1c3"):
        men_after(with_clock(QUIET, 150))


def test_a_capture_is_no_progress_when_the_game_is_over() -> None:
    fen = "4k3/8/8/8/8/2n5/8/1N2K3 w - - 0 1"
    capture = Station("Nxc3", fen, "b1c3", ())
    assert men_after(with_clock(capture, 149)) == Counter([KING, KNIGHT])
    with pytest.raises(ValueError, match="b1c3"):
        men_after(with_clock(capture, 150))
