"""What is no list of strings is recognised, and the hint says what to do."""

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest

from sanproof.reports.archive.door import open_archive
from sanproof.verify.errors import Failure
from sanproof.verify.gate.hints import hint
from sanproof.verify.gate.lists import parse_list
from tests.verify.command import ROOT, expect_sentence, sanproof

SHORT = open_archive().strings(bare=True)

HINTS = {
    "Done!": "a heading or a message",
    "san": "a heading or a message",
    "9758 strings written": "a heading or a message",
    "# bare strings": "a heading or a message",
    "# 1": "comments",
    "": "empty lines",
    "e4 ": "white space",
    '"e4"': "quotation marks",
    "'e4',": "quotation marks",
    "e4,": "commas",
    "0-0": "the letter O",
    "o-o-o+": "the letter O",
    "e8Q": "needs a =",
    "dxe1(N)#": "needs a =",
    "e4!?": "leave out ! and ?",
    "Ng1-f3": "",
    "hxg9": "",
    "NNf3": "",
    "Q" * 10_000_000: "",
}


@pytest.mark.parametrize("text", HINTS, ids=lambda text: text[:20])
def test_hints(text: str) -> None:
    assert HINTS[text] in hint(text)
    assert bool(HINTS[text]) == bool(hint(text))


def table(separator: str, *, heading: bool, before: int) -> str:
    """A table with the strings in one of its columns."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    if heading:
        writer.writerow([*["uci"] * before, "san", "fen"])
    writer.writerows([*["e2e4"] * before, san, "8"] for san in SHORT)
    return text.getvalue()


@pytest.mark.parametrize("separator", [",", "\t", ";", "|", " "])
@pytest.mark.parametrize("heading", [False, True])
@pytest.mark.parametrize("before", [0, 2])
def test_a_table_is_recognised_and_the_hint_works(
    tmp_path: Path, separator: str, before: int, *, heading: bool
) -> None:
    path = tmp_path / "a table.csv"
    path.write_text(table(separator, heading=heading, before=before))
    with pytest.raises(Failure, match=f"is a table of {before + 2} columns: give column") as caught:
        parse_list(str(path), path.read_bytes())
    hinted = str(caught.value).split("`")[1].replace("| sanproof gate", "")
    made = subprocess.run(hinted, shell=True, capture_output=True, text=True, check=True)
    assert made.stdout.splitlines() == SHORT


OBJECTS = {
    "an object": ('{"a": 1, "the list": ["e4"]}', '."the list"', "give its array alone"),
    "an object of something else": ('{"a": [1]}', "", "give an array of strings"),
    "objects, one a line": ('{"uci": "e2e4", "san": "e4"}\n{}', '."san"', "in each line"),
    "objects of something else": ('{"a": 1}\n{}', "", "give one string a line"),
    "deep objects": ('{"a":' * 100_000, "", "give an array of strings"),
}


@pytest.mark.parametrize("case", OBJECTS)
def test_json_objects_are_recognised(case: str) -> None:
    text, path, words = OBJECTS[case]
    with pytest.raises(Failure, match=words) as caught:
        parse_list("-", text.encode())
    assert path in str(caught.value)
    assert caught.value.exit_code == 2


def test_one_line_with_all_strings() -> None:
    with pytest.raises(Failure, match="has one line with 3 entries: put each on a line"):
        parse_list("-", b"e4 Nf3 O-O")


NO_TABLES = ["e4,\nNf3", "one, two\nthree, four", "{e4\nNf3", "{", "e4 \nNf3 \n", " ", ",\n,"]


@pytest.mark.parametrize("text", NO_TABLES)
def test_what_is_no_table_gets_a_verdict(text: str) -> None:
    assert parse_list("-", text.encode()).entries == text.removesuffix("\n").split("\n")


def test_a_name_that_cannot_be_typed_is_not_in_the_hint() -> None:
    with pytest.raises(Failure, match=r"cut -d, -f1 FILE \|"):
        parse_list("two\nlines", b"e4,1\ne5,2")


def test_the_sentence_on_the_command_line() -> None:
    run = sanproof("gate", "--command", f"printf '%s' '{json.dumps({'x': ['e4']})}'", cwd=ROOT)
    expect_sentence(run, 2, "is a JSON object", "jq")
