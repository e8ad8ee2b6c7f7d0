"""The attack on commands: each kind is tried once, and what goes wrong is seen."""

from pathlib import Path
from random import Random

import pytest

from tests.attack import commands
from tests.attack.commands import ATTACKS
from tests.attack.ending import World, check_end
from tests.forgeries.model import NotCaught, Runs
from tests.verify.command import sanproof


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the attacks start from."""
    directory = tmp_path_factory.mktemp("sound")
    commands.make_sound(directory)
    return directory


@pytest.mark.slow
def test_every_attack_is_withstood(directory: Path) -> None:
    rows = list(commands.attacks(directory, 1, 3))
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
