"""What is compiled where numba can keep nothing."""

from typing import Any

from sanproof.proofs.games.compiled import compiled


def test_what_cannot_be_kept_is_compiled_all_the_same() -> None:
    """As in an installation that is read only, without a home: numba finds no place for it."""
    names: dict[str, Any] = {}
    exec("def add(a, b): return a + b", names)
    assert compiled(names["add"])(2, 3) == 5
