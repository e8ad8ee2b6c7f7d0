"""The suite in pytest, with core.json in the current folder. MIT: put your library in."""

import json
from pathlib import Path

import pytest


def missing(case):
    raise ValueError("put your library in")


ASKED = {"read": missing, "write": missing}  # of case["fen"], case["san"] or case["uci"]
CASES = json.loads(Path("core.json").read_bytes())["cases"]


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, id=c["id"]) for c in CASES if c["class"] != "may" and c["operation"] in ASKED],
)
def test_san(case):
    if case["class"] == "must not":
        with pytest.raises(ValueError):
            answer = ASKED[case["operation"]](case)
            pytest.fail(f"{answer} was answered: {case['why']}")
    else:
        assert ASKED[case["operation"]](case) == case["expected"], case["why"]
