"""The covering suite: what the audit asks of it, and that a plan goes on where it stopped."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from proofs.games.game import ProofGame
from proofs.kernel.files import EvidenceError
from proofs.kernel.games import GameError
from proofs.rules.cubes import WHITE, Cube
from proofs.suite.parts import Part, Tour
from proofs.suite.plan import SuitePlan
from proofs.suite.sources import Played
from reports.exports.archive import open_archive
from reports.tables.outputs import suite_index
from reports.tables.pgn import PgnGame
from tests.verify.command import InlineExecutor
from verify.audit.suite import check_suite
from verify.run.harness import Kept, decide, search_games, search_suite, suite_games, units_for
from verify.run.harness import check_suite as check_games_of_suite
from verify.run.store import RunStore

FOOLS = PgnGame(1, "Qh4#", 3, ("f3", "e5", "g4", "Qh4#"))
SCHOLARS = PgnGame(2, "Qxf7#", 6, ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"))
SUITE = [FOOLS, SCHOLARS]
STRINGS = sorted({san for game in SUITE for san in game.sans})


def test_a_suite_that_shows_every_string_passes() -> None:
    check_suite(SUITE, STRINGS)


def test_a_string_may_have_a_game_of_its_own() -> None:
    check_suite([*SUITE, PgnGame(3, "Nh3", 0, ("Nh3", *FOOLS.sans))], [*STRINGS, "Nh3"])


def test_a_string_that_another_game_shows_has_no_game_of_its_own() -> None:
    with pytest.raises(EvidenceError, match="a game for f3, which another game shows"):
        check_suite([*SUITE, PgnGame(3, "f3", 0, FOOLS.sans)], STRINGS)


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
}


@pytest.mark.parametrize(("suite", "strings", "said"), WRONG.values(), ids=WRONG)
def test_a_suite_that_is_not_one_fails(
    suite: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^suite.txt.xz: {said}"):
        check_suite(suite, strings)


def test_the_index_names_the_first_game_and_its_ply() -> None:
    rows = suite_index(SUITE, ["e5", "Qh4#", "Nc6", "Qxf7#"]).decode().splitlines()
    assert rows == ["san,game,ply", "e5,1,2", "Qh4#,1,4", "Nc6,2,4", "Qxf7#,2,7"]


def test_a_string_that_no_game_shows_has_no_place_in_the_index() -> None:
    with pytest.raises(KeyError, match="Nf3"):
        suite_index(SUITE, ["Nf3"])


def test_a_wrong_game_of_a_suite_is_noticed_before_it_is_written() -> None:
    fools = ProofGame("Qh4#", "black", 3, ("f2f3", "e7e5", "g2g4", "d8h4"))
    assert len(check_games_of_suite([fools], InlineExecutor())) == 1
    with pytest.raises(GameError, match="ply 4: d8h5 is not legal"):
        check_games_of_suite([fools._replace(moves=(*fools.moves[:3], "d8h5"))], InlineExecutor())


class Counted:
    """Takes part in a search in place of a terminal."""

    def __init__(self) -> None:
        self.done = 0.0

    def advance(self, cost: float) -> None:
        self.done += cost


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Played]:
    """The games of all knights' strings of a few cubes, up to these strings."""
    units = units_for([Cube("N", "", "b1"), Cube("N", "x", "b1")])
    with RunStore(tmp_path_factory.mktemp("played")) as store:
        decide(units, store, InlineExecutor(), Counted())
        search_games(units, store, InlineExecutor(), Counted())
        return suite_games(Kept(store, units))


def test_a_suite_of_a_small_run_keeps_its_bound(
    played: dict[tuple[str, str], Played], tmp_path: Path
) -> None:
    """Each game ends with its mate, no mate has two, and the strings are played in them."""
    first, again = SuitePlan(played), SuitePlan(played)
    progress = Counted()
    with RunStore(tmp_path) as store:
        search_suite(first, store, InlineExecutor(), progress)
        saved = store.worker_seconds("tours")
        search_suite(again, store, InlineExecutor(), Counted())
        assert store.worker_seconds("tours") == saved  # what is saved is not searched again
    assert first.missing() == []
    games = check_games_of_suite(first.games(), InlineExecutor())
    strings = {san for san, _ in played}
    assert sorted(g.game.san for g in games) == sorted(s for s in strings if s.endswith("#"))
    assert strings <= {san for game in games for san in game.sans}
    assert again.games() == first.games()
    assert progress.done > 0


def test_what_shows_fewer_strings_is_not_taken(
    played: dict[tuple[str, str], Played], tmp_path: Path
) -> None:
    """A repair that loses more than it wins leaves the games as they were."""
    suite = SuitePlan(played)
    with RunStore(tmp_path) as store:
        search_suite(suite, store, InlineExecutor(), Counted())
    before = suite.games()
    alone = [
        Tour(game.san, game.moves[-1:], (game.san,))
        for game in before
        if game.colour == WHITE and not game.san.startswith(tuple("abcdefgh"))
    ]
    suite.take([Part(WHITE, "firsts", 9, 0, (), (), (), ())], [alone])
    assert suite.games() == before
    assert suite.missing() == []


def test_the_published_suite_has_as_many_games_as_mates() -> None:
    summary = open_archive().summary
    assert summary["suite"]["games"] == summary["by_suffix"]["mate (#)"]["reachable"]
