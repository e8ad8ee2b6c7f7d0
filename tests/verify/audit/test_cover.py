"""What makes games a cover."""

from collections.abc import Sequence

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import COVER as FILE
from sanproof.reports.tables.pgn import PgnGame
from sanproof.verify.audit.cover import check_cover
from tests.reports.samples import COVER, FOOLS, SCHOLARS

STRINGS = sorted({san for game in COVER for san in game.sans})


def test_games_that_show_every_string_pass() -> None:
    check_cover(COVER, STRINGS)
    check_cover([], [])


def test_a_string_that_no_mating_game_shows_may_have_its_own() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_cover([*COVER, own], [*STRINGS, "e6"])


WRONG: dict[str, tuple[Sequence[PgnGame], Sequence[str], str]] = {
    "a string in no game": (COVER, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    "a mate without its game": (COVER, [*STRINGS, "Qg7#"], "not one game for each mate: Qg7#"),
    "a mate that is not to be shown": (COVER, ["e4"], "not one game for each mate: Q"),
    "two games for a mate": ([*COVER, FOOLS], STRINGS, "two games end with the same mate"),
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
        [*COVER, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "a game for f3, which another game shows",
    ),
}


@pytest.mark.parametrize(("cover", "strings", "said"), WRONG.values(), ids=WRONG)
def test_games_that_are_no_cover_fail(
    cover: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^{FILE}: {said}"):
        check_cover(cover, strings)
