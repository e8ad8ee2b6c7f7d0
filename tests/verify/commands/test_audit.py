"""The sentences with which an audit ends: each is as strong as what was checked."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.kernel.theorem import Theorem
from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.names import FULL_LIST, MANIFEST, WITNESSES
from sanproof.reports.tables.survey import Kind, Survey
from sanproof.verify.audit import auditor
from sanproof.verify.audit.auditor import closing_lines, run_audit
from sanproof.verify.audit.whole import Audited
from sanproof.verify.commands.runs import audit
from sanproof.verify.errors import NegativeAnswer
from tests.verify.command import expect_sentence, sanproof

COUNTS = {Verdict.REACHABLE: 3, Verdict.IMPOSSIBLE: 4}
FOUND = Survey(
    Counter({Kind("Q", "", "", verdict, None): number for verdict, number in COUNTS.items()}),
    ["Qd4", "Qd4#", "Qd5#"],
    [],
    [],
)
WHITE, BLACK = frozenset({"Qd4", "Qd4#"}), frozenset({"Qd4", "Qd5#"})
THEOREM = Theorem(7, WHITE, BLACK, games=4, cubes=770, clauses=1000)
DIGESTS = {name: name[0] * 64 for name in (MANIFEST, FULL_LIST, GAMES, CERTIFICATES, WITNESSES)}
WITH_GAMES = Audited(None, THEOREM, FOUND, 770, 1000, None, DIGESTS, [])
WITHOUT = WITH_GAMES._replace(theorem=None)


def test_without_games_it_claims_less() -> None:
    text = "\n".join(closing_lines(WITH_GAMES))
    assert THEOREM.sentence() in text
    assert "3 are written for a move of a legal game" in text
    assert "(1 by both players, 1 only by White, 1 only by Black)" in text
    text = "\n".join(closing_lines(WITHOUT))
    assert "Checked 770 refutations of 1,000 clauses in all, and 3 positions." in text
    assert "3 are written for a legal move in the position given" in text
    assert "legal game" not in text
    for audited in (WITH_GAMES, WITHOUT):
        assert "the other 4 for no legal move in any position" in "\n".join(closing_lines(audited))
        part = "\n".join(closing_lines(audited._replace(only="Q*d4")))
        assert "of the 7 strings that match 'Q*d4', 3 are" in part


def test_digests_are_printed_of_what_the_theorem_rests_on() -> None:
    for audited, rest in ((WITH_GAMES, GAMES), (WITHOUT, WITNESSES)):
        first, *lines = closing_lines(audited)
        assert first == "Read 5 files, and among them with these SHA-256:"
        names = (MANIFEST, FULL_LIST, rest, CERTIFICATES)
        assert lines[:4] == [f"{DIGESTS[name]}  {name}" for name in names]


def test_what_was_not_checked_or_more_than_usual_is_named() -> None:
    names = ["PROOF.md", "a\nProved: all", "b", "c", "d", "e", "\udce4"]
    lines = closing_lines(WITH_GAMES._replace(unchecked=names, cover=2), second_opinion=True)
    (line,) = [line for line in lines if line.startswith("Not part")]
    assert line.endswith(": 'PROOF.md', 'a\\nProved: all', 'b', 'c', 'd' and 2 more.")
    assert "2 more games together show every string: the cover." in lines
    assert lines[-1] == "dratify accepts all 770 refutations as well."
    for line in closing_lines(WITH_GAMES):
        assert not any(word in line for word in ("Not part", "cover", "dratify"))


def test_a_failure_is_a_negative_answer_and_no_run_is_misuse(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "run.sqlite3").write_text("not finished")
    expect_sentence(sanproof("audit", str(tmp_path)), 2, "holds no finished run")
    (tmp_path / "witnesses.csv.gz").write_text("a part of one is none that is right")
    expect_sentence(sanproof("audit", str(tmp_path)), 1, "manifest.json")
    (tmp_path / MANIFEST).write_text("{}", encoding="ascii")
    with pytest.raises(NegativeAnswer, match=r"^The audit fails: manifest\.json: .*\.$"):
        run_audit(tmp_path, 1, second_opinion=False)


def test_without_a_directory_the_published_data_is_audited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audited: list[tuple[object, ...]] = []
    monkeypatch.setattr(auditor, "run_audit", lambda *a, **_: audited.append(a))
    assert CliRunner().invoke(audit, ["--workers", "3"]).exit_code == 0
    assert audited == [(published_directory(), 3)]
