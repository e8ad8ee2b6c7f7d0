"""A cover is checked before it is written, and a plan goes on where it stopped."""

from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.cover.parts import MatesPart, Station, Tour
from sanproof.proofs.cover.plan import CoverPlan
from sanproof.proofs.cover.sources import SourceGame
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.cubes import WHITE, Cube
from sanproof.reports.archive.door import open_archive
from sanproof.verify.claims.selection import RunScope, Selection
from sanproof.verify.run import harness
from sanproof.verify.run.harness import Search, check_cover
from sanproof.verify.run.store import TOURS, RunStore
from sanproof.verify.run.workers import Timed
from tests.verify.command import InlineExecutor


def test_a_wrong_game_of_a_cover_is_noticed_before_it_is_written() -> None:
    fools = ProofGame("Qh4#", "black", 3, ("f2f3", "e7e5", "g2g4", "d8h4"))
    assert len(check_cover([fools], SUBMIT)) == 1
    with pytest.raises(GameError, match="ply 4: d8h5 is not legal"):
        check_cover([fools._replace(moves=(*fools.moves[:3], "d8h5"))], SUBMIT)


SUBMIT = InlineExecutor().submit
SCOPE = RunScope(
    Selection("", [Cube("N", "", "b1"), Cube("N", "x", "b1")], None), games=True, cover=True
)
Played = dict[tuple[str, str], SourceGame]


class Counted:
    """Takes part in a search in place of a terminal."""

    def __init__(self) -> None:
        self.done = 0.0

    def begin(self, _phase: str, _done: float) -> None:
        """Do nothing."""

    def advance(self, cost: float) -> None:
        self.done += cost


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The games of all knights' strings of a few cubes, up to these strings."""
    with RunStore(tmp_path_factory.mktemp("played")) as store:
        search = Search(store, SCOPE)
        search.decide(SUBMIT, Counted())
        search.find_games(SUBMIT, Counted())
        return search._played()


def found_cover(played: Played, directory: Path, progress: Counted) -> tuple[CoverPlan, list[Any]]:
    """A plan that was carried out, and the games of its cover."""
    plan = CoverPlan(played)
    with RunStore(directory) as store:
        return plan, Search(store, SCOPE).find_cover(plan, plan.parts(), SUBMIT, progress)


def test_a_cover_of_a_small_run_keeps_its_bound(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game ends with its mate, no mate has two, and the strings are played in them."""
    progress = Counted()
    first, games = found_cover(played, tmp_path, progress)
    assert first.missing() == []
    strings = {san for san, _ in played}
    assert sorted(g.game.san for g in games) == sorted(s for s in strings if s.endswith("#"))
    assert strings <= {san for game in games for san in game.sans}
    assert progress.done > 0
    monkeypatch.setattr(harness, "search_tours", None)  # what is saved is not searched again
    again, _ = found_cover(played, tmp_path, Counted())
    assert again.games() == first.games() != []


def test_the_longest_parts_begin_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes back is in the order of the parts all the same."""
    mates = tuple(Station(f"Q{square}#", "", "", ()) for square in ("a1", "b1", "c1"))
    parts = [
        MatesPart(WHITE, "Q", 1, number, (), (), mates[:length], ())
        for number, length in enumerate((1, 3, 2))
    ]
    begun = []

    def search(part: MatesPart) -> Timed[Tour]:
        begun.append(len(part.mates))
        return Timed([Tour(part.name, (), ())], 0.0)

    monkeypatch.setattr(harness, "search_tours", search)
    with RunStore(tmp_path) as store:
        found = Search(store, SCOPE)._tours(parts, SUBMIT)
        assert set(store.names(TOURS)) == {part.name for part in parts}
    assert begun == [3, 2, 1]
    assert found == [[Tour(part.name, (), ())] for part in parts]


def test_what_shows_fewer_strings_is_not_taken(played: Played, tmp_path: Path) -> None:
    """A repair that loses more than it wins leaves the games as they were."""
    cover, _ = found_cover(played, tmp_path, Counted())
    before = cover.games()
    alone = [
        Tour(game.san, game.moves[-1:], (game.san,))
        for game in before
        if game.colour == WHITE and not game.san.startswith(tuple("abcdefgh"))
    ]
    cover.take([MatesPart(WHITE, "firsts", 9, 0, (), (), (), ())], [alone])
    assert cover.games() == before
    assert cover.missing() == []


def test_the_published_cover_has_as_many_games_as_mates() -> None:
    summary = open_archive().summary
    assert summary["cover"]["games"] == summary["by_suffix"]["mate (#)"]["reachable"]
