"""The attack on commands: each kind is tried once, and what goes wrong is seen."""

from pathlib import Path
from random import Random

import pytest

from tests.attack import commands
from tests.attack.commands import ATTACKS, World, check_end
from tests.forgeries.__main__ import read_runs
from tests.forgeries.model import NotCaught, make_runs
from tests.verify.command import sanproof, verify


@pytest.mark.slow
def test_every_attack_is_withstood(tmp_path: Path) -> None:
    make_runs(tmp_path)
    sound = tmp_path / "sound"
    assert sanproof(*verify(sound, commands.PART, 2)).returncode == 0
    rows = list(commands.attacks(sound, read_runs(tmp_path), 1, 3))
    assert [row.kind for row in rows] == list(ATTACKS)
    assert [row.wrong for row in rows] == [[] for _ in rows]


@pytest.mark.parametrize(
    ("code", "stderr"),
    [
        (0, "Traceback (most recent call last):"),
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
    world = World(tmp_path, None, tmp_path, Random(0))  # type: ignore[arg-type]
    with pytest.raises(NotCaught, match="other bytes"):
        commands.check_resumed(world)
    with pytest.raises(NotCaught, match="other bytes"):
        commands._check_damaged(world)
