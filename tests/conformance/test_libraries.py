"""The libraries: registered, pinned, installed, asked, and their results kept."""

import ast
import csv
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path
from string import Template
from typing import Any

import pytest

from conformance import environments, keep, survey
from conformance.environments import (
    ADAPTERS,
    PINNED,
    REGISTRIES,
    Library,
    NotInstalled,
    install,
    install_all,
    read_registry,
)
from conformance.scoreboard.__main__ import SNIPPETS as SNIPPETS_FILE
from conformance.scoreboard.contents import SENT, kept_scoreboard, read_scoreboard, suite_of_hash
from sanproof.verify.conformance.suite import ASKED, Operation, suite_of
from sanproof.verify.errors import Failure
from tests.verify.command import ROOT
from tests.verify.conformance.suites import HOSTILE, suite

LIBRARIES = read_registry()
SNIPPETS = tomllib.loads(SNIPPETS_FILE.read_text("utf-8"))


def library(registry: str, **more: Any) -> Library:  # noqa: ANN401 - its fields
    about: dict[str, Any] = dict.fromkeys(("name", "key"), "kit") | {"adapter": "chessops.mjs"}
    about |= {"version": "1", "language": "Python", "licence": "", "home": "https://example.org"}
    return Library(**about | {"registry": registry} | more)


# The registry


def test_enough_libraries_and_each_once() -> None:
    assert len({library.name for library in LIBRARIES}) >= 30
    assert max(Counter(library.key for library in LIBRARIES).values()) == 1
    assert {library.registry for library in LIBRARIES} == set(REGISTRIES)
    wanted = {library.key for library in LIBRARIES if library.registry != "Debian"}
    assert set(json.loads(PINNED.read_bytes())) == wanted
    assert set(SNIPPETS) <= {library.key for library in LIBRARIES}


@pytest.mark.parametrize("library", LIBRARIES, ids=[library.key for library in LIBRARIES])
def test_the_version_is_pinned_by_its_hash_and_each_setting_has_a_command(
    library: Library, tmp_path: Path
) -> None:
    pinned = json.loads(PINNED.read_bytes()).get(library.key, {})
    if library.registry == "PyPI":
        hashes = {name.replace("_", "-"): found for name, found in pinned["pip"].items()}
        assert hashes[f"{library.key.replace('_', '-')}=={library.version}"]
        assert all(text.startswith("sha256:") for found in hashes.values() for text in found)
    elif library.registry == "npm":
        packages = pinned["npm"]["packages"]
        assert library.version in {entry["version"] for name, entry in packages.items() if name}
        assert all("integrity" in entry for name, entry in packages.items() if name)
        assert "resolved" not in json.dumps(packages)  # which would name a host
    else:
        assert re.fullmatch("[0-9a-f]{64}", library.sha256)
    commands = library.commands(tmp_path)
    assert len(set(commands)) == len(library.settings)
    assert all(str(tmp_path / library.key / library.adapter) in command for command in commands)
    if library.registry == "PyPI":
        python = str(tmp_path / library.key / "bin" / "python")
        assert all(command.startswith(f"{python} ") for command in commands)


@pytest.mark.parametrize("library", LIBRARIES, ids=[library.key for library in LIBRARIES])
def test_the_adapter_and_the_snippets_are_programs(library: Library) -> None:
    adapter, shared = library.files
    assert adapter.name == library.adapter
    assert shared.suffix == adapter.suffix
    assert shared.is_file()
    if adapter.suffix == ".py":
        ast.parse(adapter.read_text("utf-8"))
    elif shutil.which("node"):
        subprocess.run(["node", "--check", str(adapter)], check=True)
    for name, snippet in SNIPPETS.get(library.key, {}).items():
        operation = Operation(name)
        fields = {"fen"} if operation is not Operation.GAME else set()
        fields |= {ASKED[operation] or "fen"}
        template = Template(snippet)
        assert template.is_valid()
        assert set() < set(template.get_identifiers()) <= fields
        if library.language == "Python":
            ast.parse(template.substitute(dict.fromkeys(fields, '"x"')))


# Environments


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder for environments; the programs of package managers are those in ``bin``."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(environments, "PINNED", tmp_path / "pinned.json")
    pinned = {key: {"npm": {"packages": {"": {"name": key}}}} for key in ("bad", "kit")}
    (tmp_path / "pinned.json").write_text(json.dumps(pinned), "utf-8")
    return tmp_path


def program(folder: Path, name: str, text: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)


def test_npm_installs_what_the_lock_names_and_what_cannot_be_installed_is_said(
    folder: Path,
) -> None:
    fails = '[ "${PWD##*/}" = kit ] || { echo no such package; exit 1; }'
    program(folder, "npm", f'{fails}; echo "$@" > asked; cat package.json > seen; ls >> seen')
    both = [library("npm", key="bad"), library("npm")]
    assert install_all(both, folder / "out") == {"bad": "npm: no such package", "kit": ""}
    made = folder / "out" / "kit"
    assert (made / "asked").read_text("utf-8").startswith("ci --ignore-scripts")
    assert (made / "seen").read_text("utf-8").startswith('{"name": "kit"}')
    assert "package-lock.json" in (made / "seen").read_text("utf-8")
    assert (made / "chessops.mjs").read_bytes() == (ADAPTERS / "chessops.mjs").read_bytes()


def test_a_program_that_is_missing_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(folder))
    with pytest.raises(NotInstalled, match="npm is not installed"):
        install(library("npm"), folder / "out")
    with pytest.raises(NotInstalled, match=r"pinned\.json has no hashes for it"):
        install(library("npm", key="new"), folder / "out")
    with pytest.raises(NotInstalled, match=r"it needs Python 3\.99"):
        install(library("PyPI", python="3.99"), folder / "out")


def test_a_debian_package_with_another_hash_is_refused(folder: Path) -> None:
    program(folder, "apt-get", 'printf package > kit_1_all.deb; [ "$2" = kit=1 ]')
    program(folder, "dpkg-deb", 'touch "$3/extracted"')
    extracted = folder / "out" / "kit" / "extracted"
    with pytest.raises(NotInstalled, match="another SHA-256"):
        install(library("Debian", sha256=hashlib.sha256(b"other").hexdigest()), folder / "out")
    assert not extracted.exists()
    install(library("Debian", sha256=hashlib.sha256(b"package").hexdigest()), folder / "out")
    assert extracted.exists()


# The survey


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the environments of two libraries, of which one could not be installed."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "hostile.py").write_bytes(HOSTILE.read_bytes())
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    here = library("Debian", key="here", adapter="hostile.py", settings=(("crash", "5"),))
    monkeypatch.setattr(survey, "read_registry", lambda: (library("PyPI", key="away"), here))
    return tmp_path


def asked(folder: Path, *keys: str) -> dict[str, Any]:
    return survey.survey(folder, suite_of(suite()), "0" * 64, keys)


def test_every_library_stands_in_the_results_installed_or_not(two: Path) -> None:
    content = asked(two)
    here, away = content["libraries"]
    assert (here["key"], here["home"], len(here["cases"])) == ("here", "https://example.org", 20)
    assert here["command"] == "env PYTHONPATH=here python here/hostile.py crash 5"
    assert (away["key"], away["name"], away["cases"]) == ("away", "kit", [])
    assert away["ended"] == "could not be installed: no wheel"
    assert [entry["key"] for entry in asked(two, "away")["libraries"]] == ["away"]
    packed = survey.packed(content)
    read = json.loads(lzma.decompress(packed))
    assert packed == survey.packed(read)
    board = read_scoreboard(suite_of(suite()), "0" * 64, [("x", read)], {})
    assert board.runs[-1].ended == "could not be installed: no wheel"


def test_results_of_some_libraries_join_those_of_the_same_day_and_suite(two: Path) -> None:
    """A library that was asked again is replaced; one the registry no longer has is dropped."""
    names = [library.key for library in LIBRARIES[:3]]
    first = asked(two)
    (entry, *_) = first["libraries"]
    results, folder = two / "results.json.xz", two / "kept"

    def keys(**changes: object) -> list[str]:
        """Keep a result; the keys of what is kept then."""
        results.write_bytes(survey.packed(first | changes))
        kept = json.loads(lzma.decompress(keep.kept_file(results, folder).read_bytes()))
        return [f"{library['key']} {library['seconds']}" for library in kept["libraries"]]

    def timed(seconds: float, *keys: str) -> list[dict[str, Any]]:
        return [entry | {"key": key, "seconds": seconds} for key in keys]

    keys(libraries=timed(1.0, names[2], names[1], "gone"))
    found = keys(libraries=timed(2.0, names[0], names[1]))
    assert found == [f"{names[0]} 2.0", f"{names[1]} 2.0", f"{names[2]} 1.0"]
    other = first["suite"] | {"version": "9.9.9"}
    assert keys(libraries=timed(3.0, "gone"), suite=other) == ["gone 3.0"]


# The kept results


def newest() -> Path:
    return max((ROOT / "data" / "conformance" / "results").glob("*-core.json.xz"))


def test_the_kept_results_are_of_a_published_suite_and_of_all_libraries() -> None:
    content = json.loads(lzma.decompress(newest().read_bytes()))
    about = content["suite"]
    published = suite_of_hash(ROOT / "data" / "conformance", "core", about["sha256"])
    assert about["sha256"] == hashlib.sha256(published).hexdigest()
    assert about["version"] == json.loads(published)["version"]
    keys = {entry["key"] for entry in content["libraries"]}
    assert keys == {library.key for library in LIBRARIES}
    assert content["date"] in newest().name
    commands = "".join(entry["command"] for entry in content["libraries"])
    assert "/home" not in commands
    assert ".venv" not in commands


@pytest.mark.slow
def test_the_tables_are_those_of_the_kept_results() -> None:
    board = kept_scoreboard(newest(), ROOT / keep.DATA, with_sent=True)
    text = (ROOT / keep.DOCUMENT).read_text("utf-8")
    assert keep.with_summary(text, board) == text
    assert keep.with_summary(text.replace("| python-chess", "| nobody"), board) == text
    with pytest.raises(ValueError, match="is missing"):
        keep.with_summary("nothing", board)
    for name, content in keep.tables(board).items():
        assert (ROOT / keep.TABLES / name).read_text("utf-8") == content
    kept = (ROOT / keep.DATA / "results").glob("*.json.xz")
    written = (ROOT / keep.TABLES / keep.HISTORY).read_text("utf-8")
    assert keep.history(kept, ROOT / keep.DATA) == written
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    board = kept_scoreboard(newest(), ROOT / keep.DATA)
    last = [row for row in rows if row["date"] == board.date]
    assert [int(row["failed"]) for row in last] == [board.count(run).failed for run in board.runs]


def test_a_result_that_a_maintainer_sent_is_a_row_if_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core.json", "suites"):
        (tmp_path / name).symlink_to(ROOT / "data" / "conformance" / name)
    monkeypatch.setattr(keep, "DATA", tmp_path)
    (one,) = (ROOT / "data" / "conformance" / SENT).glob("echecs-san-*.json.xz")
    content = json.loads(lzma.decompress(one.read_bytes()))
    path = tmp_path / "result.json"
    path.write_text(json.dumps(content))
    assert keep.receive(path).read_bytes() == one.read_bytes()
    del content["libraries"][0]["cases"][7]
    path.write_text(json.dumps(content))
    with pytest.raises(Failure, match="lacks 1 cases of @echecs/san"):
        keep.receive(path)
