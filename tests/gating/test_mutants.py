"""The session ``gate_mutants`` in small, and that it can fail."""

from pathlib import Path

import pytest

from sanproof.generator.strings import suffixed_strings
from tests.gating import mutants
from tests.gating.mutants import OURS, SECOND, Mutant, check, judge, mutants_of
from tests.gating.second import all_strings
from tests.verify.command import ROOT


def test_the_second_generator_gives_the_same_list() -> None:
    assert all_strings() == suffixed_strings()


def test_there_are_enough_mutants_and_each_is_another() -> None:
    for generator in (OURS, SECOND):
        made = [mutant for file in generator.changed for mutant in mutants_of(file)]
        assert len(made) > 200
        some = made[::25]
        texts = {mutant.text() for mutant in some}
        assert len(texts) == len(some)
        for text in texts:
            compile(text, generator.name, "exec")


@pytest.mark.slow
def test_a_few_mutants_are_judged_rightly() -> None:
    assert check(OURS, 3, seed=3)


RIGHT = sorted(san.encode() for san in suffixed_strings())


@pytest.mark.slow
def test_what_becomes_of_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a gate that always says yes, or always no, the session fails."""
    text = (ROOT / "generator/strings.py").read_text()
    texts = {
        "none": text,
        "no kings": text.replace('"NBRQK"', '"NBRQ"'),
        "exits": "raise SystemExit(1)",
        "runs on": "import time; time.sleep(60)",
        "takes memory": "x = bytes(1 << 30)",
    }
    made = {name: Mutant("generator/strings.py", 0, name, 0, 0) for name in texts}
    monkeypatch.setattr(Mutant, "text", lambda mutant: texts[mutant.change])
    monkeypatch.setattr(mutants, "TIMEOUT_SECONDS", 3)
    results = [judge(OURS, mutant, RIGHT, tmp_path) for mutant in made.values()]
    assert results[:2] == ["changes nothing, and passes", "caught by the gate"]
    assert results[2:] == ["ends with an error"] * 3
    monkeypatch.setattr(mutants, "gate_says_yes", lambda *_: True)
    assert judge(OURS, made["no kings"], RIGHT, tmp_path) == "MISSED by the gate"
    monkeypatch.setattr(mutants, "gate_says_yes", lambda *_: False)
    assert judge(OURS, made["none"], RIGHT, tmp_path) == "FAILED without reason"
    assert not check(OURS, 3, seed=1)
