"""``sanproof explain`` as a user starts it."""

import json
from pathlib import Path

import chess
import pytest
from click.testing import CliRunner

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import WitnessRow
from sanproof.verify.commands.explain import explain
from sanproof.verify.explain.answers import Answer
from tests.verify.command import sanproof

START = chess.STARTING_FEN


def test_several_strings_are_answered_in_their_order() -> None:
    run = sanproof("explain", "e4", "O-O", "a8=Q")
    parts = run.stdout.split("Looked up in the published data; use --prove to prove it now.\n")
    heads = [part.lstrip("\n").split(" is reachable", 1)[0] for part in parts]
    assert heads == ["e4", "O-O", "a8=Q", ""]
    run = sanproof("explain", "--format", "json", "e4", "Kae1")
    found = json.loads(run.stdout)
    assert [(entry["san"], entry["source"]) for entry in found] == [
        ("e4", "looked up"),
        ("Kae1", "looked up"),
    ]


def test_undecided_is_an_exit_code_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof reads no data."""
    verdicts = {"O-O": Verdict.UNDECIDED, "e4": Verdict.REACHABLE, "Kae1": Verdict.IMPOSSIBLE}

    def proved(san: str, *, black: bool) -> Answer:
        assert not black
        found = WitnessRow("e4", START, "e2e4", START) if san == "e4" else None
        return Answer(san, verdicts[san], found, sentence=f"{san}.", proved=True)

    monkeypatch.setattr("sanproof.verify.explain.prove.prove", proved)
    monkeypatch.setattr("sanproof.reports.archive.door.published_directory", lambda: tmp_path)
    for sans, code in (("O-O", 3), ("e4 O-O e4", 3), ("O-O Kae1", 1), ("e4", 0)):
        for form in ("text", "json"):
            line = [*sans.split(), "--prove", "--format", form]
            assert CliRunner().invoke(explain, line).exit_code == code
