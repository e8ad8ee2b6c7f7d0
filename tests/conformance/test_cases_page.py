"""What docs/test-your-library.md says of the suite's file; its tables and the programs."""

import json
import re
from typing import Final

import pytest

from tests.conformance.tables import FOLDER, TABLES, written
from tests.verify.command import ROOT

CORE: Final = ROOT / "data" / "conformance" / "core.json"
PAGE: Final = (ROOT / "docs" / "test-your-library.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_the_suites(name: str) -> None:
    again = "write it again: python -m tests.conformance.tables"
    assert (FOLDER / name).read_text(encoding="utf-8") == written(name), again


def test_the_example_of_the_file_is_of_the_core() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if '"games"' in block]
    example, core = json.loads(block), json.loads(CORE.read_bytes())
    assert list(example) == list(core)
    for key in ("format", "suite", "version", "level", "licence"):
        assert example[key] == core[key]
    (shown,) = example["cases"]
    (case,) = [case for case in core["cases"] if case["id"] == shown["id"]]
    assert case["why"].startswith(shown.pop("why").removesuffix(" ..."))
    assert {key: case[key] for key in shown} == shown


def test_the_number_of_cases_is_about_what_is_said() -> None:
    cases = json.loads(CORE.read_bytes())["cases"]
    (said,) = re.findall(r"some (\d+) cases", PAGE)
    assert round(len(cases), -2) == int(said)
