"""Both runners judge as sanproof does, and say so in each format; they import nothing of it."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import ask
from tests.verify.command import ROOT
from tests.verify.conformance.suites import hostile, write_suite

PYTHON: Final = ROOT / "verify" / "conformance" / "sanproof_runner.py"
JAVASCRIPT: Final = ROOT / "conformance" / "runner"
SMOKE: Final = ROOT / "data" / "conformance" / "smoke.json"
NODE: Final = shutil.which("node")
COMMANDS: Final = {
    "python": [sys.executable, "-I", "-S", str(PYTHON)],
    "javascript": [str(NODE), str(JAVASCRIPT / "cli.mjs")],
}
ADAPTER: Final = """
import json, sys
answers = json.load(open(sys.argv[1]))
how = {"sanproof": 1, "name": "library <&>", "version": "1", "language": "Python"}
print(json.dumps(how | {"operations": ["read", "write", "moves", "play"]} | GREETING), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    key = json.dumps({name: asked[name] for name in sorted(asked) if name != "id"})
    print(json.dumps({"id": asked["id"]} | answers[key]), flush=True)
"""
"""Answers by a table."""

GREETS: Final = json.dumps(
    {"sanproof": 1, "name": "x", "version": "1", "language": "x", "operations": ["read"]}
)
EMPTY: Final = {"suite": "sanproof conformance", "format": 1, "games": [], "cases": []}
CASE: Final = {
    "id": "x",
    "operation": "read",
    "class": "must",
    "mechanism": "x",
    "colour": "white",
    "fen": "8/8 w",
    "san": "e4",
    "expected": "e2e4",
    "why": "Why.",
}

NEEDS_NODE: Final = pytest.mark.skipif(NODE is None, reason="node is not there")
both = pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=NEEDS_NODE)])


@cache
def smoke() -> Any:  # noqa: ANN401 - JSON
    return runner.load(str(SMOKE))


def must(operation: str) -> list[runner.Case]:
    return [c for c in smoke()["cases"] if (c["class"], c["operation"]) == ("must", operation)]


def right(case: runner.Case) -> object:
    """Return an answer that passes."""
    value = case.get("expected")
    if case["class"] == "must not" or value is None:
        return {"rejected": "no"}
    return {"result": value["always"] if case["operation"] == "play" else value}


def told(asked: dict[str, object]) -> str:
    return json.dumps({name: asked[name] for name in sorted(asked)})


def key(case: runner.Case) -> str:
    return told(runner.question(case, ()))


def answers() -> dict[str, object]:
    return {key(case): right(case) for case in smoke()["cases"]}


def adapter(folder: Path, said: dict[str, object], greeting: str = "{}") -> list[str]:
    """Return the command of an adapter that answers by a table."""
    table, program = folder / "answers.json", folder / "adapter.py"
    table.write_text(json.dumps(said))
    program.write_text(ADAPTER.replace("GREETING", greeting))
    return [sys.executable, "-S", str(program), str(table)]


def wrong(folder: Path) -> list[str]:
    """Return an adapter that is wrong in every way, each in one case."""
    ways = [{"rejected": "\x1b<&>"}, {"result": "a1a2"}, {"result": 7}, {"skip": "x"}]
    said = answers() | {key(case): way for case, way in zip(must("read"), ways, strict=False)}
    said |= {key(case): {"result": []} for case in must("moves")[:2]}
    refused = next(case for case in smoke()["cases"] if case["class"] == "must not")
    return adapter(folder, said | {key(refused): {"result": "a1a2"}})


def run(language: str, *words: object, suite: Path = SMOKE) -> subprocess.CompletedProcess[str]:
    command = [*COMMANDS[language], str(suite), *map(str, words)]
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert "Traceback" not in done.stderr
    assert "    at " not in done.stderr
    return done


def test_they_import_nothing_of_ours() -> None:
    for node in ast.walk(ast.parse(PYTHON.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.partition(".")[0] in sys.stdlib_module_names for name in names)
    package = json.loads((JAVASCRIPT / "package.json").read_bytes())
    assert "dependencies" not in package
    assert package["version"] == smoke()["version"]
    assert (JAVASCRIPT / "LICENSE").read_text("utf-8").startswith("MIT License")


@both
def test_it_judges_as_sanproof_does_in_each_format(language: str, tmp_path: Path) -> None:
    command = wrong(tmp_path)
    ((_, _, ours, _),) = ask([" ".join(command)], smoke(), smoke()["cases"], 10)
    failed = {record.case["id"] for record in ours.failures}
    assert len(failed) == 6
    known = tmp_path / "known.txt"
    done = run(language, "--write-known", known, "--", *command)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(known.read_text().splitlines()[1:]) == failed
    text = run(language, "--", shlex.join(command))  # as one text
    assert text.returncode == 1
    assert "  Skipped 1, optional cases included: x" in text.stdout.splitlines()
    assert "6 failed, 3 skipped" in text.stdout
    shown = {f"  {name}" for name, _ in ours.groups()}
    shown.add(f"  {runner.by_operation(ours.records)}")
    assert {line for line in text.stdout.splitlines() if line[:3].strip()} >= shown
    github = run(language, "--format", "github", "--", *command).stdout.splitlines()
    assert sum(line.startswith("::error title=") for line in github) == len(ours.groups()) <= 6
    junit = ET.fromstring(run(language, "--format", "junit", "--", *command).stdout)
    assert junit.attrib["failures"] == "6" == str(len(junit.findall(".//failure")))
    assert len(junit) == len(smoke()["cases"])


@both
def test_known_failures_are_patterns_that_must_go_on_failing(language: str, tmp_path: Path) -> None:
    command, known = wrong(tmp_path), tmp_path / "known.txt"
    known.write_text("* # all that fails\ngone.from-a-later-version\n")
    done = run(language, "--known", known, "--", *command)
    assert done.returncode == 0
    assert "gone.from-a-later-version is no case" in done.stdout
    done = run(language, "--known", known, "--", *adapter(tmp_path, answers()))
    assert done.returncode == 1
    assert "* passes: it is no expected failure" in done.stdout


HARMS: Final = {
    **dict.fromkeys(("crashes", "is killed", "closes its output"), "crashed"),
    **dict.fromkeys(("answers another case", "writes garbage", "gives both"), "garbled"),
    **dict.fromkeys(("gives a number", "writes lines", "nests"), "garbled"),
    "writes no line": "a line of more than",
    "writes errors": "",  # megabytes
}
"""What is said of an adapter that does such harm."""


@both
def test_harm_costs_the_case_at_hand(language: str, tmp_path: Path) -> None:
    command = hostile("several", *HARMS)
    options = ("--timeout", 20, "--format", "junit")
    done = run(language, *options, "--", command, suite=write_suite(tmp_path))
    assert done.returncode == 1, done.stderr
    cases = list(ET.fromstring(done.stdout).iter("testcase"))
    for case, said in zip(cases, [*HARMS.values(), *[""] * 9], strict=True):
        failure = case.findtext("failure")
        assert (said in str(failure), bool(failure)) == (True, bool(said)), failure


@pytest.mark.parametrize(
    ("behaviour", "code", "said"),
    [("hangs", 1, "hung"), ("ends", 4, "The run is incomplete")],
)
@both
def test_an_adapter_that_hangs_and_one_that_is_given_up(
    language: str, behaviour: str, code: int, said: str, tmp_path: Path
) -> None:
    suite = SMOKE if code == 4 else write_suite(tmp_path)
    seconds = 1 if behaviour == "hangs" else 20
    ends = shlex.join(["sh", "-c", f"echo {shlex.quote(GREETS)}; read asked"])
    command = ends if behaviour == "ends" else hostile(behaviour)
    done = run(language, "--timeout", seconds, "--", command, suite=suite)
    assert (done.returncode, said in done.stdout) == (code, True), done.stderr
    assert re.search(rf": {0 if code == 4 else 20 - code} (of \d+ cases )?passed", done.stdout)


HOSTILE: Final = "\x1b[31m\u202e\x9b\r\n::error::" + "y" * 9000
"""Colours a terminal, turns text around, begins a line of its own, and is long."""


@pytest.mark.parametrize("form", ["text", "github", "junit"])
@both
def test_texts_of_an_adapter_are_escaped_and_cut(language: str, form: str, tmp_path: Path) -> None:
    said = answers()
    said[key(must("read")[0])] = {"rejected": HOSTILE}
    said[key(must("write")[-1])] = {"result": HOSTILE}
    greeting = json.dumps({"name": HOSTILE[:60], "version": HOSTILE})
    done = run(language, "--format", form, "--", *adapter(tmp_path, said, greeting))
    assert done.returncode == 1, done.stderr
    for sign in "\x1b\x9b\u202e\r":
        assert sign not in done.stdout
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) < 2000
    assert sum(line.startswith("::error") for line in lines) == (2 if form == "github" else 0)


@both
def test_moves_in_place_of_the_fen(language: str, tmp_path: Path) -> None:
    said = {}
    for case in smoke()["cases"]:
        from_game = "game" in case
        said[told(runner.question(case, smoke()["games"], from_game))] = right(case)
    command = adapter(tmp_path, said, "{'from': 'game'}")
    done = run(language, "--", *command)
    assert done.returncode == 0, done.stdout
    ((_, _, ours, _),) = ask([" ".join(command)], smoke(), smoke()["cases"], 10)
    assert not ours.surprises


@both
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--", "no-such-program"), 4, "cannot be started"),
        (("--", "true"), 4, "before it printed its first line"),
        (("--only", "nothing.*", "--", "true"), 2, "no case"),
        (("--known", "/no/such/file", "--", "true"), 2, "/no/such/file cannot be"),
        (("--write-known", "/proc/x", "--", f"echo {shlex.quote(GREETS)}"), 2, "/proc/x cannot be"),
    ],
)
def test_misuse(language: str, words: tuple[str, ...], code: int, said: str) -> None:
    done = run(language, *words)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


@both
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("{}", "is not a conformance suite"),
        (EMPTY | {"format": 2}, "has a format"),
        (EMPTY | {"games": None}, "lacks games"),
        *((EMPTY | {"cases": [CASE, wrong]}, "case 2") for wrong in (7, {"id": "x"})),
        *(
            (EMPTY | {"cases": [CASE, CASE | wrong]}, "case 2")
            for wrong in ({"operation": "fly"}, {"class": "can"}, {"san": None})
        ),
    ],
)
def test_what_is_no_suite_is_refused(
    language: str, content: object, said: str, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.json"
    suite.write_text(content if isinstance(content, str) else json.dumps(content))
    done = run(language, "--", "true", suite=suite)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
