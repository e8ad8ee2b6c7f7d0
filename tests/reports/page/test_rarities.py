"""The page of rarities: what it counts is what was counted, and every string leads to our game."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from sanproof.reports.archive.door import open_archive
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.page.contents import read_contents
from sanproof.reports.page.index import index_page
from sanproof.reports.page.rarities import KINDS, rarities_page
from sanproof.reports.page.shards import make_shards, observed_shard
from tests.reports.archive.archives import TIMES, files, write_observed, write_run
from tests.reports.page.test_templates import structure

if TYPE_CHECKING:
    from pathlib import Path

    from sanproof.reports.archive.door import Archive
    from sanproof.reports.page.contents import Contents

ROW = re.compile(r"<tr>\s*(<td.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


@pytest.fixture(scope="module")
def observed(published: Archive) -> Observed:
    found = open_observed(published.directory)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def page(contents: Contents, observed: Observed) -> str:
    return rarities_page(contents, observed).decode()


def section(page: str, name: str) -> str:
    return page.partition(f'<section id="{name}">')[2].partition("</section>")[0]


def shown(markup: str) -> list[str]:
    """The strings to which it links."""
    return [unquote(unescape(san)) for san in re.findall(r'href="index\.html#([^"]*)"', markup)]


def text(markup: str) -> str:
    return unescape(re.sub("<[^>]*>", "", markup))


def number(markup: str) -> int:
    return int(text(markup).replace(",", ""))


def test_all_strings_that_were_never_seen_or_once_are_listed(
    page: str, contents: Contents, observed: Observed
) -> None:
    never = shown(section(page, "never"))
    once = shown(section(page, "once"))
    assert sorted([*never, *observed.times]) == sorted(map(str, contents.reachable))
    assert sorted(once) == sorted(san for san, n in observed.times.items() if n == 1)
    assert f"<strong>{len(never):,}</strong> never" in page


def test_bars_are_as_long_as_the_share_beside_them(page: str) -> None:
    bars = re.findall(r"--part:([0-9.]+)%[^>]*></span>([0-9.]+)%", page)
    assert len(bars) > len(KINDS)
    assert all(-0.1 < float(length) - float(share) < 1.1 for length, share in bars)


@pytest.mark.parametrize("title", KINDS)
def test_each_table_of_kinds_adds_up(
    title: str, page: str, contents: Contents, observed: Observed
) -> None:
    _, kind_of, _ = KINDS[title]
    table = page.partition(f'<caption class="seen">{title}</caption>')[2].partition("</table>")[0]
    rows = [CELL.findall(row) for row in ROW.findall(table)]
    assert sum(number(row[1]) for row in rows) == len(contents.reachable)
    assert sum(number(row[2]) for row in rows) == len(observed.times)
    assert sum(number(row[4]) for row in rows) == observed.source["moves"]
    for kind, can, seen, share, total, rarest, never in rows:
        mine = [str(san) for san in contents.reachable if kind_of(san) == kind]
        times = {san: observed.times.get(san, 0) for san in mine}
        played = [n for n in times.values() if n]
        assert (number(can), number(seen), number(total)) == (len(mine), len(played), sum(played))
        assert int(text(share).removesuffix("%")) == 100 * len(played) // len(mine)
        fewest = min(times[san] for san in shown(rarest))
        assert fewest == min(played)
        assert all(times[san] == 0 for san in shown(never))
        missing = len(mine) - len(played)
        assert text(never).startswith(f"{missing:,}: " if missing else "none")


def test_how_often_adds_up(page: str, contents: Contents, observed: Observed) -> None:
    rows = [CELL.findall(row) for row in ROW.findall(section(page, "often"))]
    often = [row for row in rows if len(row) == 4]
    assert sum(number(row[1]) for row in often) == len(contents.reachable)
    for name, _, _, examples in often:
        low, _, high = text(name).replace(",", "").partition(" to ")
        least = {"never": 0, "once": 1}.get(low) if not high else int(low)
        for san in shown(examples):
            times = observed.times.get(san, 0)
            assert least is not None
            assert least <= times <= int(high or least)
    frequent = [CELL.findall(row) for row in ROW.findall(section(page, "often"))][len(often) :]
    counts = [number(times) for _, times in frequent]
    assert counts == sorted(observed.times.values(), reverse=True)[: len(counts)]


@pytest.fixture
def small(tmp_path: Path) -> Contents:
    """The contents of a run of four strings, one of which was never played."""
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
    page = index_page(without).decode()
    assert "rarities.html" not in page
    assert '"observed":null' in page
    assert "rarities.html" in index_page(small).decode()


def test_an_evil_source_adds_no_element(small: Contents) -> None:
    assert small.observed is not None
    evil = '"><script>alert(1)</script>'
    pages = []
    for words in ("plain", evil):
        source = small.observed.source | dict.fromkeys(("how", "copyright", "version"), words)
        small.observed.source = source
        pages.append(rarities_page(small, small.observed).decode())
    assert structure(pages[0]) == structure(pages[1])
    assert "<script>" not in pages[1]
