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
from sanproof.reports.archive.door import Archive, WitnessRow, open_archive
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.index import index_page, mechanism
from sanproof.reports.page.rarities import KINDS, rarities_page, share, shares
from sanproof.reports.page.shards import atlas_shards, make_shards, shard_of
from sanproof.reports.page.templates import json_data
from tests.reports.archive.archives import TIMES, files, write_observed, write_run
from tests.reports.page.markup import (
    EVIL,
    expect_only_text,
    number_of,
    rows_of,
    section,
    strings_linked,
)
from tests.reports.page.samples import AFTER, BEFORE, sample_contents
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
    contents = sample_contents(tmp_path)
    plain, evil = (
        index_page(contents._replace(only=text, versions=[(text, text)])).decode()
        for text in ("plain", EVIL)
    )
    expect_only_text(plain, evil)


CHECKS = {
    ("castling", "the castled rook"): ("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("king", "discovered check"): ("Kd2+", "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2"),
    ("queen", "the moved piece"): ("Qxf7#", BEFORE, "h5f7"),
    ("knight", "double check"): ("Nf6+", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6"),
    ("pawn", "the promoted piece"): ("a8=Q+", "4k3/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
    ("pawn", "discovered check"): ("b8=N+", "8/RP5k/8/8/8/8/8/K7 w - - 0 1", "b7b8n"),
    ("pawn, en passant", "discovered check"): (
        "exd6+",
        "8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1",
        "e5d6",
    ),
}


def test_which_piece_gives_check() -> None:
    assert {kind: mechanism(WitnessRow(*row, AFTER)) for kind, row in CHECKS.items()} == {
        kind: kind for kind in CHECKS
    }


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
    ((name, script),) = atlas_shards(small)
    assert name == "observed"
    assert b'"f3":[1,12]' in script
    assert b'"g4":[0,0]' in script
    assert b'"h4":[1,%d]' % TIMES["Qh4#"] in script


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


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=12).filter(any))
def test_shares_add_up(numbers: list[int]) -> None:
    found = shares(numbers)
    assert sum(int(text.strip("<%")) for text in found if text != "<1%") == 100
    for number, text in zip(numbers, found, strict=True):
        exact = 100 * number / sum(numbers)
        assert exact < 1 if text == "<1%" else abs(int(text.strip("%")) - exact) < 1
        assert (text == "0%") == (number == 0)


def test_a_share_is_none_or_all_only_if_it_is() -> None:
    asked = ((0, 9), (1, 999), (2315, 28938), (998, 999), (9, 9))
    assert [share(*one) for one in asked] == ["0%", "<1%", "8%", ">99%", "100%"]


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
