import ast
import json
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path
from string import Template

import pytest

from conformance.registry import (
    PINNED,
    REGISTRIES,
    SHARED,
    Library,
    read_registry,
)
from conformance.scoreboard.__main__ import SNIPPETS as SNIPPETS_FILE
from sanproof.verify.conformance.asking import PYTHON_CHESS, shell_command
from sanproof.verify.conformance.suite import Operation
from tests.verify.command import sanproof

LIBRARIES = read_registry()
SNIPPETS = tomllib.loads(SNIPPETS_FILE.read_text("utf-8"))
KEYS = [library.key for library in LIBRARIES]


def test_enough_libraries_and_each_once() -> None:
    assert len({library.name for library in LIBRARIES}) >= 30
    assert [key for key, number in Counter(KEYS).items() if number > 1] == []
    assert {library.registry for library in LIBRARIES} == set(REGISTRIES)


@pytest.mark.parametrize("library", LIBRARIES, ids=KEYS)
def test_the_version_is_pinned_by_its_hash(library: Library) -> None:
    if library.registry == "PyPI":
        text = (PINNED / f"{library.key}.txt").read_text("utf-8").replace("_", "-")
        name = re.escape(library.key.replace("_", "-"))
        start = rf"^{name}=={re.escape(library.version)} \\\n +--hash=sha256:"
        assert re.search(start, text, re.MULTILINE)
    elif library.registry == "npm":
        text = (PINNED / f"{library.key}.json").read_text("utf-8")
        packages = json.loads(text)["packages"]
        versions = {name: entry["version"] for name, entry in packages.items() if name}
        assert library.version in versions.values()
        assert all("integrity" in entry for name, entry in packages.items() if name)
        assert "resolved" not in text  # which would name a host
    else:
        assert re.fullmatch("[0-9a-f]{64}", library.sha256)


@pytest.mark.parametrize("library", LIBRARIES, ids=KEYS)
@pytest.mark.usually(8)
def test_the_adapter_is_a_program(library: Library) -> None:
    path = library.files[0]
    if path.suffix == ".py":
        ast.parse(path.read_text("utf-8"))
    elif shutil.which("node"):
        subprocess.run(["node", "--check", str(path)], check=True)
    assert len(path.read_text("utf-8").splitlines()) <= 130


@pytest.mark.parametrize("library", LIBRARIES, ids=KEYS)
def test_snippets_have_the_fields_of_their_operation(library: Library) -> None:
    fields = {
        "read": {"fen", "san"},
        "write": {"fen", "uci"},
        "moves": {"fen"},
        "play": {"fen", "san"},
        "game": {"pgn"},
    }
    for operation, snippet in SNIPPETS.get(library.key, {}).items():
        assert operation in {op.value for op in Operation}
        template = Template(snippet)
        assert template.is_valid()
        assert set(template.get_identifiers()) <= fields[operation]
        assert template.get_identifiers()
        filled = template.substitute(dict.fromkeys(fields[operation], '"x"'))
        if library.language == "Python":
            ast.parse(filled)


@pytest.mark.parametrize("library", LIBRARIES, ids=KEYS)
def test_one_command_for_each_of_the_settings(library: Library, tmp_path: Path) -> None:
    commands = library.commands(tmp_path)
    assert len(set(commands)) == len(library.settings)
    assert all(str(tmp_path / library.key / library.adapter) in command for command in commands)
    if library.registry == "PyPI":
        python = str(tmp_path / library.key / "bin" / "python")
        assert all(command.startswith(f"{python} ") for command in commands)


def test_nothing_is_pinned_that_nobody_asks() -> None:
    names = {re.sub(r"(\.build)?\.(txt|json)$", "", path.name) for path in PINNED.iterdir()}
    assert names == {library.key for library in LIBRARIES if library.registry != "Debian"}


def test_an_adapter_of_ours_has_a_name_and_all_else_is_a_shell_command() -> None:
    assert str(PYTHON_CHESS) in shell_command("python-chess")
    for text in ("./python-chess", "python-chess --strict", "node chessjs.mjs", "python_chess"):
        assert shell_command(text) == f"exec {text}"  # no shell stays that hides how it ends
    for text in ("cd x && ./adapter", "X=1 ./adapter", "a | b"):
        assert shell_command(text) == text


def test_python_chess_answers_by_its_name() -> None:
    run = sanproof("conformance", "run", "python-chess", "--only", "castling.*")
    assert "cases passed" in run.stdout, run.stderr
    assert run.stdout.startswith("chess 1.")


def test_what_adapters_share_stands_beside_them() -> None:
    for library in read_registry():
        adapter, *shared = library.files
        assert adapter.name == library.adapter
        assert [path.suffix for path in shared] == [adapter.suffix]
        assert all(path.is_file() for path in library.files)
    assert {path.name for library in read_registry() for path in library.files} >= set(SHARED)
