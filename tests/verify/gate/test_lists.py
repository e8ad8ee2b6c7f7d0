"""Reading lists that may hold anything."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.archive.door import open_archive
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.gate.lists import MAX_ENTRIES, parse_list, read_list

SHORT = open_archive().strings(bare=True)
STRINGS = ["e4", "Nf3+", "O-O-O#"]
STORED = {
    "LF": b"e4\nNf3+\nO-O-O#",
    "LF at the end": b"e4\nNf3+\nO-O-O#\n",
    "CRLF": b"e4\r\nNf3+\r\nO-O-O#\r\n",
    "CRLF, none at the end": b"e4\r\nNf3+\r\nO-O-O#",
    "byte order mark": b"\xef\xbb\xbfe4\nNf3+\nO-O-O#\n",
    "JSON": json.dumps(STRINGS).encode(),
    "indented JSON": b"\n\t " + json.dumps(STRINGS, indent=4).encode() + b"\n",
    "JSON with a byte order mark": b"\xef\xbb\xbf" + json.dumps(STRINGS).encode(),
}


@pytest.mark.parametrize("content", STORED.values(), ids=list(STORED))
def test_ways_to_store_a_list(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "list").write_bytes(content)
    read = read_list(str(tmp_path / "list"))
    assert read.entries == STRINGS
    assert read.unit == ("item" if b"[" in content else "line")
    assert len(read.notes) == (b"\r" in content) + content.startswith(b"\xef")


SHIFTED = {san: number for number, san in enumerate(reversed(STRINGS), 5)}
PLAYED = {"*": 900, "1/2-1/2": 901, "1.": 902, "12...": 903}
TOKENIZER = {
    "added_tokens": [{"id": 0, "content": "<s>", "special": True}],
    "model": {"type": "WordLevel", "vocab": {"<s>": 0, **SHIFTED, **PLAYED}, "unk_token": "<s>"},
}
VOCABULARIES = {
    "numbers": (json.dumps(SHIFTED), 0),
    "numbers in another order": ("\ufeff" + json.dumps(dict(reversed(SHIFTED.items()))), 1),
    "a tokenizer's": (json.dumps(TOKENIZER), 2),
    "a number twice": ('{"O-O-O#": 0, "Nf3+": 0, "e4": 1}', 1),
}


@pytest.mark.parametrize(("text", "notes"), VOCABULARIES.values(), ids=VOCABULARIES)
def test_a_vocabulary_is_read_in_the_order_of_its_numbers(text: str, notes: int) -> None:
    read = parse_list("vocabulary.json", text.encode())
    assert (read.unit, list(read.entries)) == ("item", STRINGS[::-1])
    assert len(read.notes) == notes


KEPT = {
    b"e4\n\n": ["e4", ""],
    b"\n": [""],
    b"": [],
    b"\te4 \n": ["\te4 "],
    b"e4\re5\n": ["e4\re5"],
    b"\xff\n": ["\udcff"],
    b"e4\xc2\x85e5\n": ["e4\x85e5"],  # str.splitlines would part them
    b'["e4", 7, null, ["x"], {}]': ["e4", "7", "null", "[]", "{}"],
}


@pytest.mark.parametrize(("content", "entries"), KEPT.items())
def test_what_is_no_line_end_belongs_to_the_string(content: bytes, entries: list[str]) -> None:
    assert parse_list("-", content).entries == entries


REFUSED = {
    **{
        encoding: ("e4\n".encode(encoding), "UTF-8: line 1 holds a NUL byte")
        for encoding in ("utf-16", "utf-32", "utf-16-be")
    },
    "a NUL byte": (b"e4\ne5\0\n", "line 2 holds a NUL byte"),
    "half an array": (b'["e4", "e5', "line 1, column"),
    "two arrays": (b'["e4"]\n["e5"]', "line 2, column 1"),
    "arrays without end": (b"[" * 1_000_000, "array of arrays"),
    "games": (b'[Event "x"]\n\n1. e4 *\n', "sanproof scan"),
    "an object": (b'{"e4": "x"}', "JSON object"),
    "objects without end": (b'{"a":' * 100_000, "JSON object"),
    "half an object": (b'{"a":1', "is not JSON"),
    "a long number": (b"[" + b"9" * 5000 + b"]", "is not JSON"),
    "no text in an array": (b'["\xff"]', "is not JSON"),
    "too many lines": (b"\n" * (MAX_ENTRIES + 1), "entries"),
    "too many items": (b"[" + b"1," * (MAX_ENTRIES + 1) + b"1]", "entries"),
    "too many small arrays": (b"[" + b"[]," * (MAX_ENTRIES + 1) + b"[", "entries"),
}


@pytest.mark.parametrize(("content", "words"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_no_list(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(Failure, match=words) as caught:
        read_list(str(tmp_path / "list"))
    assert caught.value.exit_code == 2
    assert str(caught.value).endswith(".")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_content_is_read_or_refused(content: bytes) -> None:
    try:
        read = parse_list("list", content)
    except Failure:
        return
    for entry in read.entries:
        said = shown(entry)
        assert said.isascii()
        assert said.isprintable()
    if read.unit == "line" and not read.notes:
        text = "\n".join(map(str, read.entries)).encode("utf-8", "surrogateescape")
        assert text == content.removesuffix(b"\n")


@pytest.mark.parametrize("separator", [",", "\t", ";", "|", " "])
@pytest.mark.parametrize("heading", [False, True])
def test_a_table_is_recognised(separator: str, *, heading: bool) -> None:
    for before in (0, 2):
        rows = [["uci", "san", "fen"]] * heading + [["e2e4", san, "8"] for san in SHORT]
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerows(
            [*row[:1] * before, *row[1:]] for row in rows
        )
        with pytest.raises(Failure, match=f"{before + 2} columns"):
            parse_list("a table", text.getvalue().encode())


NO_TABLES = ["e4,\nNf3", "one, two\nthree, four", "{e4\nNf3", "{", "e4 \nNf3 \n", " ", ",\n,"]


@pytest.mark.parametrize("text", NO_TABLES)
def test_what_is_no_table_gets_a_verdict(text: str) -> None:
    assert parse_list("-", text.encode()).entries == text.removesuffix("\n").split("\n")
