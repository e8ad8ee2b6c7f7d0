"""Forgeries of each sort are caught; and what says that they are does see a kernel err."""

from collections.abc import Callable
from typing import Any

import chess
import pytest

from sanproof.proofs.kernel import certificates, theorem
from sanproof.proofs.kernel import games as kernel_games
from tests.campaigns.forging.__main__ import EVIDENCE, before_the_kernel


def wrong_before_the_kernel(names: list[str], count: int = 1) -> list[str]:
    return [wrong for _, _, missed in before_the_kernel(names, count, 7) for wrong in missed]


def test_the_kernel_accepts_no_forgery() -> None:
    assert wrong_before_the_kernel(list(EVIDENCE)[::10]) == []


# A kernel that errs is seen.


def leniently(replay: kernel_games.Replay, *arguments: Any) -> kernel_games.Shown:  # noqa: ANN401
    """Check a game as the kernel does, but that it need not end in mate."""
    try:
        return CHECK(replay, *arguments)
    except kernel_games.GameError as error:
        if "end in checkmate" not in str(error):
            raise
        return kernel_games.Shown(arguments[2], white=arguments[1] % 2 == 1)


CHECK = kernel_games.Replay.check
PLANTED: dict[str, tuple[object, str, Callable[..., object], str]] = {
    "refutations are not followed": (certificates, "check_refutation", lambda *_: 1, "refutation:"),
    "any order of games": (theorem, "pairwise", lambda _: [], "damaged games.txt.xz: lines, from"),
    "no mate is needed": (kernel_games.Replay, "check", leniently, "games: no mate"),
    "repetition": (chess.Board, "is_fivefold_repetition", lambda _: False, "drawn by repetition"),
    "75 moves": (chess.Board, "is_seventyfive_moves", lambda _: False, "drawn by 75 moves"),
}


@pytest.mark.parametrize(("place", "name", "instead", "kind"), PLANTED.values(), ids=PLANTED)
def test_a_kernel_that_errs_is_seen(
    place: object,
    name: str,
    instead: Callable[..., object],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [name for name in EVIDENCE if kind in name][:25]
    assert names
    monkeypatch.setattr(place, name, instead)
    # Hide it from what audits here remember.
    monkeypatch.setattr(theorem, "check_certificate", certificates.check_certificate)
    assert wrong_before_the_kernel(names, 25 // len(names))
