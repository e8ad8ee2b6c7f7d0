"""The plan of the suite: which mates a missing string may take, and from whom."""

import pytest

from proofs.games.hubs import exchange_move
from proofs.rules.cubes import BLACK, WHITE, exchanged_san
from proofs.rules.san import parse_san
from proofs.suite.plan import ROUNDS, Played, SuitePlan
from proofs.suite.tours import Tour

FIRSTS = {
    "b8=N": Played("b8=N", WHITE, "8/1P6/8/8/5k2/8/8/K2Q3R w - - 0 1", ("b7b8n",), ("b8=N",)),
    "b8=R": Played("b8=R", WHITE, "8/1P6/8/8/5k2/8/8/K2Q3R w - - 0 1", ("b7b8r",), ("b8=R",)),
}
SHOWN = {"Qd4#": ("Kd1", "Ke1"), "Nc3#": ("Kf1",), "Rd4#": (), "Rad4#": (), "Bd4#": ()}
"""Mates, and what is played before them in their own proof games."""
AFTER_A_KNIGHT = ["Rd4#", "Nc3#", "Qd4#"]
"""Those for which there are men after b8=N; the game that shows least comes first."""


def both(game: Played) -> dict[tuple[str, str], Played]:
    """A game of White's, and the same with the colours exchanged."""
    sans = tuple(str(exchanged_san(parse_san(san))) for san in game.sans)
    moves = tuple(map(exchange_move, game.moves))
    black = Played(sans[-1], BLACK, "no position", moves, sans)
    return {(game.san, WHITE): game, (black.san, BLACK): black}


@pytest.fixture
def plan() -> SuitePlan:
    """A plan in the first round of repair: each mate is shown by its own proof game."""
    games = [*FIRSTS.values()]
    for mate, before in SHOWN.items():
        moves = ("a1a1",) * (len(before) + 1)
        games.append(Played(mate, WHITE, "no position", moves, (*before, mate)))
    made = SuitePlan({key: played for game in games for key, played in both(game).items()})
    for mate in SHOWN:
        made._set(mate, WHITE, Tour(mate, ("a1a1",), (mate,)))
    made._round = ROUNDS + 1
    return made


def test_only_mates_for_which_there_are_men_can_follow(plan: SuitePlan) -> None:
    assert sorted(plan._following("b8=N", list(SHOWN), 1)) == sorted(AFTER_A_KNIGHT)
    after_a_rook = plan._following("b8=R", list(SHOWN), 1)
    assert sorted(after_a_rook) == ["Qd4#", "Rad4#", "Rd4#"]


def test_black_s_string_is_followed_by_mates_that_black_can_play(plan: SuitePlan) -> None:
    assert plan._following("b1=N", ["Qd5#", "Nc6#", "Bd5#"], 1) == ["Nc6#", "Qd5#"]
    plan._played = {key: game for key, game in plan._played.items() if key != ("Nc6#", BLACK)}
    assert plan._following("b1=N", ["Qd5#", "Nc6#", "Bd5#"], 1) == ["Qd5#"]


def test_the_last_ones_are_taken_and_shared(plan: SuitePlan) -> None:
    assert plan._following("b8=N", AFTER_A_KNIGHT[::-1], 1) == AFTER_A_KNIGHT
    assert plan._following("b8=N", AFTER_A_KNIGHT[::-1], 2) == AFTER_A_KNIGHT[:1]
    assert plan._following("b8=N", AFTER_A_KNIGHT[::-1], 4) == []


def test_a_string_that_begins_a_game_gets_the_mates_that_show_least(plan: SuitePlan) -> None:
    (part,) = plan._repair_parts(["b8=N"])
    assert [first.san for first in part.firsts] == ["b8=N"]
    assert part.strings == ()
    assert [mate.san for mate in part.mates] == AFTER_A_KNIGHT


def test_it_may_take_the_mate_of_another_such_string(plan: SuitePlan) -> None:
    for mate in SHOWN:
        plan._set(mate, WHITE, Tour("b8=R", ("b7b8r", "a1a1"), ("b8=R", mate)))
    (part,) = plan._repair_parts(["b8=N"])
    assert {mate.san for mate in part.mates} == set(AFTER_A_KNIGHT)


def test_no_mate_is_offered_twice(plan: SuitePlan) -> None:
    parts = plan._repair_parts(["b8=N", "b8=R"])
    offered = [mate.san for part in parts for mate in part.mates]
    assert [first.san for part in parts for first in part.firsts] == ["b8=N", "b8=R"]
    assert len(offered) == len(set(offered)) == 2
