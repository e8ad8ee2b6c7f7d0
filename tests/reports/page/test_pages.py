"""The pages of a run say what the run does, and nothing in them is markup."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import Archive, open_archive
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.index import index_page
from sanproof.reports.page.kinds import KINDS, share
from sanproof.reports.page.rarities import rarities_page
from sanproof.reports.page.shards import make_shards, shard_of
from sanproof.reports.page.templates import json_data
from tests.reports.archive.archives import files, write_observed, write_run
from tests.reports.page.markup import (
    EVIL,
    expect_only_text,
    number_of,
    rows_of,
    section,
    strings_linked,
)
from tests.reports.page.samples import SUMMARY, sample_contents
from tests.verify.command import ROOT


@pytest.fixture(scope="module")
def page(contents: Contents) -> str:
    return index_page(contents).decode("utf-8")


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="page-data">(.*)</script>', page)
    assert match
    found = json.loads(match[1])
    assert isinstance(found, dict)
    return found


def test_the_counts_are_those_of_the_run(page: str, published: Archive, contents: Contents) -> None:
    summary = published.summary
    assert f"<strong>{summary['reachable']:,}</strong>" in page
    assert f"The other {summary['impossible']:,} are impossible" in page
    assert f"average length is {summary['games']['plies_mean']:.1f} plies" in page
    shown = {cell for row in rows_of(page) for cell in row}
    by_suffix = [numbers["reachable"] for numbers in summary["by_suffix"].values()]
    assert {f"{number:,}" for number in (*by_suffix, *summary["by_reason"].values())} <= shown
    without_scripts = page.partition('<noscript><div class="scroll"')[2].partition("</noscript>")[0]
    counts = [number_of(cell) for row in rows_of(without_scripts) for cell in row[1:]]
    assert len(counts) == 64
    assert sum(counts) == sum(san.destination != "" for san in contents.reachable)


def test_scripts_and_page_speak_of_the_same_data(page: str, contents: Contents) -> None:
    data = data_of(page)
    scripts = (ROOT / "reports" / "page" / "static").glob("*.js")
    asked = {name for s in scripts for name in re.findall(r"\bpage\.(\w+)", s.read_text("utf-8"))}
    assert set(data) == asked
    counted = Counter(map(shard_of, contents.reachable))
    del counted["castling"]
    shown = {f"{p or 'P'}-{d}": n for p, ns in data["counts"].items() for d, n in ns.items()}
    assert shown == counted
    assert {reason["name"] for reason in data["reasons"].values()} == {r.value for r in Reason}


def test_an_evil_text_adds_no_element(tmp_path: Path) -> None:
    """A pattern and a version that look like markup: the page has the same elements as without."""
    pages = []
    for text in ("plain", EVIL):
        summary = json.dumps(SUMMARY | {"only": text, "versions": {text: text}}).encode()
        contents = sample_contents(tmp_path / str(len(text)), {"summary.json": summary})
        pages.append(index_page(contents).decode())
    expect_only_text(*pages)


@pytest.fixture(scope="module")
def observed(published: Archive) -> Observed:
    found = open_observed(published.directory)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rarities(contents: Contents, observed: Observed) -> str:
    return rarities_page(contents, observed).decode()


def test_all_strings_that_were_never_seen_or_once_are_listed(
    rarities: str, contents: Contents, observed: Observed
) -> None:
    never = strings_linked(section(rarities, "never"))
    once = strings_linked(section(rarities, "once"))
    assert sorted([*never, *observed.times]) == sorted(map(str, contents.reachable))
    assert sorted(once) == sorted(san for san, n in observed.times.items() if n == 1)
    assert f"<strong>{len(never):,}</strong> never" in rarities


@pytest.fixture
def small(tmp_path: Path) -> Contents:
    """Return the contents of a run of four strings, one of which was never played."""
    return read_contents(open_archive(write_observed(write_run(tmp_path, files()))))


def test_a_shard_says_how_often_its_strings_were_played(small: Contents) -> None:
    shards = dict(make_shards(small))
    assert b'"seen":[12]' in shards["P-f3"]
    assert b'"seen":[0]' in shards["P-g4"]


TEXTS = st.text() | st.text("<>&\"'/= axs{}$")


@given(
    st.recursive(
        st.none() | st.integers() | TEXTS, lambda x: st.lists(x) | st.dictionaries(TEXTS, x)
    )
)
def test_json_comes_back_and_holds_no_markup(content: object) -> None:
    text = json_data(content)
    assert json.loads(text) == content
    assert not set(text) & set("<>&")


def test_a_share_is_none_or_all_only_if_it_is() -> None:
    asked = ((0, 9), (1, 999), (2315, 28938), (998, 999), (9, 9))
    assert [share(*one) for one in asked] == ["0%", "<1%", "8%", ">99%", "100%"]


def test_strings_are_counted_by_how_often_they_were_played(
    rarities: str, observed: Observed, contents: Contents
) -> None:
    rows = rows_of(rarities, "How often strings are played")
    assert sum(number_of(row[1]) for row in rows) == len(contents.reachable)
    for often, number, links in rows:
        low, _, high = often.replace(",", "").partition(" to ")
        span = range(int(low), int(high) + 1) if high else (0,)
        assert all(observed.times.get(san, 0) in span for san in strings_linked(links))
        if high:
            assert number_of(number) == sum(times in span for times in observed.times.values())


@pytest.mark.parametrize("title", KINDS)
def test_each_table_of_kinds_adds_up(
    title: str, rarities: str, contents: Contents, observed: Observed
) -> None:
    rows = rows_of(rarities, title)
    assert sum(number_of(row[1]) for row in rows) == len(contents.reachable)
    assert sum(number_of(row[2]) for row in rows) == len(observed.times)
    assert sum(number_of(row[4]) for row in rows) == observed.source["moves"]
    for row in rows:
        assert all(san in observed.times for san in strings_linked(row[5]))
        assert not any(san in observed.times for san in strings_linked(row[6]))
