"""The pages of a run say what the run does, and nothing in them is markup."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import Archive, WitnessRow, open_archive
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.page import templates
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.index import CLAIMS, examples, index_page, mechanism
from sanproof.reports.page.rarities import KINDS, rarities_page, share, shares
from sanproof.reports.page.shards import make_shards, observed_shard, shard_of
from sanproof.reports.page.templates import json_data
from tests.reports.archive.archives import TIMES, files, write_observed, write_run
from tests.reports.page.markup import (
    EVIL,
    Elements,
    expect_only_text,
    number_of,
    rows_of,
    section,
    strings_linked,
    text_of,
)
from tests.reports.page.samples import AFTER, BEFORE, sample_contents
from tests.sentences import broken
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from sanproof.reports.archive.door import Archive
    from sanproof.reports.page.contents import Contents


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


def test_published_counts_stand_beside_their_sources(page: str, published: Archive) -> None:
    assert [claim.strings for claim in CLAIMS] == sorted({claim.strings for claim in CLAIMS})
    rows = {row[0]: "".join(row) for row in rows_of(page)}
    for claim in CLAIMS:
        address = urlsplit(claim.address)
        assert address.scheme in {"http", "https"}
        assert address.netloc
        assert address.path
        away = claim.strings - published.summary["reachable"]
        row = rows[f"{claim.strings:,}"]
        assert [dict(attrs)["href"] for tag, attrs in Elements(row).tags] == [claim.address]
        assert claim.source in text_of(row)
        assert f"{abs(away):,} too {'many' if away > 0 else 'few'}" in row


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


def test_examples_are_spread() -> None:
    """The first strings of a list are all of one corner: ``a2`` stood for what is rare."""
    strings = [str(n) for n in range(100)]
    assert examples(strings) == ["12", "37", "62", "87"]
    for count in range(4):
        assert examples(strings[:count]) == strings[:count]


def test_an_evil_text_adds_no_element(tmp_path: Path) -> None:
    """A pattern and a version that look like markup: the page has the same elements as without."""
    contents = sample_contents(tmp_path)
    plain, evil = (
        index_page(contents._replace(only=text, versions=[(text, text)])).decode()
        for text in ("plain", EVIL)
    )
    expect_only_text(plain, evil)


SIZES = [*product((0, 1), (0, 1, 2), (0, 1, 2), (None, "Q*"))]


def test_no_sentence_breaks_on_small_numbers(tmp_path: Path) -> None:
    contents = sample_contents(tmp_path)
    assert len(contents.reachable) == 1
    assert contents.games is not None
    for reachable, impossible, undecided, only in SIZES:
        small = contents._replace(
            only=only,
            reachable=contents.reachable[:reachable],
            impossible=dict.fromkeys(("Q1xf7", "Q2xf7")[:impossible], Reason.NO_TWINS),
            undecided=undecided,
            witnesses=contents.witnesses[:reachable],
            games=contents.games._replace(
                counts={
                    "games": reachable,
                    "plies_mean": 31.0,
                    "strings_by_player": {"white": reachable},
                }
            ),
            observed=None,
        )
        page = index_page(small).decode()
        paragraphs = re.findall(r"<p[ >].*?</p>", page, re.DOTALL)
        said = [p for p in paragraphs if "can be written for a move" in p or "The run has" in p]
        assert len(said) == 2, paragraphs
        text = text_of(" ".join(said))
        assert not broken(text), text
        assert ("look one up" in text) == bool(reachable)
        assert ("undecided" in text) == bool(undecided)
        assert ("impossible" in text) == bool(impossible)
        assert "1 string that" in text or reachable + impossible + undecided != 1
        assert ("this run is about a part" in page) == (only is not None)
        assert "None" not in page
        assert "nan" not in page


# How check is given

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


@pytest.mark.parametrize("title", KINDS)
def test_each_table_of_kinds_adds_up(
    title: str, rarities: str, contents: Contents, observed: Observed
) -> None:
    _, kind_of, _ = KINDS[title]
    rows = rows_of(rarities, title)
    assert sum(number_of(row[1]) for row in rows) == len(contents.reachable)
    assert sum(number_of(row[2]) for row in rows) == len(observed.times)
    assert sum(number_of(row[4]) for row in rows) == observed.source["moves"]
    for kind, can, seen, shown, total, rarest, never in rows:
        mine = [str(san) for san in contents.reachable if kind_of(san) == kind]
        times = {san: observed.times.get(san, 0) for san in mine}
        played = [n for n in times.values() if n]
        assert (number_of(can), number_of(seen), number_of(total)) == (
            len(mine),
            len(played),
            sum(played),
        )
        assert text_of(shown) == share(len(played), len(mine))
        fewest = min(times[san] for san in strings_linked(rarest))
        assert fewest == min(played)
        assert all(times[san] == 0 for san in strings_linked(never))
        missing = len(mine) - len(played)
        assert text_of(never).startswith(f"{missing:,}: " if missing else "none")


def test_how_often_adds_up(rarities: str, contents: Contents, observed: Observed) -> None:
    rows = rows_of(section(rarities, "often"))
    often = [row for row in rows if len(row) == 4]
    assert sum(number_of(row[1]) for row in often) == len(contents.reachable)
    for name, _, _, some in often:
        low, _, high = text_of(name).replace(",", "").partition(" to ")
        least = {"never": 0, "once": 1}.get(low) if not high else int(low)
        for san in strings_linked(some):
            times = observed.times.get(san, 0)
            assert least is not None
            assert least <= times <= int(high or least)
    frequent = rows[len(often) :]
    counts = [number_of(times) for _, times in frequent]
    assert counts == sorted(observed.times.values(), reverse=True)[: len(counts)]


@pytest.fixture
def small(tmp_path: Path) -> Contents:
    """Return the contents of a run of four strings, one of which was never played."""
    return read_contents(open_archive(write_observed(write_run(tmp_path, files()))))


def test_a_shard_says_how_often_its_strings_were_played(small: Contents) -> None:
    shards = dict(make_shards(small))
    assert b'"seen":[12]' in shards["P-f3"]
    assert b'"seen":[0]' in shards["P-g4"]
    ((name, script),) = observed_shard(small)
    assert name == "observed"
    assert b'"f3":[1,12]' in script
    assert b'"g4":[0,0]' in script
    assert b'"h4":[1,%d]' % TIMES["Qh4#"] in script


def test_without_counts_nothing_is_said_of_them(small: Contents) -> None:
    without = small._replace(observed=None)
    assert list(observed_shard(without)) == []
    assert b'"seen"' not in dict(make_shards(without))["P-f3"]
    rarities = index_page(without).decode()
    assert "rarities.html" not in rarities
    assert '"observed":null' in rarities
    assert "rarities.html" in index_page(small).decode()


def test_an_evil_source_adds_no_element(small: Contents) -> None:
    assert small.observed is not None
    pages = []
    for words in ("plain", EVIL):
        source = small.observed.source | dict.fromkeys(("how", "copyright", "version"), words)
        small.observed.source = source
        pages.append(rarities_page(small, small.observed).decode())
    expect_only_text(*pages)


TEXTS = st.text() | st.text("<>&\"'/= axs{}$")


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
