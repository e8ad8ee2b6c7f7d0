"""The pages of a run say what the run does, nothing in them is markup, and a folder is whole."""

import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.san import universe
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, open_archive
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.page import folder
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.folder import write_page
from sanproof.reports.page.kinds import KINDS, rarities_page, records_page, share
from sanproof.reports.page.lookup import LETTERS, index_page, make_shards, shard_of
from sanproof.reports.page.templates import json_data
from tests.reports.archive.archives import (
    SHORTEST,
    files,
    write_observed,
    write_run,
    write_shortest,
)
from tests.reports.page.markup import (
    EVIL,
    Elements,
    expect_only_text,
    number_of,
    rows_of,
    section,
    strings_linked,
)
from tests.reports.page.samples import BEFORE, FILES, GAME, SUMMARY, sample_contents
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


def read_shard(content: bytes) -> dict[str, Any]:
    text = content.decode("ascii")
    _, shard = json.loads(f"[{text[text.index('(') + 1 : -3]}]")
    assert isinstance(shard, dict)
    return shard


def decoded(codes: str) -> str:
    return "".join(code * int(times) for code, times in re.findall(r"(\D)(\d+)", codes))


@pytest.mark.slow
def test_shards_hold_the_verdict_on_every_string_and_all_games(published: Archive) -> None:
    contents = read_contents(published)
    shards = {name: read_shard(content) for name, content in make_shards(contents)}
    expected = {san: LETTERS[why] for san, why in contents.impossible.items()}
    expected |= {str(san): "." for san in contents.reachable}
    shown: dict[str, list[str]] = {name: [] for name in shards}
    for san in universe():
        if not san.promotion and not san.capture:  # a part, in the universe's own order
            shown[shard_of(san)].append(expected[str(san)])
    assert sum(len(decoded(shard["codes"])) for shard in shards.values()) == len(expected)
    for name, codes in shown.items():
        all_codes = decoded(shards[name]["codes"])
        if name != "castling":
            all_codes = "".join(all_codes[i : i + 3] for i in range(0, len(all_codes), 36))
        assert all_codes == "".join(codes)
    moments = {
        san: [[shard["games"][place][0], ply] for place, ply in played]
        for shard in shards.values()
        for san, played in shard["rows"]
    }
    assert moments == {san: list(map(list, both)) for san, both in contents.moments.items()}
    for shard in shards.values():
        numbers = [number for number, _ in shard["games"]]
        assert len(set(numbers)) == len(numbers)
        assert all(moves == contents.moves[number] for number, moves in shard["games"])


def test_the_shards_of_a_small_run(tmp_path: Path) -> None:
    """With a game or its position alone; strings outside the run are not undecided."""
    contents = sample_contents(tmp_path / "run")
    shards = dict(make_shards(contents, lambda san: san.startswith("Qxf7")))
    shard = read_shard(shards["Q-f7"])
    assert shard["games"] == [[1, " ".join(GAME.sans)]]
    assert shard["rows"] == [["Qxf7#", [[0, 6]]]]
    codes = decoded(shard["codes"])
    assert codes.count("?") == 2 * 1 + 15  # Qxf7 and Qxf7+, and the promotions
    assert codes.count(".") == 1
    assert codes.count(LETTERS[Reason.NO_TWINS]) == 1
    assert set(decoded(read_shard(shards["Q-e7"])["codes"])) == {"-"}
    never = contents._replace(impossible={"Ba1b2+": Reason.NO_CHECK, "Ba1b2#": Reason.NO_CHECK})
    shard = read_shard(dict(make_shards(never))["B-b2"])
    assert shard["places"] == {"Ba1b2": "a1"}  # and the rest as `explain` says it
    squares = {"left": "a1", "twin": "a3 c1", "before": "c3 d4 e5 f6 g7 h8"}
    assert shard["marks"] == {"Ba1b2": squares}
    table = b"\n".join(row.rsplit(b",", 4)[0] for row in FILES["witnesses.csv"].splitlines())
    files = {name: content for name, content in FILES.items() if name != "games.pgn.xz"}
    run = write_run(tmp_path / "without", files | {"witnesses.csv": table + b"\n"})
    shard = read_shard(dict(make_shards(read_contents(open_archive(run))))["Q-f7"])
    assert shard["rows"] == [["Qxf7#", BEFORE, "h5f7"]]
    assert "games" not in shard


def test_a_page_is_whole_and_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All shards take seconds.
    monkeypatch.setattr(folder, "make_shards", lambda *given: islice(make_shards(*given), 1))
    run = write_shortest(write_observed(write_run(tmp_path / "run", FILES)))
    target = tmp_path / "deep" / "page"
    write_page(open_archive(run), target)
    assert [path.name for path in target.parent.iterdir()] == ["page"]
    for name, content in FILES.items():
        assert (target / "downloads" / name).read_bytes() == content
    assert (target / "data" / "castling.js").read_text().startswith('sanproof.receive("castling"')
    assert '"example":"Qxf7#"' in (target / "index.html").read_text("utf-8")
    pages = sorted(target.glob("*.html"))
    assert [page.name for page in pages] == ["index.html", "rarities.html", "records.html"]
    for _, attrs in (tag for page in pages for tag in Elements(page.read_text("utf-8")).tags):
        address = str(dict(attrs).get("href") or dict(attrs).get("src") or "#").partition("#")[0]
        assert address.startswith(("https:", "data:")) or (target / address).exists(), address
    (tmp_path / "file").write_text("mine")
    before = set(tmp_path.rglob("*"))
    for place in ("run", ".", "file", "file/page", "deep/page"):
        with pytest.raises(OSError, match=r"new or empty|File exists"):
            write_page(open_archive(run), tmp_path / place)
    (run / "witnesses.csv").write_text("")
    with pytest.raises(ArchiveError, match="damaged"):
        write_page(open_archive(run), tmp_path / "page")
    assert set(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "mine"


ROWS = (*SHORTEST[:2], SHORTEST[0]._replace(san="g4", ply=5, text="f2f3e7e5a2a3a7a6g2g4d8h4"))
"""Of the four strings of a run: two that are exact, one that is not, and none of the mate."""


def test_a_small_run_with_counts_and_the_shortest_games(tmp_path: Path) -> None:
    run = write_shortest(write_observed(write_run(tmp_path / "run", files())), ROWS)
    contents = read_contents(open_archive(run))
    (g4,), (mate,) = contents.moments["g4"], contents.moments["Qh4#"]
    assert (g4.ply, contents.moves[g4.game]) == (4, "f2f3 e7e5 a2a3 a7a6 g2g4 d8h4")
    assert (mate.ply, contents.moves[mate.game]) == (3, "f3 e5 g4 Qh4#")
    assert g4.game < 1 <= mate.game, "the mate has no row, so it is shown in the run's game"
    shards = {name: read_shard(content) for name, content in make_shards(contents)}
    assert (shards["P-g4"]["earliest"], shards["Q-h4"]["earliest"]) == ([[5, 1]], [None])
    assert (shards["P-f3"]["seen"], shards["P-g4"]["seen"]) == ([12], [0])
    page = records_page(contents).decode()
    rows = [list(map(number_of, row)) for row in rows_of(page, "The same in numbers")]
    assert rows == [[1, 2, 1, 1], [2, 1, 1, 1], [3, 0, 0, 0], [4, 0, 0, 0], [5, 0, 1, 0]]
    assert 'points="0.0,220.0 128.0,146.7 256.0,73.3 384.0,73.3 512.0,73.3 640.0,0.0"' in page


def test_a_style_uses_what_is_defined() -> None:
    files = (p for end in ("css", "html", "js") for p in (ROOT / "reports/page").rglob(f"*.{end}"))
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    used, defined = r"var\((--[\w-]+)", r'(--[\w-]+)(?="?[:,])'
    assert {*re.findall(used, text)} <= {*re.findall(defined, text)}
