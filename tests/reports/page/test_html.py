"""The page's own text, and its shards: what they count, and that nothing in them is markup."""

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from proofs.rules.san import parse_san, universe
from proofs.verdicts.reasons import Reason
from reports.exports.archive import Archive, ArchiveError, WitnessRow, open_archive
from reports.page.html import CLAIMS, index_page
from reports.page.mechanisms import count_mechanisms, mechanism
from reports.page.shards import LETTERS, make_shards, run_lengths, script, shard_of, to_json
from tests.reports.exports.archives import write_run
from tests.reports.page.samples import AFTER, BEFORE, FILES, SUMMARY


@pytest.fixture(scope="module")
def page(published: Archive) -> str:
    return index_page(published).decode("utf-8")


def test_the_counts_are_those_of_the_run(page: str, published: Archive) -> None:
    reachable = published.summary["reachable"]
    assert f"<strong>{reachable:,}</strong>" in page
    assert f"{published.summary['impossible']:,} cannot" in page
    for claim in CLAIMS:
        more, fewer = claim - reachable, reachable - claim
        word = f"{more:,} too many" if more > 0 else f"{fewer:,} too few"
        assert f'<td>{claim:,}</td><td class="rule">{word}</td>' in page
    by_suffix = [numbers["reachable"] for numbers in published.summary["by_suffix"].values()]
    for number in by_suffix:
        assert f'<td class="number">{number:,}</td>' in page


def test_the_atlas_counts_the_strings(page: str, published: Archive) -> None:
    match = re.search(r'<script type="application/json" id="page-data">(.*)</script>', page)
    assert match
    data = json.loads(match[1])
    counted = Counter(map(shard_of, map(parse_san, published.strings())))
    del counted["castling"]
    shown = {f"{p or 'P'}-{d}": n for p, ns in data["counts"].items() for d, n in ns.items()}
    assert shown == counted
    assert {reason["name"] for reason in data["reasons"].values()} == {r.value for r in Reason}


def test_links_of_the_page_lead_to_strings_sections_and_files(page: str) -> None:
    links = {unescape(link) for link in re.findall(r'href="([^"]*)"', page)}
    sections = {f"#{name}" for name in re.findall(r'<section id="([^"]*)"', page)}
    assert sections <= links
    assert not [link for link in links if "//" in link]
    assert "#Qb6e3%23" in links


def test_patterns_are_text(tmp_path: Path) -> None:
    hostile = "Q<script>alert(1)</script>*"
    summary = json.dumps(SUMMARY | {"only": hostile}).encode()
    page = index_page(open_archive(write_run(tmp_path, FILES | {"summary.json": summary})))
    assert b"<script>alert" not in page
    assert b"&lt;script&gt;alert" in page


def test_scripts_hold_no_markup() -> None:
    assert to_json("</script><!--&") == '"\\u003c/script\\u003e\\u003c!--\\u0026"'
    assert script("f", "a", [1, "<"]) == b'f("a", [1,"\\u003c"]);\n'


# Shards


def test_shards_hold_the_verdict_on_every_string(published: Archive) -> None:
    expected = {san: LETTERS[why] for san, why in published.impossible()}
    expected |= dict.fromkeys(published.strings(), ".")
    shards = {name: read_shard(content) for name, content in make_shards(published)}
    shown: dict[str, list[str]] = {name: [] for name in shards}
    for san in universe():
        if not san.promotion and not san.capture:  # a part, in the universe's own order
            shown[shard_of(san)].append(expected[str(san)])
    assert set(shown) == set(shards)
    assert sum(len(decoded(shard["codes"])) for shard in shards.values()) == len(expected)
    for name, codes in shown.items():
        all_codes = decoded(shards[name]["codes"])
        if name != "castling":
            all_codes = "".join(all_codes[i : i + 3] for i in range(0, len(all_codes), 36))
        assert all_codes == "".join(codes)
    rows = [row[0] for shard in shards.values() for row in shard["rows"]]
    assert sorted(rows) == sorted(published.strings())


def read_shard(content: bytes) -> dict[str, str]:
    text = content.decode("ascii")
    parts: list[dict[str, str]] = json.loads(f"[{text[text.index('(') + 1 : -3]}]")
    return parts[1]


def decoded(codes: str) -> str:
    return "".join(code * int(times) for code, times in re.findall(r"(\D)(\d+)", codes))


def test_runs_of_letters() -> None:
    assert run_lengths(list("aaab")) == "a3b1"
    assert run_lengths([]) == ""


def test_strings_outside_a_run_are_told_from_undecided_ones(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, FILES))
    shards = dict(make_shards(archive, lambda san: san.startswith("Qxf7")))
    codes = decoded(read_shard(shards["Q-f7"])["codes"])
    assert codes.count("?") == 2 * 1 + 15  # Qxf7 and Qxf7+, and the promotions
    assert codes.count(".") == 1
    assert codes.count(LETTERS["no-twins"]) == 1
    assert set(decoded(read_shard(shards["Q-e7"])["codes"])) == {"-"}


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("witnesses.csv", b",1\n", b",2\n", "has no game 2"),
        ("witnesses.csv", b"\nQxf7#", b"\nQxf7+", "a witness for Qxf7"),
    ],
)
def test_files_of_different_runs(
    tmp_path: Path, name: str, old: bytes, new: bytes, words: str
) -> None:
    files = FILES | {name: FILES[name].replace(old, new)}
    with pytest.raises(ArchiveError, match=words):
        list(make_shards(open_archive(write_run(tmp_path, files))))


# How check is given

CHECKS = {
    ("castling", "the castled rook"): ("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("king", "discovered check"): ("Kd2+", "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2"),
    ("queen", "the moved piece"): ("Qxf7#", BEFORE, "h5f7"),
    ("knight", "double check"): ("Nf6+", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6"),
    ("pawn", "the promoted piece"): ("a8=Q+", "4k3/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
    ("pawn", "discovered check"): ("a8=N+", "7k/P7/8/8/8/8/1B6/K7 w - - 0 1", "a7a8n"),
    ("pawn, en passant", "discovered check"): (
        "exd6+",
        "8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1",
        "e5d6",
    ),
}


@pytest.mark.parametrize("expected", CHECKS)
def test_who_gives_check(expected: tuple[str, str]) -> None:
    assert mechanism(WitnessRow(*CHECKS[expected], AFTER, None)) == expected


def test_the_rarest_come_first(published: Archive) -> None:
    counted = count_mechanisms(published.witnesses())
    sizes = [len(strings) for strings in counted.values()]
    assert sizes == sorted(sizes)
    assert sum(sizes) == sum(san[-1] in "+#" for san in published.strings())
