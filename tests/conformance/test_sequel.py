"""The cases beyond the core, in the order in which all libraries are asked them."""

import json
import os
import shutil
import subprocess
import sys
from itertools import islice
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
    cases = list(islice(sequel.cases(), 1000))
    names = [case.id for case in cases]
    assert len(set(names)) == 1000
    assert not set(names) & {case["id"] for case in core}
    assert {case.mechanism.partition(".")[0] for case in cases[:100]} >= {"check", "not-mate"}
    assert any(case.mechanism.startswith("string.") for case in cases)
    assert Demand.MAY not in {case.demand for case in cases}


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
def test_the_cases_are_the_same_each_time(sequel: Sequel) -> None:
    """In another process, in which sets of texts have another order."""
    program = (
        "from itertools import islice; from pathlib import Path\n"
        "from conformance.sequel import Sequel\n"
        "print(*(case.id for case in islice(Sequel(Path('data')).cases(), 1200)), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [case.id for case in islice(sequel.cases(), 1200)]
