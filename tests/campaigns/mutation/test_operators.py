"""The operators: each makes its changes, whose keys do not depend on the format of a module."""

import ast

import pytest

from tests.campaigns.mutation.__main__ import (
    ARGUED,
    mutants,
    stale,
    table,
)
from tests.campaigns.mutation.detectors import DETECTORS, ROOT, by_convention, modules, room_of
from tests.campaigns.mutation.known import by_hand
from tests.campaigns.mutation.operators import Mutant, mutate
from tests.campaigns.mutation.runner import TIME, path_of

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


def made() -> set[tuple[str, str, str]]:
    return {(m.operator, m.old, m.new) for m in mutate("a", SOURCE)}


@pytest.mark.parametrize(
    "expected",
    [
        ("one more", "3", "4"),
        ("one less", "3", "2"),
        ("sign dropped", "-1", "1"),
        ("slice without an end", ":most", ":"),
        ("comparison", "value > found", "value >= found"),
        ("comparison", "value > found", "value <= found"),
        ("and/or", "value > found and (not value == 7)", "value > found or not value == 7"),
        ("condition dropped", "value > found and (not value == 7)", "value > found"),
        ("condition dropped", "value > found and (not value == 7)", "not value == 7"),
        ("not dropped", "not value == 7", "value == 7"),
        ("negated", "if found < 0:", "if not found < 0:"),
        ("statement dropped", "if found < 0:", ""),
        ("statement dropped", "for value in values[:most]:", ""),
        ("statement dropped", "raise ValueError(f'none of {values}')", ""),
        ("nothing returned", "return max(found, 0)", "return"),
        ("another name", "max", "min"),
        ("arguments exchanged", "max(found, 0)", "max(0, found)"),
    ],
)
def test_a_change_is_made(expected: tuple[str, str, str]) -> None:
    assert expected in made()


def test_texts_and_annotations_are_left_alone() -> None:
    for mutant in mutate("a", SOURCE):
        assert '"""What it is for."""' in mutant.source
        assert "values: list[int]" in mutant.source
    assert not any(
        "none of" in old and operator != "statement dropped" for operator, old, _ in made()
    )


def test_each_mutant_is_another_module_and_has_its_own_key() -> None:
    found = list(mutate("a", SOURCE))
    sources = {mutant.source for mutant in found}
    assert len(sources) == len(found) == len({mutant.key for mutant in found})
    assert ast.unparse(ast.parse(SOURCE)) + "\n" not in sources
    for mutant in found:
        compile(mutant.source, "a", "exec")


def test_keys_do_not_depend_on_the_format() -> None:
    other = SOURCE.replace("max(found, 0)", "max(\n        found,\n        0,\n    )").replace(
        '"', "'"
    )
    other = other.replace("found = -1", "found = -1  # nothing yet")
    assert other != SOURCE
    keys = [[m.key for m in mutate("a", source)] for source in (SOURCE, other)]
    assert keys[0] == keys[1]


def test_every_trusted_module_has_detectors() -> None:
    rooms = (ROOT / "proofs" / room for room in ("kernel", "rules", "encoding"))
    files = {path for room in rooms for path in room.glob("*.py") if path.stem != "__init__"}
    assert {path_of(module, ROOT) for module in DETECTORS} == files


def test_every_module_is_of_a_room_that_is_mutated() -> None:
    files = {path_of(module, ROOT) for module in modules()}
    left_out = {
        path.relative_to(ROOT)
        for room in ("generator", "proofs", "reports", "verify")
        for path in (ROOT / room).rglob("*.py")
        if path not in files and path.name not in {"__init__.py", "__main__.py"}
    }
    assert not left_out
    rooms = {room_of(module) for module in modules()}
    assert {"generator", "proofs.find", "reports.page", "verify.notation", "sanproof"} <= rooms


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        (
            "verify.notation.writing",
            ["tests/verify/notation/test_writing.py", "tests/verify/notation"],
        ),
        ("generator.strings", ["tests/generator/test_strings.py", "tests/generator"]),
        ("sanproof.api", ["tests/sanproof/test_api.py", "tests/sanproof"]),
        ("verify.no_such_room.part", ["tests/verify"]),
    ],
)
def test_what_notices_a_mutant_is_found_by_its_name(module: str, expected: list[str]) -> None:
    assert [detector.name for detector in by_convention(module)] == expected


@pytest.fixture(scope="module")
def found() -> list[Mutant]:
    """Make every mutant of the trusted rooms."""
    return mutants()


@pytest.mark.slow
def test_no_argument_is_stale_and_each_says_why(found: list[Mutant]) -> None:
    assert stale(found) == []
    assert stale([m for m in found if m.module != "proofs.kernel.games"])
    assert ARGUED
    assert all(why.endswith(".") for why in ARGUED.values())


def test_the_table_counts_each_mutant_once() -> None:
    a, b = (list(mutate(module, SOURCE))[:4] for module in ("a", "b"))
    noticed_by = {a[0]: "a test", a[1]: "", a[2]: f"{TIME} (20 s)", b[0]: "a test"}
    header, *rows = [line.split() for line in table([*a, *b], noticed_by)]
    assert header[:3] == ["module", "mutants", "noticed"]
    assert header[-2:] == ["argued", "survive"]
    assert rows == [
        ["a", "4", "2", "1", "1", "1"],
        ["b", "4", "1", "0", "3", "0"],
        ["all", "8", "3", "1", "4", "1"],
    ]


def test_a_mutant_by_hand_that_is_stale_is_told() -> None:
    line = "proofs.kernel.games:Replay.check: wrong: `no_such_thing()` -> `x`"
    with pytest.raises(ValueError, match=r"is found 0 times$"):
        list(by_hand(ROOT, line))
    assert len(list(by_hand(ROOT))) > 30
