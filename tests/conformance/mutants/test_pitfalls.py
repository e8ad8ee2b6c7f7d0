"""The core finds the faults that people make, but for some that are named.

The other mutants are small changes; these, in ``pitfalls.toml``, are what a programmer forgets or
mistakes: one for each mechanism that a case is about. Without its rule the oracle answers each
position of the mechanism wrongly, or the position tests nothing.
"""

import inspect
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests import oracle
from tests.conformance.mutants.measure import asked, core_suite, fails

FAULTS: Final = [
    (name, fault)
    for name, faults in tomllib.loads(
        Path(__file__).with_name("pitfalls.toml").read_text("utf-8")
    ).items()
    for fault in faults
]
LEAST: Final = 40
MISSED: Final = {"castling.past-rook", "mate.no-castling"}
"""What no feature asks for: whose piece stands in castling's way, and castling but for a check."""


@contextmanager
def planted(fault: dict[str, Any]) -> Iterator[None]:
    """Have the oracle make a fault while the context lasts."""
    whole, source = dict(vars(oracle)), inspect.getsource(oracle)
    olds, news = (
        [text] if isinstance(text, str) else text for text in (fault["old"], fault["new"])
    )
    for old, new in zip(olds, news, strict=True):
        if source.count(old) != 1:
            raise ValueError(f"not one place is {old!r}")
        source = source.replace(old, new)
    exec(compile(source, oracle.__file__, "exec"), vars(oracle))
    try:
        yield
    finally:
        vars(oracle).clear()
        vars(oracle).update(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=[name for name, _ in FAULTS])
def test_the_core_finds_each_fault(name: str, fault: dict[str, Any]) -> None:
    with planted(fault):
        found = any(map(fails, asked(core_suite())))
    assert found == (name not in MISSED)


def test_a_fault_is_there_only_for_a_while_and_fits_one_place() -> None:
    names = [about for name, fault in FAULTS for about in (name, *fault.get("also", ()))]
    assert len(set(names)) == len(names) >= LEAST
    whole = dict(vars(oracle))
    with planted(FAULTS[0][1]):
        assert oracle.pushes is not whole["pushes"]
    assert vars(oracle) == whole
    for old in ("no such code", "colour"):
        with pytest.raises(ValueError, match="not one place"), planted({"old": old, "new": ""}):
            pass
