import csv
import io
import json
import re
from xml.etree import ElementTree as ET

from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.reports.escaping import (
    ESCAPES,
    github_data,
    github_property,
    markdown,
    only_printable,
    plain,
    read_table_cell,
    shown,
    table_cell,
    visible,
    web_address,
)
from sanproof.reports.tables.files import csv_lines

TEXTS = st.lists(st.text() | st.sampled_from(["##[error]", "#", "[", "\x1b[2J", "\r"]))


@given(TEXTS, st.sampled_from(sorted(ESCAPES)))
def test_nothing_that_is_not_plain_gets_through(pieces: list[str], form: str) -> None:
    for piece in only_printable(pieces, form):
        assert "##[" not in piece
        assert all(c == "\n" or " " <= c <= "~" for c in piece)


def test_what_was_escaped_is_read_again() -> None:
    text = 'x ##[y] é "'
    for form in ("json", "sarif"):
        assert json.loads("".join(only_printable([json.dumps(text)], form))) == text
    element = ET.Element("a", b=text)
    written = "".join(only_printable([ET.tostring(element, encoding="unicode")], "junit"))
    assert ET.fromstring(written).get("b") == text
    for number in (*range(0x20), 0x7F, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFE, 0xFFFF, 0x1F600):
        escaped = "".join(only_printable([chr(number)], "junit"))
        told = ET.fromstring(f"<a>{escaped}</a>").text  # no reference names what XML cannot hold
        assert told == chr(number) or number not in {0x7F, 0xD7FF, 0xE000, 0x1F600}


@given(st.text())
@example("\r\n%0D: ,")
def test_a_message_of_github_stays_on_its_line(text: str) -> None:
    for escaped in (github_data(text), github_property(text)):
        assert not {"\n", "\r"} & set(escaped)
    assert not {":", ","} & set(github_property(text))
    unescaped = github_data(text).replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    assert unescaped == text


FORMULAS = (
    *('=HYPERLINK("http://x","y")', "+1+1", "-2+3", "@SUM(1)", " =1", "'=1", "''+1", "\uff1d1"),
    *("a;=1", "a; @x", "a;'-1", "\t=1", "\r=1", "\n=1", "x\x1b[31m", "\x00", "-d6", "a;b"),
    "\udcff",
)


def spreadsheet_cells(text: str) -> list[str]:
    """Return every cell that a spreadsheet makes of a CSV file, wherever its country cuts."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    cells = [cell for row in rows for cell in row]
    return [*cells, *(part for cell in cells for part in re.split("[;\t]", cell))]


@given(st.lists(st.text() | st.sampled_from(FORMULAS), min_size=1))
def test_no_cell_of_a_table_is_computed_or_breaks_its_row(cells: list[str]) -> None:
    text = "".join(csv_lines(["a"] * len(cells), [cells]))
    assert "\r" not in text
    assert text.replace("\n", "").isprintable()
    for cell in spreadsheet_cells(text):
        assert not re.match(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]", cell)
    (_, row) = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(row) == len(cells)
    for cell, given_cell in zip(row, cells, strict=True):
        if given_cell.isprintable():
            assert read_table_cell(cell) == given_cell


def test_formulas_are_named() -> None:
    for text in FORMULAS:
        assert table_cell(text) != text or text == "a;b"
    for text in ("Nf3", "e4", "4k3/8 w - - 0 1", "a-b=c"):
        assert table_cell(text) == text


def test_only_addresses_of_the_web_are_links() -> None:
    for bad in (
        *("javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "https://", "//x", "x"),
        *("https://x y", "https://x)[y](javascript:z)", "https://x\n", 'https://x"><b'),
        *("https://<", "ftp://x", " https://x", "https://x\x1b"),
    ):
        assert web_address(bad) == ""
    good = "https://example.org/a-b_c/?x=1&y=2#z"
    assert web_address(good) == good


def test_a_text_in_markdown_is_text() -> None:
    assert plain("##[x]\x1b[31m\u202e") == r"#\x23[x]\x1b[31m\u202e"
    assert "".join(only_printable(["\xe9\u202e##["], "text")) == r"\xe9\u202e\x23#["
    assert markdown("a|b*c_d`e[f]<g>#\n h") == r"a\|b\*c\_d\`e\[f\]\<g\>\# h"
    assert markdown("&lt;\x1b[31m") == "\\&lt;\ufffd\\[31m"


@given(st.text())
def test_what_is_shown_to_people_can_be_seen(text: str) -> None:
    for seen in (plain(text), shown(text), visible(text), markdown(text)):
        assert seen.isprintable()
    assert "##[" not in plain(text)
    assert len(visible(text * 100)) <= 400
