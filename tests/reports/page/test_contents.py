"""The contents of a run's page, read from the run, cut into shards, and put in a folder."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.rules.san import universe
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.page import folder
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.folder import write_page
from sanproof.reports.page.shards import LETTERS, make_shards, shard_of
from tests.reports.archive.archives import write_observed, write_run, write_shortest
from tests.reports.page.markup import Elements
from tests.reports.page.samples import BEFORE, FILES, GAME, one_shard, sample_contents


def read_shard(content: bytes) -> dict[str, Any]:
    text = content.decode("ascii")
    _, shard = json.loads(f"[{text[text.index('(') + 1 : -3]}]")
    assert isinstance(shard, dict)
    return shard


def decoded(codes: str) -> str:
    return "".join(code * int(times) for code, times in re.findall(r"(\D)(\d+)", codes))


@pytest.mark.slow
def test_shards_hold_the_verdict_on_every_string_and_all_games(contents: Contents) -> None:
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
    table = b"\n".join(row.rsplit(b",", 4)[0] for row in FILES["witnesses.csv"].splitlines())
    files = {name: content for name, content in FILES.items() if name != "games.pgn.xz"}
    run = write_run(tmp_path / "without", files | {"witnesses.csv": table + b"\n"})
    shard = read_shard(dict(make_shards(read_contents(open_archive(run))))["Q-f7"])
    assert shard["rows"] == [["Qxf7#", BEFORE, "h5f7"]]
    assert "games" not in shard


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small run, of whose page only one shard is made: all of them take seconds."""
    monkeypatch.setattr(folder, "make_shards", one_shard)
    return write_shortest(write_observed(write_run(tmp_path / "run", FILES)))


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def make(run: Path, target: Path) -> None:
    write_page(open_archive(run), target)


def test_a_page_is_whole_and_replaces_nothing(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "page"
    make(run, target)
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
    before = names(tmp_path)
    for place in ("run", ".", "file", "file/page", "deep/page"):
        with pytest.raises(OSError, match=r"new or empty|File exists"):
            make(run, tmp_path / place)
    (run / "witnesses.csv").write_text("")
    with pytest.raises(ArchiveError, match="damaged"):
        make(run, tmp_path / "page")
    assert names(tmp_path) == before
    assert (tmp_path / "file").read_text() == "mine"
