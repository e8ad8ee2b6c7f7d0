"""The search of a run: its units, what is kept of them, and its cover."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search.symmetry import (
    CubeFindings,
    WorkUnit,
    mirrored_cube,
    work_units,
)
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import RunScope, Selection
from sanproof.verify.errors import Failure
from sanproof.verify.run import harness
from sanproof.verify.run.harness import SHARES, Search, cost, unit_name, units_for
from sanproof.verify.run.store import GAMES, UNITS, RunStore
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.progress import Scale
from tests.strings import mirrored_san, strings_of

# The work units of a selection, and their stored results

cubes = st.sampled_from(all_cubes())


def identity(san: San) -> San:
    return san


def images(cube: Cube) -> set[Cube]:
    """Return the cube seen from every side, by way of its strings."""
    san = next(strings_of(cube))
    turned = [san, exchanged_san(san)]
    return {cube_of(image) for s in turned for image in (s, mirrored_san(s))}


@given(st.lists(cubes, min_size=1, max_size=8))
def test_each_cube_is_decided_for_both_colours(selected: list[Cube]) -> None:
    """Of White's cube and of Black's, each or its reflection is in a unit; others are not."""
    chosen = units_for(selected)
    decided = {cube for unit in chosen for cube in unit}
    for cube in selected:
        for colour in (identity, exchanged_san):
            san = colour(next(strings_of(cube)))
            assert cube_of(san) in decided or cube_of(mirrored_san(san)) in decided
    seen = {image for cube in selected for image in images(cube)}
    assert all(seen.intersection(unit) for unit in chosen)
    assert len(set(chosen)) == len(chosen)


@given(st.lists(cubes, min_size=1, max_size=8))
def test_a_work_unit_is_the_same_for_every_selection(selected: list[Cube]) -> None:
    """Or what is saved under its name would not be what another selection looks for there."""
    assert set(work_units()).issuperset(units_for(selected))


def test_without_a_selection_every_unit_is_decided_the_costliest_first() -> None:
    assert sorted(units_for(None)) == sorted(units_for(all_cubes())) == sorted(work_units())
    assert len(set(map(unit_name, work_units()))) == len(work_units())
    costs = [cost([unit]) for unit in units_for(None)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1] > 0


def invented(unit: WorkUnit) -> list[CubeFindings]:
    """Invent findings without any search."""
    found = []
    cubes = {*unit, *(mirrored_cube(cube) for cube in unit if not cube.castling)}
    for cube in sorted(cubes):
        san = str(next(strings_of(cube)))
        witness = Witness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", "8/8/8/8/8/8/8/8 b")
        found.append(CubeFindings(cube, [witness], [san], f"certificate of {cube}\n"))
    return found


CUBES = [Cube("N", "", "a1"), Cube("", "x", "b8"), Cube("O-O", "", "")]
PENDING = units_for(CUBES)
UNSEEN = Scale(None, lambda *_: None)
"""A progress that is not shown."""


def search_of(store: RunStore, cubes: Sequence[Cube] = CUBES) -> Search:
    return Search(store, RunScope(Selection("", list(cubes), None), games=True, cover=False))


def test_everything_that_comes_back_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is then as it will be read, also beside what an earlier run had saved."""
    monkeypatch.setattr(harness, "solve_unit", invented)
    monkeypatch.setattr("sanproof.verify.run.workers.time.perf_counter", count(0, 0.25).__next__)
    expected = sorted(found for unit in PENDING for found in invented(unit))
    assert len(expected) > len(PENDING) > 2
    shown: list[tuple[str, float]] = []
    progress = Scale(None, lambda scale, _: shown.append((scale.phase, scale.done)))
    with RunStore(tmp_path) as store, ThreadPoolExecutor(1) as executor:
        store.save(UNITS, unit_name(PENDING[0]), invented(PENDING[0]), 1)
        search = search_of(store)
        assert search.in_words().startswith(f"1 of {len(PENDING)} work units are decided")
        search.decide(executor, progress)
        assert sorted(search.decided()) == expected
    assert shown[0][0] == "deciding"
    assert shown[0][1] == pytest.approx(SHARES["deciding"] * cost(PENDING[:1]))
    assert progress.done == pytest.approx(SHARES["deciding"] * cost(PENDING))
    assert len(shown) == len(PENDING)
    with RunStore(tmp_path) as store:
        assert set(store.names(UNITS)) == set(map(unit_name, PENDING))
        assert sorted(search_of(store).decided()) == expected
        assert store.seconds(UNITS) == 1 + 0.25 * len(PENDING[1:])
        # Stored results of other units are of a larger run that was stopped in this directory.
        assert search_of(store, CUBES[2:]).decided() == invented((CUBES[2],))


@pytest.mark.parametrize("error", [Failure("enough"), KeyboardInterrupt()])
def test_an_error_cancels_what_has_not_begun_and_keeps_what_is_done(
    tmp_path: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[WorkUnit] = []

    def solve(unit: WorkUnit) -> list[CubeFindings]:
        begun.append(unit)
        time.sleep(0.01)
        if len(begun) == 3:
            raise error
        return invented(unit)

    monkeypatch.setattr("sanproof.verify.run.harness.solve_unit", solve)
    with RunStore(tmp_path) as store:
        with ThreadPoolExecutor(1) as executor, pytest.raises(type(error)):
            search_of(store, all_cubes()).decide(executor, UNSEEN)
        assert len(begun) < len(units_for(None))
        assert set(store.names(UNITS)) >= {unit_name(unit) for unit in begun[:2]}


# A plan goes on where it stopped, and a wrong game is dropped


INLINE = Inline()
SCOPE = RunScope(
    Selection("", [Cube("N", "", "b1"), Cube("N", "x", "b1")], None), games=True, cover=True
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[CheckedGame]:
    """Find the games of all knights' strings of a few cubes."""
    with RunStore(tmp_path_factory.mktemp("played")) as store:
        search = Search(store, SCOPE)
        search.decide(INLINE, UNSEEN)
        search.find_games(INLINE, UNSEEN)
        return search.replay_games(INLINE, UNSEEN)


@pytest.mark.slow
def test_a_cover_of_a_small_run_keeps_its_bound(
    played: list[CheckedGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game ends with its mate, no mate has two, and the strings are played in them."""
    progress = Scale(None, lambda *_: None)
    with RunStore(tmp_path) as store:
        lines = Search(store, SCOPE).find_cover(played, INLINE, progress)
    games = [game for batch in replay(file_of(lines), INLINE) for _, game in batch]
    strings = {game.game.san for game in played}
    assert sorted(g.game.san for g in games) == sorted(s for s in strings if s.endswith("#"))
    assert strings <= {san for game in games for san in game.sans}
    assert progress.done > 0
    monkeypatch.setattr(harness, "search_tours", None)  # what is saved is not searched again
    with RunStore(tmp_path) as store:
        assert Search(store, SCOPE).find_cover(played, INLINE, UNSEEN) == lines


def test_a_wrong_game_is_named_and_its_unit_is_searched_again(tmp_path: Path) -> None:
    scope = RunScope(Selection("", [Cube("O-O", "", "")], None), games=True, cover=False)
    fools = "f2f3 e7e5 g2g4 d8h4 4 Qh4#"
    (unit,) = units_for([Cube("O-O", "", "")])
    with RunStore(tmp_path) as store:
        store.save(GAMES, unit_name(unit), [([fools], 0)])
        assert len(Search(store, scope).replay_games(INLINE, UNSEEN)) == 1
        store.save(GAMES, unit_name(unit), [([fools.replace("h4 ", "h5 ")], 0)])
        with pytest.raises(EvidenceError, match=f"d8h5 is not legal.* work unit {unit[0]} "):
            Search(store, scope).replay_games(INLINE, UNSEEN)
        assert store.names(GAMES) == []
