"""Forgeries of each sort are caught; and what says that they are does see a kernel err."""

from collections.abc import Callable

import pytest

from sanproof.proofs.kernel import certificates, theorem
from sanproof.proofs.kernel import games as kernel_games
from tests.campaigns.forging import FORGERIES, missed


def wrong(names: list[str], count: int = 1) -> list[str]:
    return list(missed(names, count, 7))


def test_the_kernel_accepts_no_forgery() -> None:
    assert wrong(list(FORGERIES)[::10]) == []


def believe(_: kernel_games.Replay, _moves: object, ply: int, san: str) -> kernel_games.Shown:
    """Believe what a line says."""
    return kernel_games.Shown(san, white=ply % 2 == 1)


PLANTED: dict[str, tuple[object, str, Callable[..., object], str]] = {
    "refutations are not followed": (
        certificates,
        "check_refutation",
        lambda *_: 1,
        "certificate's line, words",
    ),
    "games are not played": (kernel_games.Replay, "check", believe, "a game, words"),
}


@pytest.mark.parametrize(("place", "name", "instead", "kind"), PLANTED.values(), ids=PLANTED)
def test_a_kernel_that_errs_is_seen(
    place: object,
    name: str,
    instead: Callable[..., object],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [name for name in FORGERIES if kind in name]
    assert names
    monkeypatch.setattr(place, name, instead)
    # Hide it from what audits here remember.
    monkeypatch.setattr(theorem, "check_certificate", certificates.check_certificate)
    assert wrong(names)
