"""The campaign ``gate_mutants`` in small, and that it can fail."""

from pathlib import Path

import pytest

from sanproof.generator.strings import suffixed_strings
from tests.campaigns import gate_mutants
from tests.campaigns.gate_mutants import check, judge, mutants
from tests.campaigns.mutation.operators import Mutant
from tests.verify.command import ROOT

RIGHT = sorted(san.encode() for san in suffixed_strings())


@pytest.mark.slow
def test_a_few_mutants_are_judged_rightly() -> None:
    assert len(mutants()) > 200
    assert check(4, seed=6)


@pytest.mark.slow
def test_what_becomes_of_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a gate that always says yes, or always no, the campaign fails."""
    monkeypatch.setattr(gate_mutants, "TIMEOUT_SECONDS", 3)
    text = (ROOT / "generator/strings.py").read_text()
    expected = {
        text: "changes nothing, and passes",
        text.replace('"NBRQK"', '"NBRQ"'): "caught by the gate",
        "raise SystemExit(1)": "ends with an error",
        "import time; time.sleep(60)": "ends with an error",
        "x = bytes(1 << 30)": "ends with an error",
    }
    made = [Mutant("strings", "", "", "", "", 1, source) for source in expected]
    assert [judge(mutant, RIGHT, tmp_path) for mutant in made] == list(expected.values())
    monkeypatch.setattr(gate_mutants, "gate_says_yes", lambda *_: True)
    assert judge(made[1], RIGHT, tmp_path) == "MISSED by the gate"
    monkeypatch.setattr(gate_mutants, "gate_says_yes", lambda *_: False)
    assert judge(made[0], RIGHT, tmp_path) == "FAILED without reason"
    assert not check(3, seed=1)
