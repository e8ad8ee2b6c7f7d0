"""The attack on commands: each kind is tried once, and what goes wrong is seen."""

import shutil
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.run.store import RunStore
from tests.campaigns.attack import __main__ as attack
from tests.campaigns.attack import world
from tests.campaigns.attack.__main__ import ATTACKS
from tests.campaigns.attack.stores import edit
from tests.campaigns.attack.world import CHANGES, World, about, check_again, check_end
from tests.campaigns.forging.__main__ import read_runs
from tests.campaigns.forging.model import NotCaught, Runs
from tests.verify.run.test_store import content, fill


@pytest.mark.slow
def test_every_attack_is_withstood(tmp_path: Path) -> None:
    attack.make_sound(tmp_path)
    rows = list(attack.attacks(tmp_path, read_runs(tmp_path), 1, 3))
    assert [row.kind for row in rows] == list(ATTACKS)
    assert [row.wrong for row in rows] == [[] for _ in rows]


@pytest.mark.parametrize(
    ("code", "stderr", "documented"),
    [
        (0, "Traceback (most recent call last):", False),
        (4, "sanproof: An error in sanproof itself: KeyError: 'x'. Please report it.", False),
        (139, "", False),
        (2, "no sentence", False),
        (4, "", False),
        (-9, "sanproof: Killed.", False),
        (0, "", True),
        (1, "", True),
        (2, "sanproof: No.", True),
        (4, "Error: no room", True),
    ],
)
def test_ends_that_are_not_documented_are_seen(code: int, stderr: str, documented: bool) -> None:
    if documented:
        check_end(code, stderr)
    else:
        with pytest.raises(NotCaught), about("what was done"):
            check_end(code, stderr)


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """Make a directory that holds a store, and nothing else."""
    (tmp_path / "sound").mkdir()
    with RunStore(tmp_path / "sound") as store:
        fill(store)
    return tmp_path / "sound"


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


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_of_a_file_changes_it(tmp_path: Path, name: str) -> None:
    path, precious = tmp_path / "file", tmp_path / "precious"
    path.write_bytes(b"some text\n")
    CHANGES[name](path, precious, Random(1))
    assert path.is_symlink() or not path.is_file() or path.read_bytes() != b"some text\n"


def world_of(folder: Path, made: Path) -> World:
    return World(folder, made, Runs({}, {}, {}), Random(0))


def test_a_command_that_believes_or_touches_too_much_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = world_of(tmp_path, tmp_path)
    monkeypatch.setattr(world, "files_of", lambda folder: {"a": str(folder).encode()})
    done = SimpleNamespace(returncode=0, stderr="")
    monkeypatch.setattr(world, "tried", lambda *_: done)
    assert ours.precious.read_text() == "precious"
    check_again(ours, tmp_path, [], tmp_path)
    with pytest.raises(NotCaught, match="exit code 0 with other a"):
        check_again(ours, tmp_path / "out", [], tmp_path)
    ours.precious.write_text("")
    with pytest.raises(NotCaught, match="a file outside"):
        check_again(ours, tmp_path, [], tmp_path)
