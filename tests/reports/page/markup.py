"""A page as a browser reads it: its elements, its text, its tables and its links."""

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

EVIL = '</p></script><script>alert(1)</script><img src=x onerror="alert(2)">&lt;'
"""A text that becomes elements where it is not escaped."""


class Elements(HTMLParser):
    """The HTML as a browser would have it: its elements, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def text_of(markup: str) -> str:
    return "".join(Elements(markup).text)


def number_of(markup: str) -> int:
    return int(text_of(markup).replace(",", ""))


def structure(page: str) -> list[tuple[str, list[str]]]:
    """Return the elements with the names of their attributes, without texts and values."""
    return [(tag, [name for name, _ in attrs]) for tag, attrs in Elements(page).tags]


def expect_only_text(plain: str, evil: str) -> None:
    """Expect pages of a plain text and of :data:`EVIL` in its place to differ in text only."""
    assert structure(evil) == structure(plain)
    assert EVIL in text_of(evil)


def rows_of(page: str, caption: str = "") -> list[list[str]]:
    """Return the cells of each row, as markup: of the table with this caption, or of all."""
    if caption:
        table = re.search(
            rf"<caption[^>]*>{re.escape(caption)}</caption>(.*?)</table>", page, re.DOTALL
        )
        assert table, caption
        page = table[1]
    rows = re.findall(r"<tr>\s*(<td.*?)</tr>", page, re.DOTALL)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]


def section(page: str, name: str) -> str:
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def strings_linked(markup: str) -> list[str]:
    """Return the strings to which links lead."""
    links = (dict(attrs).get("href") or "" for _, attrs in Elements(markup).tags)
    return [unquote(unescape(link.partition("#")[2])) for link in links if ".html#" in link]
