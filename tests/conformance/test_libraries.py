"""The libraries: registered, pinned, installed, asked, their results kept and on a scoreboard."""

import hashlib
import json
import lzma
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conformance import environments, keep
from conformance.environments import (
    ADAPTERS,
    PINNED,
    REGISTRIES,
    Library,
    NotInstalled,
    install,
    read_registry,
)
from conformance.scoreboard import CORE, DATA, KEPT, Scoreboard, read_scoreboard, write_scoreboard
from sanproof.verify.errors import Failure
from tests.verify.command import ROOT
from tests.verify.conformance.suites import HOSTILE, suite, write_suite

LIBRARIES = read_registry()


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


def test_each_version_is_pinned_and_each_adapter_is_there() -> None:
    content = json.loads(PINNED.read_bytes())
    for library in LIBRARIES:
        pinned = content.get(library.key, {})
        if library.registry == "PyPI":
            hashes = {name.replace("_", "-"): found for name, found in pinned["pip"].items()}
            assert hashes[f"{library.key.replace('_', '-')}=={library.version}"]
            assert all(text.startswith("sha256:") for found in hashes.values() for text in found)
        elif library.registry == "npm":
            packages = {name: entry for name, entry in pinned["npm"]["packages"].items() if name}
            assert library.version in {entry["version"] for entry in packages.values()}
            assert all("integrity" in entry for entry in packages.values())
            assert "resolved" not in json.dumps(packages)  # which would name a host
        else:
            assert re.fullmatch("[0-9a-f]{64}", library.sha256)
        assert all(path.is_file() for path in library.files)


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


def test_what_cannot_be_installed_is_said_and_stops_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(folder, "npm", '[ "${PWD##*/}" = kit ] || { echo no such package; exit 1; }; ls > seen')
    three = (library("npm", key="bad"), library("npm"), library("PyPI", key="old", python="3.99"))
    monkeypatch.setattr(environments, "read_registry", lambda: three)
    made = folder / "out" / "kit"
    made.mkdir(parents=True)
    environments.main(folder / "out")
    found = json.loads((folder / "out" / "installed.json").read_bytes())
    assert (found["bad"], found["kit"]) == ("npm: no such package", "")
    assert "3.99" in found["old"]
    assert {"package-lock.json", "package.json"} <= {*(made / "seen").read_text("utf-8").split()}
    assert (made / "chessops.mjs").read_bytes() == (ADAPTERS / "chessops.mjs").read_bytes()


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


def test_every_library_stands_in_the_results_installed_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "hostile.py").write_bytes(HOSTILE.read_bytes())
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    crash = library("Debian", key="here", adapter="hostile.py", settings=(("crash", "5"),))
    monkeypatch.setattr(keep, "read_registry", lambda: (library("PyPI", key="away"), crash))
    content = keep.survey(tmp_path, write_suite(tmp_path), [])
    here, away = content["libraries"]
    assert (here["key"], here["home"], len(here["cases"])) == ("here", "https://example.org", 20)
    assert here["command"] == "env PYTHONPATH=here python here/hostile.py crash 5"
    assert (away["key"], away["name"], away["cases"]) == ("away", "kit", [])
    assert away["ended"] == "could not be installed: no wheel"
    only = keep.survey(tmp_path, tmp_path / "suite.json", ["away"])
    assert [entry["key"] for entry in only["libraries"]] == ["away"]
    assert keep.packed(content) == keep.packed(json.loads(lzma.decompress(keep.packed(content))))


# The kept results


def test_the_kept_results_are_of_the_suite_and_of_all_libraries() -> None:
    content = json.loads(lzma.decompress((DATA / KEPT).read_bytes()))
    core = (DATA / CORE).read_bytes()
    assert content["suite"]["sha256"] == hashlib.sha256(core).hexdigest()
    assert {entry["key"] for entry in content["libraries"]} >= {one.key for one in LIBRARIES}
    assert not re.search("/home|venv", "".join(entry["command"] for entry in content["libraries"]))


@pytest.fixture(scope="module")
def board() -> Scoreboard:
    return read_scoreboard(DATA / CORE, [DATA / KEPT])


def test_the_table_is_that_of_the_kept_results(board: Scoreboard) -> None:
    text = (ROOT / keep.DOCUMENT).read_text("utf-8")
    assert keep.with_summary(text, board) == text
    assert keep.with_summary(text.replace("| python-chess", "| nobody"), board) == text
    with pytest.raises(ValueError, match="is missing"):
        keep.with_summary("nothing", board)


# The scoreboard, also of results that strangers send

EVIL = "<script>alert(1)</script>\x1b[31m&"


def results(folder: Path, **changes: object) -> Path:
    """Write results of a library that fails the first case and rejects all others."""
    path = write_suite(folder)
    cases = [{"id": case["id"], "outcome": "passed"} for case in suite()["cases"]]
    cases[0] |= {"outcome": "failed", "answer": EVIL, "message": EVIL}
    library: dict[str, Any] = dict.fromkeys(("name", "version", "language", "settings"), EVIL)
    library |= {"operations": ["read"], "en_passant": [], "ended": None, "cases": cases}
    library |= {"home": "javascript:alert(1)"} | changes
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    content = {"format": 1, "suite": {"sha256": sha256}, "date": EVIL, "libraries": [library]}
    (folder / "results.json").write_text(json.dumps(content))
    return path


def made(folder: Path, **changes: object) -> Path:
    """Make the scoreboard of such results; return its folder."""
    board = read_scoreboard(results(folder, **changes), [folder / "results.json"])
    write_scoreboard(board, folder / "out")
    return folder / "out"


def named(page: str, attribute: str) -> set[str]:
    """Return the values that an attribute has in a page."""
    return set(re.findall(rf'\s{attribute}="([^"]*)"', page))


def test_the_page_json_and_badges_of_the_kept_results(tmp_path: Path, board: Scoreboard) -> None:
    """Of some that have no failure, offer little, or have two settings: all take seconds."""
    some = {"chessops", "chess.ts", "PolyGlot", "pgn-read"}
    board = Scoreboard(board.suite, (run for run in board.runs if run.about["name"] in some))
    write_scoreboard(board, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    links = {link for link in named(page, "href") if not link.startswith(("http", "data:"))}
    assert {link[1:] for link in links if link.startswith("#")} <= named(page, "id")
    assert all((tmp_path / "out" / link).is_file() for link in links if not link.startswith("#"))
    content = json.loads((tmp_path / "out" / "scoreboard.json").read_bytes())
    counts = {one["name"]: one["failed"] for one in content["libraries"] if not one["settings"]}
    assert (counts["chessops"], counts["chess.ts"]) == (0, 113)
    assert all(len(one["failures"]) == one["failed"] for one in content["libraries"])
    badge = json.loads((tmp_path / "out" / "badges" / "chessops.json").read_bytes())
    assert (badge["schemaVersion"], badge["message"]) == (1, "5825 of 5825")
    with pytest.raises(Failure, match="new or empty"):
        write_scoreboard(board, tmp_path / "out")


def test_what_a_stranger_wrote_is_shown_as_text(tmp_path: Path) -> None:
    out = made(tmp_path)
    page = (out / "index.html").read_text("utf-8")
    assert "<script" not in page
    assert not any(link.startswith("javascript") for link in named(page, "href"))
    assert all("\x1b" not in path.read_text("utf-8") for path in out.rglob("*.*"))


def test_results_of_another_suite_are_refused(tmp_path: Path) -> None:
    results(tmp_path)
    with pytest.raises(Failure, match="another suite"):
        read_scoreboard(DATA / CORE, [tmp_path / "results.json"])


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"cases": []}, "lack"),
        ({"cases": [{"id": "unknown", "outcome": "passed"}]}, "unknown"),
        ({"cases": None}, "not a result file"),
        ({"operations": 7}, "not a result file"),
        ({"cases": [{}]}, "not a result file"),
    ],
)
def test_results_that_are_none_are_refused(
    tmp_path: Path, changes: dict[str, object], word: str
) -> None:
    with pytest.raises(Failure, match=word):
        made(tmp_path, **changes)
