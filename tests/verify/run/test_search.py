"""The search of a run: its units, what is kept of them, and errors planted in what it rests on."""

import lzma
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.encoding import relaxation
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import decide
from sanproof.proofs.search.derived import CubeFindings, WorkUnit, mirrored_cube, work_units
from sanproof.proofs.search.exact import ExactEncoding, Holds, read_witness
from sanproof.proofs.theory.arrangements import strings_of as strings_in_theory
from sanproof.verify.claims import selection
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import Selection
from sanproof.verify.commands import start
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.run import search
from sanproof.verify.run.runner import open_store
from sanproof.verify.run.search import GAMES, UNITS, Search, units_for
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.store import Store
from tests.strings import mirrored_san, strings_of
from tests.verify.command import PART, inline_pool, outputs, verify

# The work units of a selection, and their stored results

some_cubes = st.lists(st.sampled_from(all_cubes()), min_size=1, max_size=8)


def images(san: San) -> set[Cube]:
    """Return the cubes of a string seen from every side."""
    return {cube_of(image) for s in (san, exchanged_san(san)) for image in (s, mirrored_san(s))}


@given(some_cubes)
def test_each_cube_is_decided_for_both_colours_and_no_other(selected: list[Cube]) -> None:
    """Of White's cube and of Black's, each or its reflection is in a unit.

    Units are never cut, or what is saved under their names would not be what another selection
    looks for there.
    """
    chosen = list(units_for(selected).values())
    decided = {cube for unit in chosen for cube in unit}
    sans = [next(strings_of(cube)) for cube in selected]
    for san in (*sans, *map(exchanged_san, sans)):
        assert cube_of(san) in decided or cube_of(mirrored_san(san)) in decided
    seen = {image for san in sans for image in images(san)}
    assert all(seen.intersection(unit) for unit in chosen)
    assert set(work_units()).issuperset(chosen)
    assert len(set(chosen)) == len(chosen)


def invented(unit: WorkUnit) -> list[CubeFindings]:
    """Invent findings without any search."""
    found = []
    for cube in sorted({*unit, *(mirrored_cube(cube) for cube in unit if not cube.castling)}):
        san = str(next(strings_of(cube)))
        witness = Witness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", "8/8/8/8/8/8/8/8 b")
        found.append(CubeFindings(cube, [witness], f"certificate of {cube}\n"))
    return found


CUBES = [Cube("N", "", "a1"), Cube("", "x", "b8"), Cube("O-O", "", "")]
PENDING = units_for(CUBES)
INLINE = Inline()


def search_of(store: Store, cubes: Sequence[Cube] = CUBES, pool: Executor = INLINE) -> Search:
    return Search(store, Selection("", list(cubes), lambda _: True), pool)


def test_everything_that_comes_back_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is then as it will be read, also beside what an earlier run had saved."""
    monkeypatch.setattr(search, "solve_unit", invented)
    monkeypatch.setattr("sanproof.verify.run.search.time.perf_counter", count(0, 0.25).__next__)
    expected = sorted(found for unit in PENDING.values() for found in invented(unit))
    first, *others = PENDING.items()
    with open_store(tmp_path) as store, ThreadPoolExecutor(1) as executor:
        store.save(UNITS, first[0], invented(first[1]), 1)
        search_of(store, CUBES, executor).decide()
        assert sorted(search_of(store).decided()) == expected
    with open_store(tmp_path) as store:
        assert sorted(search_of(store).decided()) == expected
        assert store.seconds(UNITS) == 1 + 0.25 * len(others)
        # Stored results of other units are of a larger run that was stopped in this directory.
        assert search_of(store, CUBES[2:]).decided() == invented((CUBES[2],))


KNIGHTS = [Cube("N", "", "b1"), Cube("N", "x", "b1")]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[CheckedGame]:
    """Find the games of all knights' strings of a few cubes."""
    with open_store(tmp_path_factory.mktemp("played")) as store:
        found = search_of(store, KNIGHTS)
        found.decide()
        found.find_games()
        return found.replay_games()


@pytest.mark.slow
def test_a_cover_of_a_small_run_keeps_its_bound(
    played: list[CheckedGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game ends with its mate, no mate has two, and the strings are played in them."""
    with open_store(tmp_path) as store:
        lines = search_of(store, KNIGHTS).find_cover(played)
    games = [game for batch in replay(file_of(lines), INLINE) for game in batch]
    strings = {game.game.san for game in played}
    assert sorted(g.game.san for g in games) == sorted(s for s in strings if s.endswith("#"))
    assert strings <= {san for game in games for san in game.sans}
    monkeypatch.setattr(search, "search_tours", None)  # what is saved is not searched again
    with open_store(tmp_path) as store:
        assert search_of(store, KNIGHTS).find_cover(played) == lines


def test_a_wrong_game_is_named_and_its_unit_is_searched_again(tmp_path: Path) -> None:
    fools = "f2f3 e7e5 g2g4 d8h4 4 Qh4#"
    (name,) = units_for(CUBES[2:])
    with open_store(tmp_path) as store:
        found = search_of(store, CUBES[2:])
        store.save(GAMES, name, [([fools], 0)])
        assert len(found.replay_games()) == 1
        store.save(GAMES, name, [([fools.replace("h4 ", "h5 ")], 0)])
        with pytest.raises(EvidenceError, match=f"d8h5 is not legal.* work unit {name} "):
            found.replay_games()
        assert store.names(GAMES) == []


# Errors planted in the generator, in the search and in the rules: each must be seen

Patch = pytest.MonkeyPatch
Captured = pytest.CaptureFixture[str]
select = cache(selection.select)


def run_here(monkeypatch: Patch, directory: Path, only: str) -> int:
    """Run the command in this process, where the errors are planted; return its exit code."""
    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    monkeypatch.setattr(selection, "select", select)
    monkeypatch.setattr(sys, "argv", ["sanproof", *verify(directory, only)])
    with pytest.raises(SystemExit) as caught:
        start.main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.mark.parametrize(
    ("without", "extra", "words"),
    [
        ("", "Nd1xb1", "0 missing, 1 too many.\n  too many: Nd1xb1: no knight reaches b1"),
        ("Nxb1#", "", "1 missing, 0 too many.\n  missing Nxb1#: played in "),
    ],
)
def test_a_difference_of_the_generator(
    finished: Path, monkeypatch: Patch, capsys: Captured, without: str, extra: str, words: str
) -> None:
    (finished / "manifest.json").unlink()
    strings = [*(san for san in suffixed_strings() if san != without), *filter(None, [extra])]
    monkeypatch.setattr("sanproof.verify.claims.publish.suffixed_strings", lambda: strings)
    assert run_here(monkeypatch, finished, PART) == ANSWER_NO
    assert words in capsys.readouterr().out


def test_a_witness_that_the_search_forgets_leaves_its_string_undecided(
    tmp_path: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    """Not found is never impossible."""

    def forgetful(encoding: ExactEncoding, holds: Holds) -> Witness | None:
        witness = read_witness(encoding, holds)
        return None if witness.san == "O-O#" else witness

    monkeypatch.setattr(decide, "read_witness", forgetful)
    expect_undecided(tmp_path, monkeypatch, "O-O*", {"O-O#"})
    assert "too many: undecided" in capsys.readouterr().out


def test_a_rule_left_out_contradicts_the_theory(
    tmp_path: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    """Without the rule of the suffix nothing says that this bishop never gives check."""
    monkeypatch.setattr(relaxation, "_encode_check", lambda *_: None)
    assert run_here(monkeypatch, tmp_path, "Ba1b2*") == ANSWER_NO
    assert "which is not in the theory" in capsys.readouterr().err
    assert not (tmp_path / "san_strings_with_symbols.txt").exists()


def test_a_rule_left_out_and_a_theory_that_agrees_leave_strings_undecided(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    def with_every_suffix(cube: Cube) -> list[San]:
        bare = dict.fromkeys(san.bare for san in strings_in_theory(cube))
        return [san._replace(suffix=suffix) for san in bare for suffix in "#+"] + list(bare)

    monkeypatch.setattr(relaxation, "_encode_check", lambda *_: None)
    monkeypatch.setattr(decide, "strings_of", with_every_suffix)
    expect_undecided(tmp_path, monkeypatch, "Ba1b2*", {"Ba1b2+", "Ba1b2#"})


def expect_undecided(directory: Path, monkeypatch: Patch, only: str, undecided: set[str]) -> None:
    """Check that a run ends without a verdict on these strings: no witness and no refutation."""
    assert run_here(monkeypatch, directory, only) == UNDECIDED
    files = outputs(directory)
    listed = {*files["san_strings_with_symbols.txt"].decode().split("\n")}
    refused = lzma.decompress(files["impossible.csv.xz"]).decode().splitlines()
    assert not undecided & (listed | {row.split(",")[0] for row in refused})
    assert all(f'"{san}"'.encode() in files["summary.json"] for san in undecided)
