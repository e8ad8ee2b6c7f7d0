"""The operators: each makes its changes, whose keys do not depend on the format of a module."""

import ast

import pytest

from tests.campaigns.mutation.detectors import DETECTORS, ROOT
from tests.campaigns.mutation.known import by_hand
from tests.campaigns.mutation.operators import mutate
from tests.campaigns.mutation.runner import path_of

SOURCE = '''"""What it is for."""

import re

LIMIT = 3


def largest(values: list[int], *, most: int = LIMIT) -> int:
    """The largest of the first values."""
    found = -1
    for value in values[:most]:
        if value > found and not value == 7:
            found = value
    if found < 0:
        raise ValueError(f"none of {values}")
    return max(found, 0)
'''


CHANGES = """
one more: 3 -> 4
one less: 3 -> 2
sign dropped: -1 -> 1
slice without an end: :most -> :
comparison: value > found -> value >= found
comparison: value > found -> value <= found
and/or: value > found and (not value == 7) -> value > found or not value == 7
condition dropped: value > found and (not value == 7) -> value > found
not dropped: not value == 7 -> value == 7
negated: if found < 0: -> if not found < 0:
statement dropped: raise ValueError(f'none of {values}') ->
nothing returned: return max(found, 0) -> return
another name: max -> min
arguments exchanged: max(found, 0) -> max(0, found)
"""


def test_changes_are_made() -> None:
    made = {f"{m.operator}: {m.old} -> {m.new}".rstrip() for m in mutate("a", SOURCE)}
    assert set(CHANGES.strip().splitlines()) <= made


def test_texts_and_annotations_are_left_alone() -> None:
    for mutant in mutate("a", SOURCE):
        assert '"""What it is for."""' in mutant.source
        assert "values: list[int]" in mutant.source
        assert "none of" not in mutant.old or mutant.operator == "statement dropped"


def test_each_mutant_is_another_module_and_has_its_own_key() -> None:
    found = list(mutate("a", SOURCE))
    sources = {mutant.source for mutant in found}
    assert len(sources) == len(found) == len({mutant.key for mutant in found})
    assert ast.unparse(ast.parse(SOURCE)) + "\n" not in sources
    for mutant in found:
        compile(mutant.source, "a", "exec")


def test_every_trusted_module_has_detectors() -> None:
    rooms = (ROOT / "proofs" / room for room in ("kernel", "rules", "encoding"))
    files = {path for room in rooms for path in room.glob("*.py") if path.stem != "__init__"}
    assert {path_of(module, ROOT) for module in DETECTORS} == files


def test_a_mutant_by_hand_that_is_stale_is_told() -> None:
    line = "proofs.kernel.games:Replay.check: wrong: `no_such_thing()` -> `x`"
    with pytest.raises(ValueError, match=r"is found 0 times$"):
        list(by_hand(ROOT, line))
    assert len(list(by_hand(ROOT))) > 30
