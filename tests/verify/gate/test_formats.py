"""The forms: each difference names its string, and nothing of a list gets out unescaped."""

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sanproof.reports.archive.door import GameRow
from sanproof.verify.findings.formats import Display, written
from sanproof.verify.gate.compare import Gate, GateReport
from sanproof.verify.gate.formats import FORMATS, SORTS, findings
from sanproof.verify.gate.lists import StringList, parse_list
from tests.examples import examples
from tests.verify.command import ROOT, command, completed
from tests.verify.gate.test_compare import ARCHIVE, FULL, SHORT

GATE = Gate(ARCHIVE)
NEVER_CHECKS = sorted(
    {bare + suffix for bare in SHORT for suffix in ("", "+", "#")} - set(FULL), key=FULL[:0].count
)
HOSTILE = [
    "\n\x1b[31mEVIL\n::stop-commands::t",
    "\ud800",
    "\n\ud800",
    "\n\xe9",
    "::stop-commands::t",
    "##[error]t",
    "e4##[group]t",
    "\x00\x08\x0b\x1f\x7f\x85\u2028\uffff",
    "]]>&<>\"'",
    "%0A::error::t",
    "\r::error::t",
]


def compared(strings: list[str]) -> GateReport:
    """Compare a list by a new gate, which reads the evidence for it alone."""
    return Gate(ARCHIVE).compare(StringList("list", "line", strings))


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
    check_text(form, text_of(form, GATE.compare(parse_list(source, content))))


@pytest.mark.parametrize("form", FORMATS)
def test_names_of_files_are_escaped_in_an_ascii_locale(tmp_path: Path, form: str) -> None:
    names = ("::stop-commands::x", "##[error]x", "\x1b[2J\n::error::x")
    for name in names:
        (tmp_path / name).write_text(json.dumps([*SHORT[1:], *HOSTILE, "\n\xe9"]))
    run = completed(
        command("gate", "--format", form, "--", *names),
        cwd=tmp_path,
        env={
            "LC_ALL": "C",
            "PYTHONIOENCODING": "ascii",
            "PYTHONUTF8": "0",
            "PYTHONPATH": str(ROOT),
        },
        text=False,
    )
    assert (run.returncode, run.stderr) == (1, b"")
    check_text(form, run.stdout.decode("ascii"))


def test_each_difference_names_its_string() -> None:
    entries = [*SHORT[2:], *NEVER_CHECKS, "e9", "e4"]
    report = compared(entries)
    strings = [m.san for m in report.missing] + [t.san for t in report.too_many] + ["e4", "e9"]
    for string, finding in zip(strings, findings(report), strict=True):
        assert string in finding.sentence
        assert finding.line == (1 if finding.rule == "missing" else entries.index(string) + 1) or (
            finding.rule == "repeated"
        )
    sentences = [finding.sentence for finding in findings(report)]
    assert len(set(sentences)) == len(sentences)


def test_strings_with_one_reason_stand_together() -> None:
    """The published count of 29,274 is wrong by 336 strings that never check: one group."""
    assert len(NEVER_CHECKS) == 3 * len(SHORT) - len(FULL)
    report = compared([*FULL, "Kae1", *NEVER_CHECKS, "e2=Q"])
    lines = text_of("text", report, options=Display(5)).splitlines()
    assert lines[1].startswith(f"  What these {len(NEVER_CHECKS) + 2} share: ")
    (group,) = [i for i, line in enumerate(lines) if "(no-check)" in line]
    assert lines[group].startswith(f"  {len(NEVER_CHECKS)} are too many (no-check): ")
    for i, san in enumerate(NEVER_CHECKS[:5]):
        assert f"{san} (line {len(FULL) + 2 + i})" in lines[group + 1]
    assert NEVER_CHECKS[5] not in lines[group + 1]
    assert (
        f"and {len(NEVER_CHECKS) - 5} more (--limit {len(NEVER_CHECKS)} shows" in lines[group + 1]
    )
    assert lines[group + 2].startswith(f"      For example, {NEVER_CHECKS[0]}: ")
    why = next(extra.why for extra in report.too_many if extra.san == NEVER_CHECKS[0])
    assert lines[group + 3 : group + 3 + len(why)] == [f"      {line}" for line in why]
    assert why[1].startswith("from ")
    assert len(lines) == 7 + len(why)
    everything = text_of("text", report, options=Display(1000))
    assert all(f" {san} (line " in everything for san in NEVER_CHECKS)


def test_one_word_for_one_sort_in_all_forms() -> None:
    report = compared([*FULL[1:], "e1", "e9", "e4"])
    assert "1 missing, 1 too many, 1 repeated, 1 not SAN." in report.headline
    (one,) = json.loads(text_of("json", report))["lists"]
    assert [sort for sort in one if isinstance(one[sort], list) and one[sort]] == [
        sort.replace("-", "_") for sort in ("missing", "too-many", "repeated", "not-san")
    ]
    cases = [case.get("name") for case in ET.fromstring(text_of("junit", report)).iter("testcase")]
    (run,) = json.loads(text_of("sarif", report))["runs"]
    assert cases == [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(SORTS)
    github = text_of("github", report)
    for word in ("missing", "too many", "repeated", "not SAN"):
        assert f"title=SAN string {word}::" in github
    for form in FORMATS:
        assert not {"strange", "duplicate", "Duplicate"} & set(text_of(form, report).split('"'))


def test_json_says_of_each_list_and_of_all_whether_they_are_exact() -> None:
    right, wrong = (compared(strings) for strings in (FULL, FULL[1:]))
    for reports in ([right], [right, wrong], [wrong, right]):
        content = json.loads(text_of("json", *reports))
        assert content["exact"] == (reports == [right])
        assert [one["exact"] for one in content["lists"]] == [one is right for one in reports]
        for one in content["lists"]:  # none is left out or has another name
            assert set(one) == {*GateReport._fields, "exact"}


def with_games(report: GateReport) -> GateReport:
    sans = tuple(f"a{i}" for i in range(61))
    missing = [
        row._replace(earliest=None, proof_game=GameRow(1, row.san, "white", 31 + 2 * i, sans, ""))
        for i, row in enumerate(report.missing)
    ]
    return report._replace(missing=missing)


def test_a_game_is_short_by_default_and_whole_when_asked_for() -> None:
    report = with_games(compared(FULL[2:]))
    short = text_of("text", report)
    assert "White plays it at move 16 of a game of 31" in short
    assert "... 13. a24 a25 14. a26 a27 15. a28 a29 16. a30\n" in short
    whole = " ".join(text_of("text", report, options=Display(99, whole_games=True)).split())
    for words in ("1. a0 a1 2. a2", "31. a60", "checkmate"):
        assert words in whole


@pytest.mark.parametrize("columns", [30, 40, 50, 200])
def test_lines_fit_a_terminal(columns: int) -> None:
    entries = [*FULL[9:], *NEVER_CHECKS[:9], "Done!", "e4"]
    report = with_games(compared(entries))
    wide, narrow = (
        text_of("text", report, options=Display(99, columns=c)) for c in (None, columns)
    )
    assert narrow.split() == wide.split()
    assert all(len(line) <= columns or len(line.split()) == 1 for line in narrow.splitlines())


def test_limit_zero_shows_counts_only() -> None:
    report = compared([*FULL[9:], *NEVER_CHECKS[:9], "x", "x"])
    lines = text_of("text", report, options=Display(0)).splitlines()
    assert len(lines) == 7
    assert [line.split(": ")[0] for line in lines[1:3]] == ["  missing", "  too many"]
    assert all("(no-check)" in line or "--limit" in line for line in lines[3:])
