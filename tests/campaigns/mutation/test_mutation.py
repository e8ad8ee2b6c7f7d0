"""The operators make their changes, and each name in the table is that of one."""

import ast

from tests.campaigns.mutation.__main__ import by_hand, stale
from tests.campaigns.mutation.operators import mutate
from tests.campaigns.mutation.runner import TRUSTED, path_of
from tests.verify.command import ROOT

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


def test_changes_are_made_of_what_a_module_does() -> None:
    found = list(mutate("a", SOURCE))
    made = {f"{m.operator}: {m.old} -> {m.new}".rstrip() for m in found}
    assert set(CHANGES.strip().splitlines()) <= made
    assert len(set(map(str, found))) == len(found)
    for mutant in found:
        source = mutant.source()
        assert source != ast.unparse(ast.parse(SOURCE)) + "\n"
        compile(source, "a", "exec")
        assert '"""What it is for."""' in source
        assert "values: list[int]" in source
        assert "none of" not in mutant.old or mutant.operator == "statement dropped"


def test_every_trusted_module_has_detectors_and_no_name_is_stale() -> None:
    rooms = (ROOT / "proofs" / room for room in ("kernel", "rules", "encoding"))
    files = {path for room in rooms for path in room.glob("*.py") if path.stem != "__init__"}
    assert set(map(path_of, TRUSTED)) == files
    assert stale() == []
    assert list(by_hand())
