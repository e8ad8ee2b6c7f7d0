"""Which work units are decided for a selection, and what is kept of them."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search.symmetry import mirrored_san, work_units
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.verify.errors import Failure
from sanproof.verify.run.harness import (
    KeptUnits,
    cost,
    decide,
    unit_name,
    units_for,
)
from sanproof.verify.run.rows import CubeFindings, GamesFound
from sanproof.verify.run.store import Finished, RunStore
from sanproof.verify.run.workers import UnitFindings, WorkUnit, cubes_decided
from tests.strings import strings_of
from tests.verify.command import InlineExecutor

cubes = st.sampled_from(all_cubes())


def identity(san: San) -> San:
    return san


def images(cube: Cube) -> set[Cube]:
    """The cube seen from every side, by way of its strings."""
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


def test_without_a_selection_every_unit_is_decided() -> None:
    assert sorted(units_for(None)) == sorted(work_units())
    assert sorted(units_for(all_cubes())) == sorted(work_units())


def test_work_units_have_distinct_names() -> None:
    names = [unit_name(unit) for unit in work_units()]
    assert len(set(names)) == len(names)


def test_the_costliest_come_first() -> None:
    pieces = [unit[0].piece for unit in units_for(None)]
    known = [piece for piece in pieces if piece in ("Q", "R", "B", "N", "")]
    assert known == sorted(known, key=["Q", "R", "B", "N", ""].index)


def invented(unit: WorkUnit) -> UnitFindings:
    """Findings without any search."""
    found = []
    for cube in sorted(cubes_decided(unit)):
        san = str(next(strings_of(cube)))
        witness = CheckedWitness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", "8/8/8/8/8/8/8/8 b")
        found.append(CubeFindings(cube, [witness], [san], f"certificate of {cube}\n"))
    return UnitFindings(found, 0.25)


class Counting:
    def __init__(self) -> None:
        self.cost = 0.0
        self.calls = 0

    def advance(self, cost: float) -> None:
        assert cost > 0
        self.cost += cost
        self.calls += 1


PENDING = units_for([Cube("N", "", "a1"), Cube("", "x", "b8"), Cube("O-O", "", "")])


def test_everything_that_comes_back_is_saved(tmp_path: Path) -> None:
    progress = Counting()
    with RunStore(tmp_path) as store, ThreadPoolExecutor(2) as executor:
        decide(PENDING, KeptUnits(store, PENDING), executor, progress, solve=invented)
    assert progress.calls == len(PENDING)
    assert progress.cost == pytest.approx(sum(cost(unit).deciding for unit in PENDING))
    with RunStore(tmp_path) as store:
        assert store.names() == set(map(unit_name, PENDING))
        expected = [found for unit in PENDING for found in invented(unit).found]
        assert sorted(KeptUnits(store, PENDING).decided()) == sorted(expected)
        assert store.worker_seconds() == 0.25 * len(PENDING)


def test_what_was_just_decided_is_as_it_will_be_read(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        kept = KeptUnits(store, PENDING)
        decide(PENDING[1:], kept, InlineExecutor(), Counting(), solve=invented)
        store.save(unit_name(PENDING[0]), invented(PENDING[0]).found, 1)  # by an earlier run
        read = KeptUnits(store, PENDING)
        assert kept.decided() == read.decided()
        for unit in PENDING:
            assert kept.witnesses_of_white(unit) == read.witnesses_of_white(unit)


def test_what_is_kept_of_other_units_is_left_out(tmp_path: Path) -> None:
    """It is of a larger run, which was stopped, in the same directory."""
    with RunStore(tmp_path) as store, ThreadPoolExecutor(2) as executor:
        decide(PENDING, KeptUnits(store, PENDING), executor, Counting(), solve=invented)
        assert KeptUnits(store, PENDING[:1]).decided() == invented(PENDING[0]).found


def without_a_cube(found: list[CubeFindings]) -> list[CubeFindings]:
    return found[1:]


def of_another_cube(found: list[CubeFindings]) -> list[CubeFindings]:
    return [found[0]._replace(cube=Cube("Q", "", "d4")), *found[1:]]


def twice(found: list[CubeFindings]) -> list[CubeFindings]:
    return found * 2


@pytest.mark.parametrize("change", [without_a_cube, of_another_cube, twice])
def test_what_is_kept_must_be_the_units_own(
    tmp_path: Path, change: Callable[[list[CubeFindings]], list[CubeFindings]]
) -> None:
    unit = PENDING[0]
    with RunStore(tmp_path) as store:
        store.save(unit_name(unit), change(invented(unit).found), 1)
        with pytest.raises(Failure, match=r"is damaged .* holds what is not its own"):
            KeptUnits(store, [unit]).decided()


def test_games_of_other_strings_are_noticed(tmp_path: Path) -> None:
    unit = PENDING[0]
    witness = CheckedWitness("Na1", "8/8/8/8/8/8/8/8 w - - 0 1", "b3a1", "8/8/8/8/8/8/8/8 b")
    with RunStore(tmp_path) as store:
        found = [f._replace(witnesses=[witness]) for f in invented(unit).found]
        store.save(unit_name(unit), found, 1)
        games = [GamesFound("Na1", [], 0) for _ in found]
        store.save_games(unit_name(unit), games, 1)
        assert KeptUnits(store, [unit]).games() == games
        for wrong in (games[1:], games * 2, [GamesFound("Nf3", [], 0), *games[1:]]):
            store.save_games(unit_name(unit), wrong, 1)
            with pytest.raises(Failure, match="holds what is not its own"):
                KeptUnits(store, [unit]).games()


@pytest.mark.parametrize("error", [Failure("enough"), KeyboardInterrupt()])
def test_an_error_cancels_what_has_not_begun(tmp_path: Path, error: BaseException) -> None:
    begun: list[WorkUnit] = []
    pending = units_for(None)[:50]

    def solve(unit: WorkUnit) -> UnitFindings:
        begun.append(unit)
        time.sleep(0.01)
        if len(begun) == 3:
            raise error
        return invented(unit)

    with (
        RunStore(tmp_path) as store,
        ThreadPoolExecutor(1) as executor,
        pytest.raises(type(error)),
    ):
        decide(pending, KeptUnits(store, pending), executor, Counting(), solve=solve)
    assert len(begun) < len(pending)


def test_saving_a_unit_again_replaces_it(tmp_path: Path) -> None:
    unit = (Cube("K", "", "a1"),)
    first, second = invented(unit).found, [invented(unit).found[0]._replace(left_open=[])]
    with RunStore(tmp_path) as store:
        store.save("Ka1", first, 1)
        store.save("Ka1", second, 2)
        assert store.load("Ka1") == second
        assert store.worker_seconds() == 2


def test_a_run_is_finished_for_one_scope_at_a_time(tmp_path: Path) -> None:
    """The files in the directory are those of the last time."""
    with RunStore(tmp_path) as store:
        assert store.finished() is None
        store.finish(Finished("N*", {"summary.md": "1"}))
        store.finish(Finished("all", {"summary.md": "2", "summary.json": "3"}))
    with RunStore(tmp_path) as store:
        assert store.finished() == Finished("all", {"summary.md": "2", "summary.json": "3"})
