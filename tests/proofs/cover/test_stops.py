"""Where tours stand: which men a string needs, and where a game may not go on."""

from collections import Counter

import pytest

from sanproof.proofs.cover.parts import Station
from sanproof.proofs.cover.stops import begun, can_follow, men_after, stop_at
from sanproof.proofs.games.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

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
    assert begun(first).white_men == Counter([KING, QUEEN, ROOK, KNIGHT])
    assert men_after(first) == begun(first).white_men


def test_each_side_s_men_are_counted_alone() -> None:
    assert begun(QUIET).white_men == Counter([KING, KNIGHT])
    assert begun(QUIET).black_men == 1


def test_a_move_that_is_not_written_so_begins_nothing() -> None:
    with pytest.raises(ValueError, match="b1c3 is not Na3 in"):
        begun(QUIET._replace(san="Na3"))


def test_no_game_goes_on_after_75_moves_without_progress() -> None:
    assert begun(with_clock(QUIET, 149))
    with pytest.raises(ValueError, match="b1c3"):
        begun(with_clock(QUIET, 150))


def test_a_capture_is_no_progress_when_the_game_is_over() -> None:
    fen = "4k3/8/8/8/8/2n5/8/1N2K3 w - - 0 1"
    capture = Station("Nxc3", fen, "b1c3", ())
    assert begun(with_clock(capture, 149)).black_men == 0
    with pytest.raises(ValueError, match="b1c3"):
        begun(with_clock(capture, 150))


def test_a_tour_goes_on_from_where_it_stands_or_after_a_reply_to_a_check() -> None:
    quiet = stop_at("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
    assert quiet.continuations() == [quiet]
    replies = stop_at("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").continuations()
    assert [stop.sans for stop in replies] == [("Kf8",), ("Kd8",), ("Kf7",), ("Kd7",)]
    assert all(stop.position.white_to_move for stop in replies)
    assert stop_at("3qk3/3p4/8/8/8/8/8/4RK2 b - - 0 1").continuations()[0].black_men == 2
