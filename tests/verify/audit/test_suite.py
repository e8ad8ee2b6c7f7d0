"""What makes games a covering suite."""

from collections.abc import Sequence

import pytest

from proofs.kernel.files import EvidenceError
from reports.tables.names import SUITE
from reports.tables.pgn import PgnGame
from verify.audit.suite import check_suite

FOOLS = PgnGame(1, "Qh4#", 3, ("f3", "e5", "g4", "Qh4#"))
SCHOLARS = PgnGame(2, "Qxf7#", 6, ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"))
GAMES = [FOOLS, SCHOLARS]
STRINGS = sorted({san for game in GAMES for san in game.sans})


def test_games_that_show_every_string_pass() -> None:
    check_suite(GAMES, STRINGS)
    check_suite([], [])


def test_a_string_that_no_mating_game_shows_may_have_its_own() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_suite([*GAMES, own], [*STRINGS, "e6"])


WRONG: dict[str, tuple[Sequence[PgnGame], Sequence[str], str]] = {
    "a string in no game": (GAMES, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    "a mate without its game": (GAMES, [*STRINGS, "Qg7#"], "not one game for each mate: Qg7#"),
    "a mate that is not to be shown": (GAMES, ["e4"], "not one game for each mate: Q"),
    "two games for a mate": ([*GAMES, FOOLS], STRINGS, "two games end with the same mate"),
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
        [*GAMES, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "a game for f3, which another game shows",
    ),
}


@pytest.mark.parametrize(("suite", "strings", "said"), WRONG.values(), ids=WRONG)
def test_games_that_are_no_suite_fail(
    suite: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^{SUITE}: {said}"):
        check_suite(suite, strings)
