"""Which orbits are decided for a selection, and what is kept of them."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_san
from proofs.rules.san import San
from proofs.search.symmetry import mirrored_san, work_units
from proofs.verdicts.witness import CheckedWitness
from tests.strings import strings_of
from verify.errors import Failure
from verify.run.harness import Orbit, covered, decide, orbit_name, orbits_for
from verify.run.store import CubeFindings, RunStore
from verify.run.workers import OrbitFindings

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
    """Of White's cube and of Black's, each or its reflection is in an orbit; others are not."""
    chosen = orbits_for(selected)
    decided = {cube for orbit in chosen for cube in orbit}
    for cube in selected:
        for colour in (identity, exchanged_san):
            san = colour(next(strings_of(cube)))
            assert cube_of(san) in decided or cube_of(mirrored_san(san)) in decided
    seen = {image for cube in selected for image in images(cube)}
    assert all(seen.intersection(orbit) for orbit in chosen)
    assert len(set(chosen)) == len(chosen)


@given(st.lists(cubes, min_size=1, max_size=8))
def test_an_orbit_is_the_same_for_every_selection(selected: list[Cube]) -> None:
    """Or what is saved under its name would not be what another selection looks for there."""
    assert set(work_units()).issuperset(orbits_for(selected))


def test_without_a_selection_every_orbit_is_decided() -> None:
    assert sorted(orbits_for(None)) == sorted(work_units())
    assert sorted(orbits_for(all_cubes())) == sorted(work_units())


def test_orbits_have_distinct_names() -> None:
    names = [orbit_name(orbit) for orbit in work_units()]
    assert len(set(names)) == len(names)


def test_the_costliest_come_first() -> None:
    pieces = [orbit[0].piece for orbit in orbits_for(None)]
    known = [piece for piece in pieces if piece in ("Q", "R", "B", "N", "")]
    assert known == sorted(known, key=["Q", "R", "B", "N", ""].index)


def invented(orbit: Orbit) -> OrbitFindings:
    """Findings without any search."""
    found = []
    for cube in orbit:
        san = str(next(strings_of(cube)))
        witness = CheckedWitness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", "8/8/8/8/8/8/8/8 b")
        found.append(CubeFindings(cube, [witness], [san], f"certificate of {cube}\n"))
    return OrbitFindings(found, 0.25)


class Counting:
    def __init__(self) -> None:
        self.cubes = 0
        self.calls = 0

    def advance(self, cubes: int, strings: int) -> None:
        assert strings > 0
        self.cubes += cubes
        self.calls += 1


def test_everything_that_comes_back_is_saved(tmp_path: Path) -> None:
    pending = orbits_for([Cube("N", "", "a1"), Cube("", "x", "b8"), Cube("O-O", "", "")])
    progress = Counting()
    with RunStore(tmp_path) as store, ThreadPoolExecutor(2) as executor:
        decide(pending, store, executor, progress, solve=invented)
    assert progress.calls == len(pending)
    assert progress.cubes == sum(map(covered, pending))
    with RunStore(tmp_path) as store:
        assert store.names() == set(map(orbit_name, pending))
        expected = [found for orbit in pending for found in invented(orbit).found]
        assert sorted(store.load()) == sorted(expected)
        assert store.worker_seconds() == 0.25 * len(pending)


@pytest.mark.parametrize("error", [Failure("enough"), KeyboardInterrupt()])
def test_an_error_cancels_what_has_not_begun(tmp_path: Path, error: BaseException) -> None:
    begun: list[Orbit] = []
    pending = orbits_for(None)[:50]

    def solve(orbit: Orbit) -> OrbitFindings:
        begun.append(orbit)
        time.sleep(0.01)
        if len(begun) == 3:
            raise error
        return invented(orbit)

    with (
        RunStore(tmp_path) as store,
        ThreadPoolExecutor(1) as executor,
        pytest.raises(type(error)),
    ):
        decide(pending, store, executor, Counting(), solve=solve)
    assert len(begun) < len(pending)


def test_saving_an_orbit_again_replaces_it(tmp_path: Path) -> None:
    orbit = (Cube("K", "", "a1"),)
    first, second = invented(orbit).found, [invented(orbit).found[0]._replace(left_open=[])]
    with RunStore(tmp_path) as store:
        store.save("Ka1", first, 1)
        store.save("Ka1", second, 2)
        assert list(store.load()) == second
        assert store.worker_seconds() == 2


def test_a_run_is_finished_for_one_selection_at_a_time(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        assert store.finished("") is None
        store.finish("N*", {"a": "1"})
        store.finish("", {"b": "2"})
        store.finish("N*", {"a": "3"})
    with RunStore(tmp_path) as store:
        assert store.finished("N*") == {"a": "3"}
        assert store.finished("") == {"b": "2"}
        assert store.finished("B*") is None
