"""The edits of stores: each can be made, its hash is right, and planted faults are noticed."""

import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.run.store import RunStore
from tests.campaigns.attack import stores
from tests.campaigns.attack.ending import World, about
from tests.campaigns.attack.stores import changed, edit, edited_run, lose, put, read_rows
from tests.campaigns.attack.surroundings import CHANGES
from tests.campaigns.forging.model import NotCaught, Runs
from tests.verify.command import sanproof
from tests.verify.run.test_store import content, fill


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A directory that holds a store, and nothing else."""
    (tmp_path / "sound").mkdir()
    with RunStore(tmp_path / "sound") as store:
        fill(store)
    return tmp_path / "sound"


def test_a_row_that_is_put_back_is_the_same(sound: Path) -> None:
    with RunStore(sound) as store:
        before = content(store)
    for row in read_rows(sound / "run.sqlite3"):
        put(sound / "run.sqlite3", row, row)
    with RunStore(sound) as store:
        assert content(store) == before


def test_a_row_that_is_lost_is_lost(sound: Path) -> None:
    row = next(row for row in read_rows(sound / "run.sqlite3") if row.table == "games")
    lose(sound / "run.sqlite3", row)
    assert row not in read_rows(sound / "run.sqlite3")


def test_every_edit_opens_as_a_store_or_is_refused_in_a_sentence(sound: Path) -> None:
    """No hash betrays it: what is refused is refused for what it says."""
    refused = []
    for seed in range(40):
        copy = sound.parent / str(seed)
        shutil.copytree(sound, copy)
        what = edit(copy / "run.sqlite3", sound.parent / "precious.txt", Random(seed))
        try:
            with RunStore(copy) as store:
                content(store)
        except Failure as error:
            refused.append((what, str(error)))
    assert 10 < len(refused) < 40
    there = [said for said in refused if said[0].split()[0] in ("double", "part", "shape")]
    assert not [said for said in there if "not as it was written" in said[1]]


@pytest.mark.parametrize("shape", [True, False])
def test_a_value_is_changed(shape: bool) -> None:
    value: Any = [["Na1", [1, 2]], {"a": [3]}]
    before = json.dumps(value)
    for seed in range(30):
        assert json.dumps(changed(value, Random(seed), shape=shape)) != before
    assert json.dumps(value) == before


def world_of(sound: Path) -> World:
    folder = sound.parent / "world"
    folder.mkdir()
    return World(sound, Runs({}, {}, {}), folder, Random(1), sound, sound, sound)


def test_planted_faults_are_noticed(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that removes what a store names, or believes what it holds, would show here."""
    honest = sanproof("--version")
    world = world_of(sound)

    def removes(*_: str) -> object:
        (world.folder / stores.PRECIOUS).write_text("")
        return honest

    monkeypatch.setattr(stores, "sanproof", removes)
    with pytest.raises(NotCaught, match="a file beside the directory"):
        edited_run(world)
    shutil.rmtree(world.folder / "run")
    monkeypatch.setattr(stores, "sanproof", lambda *_: honest)
    ends = iter([{"a": b"1"}, {"a": b"2"}])
    monkeypatch.setattr(stores, "outputs", lambda _: next(ends))
    with pytest.raises(NotCaught, match="exit code 0 with other a"):
        edited_run(world)


def test_what_was_done_is_said() -> None:
    with pytest.raises(NotCaught, match="edited: exit code 7"), about("edited"):
        raise NotCaught("exit code 7")


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_of_a_file_changes_it(tmp_path: Path, name: str) -> None:
    path, precious = tmp_path / "file", tmp_path / "precious"
    path.write_bytes(b"some text\n")
    CHANGES[name](path, precious)
    assert path.is_symlink() or not path.is_file() or path.read_bytes() != b"some text\n"
