"""Text cannot become HTML but as text, whatever it is."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from sanproof.reports.page import templates
from sanproof.reports.page.templates import json_data, render

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


def structure(page: str) -> list[tuple[str, list[str]]]:
    """The elements of HTML with the names of their attributes, without texts and values."""
    return [(tag, [name for name, _ in attrs]) for tag, attrs in Elements(page).tags]


@given(TEXTS.filter(lambda text: not set(text) & set("\0\r\n") and text.isprintable()))
def test_text_is_shown_as_it_is(text: str) -> None:
    page = templates._ENVIRONMENT.from_string('<p title="{{ text }}">{{ text }}</p>')
    found = Elements(page.render(text=text))
    assert found.tags == [("p", (("title", text),))]
    assert "".join(found.text) == text


def test_numbers_get_commas_and_what_is_forgotten_is_an_error() -> None:
    page = templates._ENVIRONMENT.from_string("{{ n }} {{ n|counted('string') }} {{ more }}")
    assert page.render(n=1234, more=True) == "1,234 1,234 strings True"
    with pytest.raises(UndefinedError):
        page.render(n=1)


@given(
    st.recursive(
        st.none() | st.integers() | TEXTS, lambda x: st.lists(x) | st.dictionaries(TEXTS, x)
    )
)
def test_json_comes_back_and_holds_no_markup(content: object) -> None:
    text = json_data(content)
    assert json.loads(text) == content
    assert not set(text) & set("<>&")


def test_a_page_can_hold_what_utf_8_cannot() -> None:
    page = render("definitions.html", rules=[], tokens=[("", "\ud800é")])
    assert "&#55296;é".encode() in page
