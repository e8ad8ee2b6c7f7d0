"""The page's own text: what it counts, where its links lead, and that nothing in it is markup."""

import json
import re
from collections import Counter
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.index import CLAIMS, checks_of, examples, index_page, mechanism
from sanproof.reports.page.shards import shard_of
from tests.reports.page.samples import AFTER, BEFORE, sample_contents
from tests.reports.page.test_templates import Elements, structure
from tests.sentences import broken
from tests.verify.command import ROOT

EVIL = '</p></script><script>alert(1)</script><img src=x onerror="alert(2)">&lt;'


@pytest.fixture(scope="module")
def page(contents: Contents) -> str:
    return index_page(contents).decode("utf-8")


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="page-data">(.*)</script>', page)
    assert match
    found = json.loads(match[1])
    assert isinstance(found, dict)
    return found


def test_the_counts_are_those_of_the_run(page: str, published: Archive) -> None:
    summary = published.summary
    assert f"<strong>{summary['reachable']:,}</strong>" in page
    assert f"The other {summary['impossible']:,} are impossible" in page
    assert f"average length is {summary['games']['plies_mean']:.1f} plies" in page
    by_suffix = [numbers["reachable"] for numbers in summary["by_suffix"].values()]
    for number in [*by_suffix, *summary["by_reason"].values()]:
        assert f'<td class="number">{number:,}</td>' in page


def test_published_counts_stand_beside_their_sources(page: str, published: Archive) -> None:
    assert [claim.strings for claim in CLAIMS] == sorted({claim.strings for claim in CLAIMS})
    for claim in CLAIMS:
        address = urlsplit(claim.address)
        assert address.scheme in {"http", "https"}
        assert address.netloc
        assert address.path
        away = claim.strings - published.summary["reachable"]
        words = f"{abs(away):,} too {'many' if away > 0 else 'few'}"
        row = re.escape(f'<td class="number">{claim.strings:,}</td>') + r"(.*?)</tr>"
        match = re.search(row, page, re.DOTALL)
        assert match
        assert unescape(match[1]).count(claim.address) == 1
        assert claim.source in unescape(match[1])
        assert words in match[1]


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


def test_without_scripts_there_is_a_table_of_destinations(page: str, contents: Contents) -> None:
    match = re.search(r"<noscript>(<div class=\"scroll\".*?)</noscript>", page, re.DOTALL)
    assert match
    counts = [int(n.replace(",", "")) for n in re.findall(r'<td class="number">([^<]*)', match[1])]
    assert len(counts) == 64
    assert sum(counts) == sum(san.destination != "" for san in contents.reachable)


def test_links_lead_to_strings_sections_files_and_sources(page: str) -> None:
    links = {unescape(link) for link in re.findall(r'href="([^"]*)"', page)}
    sections = {f"#{name}" for name in re.findall(r'<section id="([^"]*)"', page)}
    assert len(sections) > 4
    assert sections <= links
    boards = {"https://lichess.org/analysis", "https://www.chess.com/analysis"}
    assert {link for link in links if "//" in link} == {c.address for c in CLAIMS} | boards
    assert "#Qb6e3%23" in links


def test_examples_are_spread() -> None:
    """The first strings of a list are all of one corner: ``a2`` stood for what is rare."""
    strings = [str(n) for n in range(100)]
    assert examples(strings) == ["12", "37", "62", "87"]
    for count in range(4):
        assert examples(strings[:count]) == strings[:count]


def test_a_forged_summary_does_not_pass_the_door(tmp_path: Path, published: Archive) -> None:
    """Texts in the place of its numbers, names and versions are refused before the page."""
    for i, text in enumerate(("plain", EVIL)):
        summary = {key: spoilt(value, text) for key, value in published.summary.items()}
        changed = {"summary.json": json.dumps(summary).encode()}
        with pytest.raises(ArchiveError, match=r"summary\.json"):
            sample_contents(tmp_path / str(i), changed)


def spoilt(value: object, text: str) -> object:
    """A value of the summary with a text in place of every text and number in it."""
    if isinstance(value, dict):
        return {key: spoilt(inner, text) for key, inner in value.items()}
    return [spoilt(inner, text) for inner in value] if isinstance(value, list) else text


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


SIZES = [*product((0, 1), (0, 1, 2), (0, 1, 2), (None, "Q*"))]


@pytest.mark.parametrize(("reachable", "impossible", "undecided", "only"), SIZES)
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
    page = index_page(small).decode()
    paragraphs = re.findall(r"<p[ >].*?</p>", page, re.DOTALL)
    said = [p for p in paragraphs if "can be written for a move" in p or "The run has" in p]
    assert len(said) == 2, paragraphs
    text = unescape(re.sub("<[^>]*>", "", " ".join(said)))
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


@pytest.mark.parametrize("expected", CHECKS)
def test_which_piece_gives_check(expected: tuple[str, str]) -> None:
    assert mechanism(WitnessRow(*CHECKS[expected], AFTER, None)) == expected


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        (BEFORE, "h5h8"),
        (BEFORE, "0000"),
        (BEFORE, "nonsense"),
        ("nonsense", "h5f7"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "h5f7"),
    ],
)
def test_a_witness_that_is_no_legal_move(fen: str, uci: str) -> None:
    with pytest.raises(ArchiveError, match=r"the witness of Qxf7# is not a"):
        mechanism(WitnessRow("Qxf7#", fen, uci, AFTER, None))


def test_each_check_of_the_published_data_is_counted_once(published: Archive) -> None:
    counted = checks_of(published.witnesses())
    assert set(counted) >= {("castling", "the castled rook"), ("king", "discovered check")}
    strings = [san for sans in counted.values() for san in sans]
    assert sorted(strings) == sorted(san for san in published.strings() if san[-1] in "+#")
