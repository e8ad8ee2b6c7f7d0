"""Each format, read by a reader of its own: nothing gets lost, whatever a finding says."""

import fcntl
import io
import json
import pty
import shlex
import struct
import termios
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.findings.formats import (
    Finding,
    first,
    github_lines,
    json_object,
    more,
    print_written,
    sarif,
    text_lines,
    written,
)
from sanproof.verify.findings.width import columns_of, filled, fitted
from tests.verify.command import on_terminal, sanproof

NAMES = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1)
ANYTHING = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["::error::x", "##[group]", "\x1b[31m", "\r\n::stop-commands::", "a%0Ab,c:d", "\u202e"]
)
PLACES = st.none() | st.integers(1, 99)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    column = draw(PLACES)
    end = None if column is None else column + draw(st.integers(1, 9))
    source = draw(st.none() | st.just("-") | NAMES)
    place = source, draw(st.integers(1, 99)), column, end
    kind = draw(st.sampled_from([("error", ""), ("warning", "e4 in game 2"), ("note", "é")]))
    return Finding(draw(NAMES), draw(ANYTHING), draw(ANYTHING), *place, *kind)


def made(form: str, pieces: Iterator[str]) -> str:
    text = "".join(written(form, pieces))
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert "##[" not in text
    return text


@given(st.lists(findings()))
def test_a_sarif_reader_finds_each_finding_in_its_place(found: list[Finding]) -> None:
    content = json.loads(made("sarif", sarif({"rule": "meaning"}, found)))
    (run,) = content["runs"]
    assert content["version"] == "2.1.0"
    assert run["columnKind"] == "unicodeCodePoints"  # or columns are counted as UTF-16 has them
    assert run["tool"]["driver"]["rules"] == [
        {"id": "rule", "shortDescription": {"text": "meaning"}}
    ]
    for finding, result in zip(found, run["results"], strict=True):
        (location,) = result["locations"]
        place = location["physicalLocation"]
        told = (result["ruleId"], result["message"]["text"], result["level"])
        assert told == (finding.rule, finding.sentence, finding.level)
        same = result.get("partialFingerprints", {"sanproof/v1": ""})
        assert same == {"sanproof/v1": finding.fingerprint}
        uri = unquote(place["artifactLocation"]["uri"])
        assert uri == ("stdin" if finding.source == "-" else finding.source or "")
        expected = {"startLine": finding.line}
        if finding.column is not None and finding.end_column is not None:
            expected |= {"startColumn": finding.column, "endColumn": finding.end_column}
            expected["endLine"] = finding.line
        assert place["region"] == expected


@given(st.lists(findings()))
def test_github_gets_one_line_for_each_finding(found: list[Finding]) -> None:
    lines = made("github", github_lines([*found, "the end"])).split("\n")
    assert lines[-2:] == ["the end", ""]
    for finding, line in zip(found, lines[:-2], strict=True):
        properties, _, message = line.removeprefix("::error ").partition("::")
        assert line.startswith("::error ")
        expected = [] if finding.source is None else ["file", "line"]
        expected += [] if finding.column is None else ["col", "endColumn"]
        assert [pair.partition("=")[0] for pair in properties.split(",")] == [*expected, "title"]
        if finding.sentence.isascii() and finding.sentence.isprintable():
            text = finding.sentence.replace("##[", "\\x23#[")
            assert message.replace("%25", "%") == text


@given(
    st.dictionaries(NAMES.map("-".__add__), st.integers() | ANYTHING, max_size=2),
    st.lists(ANYTHING),
    st.sampled_from([{}, {"ended": True}]),
)
def test_a_json_object_holds_head_entries_and_tail(
    head: dict[str, object], entries: list[str], tail: dict[str, object]
) -> None:
    pieces = json_object(head, "entries", map(json.dumps, entries), lambda: tail)
    assert json.loads(made("json", pieces)) == {**head, "entries": entries, **tail}


def test_people_see_the_first_of_each_rule_and_lines_that_fit() -> None:
    found = [Finding(rule, f"{i}", "") for i, rule in enumerate("aabab")]
    assert [f.sentence for f in first(found, 2)] == ["0", "1", "2", "4"]
    assert more(1005, 5, "missing") == "and 1,000 more missing (--limit 1005 shows them all)"
    assert more(5, 5) == ""
    line = "  " + "word " * 30
    assert list(text_lines([line], None)) == [f"{line}\n"]
    assert list(text_lines([line], 40)) == [f"{filled(line, 40, 2)}\n"]


def test_what_is_of_use_as_a_whole_is_printed_when_it_is_complete(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken() -> Iterator[str]:
        yield "first\n"
        raise ValueError("broken")

    for form, printed in (("json", ""), ("sarif", ""), ("junit", ""), ("text", "first\n")):
        with pytest.raises(ValueError, match="broken"):
            print_written(form, broken())
        assert capsys.readouterr().out == printed
    for form in ("sarif", "github"):
        print_written(form, ["a", "b\n"])
        assert capsys.readouterr().out == "ab\n"


# Lines that fit a terminal

WORDS = st.lists(st.text("abc,|/+#-", min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.integers(20, 60), st.integers(0, 8), st.integers(0, 8))
def test_no_word_is_cut_and_lines_fit(
    words: list[str], width: int, indent: int, further: int
) -> None:
    first, *lines = filled(" " * indent + " ".join(words), width, further).split("\n")
    assert " ".join([first, *lines]).split() == words
    for line, begins in [(first, indent), *((line, indent + further) for line in lines)]:
        assert len(line) <= width or len(line.split()) == 1
        assert len(line) - len(line.lstrip()) == begins


def test_the_variable_counts_for_more_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, 70, 0, 0))
    with open(ours, "wb"), open(theirs, "w") as stream:  # noqa: PTH123 - they are open
        for variable, width in (("33", 33), ("", 70), ("wide", 70), ("0", 70)):
            monkeypatch.setenv("COLUMNS", variable)
            assert columns_of(stream) == width
    monkeypatch.setenv("COLUMNS", "33")
    assert columns_of(io.StringIO()) is None
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert fitted("word " * 100) == "word " * 100  # lines of any length where no terminal shows it


SHOWN = [
    (0, "explain Qb6e3#"),
    (0, "write b1d2 --fen '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1'"),
    (2, "explain --run a/folder/that/is/not/there e4"),
    (2, "explain --an-option-that-there-is-not"),
]


@pytest.mark.parametrize(("code", "line"), SHOWN)
def test_output_fits_narrow_terminals(code: int, line: str) -> None:
    """And says the same there, word by word; errors on standard error, whatever the other is."""
    arguments = shlex.split(line)
    piped = sanproof(*arguments)
    assert piped.returncode == code
    stream, text = ("stderr", piped.stderr) if code == 2 else ("stdout", piped.stdout)
    ended, lines = on_terminal(*arguments, columns=60, streams=[stream])
    assert ended == code
    long = [line for line in lines if len(line) > 60]
    assert all(len(line.split()) == 1 or "FEN " in line for line in long)  # these are copied whole
    assert " ".join(lines).split() == text.split()
