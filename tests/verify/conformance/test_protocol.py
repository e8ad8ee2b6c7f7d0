"""The lines of the protocol, right and wrong."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.judge import Rejected, Result, Skipped
from sanproof.verify.conformance.protocol import (
    LONGEST_MESSAGE,
    Garbled,
    Greeting,
    parse_answer,
    parse_greeting,
)
from sanproof.verify.conformance.suite import Operation

GREETING = {
    "sanproof": 1,
    "name": "lib",
    "version": "1.0",
    "language": "C",
    "operations": ["play", "read"],
}


def line(entry: object) -> bytes:
    return json.dumps(entry).encode()


def test_a_greeting_is_read() -> None:
    found = parse_greeting(line(GREETING))
    assert found == Greeting("lib", "1.0", "C", (Operation.READ, Operation.PLAY))
    assert found.title == "lib 1.0"
    strict = parse_greeting(
        line(GREETING | {"settings": "strict", "more": [1], "operations": ["read", "fly"]})
    )
    assert (strict.title, strict.operations) == ("lib 1.0 (strict)", (Operation.READ,))
    assert parse_greeting(line(GREETING | {"settings": ""})).title == "lib 1.0"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sanproof": 2}, "greets for protocol 2"),
        ({"sanproof": True}, "greets for protocol true"),
        ({"sanproof": "1"}, 'greets for protocol "1"'),
        ({"sanproof": 1.0}, "greets for protocol 1.0"),
        ({"name": ""}, 'without a text "name"'),
        ({"version": 1}, 'without a text "version"'),
        ({"language": None}, 'without a text "language"'),
        ({"settings": 7}, 'without a text "settings"'),
        ({"operations": "read"}, "are not a list of names"),
        ({"operations": [["read"]]}, "are not a list of names"),
        ({"operations": []}, "without naming one of the operations read, write, moves, play, game"),
    ],
)
def test_a_greeting_of_another_form_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(Garbled, match=re.escape(words)):
        parse_greeting(line(GREETING | change))


@pytest.mark.parametrize("name", ["sanproof", "name", "version", "language", "operations"])
def test_a_greeting_lacks_nothing(name: str) -> None:
    with pytest.raises(Garbled):
        parse_greeting(line({key: value for key, value in GREETING.items() if key != name}))


def test_answers_are_read() -> None:
    assert parse_answer(b'{"id": 7, "result": "g1f3"}\r') == (7, Result("g1f3"))
    assert parse_answer(b'{"id": 7, "result": null}') == (7, Result(None))
    assert parse_answer(b'{"id": 7, "rejected": ""}') == (7, Rejected(""))
    assert parse_answer(b'{"id": 7, "skip": "no", "more": 1}') == (7, Skipped("no"))
    _, long = parse_answer(line({"id": 7, "rejected": "x" * 1000}))
    assert isinstance(long, Rejected)
    assert len(long.message) == LONGEST_MESSAGE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is not JSON: ''"),
        (b"\xff", "is not JSON"),
        (b"[" * 10**5, "is not JSON"),
        (b'{"id": 1, "result": NaN}', "is not JSON"),
        (b'{"id": ' + b"1" * 5000 + b"}", "is not JSON"),
        (b"[1]", "is not an answer: '[1]'"),
        (b'{"result": 1}', 'without "id"'),
        (b'{"id": true, "result": 1}', 'without "id"'),
        (b'{"id": 1.0, "result": 1}', 'without "id"'),
        (b'{"id": 1}', "not exactly one of"),
        (b'{"id": 1, "result": 1, "skip": "x"}', "not exactly one of"),
        (b'{"id": 1, "rejected": null}', '"rejected" is no text'),
        (b'{"id": 1, "skip": 1}', '"skip" is no text'),
    ],
)
def test_what_is_no_answer_is_refused(text: bytes, words: str) -> None:
    with pytest.raises(Garbled, match=re.escape(words)):
        parse_answer(text)


@given(st.binary())
def test_any_bytes_are_read_or_refused_in_printable_words(text: bytes) -> None:
    for parse in (parse_greeting, parse_answer):
        said = "read"
        try:
            parse(text)
        except Garbled as error:
            said = str(error)
        assert said.isprintable()
        assert said.isascii()
        assert len(said) < LONGEST_MESSAGE
