"""Which work units are decided for a selection, and what is kept of them."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search.symmetry import mirrored_san, work_units
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.verify.claims.selection import RunScope, Selection
from sanproof.verify.errors import Failure
from sanproof.verify.run.harness import Search, cost, unit_name, units_for
from sanproof.verify.run.store import GAMES, UNITS, RunStore
from sanproof.verify.run.workers import CubeFindings, GamesFound, Timed, WorkUnit, cubes_decided
from tests.strings import strings_of

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


def invented(unit: WorkUnit) -> Timed[CubeFindings]:
    """Findings without any search."""
    found = []
    for cube in sorted(cubes_decided(unit)):
        san = str(next(strings_of(cube)))
        witness = CheckedWitness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", "8/8/8/8/8/8/8/8 b")
        found.append(CubeFindings(cube, [witness], [san], f"certificate of {cube}\n"))
    return Timed(found, 0.25)


class Counting:
    def __init__(self) -> None:
        self.begun: list[tuple[str, float]] = []
        self.cost = 0.0

    def begin(self, phase: str, done: float) -> None:
        self.begun.append((phase, done))

    def advance(self, cost: float) -> None:
        assert cost > 0
        self.cost += cost


CUBES = [Cube("N", "", "a1"), Cube("", "x", "b8"), Cube("O-O", "", "")]
PENDING = units_for(CUBES)


def search_of(store: RunStore, cubes: Sequence[Cube] = CUBES) -> Search:
    return Search(store, RunScope(Selection("", list(cubes), None), games=True, cover=False))


@pytest.fixture(autouse=True)
def _invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.run.harness.solve_unit", invented)


def test_everything_that_comes_back_is_saved(tmp_path: Path) -> None:
    """And is then as it will be read, also beside what an earlier run had saved."""
    expected = sorted(found for unit in PENDING for found in invented(unit).found)
    assert len(expected) > len(PENDING) > 2
    progress = Counting()
    with RunStore(tmp_path) as store, ThreadPoolExecutor(2) as executor:
        store.save(UNITS, unit_name(PENDING[0]), invented(PENDING[0]).found, 1)
        search = search_of(store)
        assert search.in_words().startswith(f"1 of {len(PENDING)} work units are decided")
        search.decide(executor.submit, progress)
        assert sorted(search.decided()) == expected
    assert progress.begun == [("deciding", cost(PENDING[:1]).deciding)]
    assert progress.cost == pytest.approx(cost(PENDING[1:]).deciding)
    with RunStore(tmp_path) as store:
        assert set(store.names(UNITS)) == set(map(unit_name, PENDING))
        assert sorted(search_of(store).decided()) == expected
        assert store.seconds(UNITS) == 1 + 0.25 * len(PENDING[1:])
        # What is kept of other units is of a larger run that was stopped in this directory.
        assert search_of(store, CUBES[2:]).decided() == invented((CUBES[2],)).found


KEPT: dict[str, Callable[[list[CubeFindings]], list[CubeFindings]]] = {
    "without a cube": lambda found: found[1:],
    "of another cube": lambda found: [found[0]._replace(cube=Cube("Q", "", "d4")), *found[1:]],
    "twice": lambda found: found * 2,
}


@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT)
def test_what_is_kept_must_be_the_units_own(
    tmp_path: Path, change: Callable[[list[CubeFindings]], list[CubeFindings]]
) -> None:
    (unit,) = units_for(CUBES[2:])
    with RunStore(tmp_path) as store:
        store.save(UNITS, unit_name(unit), change(invented(unit).found))
        with pytest.raises(Failure, match=r"is damaged .* holds what is not its own"):
            search_of(store, CUBES[2:]).decided()


def test_games_of_other_strings_are_noticed(tmp_path: Path) -> None:
    (unit,) = units_for(CUBES[2:])
    name = unit_name(unit)
    with RunStore(tmp_path) as store:
        found = invented(unit).found
        store.save(UNITS, name, found)
        games = [GamesFound(w.san, [], 0) for cube in found for w in cube.witnesses]
        store.save(GAMES, name, games)
        assert search_of(store, CUBES[2:]).games() == games != []
        for wrong in (games[1:], games * 2, [GamesFound("Nf3", [], 0), *games[1:]]):
            store.save(GAMES, name, wrong)
            with pytest.raises(Failure, match="holds what is not its own"):
                search_of(store, CUBES[2:]).games()


@pytest.mark.parametrize("error", [Failure("enough"), KeyboardInterrupt()])
def test_an_error_cancels_what_has_not_begun_and_keeps_what_is_done(
    tmp_path: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[WorkUnit] = []

    def solve(unit: WorkUnit) -> Timed[CubeFindings]:
        begun.append(unit)
        time.sleep(0.01)
        if len(begun) == 3:
            raise error
        return invented(unit)

    monkeypatch.setattr("sanproof.verify.run.harness.solve_unit", solve)
    with RunStore(tmp_path) as store:
        with ThreadPoolExecutor(1) as executor, pytest.raises(type(error)):
            search_of(store, all_cubes()).decide(executor.submit, Counting())
        assert len(begun) < len(units_for(None))
        assert set(store.names(UNITS)) >= {unit_name(unit) for unit in begun[:2]}
