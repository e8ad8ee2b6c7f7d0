"""The demands of the commands on a run, and how an audit ends."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.audit import auditor
from sanproof.verify.audit.auditor import run_audit
from sanproof.verify.commands.cli import cli
from sanproof.verify.commands.runs import audit
from sanproof.verify.errors import NegativeAnswer
from tests.verify.command import expect_sentence, sanproof

ASKED = {
    "verify": (True, True, None),
    "verify --no-games": (False, False, None),
    "verify --only Q*d4": (True, False, None),
    "verify --scheduler tls://a.b:1": (True, True, "tls://a.b:1"),
    "verify --scheduler tcp://[::1]:65535 --workers 1": (True, True, "tcp://[::1]:65535"),
    **{
        f"verify --scheduler={address}": f"{address!r} is not of the form tcp://HOST:PORT"
        for address in (
            "nonsense",
            "",
            "tcp://host",
            "tcp://host:x",
            "http://host:1",
            "tcp://h:1/p",
        )
    },
}
"""For each line whether games and a cover are asked for, and from which scheduler; or an error."""


@pytest.mark.parametrize("line", ASKED)
def test_the_cover_is_part_of_a_whole_run(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, bool, str | None]] = []

    def run(
        *_: object, games: bool = True, cover: bool = False, scheduler: str | None = None
    ) -> None:
        asked.append((games, cover, scheduler))

    monkeypatch.setattr("sanproof.verify.run.runner.run", run)
    monkeypatch.setattr("sanproof.verify.run.show.show_result", lambda *_: 0)
    (tmp_path / "run.sqlite3").touch()
    name, *options = line.split()
    done = CliRunner().invoke(cli, [name, "--out", str(tmp_path), *options])
    expected = ASKED[line]
    if isinstance(expected, str):
        assert (done.exit_code, asked) == (2, [])
        assert expected in done.output
    else:
        assert (done.exit_code, done.output, asked) == (0, "", [expected])


def test_a_failure_is_a_negative_answer_and_no_run_is_misuse(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "run.sqlite3").write_text("not finished")
    expect_sentence(sanproof("audit", str(tmp_path)), 2, "holds no finished run")
    (tmp_path / "witnesses.csv.gz").write_text("a part of one")
    expect_sentence(sanproof("audit", str(tmp_path)), 2, "holds no finished run")
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
