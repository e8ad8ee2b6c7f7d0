"""Both runners judge as sanproof does, and say so in each format; they import nothing of it."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.outcome import is_failure
from sanproof.verify.conformance.suite import Case, Demand, question, read_suite
from tests.verify.command import ROOT

PYTHON: Final = ROOT / "verify" / "conformance" / "sanproof_runner.py"
JAVASCRIPT: Final = ROOT / "conformance" / "runners" / "javascript"
SMOKE: Final = ROOT / "data" / "conformance" / "smoke.json"
NODE: Final = shutil.which("node")
COMMANDS: Final = {
    "python": [sys.executable, "-I", "-S", str(PYTHON)],
    "javascript": [str(NODE), str(JAVASCRIPT / "cli.mjs")],
}
ADAPTER: Final = """
import json, os, sys, time
answers = json.load(open(sys.argv[1]))
how = {"sanproof": 1, "name": "library <&>", "version": "1", "language": "Python"}
print(json.dumps(how | {"operations": ["read", "write", "moves", "play"]} | GREETING), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    key = json.dumps({name: asked[name] for name in sorted(asked) if name != "id"})
    answer = answers[key]
    if answer == "crash":
        os._exit(3)
    if answer == "hang":
        time.sleep(60)
    said = answer if answer == "garble" else json.dumps({"id": asked["id"]} | answer)
    print(said, flush=True)
"""

both = pytest.mark.parametrize(
    "language",
    [
        "python",
        pytest.param(
            "javascript", marks=pytest.mark.skipif(NODE is None, reason="node is not there")
        ),
    ],
)


def cases() -> list[Case]:
    return list(read_suite(SMOKE.read_bytes(), "smoke").cases)


def right(case: Case) -> object:
    """An answer that passes."""
    if case.demand is Demand.MUST_NOT or case.expected is None:
        return {"rejected": "no"}
    value = case.expected
    return {"result": value["always"] if case.operation.value == "play" else value}


def adapter(folder: Path, answers: dict[str, object], greeting: str = "{}") -> list[str]:
    """The command of an adapter that answers by a table."""
    table, program = folder / "answers.json", folder / "adapter.py"
    table.write_text(json.dumps(answers))
    program.write_text(ADAPTER.replace("GREETING", greeting))
    return [sys.executable, str(program), str(table)]


def key(case: Case) -> str:
    told = question(case)
    return json.dumps({name: told[name] for name in sorted(told)})


def wrong(folder: Path) -> tuple[list[str], dict[str, object]]:
    """An adapter that is wrong in every way, each in one case."""
    answers = {key(case): right(case) for case in cases()}
    must = [
        case for case in cases() if case.demand is Demand.MUST and case.operation.value == "read"
    ]
    ways = [
        "crash",
        "garble",
        {"rejected": "\x1b<&>"},
        {"result": "a1a2"},
        {"result": 7},
        {"skip": "x"},
    ]
    for case, way in zip(must, ways, strict=False):
        answers[key(case)] = way
    refused = next(case for case in cases() if case.demand is Demand.MUST_NOT)
    answers[key(refused)] = {"result": "a1a2"}
    return adapter(folder, answers), answers


def run(language: str, *words: str, suite: Path = SMOKE) -> subprocess.CompletedProcess[str]:
    head, tail = (words[: words.index("--")], words[words.index("--") :])
    command = [*COMMANDS[language], str(suite), *head, *tail]
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=environment
    )


def test_they_import_nothing_of_ours() -> None:
    tree = ast.parse(PYTHON.read_text("utf-8"))
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.partition(".")[0] in sys.stdlib_module_names for name in names)
    package = json.loads((JAVASCRIPT / "package.json").read_bytes())
    assert "dependencies" not in package
    assert "sanproof-conformance" in (JAVASCRIPT / "README.md").read_text("utf-8")
    assert package["version"] == read_suite(SMOKE.read_bytes(), "smoke").version
    for path in (JAVASCRIPT / "LICENSE", JAVASCRIPT.parent / "LICENSE"):
        assert path.read_text("utf-8").startswith("MIT License")


@both
def test_it_judges_as_sanproof_does(language: str, tmp_path: Path) -> None:
    command, _ = wrong(tmp_path)
    suite = read_suite(SMOKE.read_bytes(), "smoke")
    (ours,) = ask([" ".join(command)], suite.cases, 10)
    failed = {entry.case.id for entry in ours.entries if is_failure(entry.case, entry.record)}
    known = tmp_path / "known.txt"
    done = run(language, "--write-known", str(known), "--", *command)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(known.read_text().splitlines()[1:]) == failed
    assert len(failed) == 6


@both
def test_formats(language: str, tmp_path: Path) -> None:
    command, _ = wrong(tmp_path)
    text = run(language, "--", *command)
    assert text.returncode == 1
    assert "6 failed, 1 skipped" in text.stdout
    assert text.stdout.count("expected") >= 6
    github = run(language, "--format", "github", "--", *command).stdout.splitlines()
    assert sum(line.startswith("::error title=") for line in github) == 6
    junit = ET.fromstring(run(language, "--format", "junit", "--", *command).stdout)
    assert junit.attrib["failures"] == "6" == str(len(junit.findall(".//failure")))
    assert len(junit) == len(cases())


@both
@pytest.mark.usually(1)
def test_known_failures(language: str, tmp_path: Path) -> None:
    command, _ = wrong(tmp_path)
    known = tmp_path / "known.txt"
    run(language, "--write-known", str(known), "--", *command)
    assert run(language, "--known", str(known), "--", *command).returncode == 0
    known.write_text("* # all that fails\ngone.from-a-later-version\n")
    done = run(language, "--known", str(known), "--", *command)
    assert done.returncode == 0
    assert "gone.from-a-later-version is no case" in done.stdout
    passing = adapter(tmp_path, {key(case): right(case) for case in cases()})
    done = run(language, "--known", str(known), "--", *passing)
    assert done.returncode == 1
    assert "* is known to fail, and passes" in done.stdout


@both
def test_silence_is_a_failure(language: str, tmp_path: Path) -> None:
    answers = {key(case): right(case) for case in cases()}
    case = next(case for case in cases() if case.demand is Demand.MUST)
    answers[key(case)] = "hang"
    words = ("--only", case.id, "--timeout", "0.5", "--", *adapter(tmp_path, answers))
    done = run(language, *words)
    assert done.returncode == 1
    assert "hung" in done.stdout


ENDINGS: Final = {
    "ends after an answer": "print(said, flush=True); os._exit(3)",
    "closes its output": "print(said, flush=True); os.close(1); time.sleep(60)",
    "starts anew with no greeting": "print(said, flush=True); open(BEGUN, 'w'); os._exit(3)",
}


@pytest.mark.parametrize("how", ENDINGS)
@both
@pytest.mark.usually(3)
def test_an_adapter_that_ends_as_it_likes(language: str, how: str, tmp_path: Path) -> None:
    """The case is lost, and no more: a report is printed, and nothing waits."""
    command = adapter(tmp_path, {key(case): right(case) for case in cases()})
    program, begun = tmp_path / "adapter.py", str(tmp_path / "begun")
    text = program.read_text(encoding="utf-8").replace("print(said, flush=True)", ENDINGS[how])
    head = f"BEGUN = {begun!r}\nimport os\nif os.path.exists(BEGUN): print('{{}}', flush=True)\n"
    program.write_text(head + text, encoding="utf-8")
    two = [word for case in cases()[:2] for word in ("--only", case.id)]
    done = run(language, "--timeout", "2", *two, "--", *command)
    assert done.returncode in {0, 1, 4}, done.stderr
    assert "Traceback" not in done.stderr
    assert "passed" in done.stdout


HOSTILE: Final = "\x1b[31m\u202e\x9b\r\n::error::" + "y" * 9000
"""Colours a terminal, turns text around, begins a line of its own, and is long."""


@pytest.mark.parametrize("form", ["text", "github", "junit"])
@both
def test_texts_of_an_adapter_are_escaped_and_cut(language: str, form: str, tmp_path: Path) -> None:
    answers = {key(case): right(case) for case in cases()}
    must = [case for case in cases() if case.demand is Demand.MUST]
    answers[key(must[0])] = {"rejected": HOSTILE}
    answers[key(next(c for c in must if c.operation.value == "write"))] = {"result": HOSTILE}
    greeting = json.dumps({"name": HOSTILE[:60], "version": HOSTILE})
    done = run(language, "--format", form, "--", *adapter(tmp_path, answers, greeting))
    assert done.returncode == 1, done.stderr
    for sign in "\x1b\x9b\u202e\r":
        assert sign not in done.stdout
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) < 2000
    assert sum(line.startswith("::error") for line in lines) == (2 if form == "github" else 0)


FLOOD: Final = """
import sys
piece = b"x" * (1 << 16)
while True:
    sys.stdout.buffer.write(piece)
"""


@both
def test_a_line_that_never_ends_takes_no_memory(language: str, tmp_path: Path) -> None:
    command = adapter(tmp_path, {})
    program = tmp_path / "adapter.py"
    text = program.read_text("utf-8").replace("    answer = answers[key]\n", "    exec(FLOOD)\n")
    program.write_text(f"FLOOD = {FLOOD!r}\n{text}")
    words = ("--timeout", "20", "--only", "castling.k*", "--", *command)
    done = run(language, *words)
    assert done.returncode == 1, done.stderr
    assert "a line of more than" in done.stdout
    assert "Traceback" not in done.stderr


def misbehaving(folder: Path, instead: str) -> list[str]:
    """The command of an adapter that does something instead of answering."""
    command = adapter(folder, {})
    program = folder / "adapter.py"
    text = program.read_text("utf-8").replace("    answer = answers[key]\n", instead)
    program.write_text(text)
    return command


@both
def test_lines_that_nobody_asked_for_are_not_kept(language: str, tmp_path: Path) -> None:
    """They come without end, and the case is judged by the first."""
    command = misbehaving(tmp_path, "    while True: print('{}')\n")
    done = run(language, "--timeout", "20", "--only", "castling.k*", "--", *command)
    assert done.returncode == 1, done.stderr
    assert "garbled" in done.stdout


@both
def test_deep_json_is_garbled(language: str, tmp_path: Path) -> None:
    command = misbehaving(tmp_path, "    print('[' * 200000, flush=True)\n    continue\n")
    done = run(language, "--timeout", "5", "--only", "castling.k*", "--", *command)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "garbled" in done.stdout


@both
def test_moves_in_place_of_the_fen(language: str, tmp_path: Path) -> None:
    suite = read_suite(SMOKE.read_bytes(), "smoke")
    answers = {}
    for case in suite.cases:
        told: dict[str, object] = dict(question(case))
        if case.game is not None and told.pop("fen", None):
            told["moves"] = suite.games[case.game].split()[: case.plies]
        answers[json.dumps({name: told[name] for name in sorted(told)})] = right(case)
    command = adapter(tmp_path, answers, "{'from': 'game'}")
    done = run(language, "--", *command)
    assert done.returncode == 0, done.stdout
    (ours,) = ask([" ".join(command)], suite.cases, 10, games=suite.games)
    assert not any(ours.surprises)


@both
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--", "no-such-program"), 4, "cannot be started"),
        (("--", "true"), 4, "did not greet"),
        (("--only", "nothing.*", "--", "true"), 2, "no case"),
        (("--known", "/no/such/file", "--", "true"), 2, "cannot be read"),
    ],
)
def test_misuse(language: str, words: tuple[str, ...], code: int, said: str) -> None:
    done = run(language, *words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "    at " not in done.stderr


@both
def test_what_is_no_suite(language: str, tmp_path: Path) -> None:
    for content, said in ((b"{", "is not JSON"), (b"{}", "is not a conformance suite")):
        path = tmp_path / "suite.json"
        path.write_bytes(content)
        done = run(language, "--", "true", suite=path)
        assert done.returncode == 2
        assert said in done.stderr
