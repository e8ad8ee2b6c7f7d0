"""Text cannot become HTML but as text, whatever it is."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.page.markup import Markup, document, html, joined, json_data

TEXTS = st.text() | st.text("<>&\"'/= axs{}$")


class Elements(HTMLParser):
    """What a browser would make of HTML: its elements, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def structure(page: str) -> list[Any]:
    """The elements of HTML with the names of their attributes, without texts and values."""
    return [(tag, [name for name, _ in attrs]) for tag, attrs in Elements(page).tags]


@given(TEXTS.filter(lambda text: "\0" not in text and "\r" not in text))
def test_text_is_shown_as_it_is(text: str) -> None:
    found = Elements(html('<p title="{text}">{text}</p>', text=text))
    assert found.tags == [("p", (("title", text),))]
    assert "".join(found.text) == text


@given(TEXTS, TEXTS)
def test_lists_of_texts_are_escaped_as_well(one: str, other: str) -> None:
    assert structure(html("<p>{both}</p>", both=joined([one, other], "<"))) == [("p", [])]


def test_markup_is_kept_and_counts_get_commas() -> None:
    assert (
        html("<p>{a}{b}</p>", a=html("<b>{n}</b>", n=1234), b="<b>")
        == "<p><b>1,234</b>&lt;b&gt;</p>"
    )
    assert joined([Markup("<i>"), "<i>", 5], Markup("<br>")) == "<i><br>&lt;i&gt;<br>5"


@given(
    st.recursive(
        st.none() | st.integers() | TEXTS, lambda x: st.lists(x) | st.dictionaries(TEXTS, x)
    )
)
def test_json_comes_back_and_holds_no_markup(content: object) -> None:
    text = json_data(content)
    assert json.loads(text) == content
    assert not set(text) & set("<>&")


def test_a_document_takes_markup_only() -> None:
    assert document("<p>$a</p>", {"a": html("{b}", b="<")}) == b"<p>&lt;</p>"
    with pytest.raises(TypeError, match="not escaped: b"):
        document("<p>$a$b</p>", {"a": html("a"), "b": "<script>"})


def test_a_document_can_hold_what_utf_8_cannot() -> None:
    assert document("$a", {"a": html("{b}", b="\ud800é")}) == "&#55296;é".encode()
