"""The page of definitions: all of `Chess.v`, and each rule leads to the line that states it."""

import csv
import re
from html import unescape
from importlib.resources import files

import pytest

from sanproof.reports.page.definitions import RULES, definitions_page, highlighted
from tests.verify.command import ROOT

SOURCE = files("sanproof.proofs.formal").joinpath("Chess.v").read_text("utf-8")
PAGE = definitions_page().decode()


def plain(markup: str) -> str:
    return unescape(re.sub("<[^>]*>", "", markup))


def test_all_of_the_file_is_shown_as_it_is() -> None:
    assert (
        plain(PAGE.partition('<pre class="coq" tabindex="0">')[2].partition("</pre>")[0]) == SOURCE
    )


def test_anchors_are_there_once_and_every_link_has_one() -> None:
    anchors = re.findall(r'id="([^"]*)"', PAGE)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]*)"', PAGE)) <= set(anchors)


@pytest.mark.parametrize(("rule", "section", "name"), RULES)
def test_a_rule_leads_to_the_line_that_states_it(rule: str, section: str, name: str) -> None:
    assert f'<a href="#{name}"><code>{name}</code></a>' in PAGE
    before, anchor, after = PAGE.partition(f'<a class="defined" id="{name}"')
    assert anchor, rule
    line = plain(before.rpartition("\n")[2] + anchor + after.partition("\n")[0])
    assert re.match(rf"(Definition|Fixpoint|Inductive|Record) {name}\b", line)
    start = SOURCE.index(line)
    stated = SOURCE[SOURCE.rindex("(**", 0, start) : SOURCE.find("\n\n", start)]
    numbers = re.findall(r"\d+(?:\.\d+)+", section)
    assert numbers
    assert [
        number for number in numbers if not re.search(rf"(?<![\d.]){number}(?!\.?\d)", stated)
    ] == []


def test_the_table_beside_the_page_of_trust_has_the_same_rules() -> None:
    with (ROOT / "docs" / "tables" / "definitions.csv").open("r", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    assert [tuple(row) for row in rows] == [(rule, section, name) for rule, section, name in RULES]


def test_names_are_anchors_where_they_are_defined_and_links_where_they_are_used() -> None:
    tokens = [token for token in highlighted('Definition a := "<b>". Check a. (* a *)') if token[0]]
    assert tokens == [
        ("keyword", "Definition"),
        ("definition", "a"),
        ("string", '"'),
        ("string", "<b>"),
        ("string", '"'),
        ("keyword", "Check"),
        ("use", "a"),
        ("comment", "(*"),
        ("comment", " a "),
        ("comment", "*)"),
    ]
