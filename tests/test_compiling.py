"""What is compiled before the tests is all that they would have numba compile."""

from collections.abc import Callable

import numba
import pytest

from sanproof.proofs.games import boards, player, unmoves
from sanproof.verify.scan import fast
from tests import compiling

WITHIN = {"plies_left", *vars(boards)}
"""Other loops call them, and they are compiled with them."""


def test_all_loops_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    called = set()

    def telling(name: str, loop: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            called.add(name)
            return loop(*arguments)

        return call

    loops = [
        (module, name)
        for module in (fast, player, unmoves)
        for name, value in vars(module).items()
        if numba.extending.is_jitted(value) and name not in WITHIN and not name.startswith("_")
    ]
    for module, name in loops:
        monkeypatch.setattr(module, name, telling(name, vars(module)[name]))
    fast.proven_table.cache_clear()  # or its loop is called no more after another test
    compiling.scan()
    compiling.games()
    assert called == {name for _, name in loops}
    assert {"compare_games", "play", "search_steps"} <= called
