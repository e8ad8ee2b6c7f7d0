"""The command and its forms: each difference is named, and nothing gets out unescaped."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import chess
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sanproof.reports.archive.door import open_archive
from sanproof.verify.findings.formats import Display, written
from sanproof.verify.gate.compare import GateReport, compare
from sanproof.verify.gate.formats import FORMATS, SORTS, findings
from sanproof.verify.gate.lists import StringList, parse_list
from tests.examples import examples
from tests.verify.command import ROOT, command, completed, expect_sentence, on_terminal

ARCHIVE = open_archive()
FULL = ARCHIVE.strings()
SHORT = ARCHIVE.strings(bare=True)
NEVER_CHECKS = sorted(
    {bare + suffix for bare in SHORT for suffix in ("", "+", "#")} - set(FULL), key=FULL[:0].count
)
HOSTILE = [
    *("\n\x1b[31mEVIL\n::stop-commands::t", "\ud800", "\n\ud800", "\n\xe9", "::stop-commands::t"),
    *("##[error]t", "e4##[group]t", "\x00\x08\x0b\x1f\x7f\x85\u2028\uffff", "]]>&<>\"'"),
    *("%0A::error::t", "\r::error::t"),
]


def compared(strings: list[str]) -> GateReport:
    return compare(ARCHIVE, StringList("list", "line", strings))


def text_of(form: str, *reports: GateReport, options: Display = Display(99)) -> str:  # noqa: B008
    return "".join(written(form, FORMATS[form](reports, options)))


def check_text(form: str, text: str) -> None:
    """Check for plain text that the form's own readers read, and no commands but our own."""
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert "##[" not in text
    for line in text.splitlines():
        ours = form == "github" and line.startswith("::error file=")
        assert ours or not line.lstrip().startswith("::")
    if form in ("json", "sarif"):
        json.loads(text)
    if form == "junit":
        ET.fromstring(text)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=examples(30), phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(st.sampled_from(HOSTILE) | st.text() | st.integers() | st.none()),
    st.sampled_from(["-", "list.txt"]) | st.binary().map(os.fsdecode),
)
def test_nothing_gets_out_unescaped(form: str, items: list[object], source: str) -> None:
    content = json.dumps([*SHORT, *items, *items]).encode()
    check_text(form, text_of(form, compare(ARCHIVE, parse_list(source, content))))


@pytest.mark.parametrize("form", ["text", "junit"])
def test_names_of_files_are_escaped_in_an_ascii_locale(tmp_path: Path, form: str) -> None:
    names = ("::stop-commands::x", "##[error]x", "\x1b[2J\n::error::x")
    for name in names:
        (tmp_path / name).write_text(json.dumps([*SHORT[1:], *HOSTILE, "\n\xe9"]))
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONPATH": str(ROOT)}
    told = command("gate", "--format", form, "--", *names)
    run = completed(told, cwd=tmp_path, env=env, text=False)
    assert (run.returncode, run.stderr) == (1, b"")
    check_text(form, run.stdout.decode("ascii"))


def test_each_difference_names_its_string() -> None:
    entries = [*SHORT[2:], *NEVER_CHECKS, "e9", "e4"]
    report = compared(entries)
    strings = [m.san for m in report.missing] + [t.san for t in report.too_many] + ["e4", "e9"]
    for string, finding in zip(strings, findings(report), strict=True):
        assert string in finding.sentence
        at = "" if finding.rule == "missing" else f"line {finding.line}: "
        assert finding.sentence.startswith(at or string)
        assert finding.line == (1 if finding.rule == "missing" else entries.index(string) + 1) or (
            finding.rule == "repeated"
        )
    sentences = [finding.sentence for finding in findings(report)]
    assert len(set(sentences)) == len(sentences)
    (one,) = json.loads(text_of("json", report))["lists"]
    rows = [row for sort in ("missing", "too_many", "repeated", "not_san") for row in one[sort]]
    assert [row.get("san", row.get("text")) for row in rows] == strings
    (suite,) = ET.fromstring(text_of("junit", report))
    failed = {case.get("name"): case.findtext("failure") for case in suite.iter("testcase")}
    assert "\n".join(filter(None, failed.values())) == "\n".join(sentences)
    numbers = [suite.get(word) for word in ("failures", "tests", "skipped")]
    assert (*numbers, *failed) == ("4", "5", "0", *SORTS)
    swapped = StringList("list", "line", [*SHORT[:5], SHORT[6], SHORT[5], *SHORT[7:]])
    (order,) = findings(compare(ARCHIVE, swapped, ordered=True))
    assert (order.rule, order.line, order.sentence[:8]) == ("order", 6, "line 6: ")


def test_json_says_of_each_list_and_of_all_whether_they_are_exact() -> None:
    right, wrong = (compared(strings) for strings in (FULL, FULL[1:]))
    for reports in ([right], [right, wrong], [wrong, right]):
        content = json.loads(text_of("json", *reports))
        assert content["exact"] == (reports == [right])
        assert [one["exact"] for one in content["lists"]] == [one is right for one in reports]
        for one in content["lists"]:  # none is left out or has another name
            assert set(one) == {*GateReport._fields, "exact"}


def replayed(sans: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for san in sans:
        board.push_san(san)
    return board


def test_a_missing_string_has_the_position_of_the_game_beside_it() -> None:
    gone = ("a2", "e8=Q", "Qb6e3#", "O-O-O#")
    lines = text_of("text", compared([san for san in FULL if san not in gone])).splitlines()
    found = [line for line in lines if "is missing" in line]
    assert {line.split()[0] for line in found} == set(gone)
    for line in found:
        (told,) = re.findall(r"^  (\S+) is missing: it is how (\S+) is written in (.+)\.$", line)
        san, uci, fen = told
        game = lines[lines.index(line) + 1].partition(": ")[2]
        sans = [word for word in game.split() if not word[0].isdigit()]
        board = replayed(sans[:-1])
        assert (sans[-1], board.fen()) == (san, fen)
        assert board.san(chess.Move.from_uci(uci)) == san


def test_json_has_the_games_of_the_first_missing_strings() -> None:
    (one,) = json.loads(text_of("json", compared(FULL[3:]), options=Display(2)))["lists"]
    assert [row["san"] for row in one["missing"]] == FULL[:3]
    assert ["game" in row for row in one["missing"]] == [True, True, False]
    for row in one["missing"][:2]:
        assert row["game"][row["ply"] - 1] == row["san"]
        assert replayed(row["game"][: row["ply"] - 1]).fen() == row["before_fen"]


def test_extra_strings_of_one_reason_stand_together() -> None:
    text = text_of("text", compared([*FULL, "Ba1b2+", "Kae1", "Qd4b2+"]))
    assert text.count("extra (no-check): ") == 1
    assert text.count("For example, ") == 1  # the only one of a reason is no example


# The command


def test_standard_input() -> None:
    for arguments in (["gate"], ["gate", "-"]):
        run = completed(command(*arguments), input="\r\n".join(SHORT))
        assert run.returncode == 0
        assert "note: Its lines end with CRLF." in run.stdout


def in_bounds(line: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line with ``GATE`` in it: each process has 400 MiB of memory; 20 seconds."""
    return completed(
        ["/bin/sh", "-c", f"ulimit -v 409600; {line.replace('GATE', shlex.join(command('gate')))}"],
        timeout=20,
    )


REFUSED = {
    "5 GB": ("truncate -s 5G 'PATH/huge' && GATE 'PATH/huge'", "is larger than 32 MiB"),
    "a line without end": ("cat /dev/zero | GATE", "Standard input is larger than 32 MiB"),
    "a device": ("GATE /dev/zero", "/dev/zero is larger than 32 MiB"),
    "a closed standard input": ("GATE <&-", "Standard input is closed"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_list_is_refused_with_a_sentence(tmp_path: Path, case: str) -> None:
    line, words = REFUSED[case]
    run = in_bounds(line.replace("PATH", str(tmp_path)))
    expect_sentence(run, 2, words)
    assert run.stdout == ""


@pytest.mark.parametrize("form", ["json", "junit", "sarif"])
def test_a_form_for_programs_is_printed_whole_or_not_at_all(tmp_path: Path, form: str) -> None:
    run = completed(
        command("gate", "--format", form, "data/san_strings.txt", str(tmp_path / "none"))
    )
    assert (run.returncode, run.stdout) == (2, "")


@pytest.mark.slow
def test_a_terminal_is_told_that_its_input_is_waited_for() -> None:
    code, shown = on_terminal("gate", columns=200, streams=["stderr"], typed=b"e4\ne5\n\x04")
    assert code == 1
    assert "Ctrl-D" in "".join(shown)
