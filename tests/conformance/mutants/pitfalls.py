"""Faults that people make, planted in the oracle: one for each mechanism that a case is about.

The other mutants are small changes; these are what a programmer forgets or mistakes. Without its
rule the oracle answers each position of the mechanism wrongly, or the position tests nothing.
"""

import inspect
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests import oracle

TABLE: Final = Path(__file__).with_name("pitfalls.toml")


class Fault(NamedTuple):
    """A fault: the mechanisms that it is about, and the places of code with what they become."""

    mechanisms: tuple[str, ...]
    changes: tuple[tuple[str, str], ...]


def faults() -> list[Fault]:
    """Return the faults of ``pitfalls.toml``."""
    table = tomllib.loads(TABLE.read_text("utf-8"))
    return [
        Fault((name, *entry.get("also", ())), _pairs(entry["old"], entry["new"]))
        for name, entries in table.items()
        for entry in entries
    ]


def _pairs(old: str | list[str], new: str | list[str]) -> tuple[tuple[str, str], ...]:
    both = ([text] if isinstance(text, str) else text for text in (old, new))
    return tuple(zip(*both, strict=True))


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Have the oracle make a fault while the context lasts."""
    whole, source = dict(vars(oracle)), inspect.getsource(oracle)
    for old, new in fault.changes:
        if source.count(old) != 1:
            raise ValueError(f"{fault.mechanisms[0]}: not one place is {old!r}")
        source = source.replace(old, new)
    exec(compile(source, oracle.__file__, "exec"), vars(oracle))
    try:
        yield
    finally:
        vars(oracle).clear()
        vars(oracle).update(whole)
