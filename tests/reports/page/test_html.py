"""The page's own text: what it counts, where its links lead, and that nothing in it is markup."""

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.page.claims import CLAIMS
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.html import index_page
from sanproof.reports.page.shards import shard_of
from tests.reports.page.samples import FILES, sample, sample_contents
from tests.reports.page.test_markup import Elements, structure
from tests.sentences import broken
from tests.verify.command import ROOT

EVIL = '</p></script><script>alert(1)</script><img src=x onerror="alert(2)">&lt;'


@pytest.fixture(scope="module")
def page(contents: Contents) -> str:
    return index_page(contents).decode("utf-8")


def test_the_counts_are_those_of_the_run(page: str, published: Archive) -> None:
    summary = published.summary
    assert f"<strong>{summary['reachable']:,}</strong>" in page
    assert f"The other {summary['impossible']:,} are impossible" in page
    assert f"average length is {summary['games']['plies_mean']:.1f} plies" in page
    by_suffix = [numbers["reachable"] for numbers in summary["by_suffix"].values()]
    for number in [*by_suffix, *summary["by_reason"].values()]:
        assert f'<td class="number">{number:,}</td>' in page


def test_published_counts_stand_beside_their_sources(page: str, published: Archive) -> None:
    for claim in CLAIMS:
        away = claim.strings - published.summary["reachable"]
        words = f"{abs(away):,} too {'many' if away > 0 else 'few'}"
        row = re.escape(f'<td class="number">{claim.strings:,}</td>') + r"(.*?)</tr>"
        match = re.search(row, page)
        assert match
        assert unescape(match[1]).count(claim.address) == 1
        assert claim.source in unescape(match[1])
        assert words in match[1]


def test_scripts_and_page_speak_of_the_same_data(page: str) -> None:
    match = re.search(r'<script type="application/json" id="page-data">(.*)</script>', page)
    assert match
    scripts = (ROOT / "reports" / "page" / "static").glob("*.js")
    asked = {name for s in scripts for name in re.findall(r"\bpage\.(\w+)", s.read_text("utf-8"))}
    assert set(json.loads(match[1])) == asked


def test_the_atlas_counts_the_strings(page: str, contents: Contents) -> None:
    match = re.search(r'<script type="application/json" id="page-data">(.*)</script>', page)
    assert match
    data = json.loads(match[1])
    counted = Counter(map(shard_of, contents.reachable))
    del counted["castling"]
    shown = {f"{p or 'P'}-{d}": n for p, ns in data["counts"].items() for d, n in ns.items()}
    assert shown == counted
    assert {reason["name"] for reason in data["reasons"].values()} == {r.value for r in Reason}


def test_without_scripts_there_is_a_table_of_destinations(page: str, contents: Contents) -> None:
    match = re.search(r"<noscript>(<div class=\"scroll\".*?)</noscript>", page, re.DOTALL)
    assert match
    counts = [int(n.replace(",", "")) for n in re.findall(r'<td class="number">([^<]*)', match[1])]
    assert len(counts) == 64
    assert sum(counts) == sum(san.destination != "" for san in contents.reachable)


def test_links_lead_to_strings_sections_files_and_sources(page: str) -> None:
    links = {unescape(link) for link in re.findall(r'href="([^"]*)"', page)}
    sections = {f"#{name}" for name in re.findall(r'<section id="([^"]*)"', page)}
    assert sections <= links
    boards = {"https://lichess.org/analysis", "https://www.chess.com/analysis"}
    assert {link for link in links if "//" in link} == {c.address for c in CLAIMS} | boards
    assert "#Qb6e3%23" in links


def test_examples_are_spread_over_the_board(page: str) -> None:
    """The first strings of a list are all of one corner: ``a2`` stood for what is rare."""
    match = re.search(
        r"nothing but the destination</td><td class=\"number\">144</td>(.*?)</tr>", page
    )
    assert match
    shown = re.findall(r'href="#([^"]*)"', match[1])
    assert len({san[0] for san in shown}) > 1
    assert "a2" not in shown


def test_a_forged_summary_does_not_pass_the_door(tmp_path: Path, published: Archive) -> None:
    """Texts in the place of its numbers, names and versions are refused before the page."""
    for i, text in enumerate(("plain", EVIL)):
        summary = {key: spoilt(value, text) for key, value in published.summary.items()}
        changed = {"summary.json": json.dumps(summary).encode()}
        with pytest.raises(ArchiveError, match=r"summary\.json"):
            sample_contents(tmp_path / str(i), changed)


def test_an_evil_text_adds_no_element(tmp_path: Path) -> None:
    """A pattern and a version that look like markup: the page has the same elements as without."""
    contents = sample_contents(tmp_path)
    pages = {
        text: index_page(contents._replace(only=text, versions=[(text, text)])).decode()
        for text in ("plain", EVIL)
    }
    assert structure(pages[EVIL]) == structure(pages["plain"])
    assert EVIL in "".join(Elements(pages[EVIL]).text)
    assert "<script>alert" not in pages[EVIL]


def spoilt(value: object, text: str) -> object:
    """A value of the summary with a text in place of every text and number in it."""
    if isinstance(value, dict):
        return {key: spoilt(inner, text) for key, inner in value.items()}
    return [spoilt(inner, text) for inner in value] if isinstance(value, list) else text


def test_the_page_of_a_part_says_so(tmp_path: Path) -> None:
    page = index_page(sample_contents(tmp_path)).decode()
    assert (
        "Of the 3 strings that match <code>Qxf7*</code>, <strong>1</strong> can be written" in page
    )
    assert "The other 1 is impossible, and the page says why. 1 is undecided." in page
    assert "this run is about a part" in page


@pytest.mark.parametrize("reachable", [0, 1])
@pytest.mark.parametrize("impossible", [0, 1, 2])
@pytest.mark.parametrize("undecided", [0, 1, 2])
@pytest.mark.parametrize("only", [None, "Q*"])
def test_no_sentence_breaks_on_small_numbers(
    tmp_path: Path, reachable: int, impossible: int, undecided: int, only: str | None
) -> None:
    contents = sample_contents(tmp_path)
    assert len(contents.reachable) == 1
    assert contents.games is not None
    small = contents._replace(
        only=only,
        reachable=contents.reachable[:reachable],
        impossible=dict.fromkeys(("Q1xf7", "Q2xf7")[:impossible], Reason.NO_TWINS),
        undecided=undecided,
        witnesses=contents.witnesses[:reachable],
        games=contents.games._replace(total=reachable, plies=31 * reachable),
        observed=None,
    )
    text = unescape(re.sub("<[^>]*>", "", headline_of(index_page(small).decode())))
    assert not broken(text), text
    assert ("look one up" in text) == bool(reachable)
    assert ("undecided" in text) == bool(undecided)
    assert ("impossible" in text) == bool(impossible)
    assert "1 string that" in text or reachable + impossible + undecided != 1


def headline_of(page: str) -> str:
    """What is said of the run's strings and games, without the tables."""
    paragraphs = re.findall(r"<p[ >].*?</p>", page, re.DOTALL)
    said = [p for p in paragraphs if "can be written for a move" in p or "The run has" in p]
    assert len(said) == 2, paragraphs
    return " ".join(said)


def test_the_page_of_a_part_without_reachable_strings(tmp_path: Path) -> None:
    header = FILES["witnesses.csv"].splitlines(keepends=True)[0]
    nothing = {"san_strings_with_symbols.txt": b"", "witnesses.csv": header}
    archive = sample(tmp_path, nothing)
    page = index_page(read_contents(archive)).decode()
    assert "<strong>0</strong> can be written" in page
    assert "None" not in page
    assert "nan" not in page


def test_a_witness_that_is_no_legal_move(tmp_path: Path) -> None:
    table = FILES["witnesses.csv"].replace(b",h5f7,", b",a4a5,")
    with pytest.raises(ArchiveError, match="they do not fit"):
        index_page(sample_contents(tmp_path, {"witnesses.csv": table}))
