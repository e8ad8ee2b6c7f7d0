"""Errors planted in the generator, in the search and in the rules: each must be seen."""

import lzma
import sys
from functools import cache
from pathlib import Path

import pytest

import sanproof.verify.claims.selection
from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.encoding import relaxation
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import decide
from sanproof.proofs.search.exact import ExactEncoding, Holds, read_witness
from sanproof.proofs.theory.arrangements import strings_of
from sanproof.verify.commands import start
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from tests.verify.command import (
    PART,
    inline_pool,
    outputs,
)

Captured = pytest.CaptureFixture[str]
select = cache(sanproof.verify.claims.selection.select)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the work be done where the errors are planted."""
    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    monkeypatch.setattr("sanproof.verify.claims.selection.select", select)


def verify_command(monkeypatch: pytest.MonkeyPatch, directory: Path, only: str) -> int:
    """Return the exit code of the command in this process."""
    arguments = ["sanproof", "verify", "--out", str(directory), "--only", only, "--workers", "1"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as caught:
        start.main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


# The generator's list


@pytest.mark.parametrize(
    ("without", "extra", "words"),
    [
        ("", "Nf8xh8", ("0 missing, 1 too many", "too many: Nf8xh8: no knight reaches h8")),
        ("Nxh8#", "", ("1 missing, 0 too many", "missing Nxh8#: played in ")),
    ],
)
def test_a_difference_of_the_generator(
    finished: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    without: str,
    extra: str,
    words: tuple[str, ...],
) -> None:
    (finished / "summary.md").unlink()
    strings = [*(san for san in suffixed_strings() if san != without), *filter(None, [extra])]
    monkeypatch.setattr("sanproof.verify.claims.crosscheck.suffixed_strings", lambda: strings)
    assert verify_command(monkeypatch, finished, PART) == 1
    printed = capsys.readouterr().out
    assert all(word in printed for word in words)


# The search for witnesses


def test_a_witness_that_the_search_forgets_leaves_its_string_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Not found is never impossible."""

    def forgetful(encoding: ExactEncoding, holds: Holds) -> Witness | None:
        witness = read_witness(encoding, holds)
        return None if witness.san == "O-O#" else witness

    monkeypatch.setattr("sanproof.proofs.search.decide.read_witness", forgetful)
    assert verify_command(monkeypatch, tmp_path, "O-O*") == UNDECIDED
    printed = capsys.readouterr().out
    assert "UNDECIDED: 1 string" in printed
    assert "too many: undecided" in printed or "too many: O-O#" in printed
    files = outputs(tmp_path)
    assert b"O-O#" not in files["san_strings_with_symbols.txt"].split(b"\n")
    assert b"O-O#" not in lzma.decompress(files["impossible.csv.xz"])
    assert b'"undecided_strings": ["O-O#"]' in files["summary.json"]


# The rules


def test_a_rule_left_out_contradicts_the_theory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Without the rule of the suffix nothing says that this bishop never gives check."""
    monkeypatch.setattr(relaxation, "_encode_check", lambda *_: None)
    assert verify_command(monkeypatch, tmp_path, "Ba1b2*") == ANSWER_NO
    assert "which is not in the theory" in capsys.readouterr().err
    assert not (tmp_path / "san_strings_with_symbols.txt").exists()


def test_a_rule_left_out_and_a_theory_that_agrees_leave_strings_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """No witness is found for them: not found is never impossible."""
    monkeypatch.setattr(relaxation, "_encode_check", lambda *_: None)
    monkeypatch.setattr(decide, "strings_of", lambda cube: with_every_suffix(strings_of(cube)))
    assert verify_command(monkeypatch, tmp_path, "Ba1b2*") == UNDECIDED
    printed = capsys.readouterr().out
    assert "UNDECIDED: " in printed
    assert "The generator agrees" in printed  # so that the exit code is for what is undecided
    files = outputs(tmp_path)
    excluded = lzma.decompress(files["impossible.csv.xz"])
    for san in (b"Ba1b2+", b"Ba1b2#"):
        assert san + b"," not in excluded
        assert b'"' + san + b'"' in files["summary.json"]
    assert files["san_strings_with_symbols.txt"] == b"Ba1b2"


def with_every_suffix(strings: list[San]) -> list[San]:
    bare = dict.fromkeys(san.bare for san in strings)
    return [san._replace(suffix=suffix) for san in bare for suffix in "#+"] + list(bare)
