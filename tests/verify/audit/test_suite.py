"""What makes games a covering suite."""

from collections.abc import Sequence

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import SUITE as FILE
from sanproof.reports.tables.pgn import PgnGame
from sanproof.verify.audit.suite import check_suite
from tests.reports.samples import FOOLS, SCHOLARS, SUITE

STRINGS = sorted({san for game in SUITE for san in game.sans})


def test_games_that_show_every_string_pass() -> None:
    check_suite(SUITE, STRINGS)
    check_suite([], [])


def test_a_string_that_no_mating_game_shows_may_have_its_own() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_suite([*SUITE, own], [*STRINGS, "e6"])


WRONG: dict[str, tuple[Sequence[PgnGame], Sequence[str], str]] = {
    "a string in no game": (SUITE, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    "a mate without its game": (SUITE, [*STRINGS, "Qg7#"], "not one game for each mate: Qg7#"),
    "a mate that is not to be shown": (SUITE, ["e4"], "not one game for each mate: Q"),
    "two games for a mate": ([*SUITE, FOOLS], STRINGS, "two games end with the same mate"),
    "no games": ([], ["Qh4#"], "not one game for each mate: Qh4#"),
    "a mate that is not the end": (
        [FOOLS._replace(ply=1), SCHOLARS],
        STRINGS,
        "a game does not end with Qh4#",
    ),
    "a game about another string only": (
        [FOOLS._replace(san="e5", ply=1), SCHOLARS],
        STRINGS,
        "not one game for each mate: Qh4#",
    ),
    "a game that shows nothing more": (
        [*SUITE, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "a game for f3, which another game shows",
    ),
}


@pytest.mark.parametrize(("suite", "strings", "said"), WRONG.values(), ids=WRONG)
def test_games_that_are_no_suite_fail(
    suite: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^{FILE}: {said}"):
        check_suite(suite, strings)
