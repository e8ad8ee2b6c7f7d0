"""The cases beyond the core, in the order in which all libraries are asked them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.sequel import Sequel
from conformance.suite import build
from sanproof.verify.conformance.suite import Demand
from tests.verify.command import ROOT

DATA = ROOT / "data"


@pytest.fixture(scope="module")
def sequel() -> Sequel:
    return Sequel(DATA)


@pytest.mark.slow
def test_the_cases_are_not_those_of_the_core_and_keep_their_places(sequel: Sequel) -> None:
    core = json.loads((DATA / "conformance" / "core.json").read_bytes())["cases"]
    cases = sequel.part(0, 1000)
    names = [case.id for case in cases]
    assert len(set(names)) == 1000
    assert not set(names) & {case["id"] for case in core}
    assert {case.mechanism.partition(".")[0] for case in cases[:100]} >= {"check", "not-mate"}
    assert any(case.mechanism.startswith("string.") for case in cases)
    assert Demand.MAY not in {case.demand for case in cases}
    assert [case.id for case in sequel.part(900, 50)] == names[900:950]


@pytest.mark.slow
def test_what_is_kept_is_what_was_made(tmp_path: Path, sequel: Sequel) -> None:
    """A second run, and another process beside it, take the cases from the folder."""
    made = Sequel(DATA, tmp_path).part(0, 1000)
    assert made == sequel.part(0, 1000)
    (folder,) = tmp_path.iterdir()
    assert [path.name for path in sorted(folder.iterdir())] == ["0.json", "1.json"]
    entries = json.loads((folder / "1.json").read_bytes())
    entries[0]["why"] = "kept"
    (folder / "1.json").write_text(json.dumps(entries))
    (first,) = [case for case in Sequel(DATA, tmp_path).part(0, 1000) if case.why == "kept"]
    assert first.id == entries[0]["id"]


@pytest.mark.slow
def test_the_name_is_that_of_the_cases(
    tmp_path: Path, sequel: Sequel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A version with the same cases beyond the core asks on; one with others begins again."""
    monkeypatch.setattr(build, "VERSION", "99.0.0")
    assert Sequel(DATA).name == sequel.name
    (tmp_path / "conformance").mkdir()
    shutil.copy(DATA / "games.txt.xz", tmp_path)
    core = json.loads((DATA / "conformance" / "core.json").read_bytes())
    core["cases"].pop()
    (tmp_path / "conformance" / "core.json").write_text(json.dumps(core))
    assert Sequel(tmp_path).name != sequel.name


@pytest.mark.slow
def test_the_end_is_the_end(sequel: Sequel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequel, "_lines", sequel._lines[:1])
    monkeypatch.setattr(sequel, "_sizes", [])
    monkeypatch.setattr(sequel, "_last", (-1, []))
    every = sequel.part(0, 10**6)
    assert every[-1].mechanism.partition(".")[0] in {"string", "near-miss", "wrong", "promotion"}
    assert sequel.part(len(every) - 2, 5) == every[-2:]
    assert sequel.part(len(every), 5) == []


@pytest.mark.slow
def test_the_cases_are_the_same_each_time(sequel: Sequel) -> None:
    """In another process, in which sets of texts have another order."""
    program = (
        "from pathlib import Path; from conformance.sequel import Sequel;"
        "print(*(case.id for case in Sequel(Path('data')).part(0, 1200)), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [case.id for case in sequel.part(0, 1200)]
