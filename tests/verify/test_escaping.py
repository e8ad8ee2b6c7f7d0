import json
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.escaping import ESCAPES, github_data, github_property, only_printable

TEXTS = st.lists(st.text() | st.sampled_from(["##[error]", "#", "[", "\x1b[2J", "\r"]))


@given(TEXTS, st.sampled_from(sorted(ESCAPES)))
def test_nothing_that_is_not_plain_gets_through(pieces: list[str], form: str) -> None:
    for piece in only_printable(pieces, form):
        assert "##[" not in piece
        assert all(c == "\n" or " " <= c <= "~" for c in piece)


def test_what_was_escaped_is_read_again() -> None:
    text = 'x ##[y] é "'
    assert json.loads("".join(only_printable([json.dumps(text)], "json"))) == text
    element = ET.Element("a", b=text)
    written = "".join(only_printable([ET.tostring(element, encoding="unicode")], "junit"))
    assert ET.fromstring(written).get("b") == text


@given(st.text())
def test_a_message_of_github_stays_on_its_line(text: str) -> None:
    for escaped in (github_data(text), github_property(text)):
        assert not {"\n", "\r"} & set(escaped)
    assert not {":", ","} & set(github_property(text))
    unescaped = github_data(text).replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    assert unescaped == text
