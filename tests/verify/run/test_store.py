"""A run's directory: what is kept comes back or is refused; nothing of a user's is lost."""

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.rules.cubes import Cube
from sanproof.verify.claims.selection import RunScope, Selection, select
from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.run.runner import run
from sanproof.verify.run.store import GAMES, TOURS, UNITS, FinishedRun, RunStore
from sanproof.verify.run.workers import CubeFindings, GamesFound
from sanproof.verify.work.store import MAX_BYTES, packed, reader, unpacked
from tests.examples import examples
from tests.verify.command import (
    PART,
    expect_sentence,
    forge_row,
    inline_pool,
    outputs,
    sanproof,
    verify,
)

# The run's file: whatever is changed in it, it is refused, or what is read is what was kept

STORE_NAME = RunStore.NAME

WITNESS = Witness("Na1", "8/8/8/8/8/8/8/8 w - - 0 1", "b3a1", "8/8/8/8/8/8/8/8 b - - 1 1")
FINDINGS = [CubeFindings(Cube("N", "", "a1"), [WITNESS], ["Na1"], "certificate\n")]
GAME = CheckedGame(ProofGame("Na1", "white", 2, ("a2a3", "a7a6")), ("a3", "a6"), *WITNESS[1:])
ROWS: dict[str, tuple[Any, Any]] = {
    UNITS: (list[CubeFindings], FINDINGS),
    GAMES: (list[GamesFound], [GamesFound("Na1", [GAME], 3), GamesFound("Na1+", [], 0)]),
    TOURS: (list[Tour], [Tour("Q 0", ("a2a3",), ("a3",))]),
}
WRITTEN = {"summary.md": b"12", "witnesses.csv": b"34"}


def fill(store: RunStore) -> None:
    for table, (_, value) in ROWS.items():
        store.save(table, "Na1", value, 1.5)
    store.save(UNITS, "Nc1", [], 1)
    store.save(UNITS, "Nc1", FINDINGS, 0.5)  # in its place
    store.note_files(WRITTEN)
    store.finish(RunScope(select("N*a1"), games=False, cover=False), {})
    store.finish(RunScope(select(None), games=True, cover=False), WRITTEN)


def content(store: RunStore) -> list[object]:
    return [
        {
            table: {name: store.load(table, name, kind) for name in store.names(table)}
            for table, (kind, _) in ROWS.items()
        },
        store.files(),
        store.finished(),
        [store.seconds(table) for table in ROWS],
    ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a run's file."""
    directory = tmp_path_factory.mktemp("filled")
    with RunStore(directory) as store:
        fill(store)
    return (directory / STORE_NAME).read_bytes()


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        assert store.finished() is None
        fill(store)
        before = content(store)
    with RunStore(tmp_path) as store:
        assert content(store) == before
    rows: dict[str, dict[str, Any]] = {table: {"Na1": value} for table, (_, value) in ROWS.items()}
    rows[UNITS]["Nc1"] = FINDINGS
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in WRITTEN.items()}
    finished = FinishedRun("", 1, 0, hashes)
    assert before == [rows, set(WRITTEN), finished, [2.0, 1.5, 1.5]]


def opened(directory: Path, changed: bytes) -> list[object] | None:
    """Return what a changed file gives; None if it is refused with a sentence."""
    (directory / STORE_NAME).write_bytes(changed)
    try:
        with RunStore(directory) as store:
            return content(store)
    except Failure as error:
        return None if str(directory) in str(error) else [error]


@pytest.mark.parametrize("each", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_every_flipped_byte_is_noticed_or_harmless(
    filled: bytes, tmp_path_factory: pytest.TempPathFactory, each: int
) -> None:
    """Each byte of the file that is not zero, which is where anything is written."""
    directory = tmp_path_factory.mktemp("flipped")
    honest = opened(directory, filled)
    assert honest is not None
    places = [i for i, byte in enumerate(filled) if byte][::each]
    noticed = 0
    for place in places:
        changed = bytearray(filled)
        changed[place] ^= 1 << place % 8
        found = opened(directory, bytes(changed))
        assert found in (None, honest), place
        noticed += found is None
    assert noticed > len(places) * 0.8  # the rest is free space and what SQLite does not read


@settings(max_examples=examples(100))
@given(data=st.data())
def test_any_change_is_noticed_or_harmless(
    filled: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Several bytes at once, pages exchanged, an end cut off."""
    directory = tmp_path_factory.mktemp("changed")
    changed = bytearray(filled)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(changed) - 1))
        if data.draw(st.booleans()):
            changed[start : start + data.draw(st.integers(1, 64))] = data.draw(
                st.binary(max_size=64)
            )
        else:
            other = data.draw(st.integers(0, len(changed) // 4096 - 1)) * 4096
            page = start // 4096 * 4096
            changed[page : page + 4096], changed[other : other + 4096] = (
                changed[other : other + 4096],
                changed[page : page + 4096],
            )
    assert opened(directory, bytes(changed)) in (None, opened(directory, filled))


SHAPES: list[Any] = [None, {}, [3], [["a", "b"]]]


@pytest.mark.parametrize(
    ("table", "shape"),
    [(table, shape) for table in (*ROWS, "finished") for shape in SHAPES],
)
def test_rows_of_another_shape_are_one_sentence(tmp_path: Path, table: str, shape: object) -> None:
    """A forger of a row can forge its hash."""
    with RunStore(tmp_path):
        pass
    forge_row(tmp_path / STORE_NAME, table, "Na1" if table in ROWS else "", shape)
    with RunStore(tmp_path) as store, pytest.raises(Failure, match=r"run\.sqlite3 is damaged "):
        store.load(table, "Na1", ROWS[table][0]) if table in ROWS else store.finished()


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some),
)


@pytest.mark.usually(1)
@pytest.mark.parametrize(
    "kind", [*(kind for kind, _ in ROWS.values()), FinishedRun, list[Counter[str]]], ids=str
)
@given(value=NESTED)
def test_what_a_reader_reads_has_its_type(kind: Any, value: Any) -> None:  # noqa: ANN401
    """Whatever else it is given is a ``TypeError`` or a ``ValueError``."""
    with contextlib.suppress(TypeError, ValueError):
        found = reader(kind)(value)
        assert json.loads(json.dumps(found)) == value


@given(NESTED, st.binary())
def test_a_row_is_unpacked_as_it_was_packed(value: Any, after: bytes) -> None:  # noqa: ANN401
    assert unpacked(packed(value, after)) == (value, after)


@pytest.mark.parametrize(
    "bomb",
    [
        zlib.compress(b"[" + b" " * MAX_BYTES + b"]"),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b"[]")[:-2],
        b"",
        b"[]",
    ],
    ids=["too large", "too deep", "cut off", "empty", "not packed"],
)
def test_bombs_are_one_sentence(tmp_path: Path, bomb: bytes) -> None:
    with RunStore(tmp_path):
        pass
    forge_row(tmp_path / STORE_NAME, "unit", "Na1", None, bomb)
    with RunStore(tmp_path) as store, pytest.raises(Failure, match="has a wrong shape"):
        store.load(UNITS, "Na1", list[CubeFindings])


@pytest.mark.parametrize(
    "change", ["DROP TABLE games", "CREATE TABLE more (a)", "CREATE INDEX i ON unit (seconds)"]
)
def test_other_tables_are_damage(tmp_path: Path, change: str) -> None:
    with RunStore(tmp_path):
        pass
    database = sqlite3.connect(tmp_path / STORE_NAME)
    with database:
        database.execute(change)
    database.close()
    with pytest.raises(Failure, match="is damaged"):
        RunStore(tmp_path)


def test_the_file_of_another_program_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / STORE_NAME
    database = sqlite3.connect(path)
    with database:
        database.execute("CREATE TABLE precious (text)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(Failure, match="is not a sanproof run"):
        RunStore(tmp_path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [STORE_NAME]


# Nothing of a user's is lost: neither to a run's files, nor to one that is cut down

QUICK = "O-O"


def contents(directory: Path) -> dict[str, bytes]:
    files = (p for p in directory.rglob("*") if p.is_file() and "sqlite3" not in p.name)
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    "name", ["summary.md", "manifest.json", "cover.pgn", "run.log", "notes.txt", ".hidden"]
)
def test_a_directory_with_somebodys_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    expect_sentence(
        sanproof(*verify(tmp_path, QUICK)), 2, str(tmp_path), name, "name an empty directory"
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"


@pytest.mark.parametrize("name", ["san_strings.txt", "games.pgn.gz", "manifest.json"])
@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "directory"])
def test_what_the_run_has_not_written_stays_in_its_directory(
    tmp_path: Path, name: str, kind: str
) -> None:
    """A run was begun there, and its user put a file beside it."""
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    with RunStore(directory):
        pass
    precious.write_text("precious")
    if kind == "file":
        shutil.copy(precious, directory / name)
    elif kind == "directory":
        (directory / name).mkdir()
    else:
        (directory / name).symlink_to(precious if kind == "link" else "nowhere")
    with pytest.raises(Failure, match=f"{name} is not a file of this run"):
        run(directory, select(QUICK), 1)
    assert (directory / name).is_symlink() == ("link" in kind)
    assert precious.read_text() == "precious"
    assert not (directory / "nowhere").exists()
    assert "run.log" not in contents_names(directory)  # it is said before any work is done


def contents_names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def test_other_files_in_a_runs_directory_do_not_matter(finished: Path, part: Selection) -> None:
    (finished / "notes.txt").write_text("precious")
    (finished / "cover.pgn").write_text("precious")  # this run has no cover
    (finished / "san_strings.txt").unlink()
    assert not run(finished, part, 1).again
    assert (finished / "notes.txt").read_text() == "precious"
    assert (finished / "cover.pgn").read_text() == "precious"


@pytest.mark.parametrize("name", ["run.sqlite3", "san_strings.txt", "run.log"])
def test_a_pipe_in_the_place_of_a_file_does_not_block(tmp_path: Path, name: str) -> None:
    if name != "run.sqlite3":
        with RunStore(tmp_path):
            pass
    os.mkfifo(tmp_path / name)
    expect_sentence(sanproof(*verify(tmp_path, QUICK)), 2, f"{name} is not a file")


@pytest.mark.parametrize("name", ["../precious", "{absolute}", "notes.txt", "run.log"])
@pytest.mark.parametrize("table", ["files", "finished"])
def test_names_that_no_run_writes_are_refused_before_anything_is_touched(
    tmp_path: Path, table: str, name: str
) -> None:
    """Such a name in the store once had the file removed."""
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    precious.write_text("precious")
    (directory / "notes.txt").write_text("precious")
    with RunStore(directory):
        pass
    name = name.format(absolute=precious)
    value = [] if table == "files" else ["O-O", 1, 0, {name: "00"}]
    forge_row(directory / "run.sqlite3", table, name if table == "files" else "", value)
    with pytest.raises(Failure, match=r"run\.sqlite3 is damaged \(it names"):
        run(directory, select(QUICK), 1)
    assert precious.read_text() == (directory / "notes.txt").read_text() == "precious"


def test_nothing_is_written_through_a_link(finished: Path, part: Selection) -> None:
    precious = finished.parent / "precious"
    precious.write_text("precious")
    (finished / "witnesses.csv").unlink()
    (finished / "witnesses.csv").symlink_to(precious)
    with pytest.raises(Failure, match=r"witnesses\.csv is not a file of this run"):
        run(finished, part, 1)
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("name", ["run.sqlite3", "run.sqlite3-wal", "run.log"])
def test_the_store_and_the_log_are_no_links(tmp_path: Path, name: str) -> None:
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    precious.write_bytes(b"")
    with RunStore(directory):
        pass
    (directory / name).unlink(missing_ok=True)
    (directory / name).symlink_to(precious)
    with pytest.raises(Failure, match="is a symbolic link"):
        run(directory, select(QUICK), 1)
    assert precious.read_bytes() == b""


def test_a_directory_that_is_removed_meanwhile_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence once said that what was decided is kept."""
    directory = tmp_path / "run"

    def removing(*_: object, **__: object) -> NoReturn:
        shutil.rmtree(directory)
        raise KeyboardInterrupt

    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", inline_pool)
    monkeypatch.setattr("sanproof.verify.run.runner.gather_results", removing)
    with pytest.raises(Unfinished, match="was removed during the run: nothing is kept"):
        run(directory, select(QUICK), 1)


CUT = {
    "another part": ["--only", "Nxh8*"],
    "a part of it": ["--only", "?xh8*"],
    "without games": ["--only", PART, "--no-games"],
}


@pytest.mark.parametrize("options", CUT.values(), ids=CUT)
def test_a_finished_run_is_not_cut_down(finished: Path, options: list[str]) -> None:
    before = contents(finished)
    done = sanproof("verify", "--out", str(finished), "--workers", "1", *options)
    expect_sentence(done, 2, "holds a finished run", f"match {PART}, with games", "another DIR")
    assert contents(finished) == before


def test_a_finished_run_may_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One directory for the king's captures without games, with them, and for its other moves."""
    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", inline_pool)
    grown = tmp_path / "grown"
    run(grown, select("Kxa1"), 1, games=False)
    assert "games.pgn.gz" not in contents_names(grown)
    run(grown, select("Kxa1"), 1)
    run(grown, select("K*a1"), 1)
    run(tmp_path / "at once", select("K*a1"), 1)
    assert outputs(grown) == outputs(tmp_path / "at once")


def test_while_files_are_written_nobody_takes_them_for_a_finished_run(
    finished: Path, part: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest goes first and comes last."""
    seen = []

    def write(path: Path, content: bytes) -> None:
        seen.append((path.name, (finished / "manifest.json").exists()))
        path.write_bytes(content)

    (finished / "summary.md").unlink()
    monkeypatch.setattr("sanproof.verify.run.store.write_whole", write)
    run(finished, part, 1)
    assert seen[-1] == ("manifest.json", False)
    assert not any(there for _, there in seen)
    names = json.loads((finished / "manifest.json").read_bytes())["files"]
    assert {name for name, _ in seen} == {*names, "manifest.json"}


def test_what_a_killed_run_had_begun_to_write_is_removed(finished: Path, part: Selection) -> None:
    left = finished / ".sanproof-0123456789ab.tmp"
    left.mkdir()
    (left / "made").write_bytes(b"half of")
    run(finished, part, 1)
    assert not left.exists()
