"""The attack on commands: each kind is tried once, and what goes wrong is seen."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tests.campaigns.attack import __main__ as commands
from tests.campaigns.attack import merging
from tests.campaigns.attack.__main__ import ATTACKS
from tests.campaigns.attack.ending import World, check_end
from tests.campaigns.attack.merging import merged_parts
from tests.campaigns.forging.model import NotCaught, Runs
from tests.verify.command import sanproof


@pytest.mark.slow
def test_every_attack_is_withstood(tmp_path: Path) -> None:
    commands.make_sound(tmp_path)
    rows = list(commands.attacks(tmp_path, 1, 3))
    assert [row.kind for row in rows] == list(ATTACKS)
    assert [row.wrong for row in rows] == [[] for _ in rows]


@pytest.mark.parametrize(
    ("code", "stderr"),
    [
        (0, "Traceback (most recent call last):"),
        (4, "sanproof: An error in sanproof itself: KeyError: 'x'. Please report it."),
        (139, ""),
        (2, "no sentence"),
        (4, ""),
        (-9, "sanproof: Killed."),
    ],
)
def test_ends_that_are_not_documented_are_seen(code: int, stderr: str) -> None:
    with pytest.raises(NotCaught):
        check_end(code, stderr)


@pytest.mark.parametrize(
    ("code", "stderr"), [(0, ""), (1, ""), (2, "sanproof: No."), (4, "Error: no room")]
)
def test_ends_that_are_documented_pass(code: int, stderr: str) -> None:
    check_end(code, stderr)


def test_a_run_that_ends_with_other_bytes_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is silently believed would show here."""
    ends = iter([{"a": b"1"}, {"a": b"2"}] * 2)
    monkeypatch.setattr(commands, "outputs", lambda _: next(ends))
    done = sanproof("--version")
    monkeypatch.setattr(commands, "sanproof", lambda *_: done)
    world = World(tmp_path, Runs({}, {}, {}), tmp_path, Random(0), tmp_path, tmp_path, tmp_path)
    with pytest.raises(NotCaught, match="other bytes"):
        commands.check_resumed(world)
    with pytest.raises(NotCaught, match="other bytes"):
        commands._check_damaged(world)


@pytest.mark.slow
def test_what_a_merge_loses_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A merge that believes a damaged part, leaves half of a result, or touches a part."""
    commands.make_scans(tmp_path)

    def attacked(does: Callable[[Path, Path], object], code: int, stderr: str) -> None:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))

        def merges(*_: str) -> object:
            does(folder / "parts/one", folder / "out")
            return SimpleNamespace(returncode=code, stderr=stderr)

        monkeypatch.setattr(merging, "sanproof", merges)
        monkeypatch.setattr(merging, "DAMAGES", {"nothing": lambda *_: "nothing"})
        monkeypatch.setattr(merging, "_killed", lambda *_: None)
        scanned = tmp_path / "scanned"
        merged_parts(World(scanned, Runs({}, {}, {}), folder, Random(0), folder, scanned, scanned))

    said = "Error: No."
    attacked(lambda _, out: shutil.copytree(tmp_path / "merged", out), 0, "")
    attacked(lambda *_: None, 2, said)
    with pytest.raises(NotCaught, match="other files"):
        attacked(shutil.copytree, 0, "")
    with pytest.raises(NotCaught, match="there is a result"):
        attacked(lambda _, out: out.mkdir(), 2, said)
    with pytest.raises(NotCaught, match="more than a sentence"):
        attacked(lambda *_: None, 2, f"{said}\nMore.")
    with pytest.raises(NotCaught, match="is not as it was"):
        attacked(lambda one, _: (one / "summary.json").unlink(), 2, said)


def test_half_of_a_killed_merge_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def half(*_: str) -> Iterator[object]:
        (tmp_path / "out").mkdir()
        yield SimpleNamespace(poll=lambda: 0, communicate=lambda: None)

    monkeypatch.setattr(merging, "started", half)
    monkeypatch.setattr(merging, "LONGEST_SECONDS", 0)
    with pytest.raises(NotCaught, match="half of the result"):
        merging._killed([str(tmp_path / "out")], Random(0))
