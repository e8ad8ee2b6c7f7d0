"""The three generators are right, each rule has a function, and a mutant is judged."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.reports.archive.door import open_archive
from sanproof.verify.gate import shares
from sanproof.verify.gate.compare import Gate
from sanproof.verify.gate.lists import StringList
from tests.campaigns.gate_mutants.__main__ import (
    OTHERS,
    RULES,
    generated,
    leads,
    line_of,
    mutants,
    path_of,
)
from tests.campaigns.mutation.operators import Mutant
from tests.verify.gate.test_compare import MADE_UP

ARCHIVE = open_archive()


@pytest.mark.parametrize("name", OTHERS)
def test_the_generators_are_right(name: str) -> None:
    done = subprocess.run([sys.executable, path_of(name)], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == list(ARCHIVE.strings(bare=True))


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_of_a_function(name: str) -> None:
    nodes = ast.parse(path_of(name).read_text("utf-8")).body
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert {where for where in RULES[name] if where} <= functions
    words = {word for wanted in RULES[name].values() for word in wanted}
    said = "the order" + Path(shares.__file__).read_text("utf-8")
    assert [
        word for word in words if word not in said and not word.endswith(" discriminators")
    ] == []


def test_a_wrong_algorithm_changes_the_list_and_the_line_names_it(tmp_path: Path) -> None:
    wrong = next(
        mutant
        for mutant in mutants()
        if mutant.where == "rank_sans" and mutant.operator == "negated"
    )
    content = generated(wrong, tmp_path)
    assert content is not None
    strings = content.decode().splitlines()
    line = line_of(
        Gate(ARCHIVE, bare=True, evidence=MADE_UP).compare(StringList("list", "line", strings))
    )
    assert "rank discriminators" in line
    assert leads(wrong, line)
    assert not leads(wrong._replace(where="file_sans"), line)


def test_a_generator_that_fails_gives_no_list(tmp_path: Path) -> None:
    failing = Mutant("placements", "", "", "", "", 1, "raise SystemExit(1)\n")
    assert generated(failing, tmp_path) is None
    assert not leads(failing, "")
