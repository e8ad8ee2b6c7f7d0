"""What is read from a run for its page, and what of it is cut into shards."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.rules.san import universe
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, open_archive
from sanproof.reports.page.contents import DESCRIPTIONS, Contents, read_contents
from sanproof.reports.page.shards import LETTERS, NAMES, make_shards, run_lengths, script, shard_of
from sanproof.reports.tables.files import gzipped
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import BEFORE, FILES, GAME, sample_contents


def test_a_small_run(tmp_path: Path) -> None:
    contents = sample_contents(tmp_path)
    assert contents.only == "Qxf7*"
    assert list(map(str, contents.reachable)) == ["Qxf7#"]
    assert contents.impossible == {"Q1xf7": Reason.NO_TWINS}
    assert contents.undecided == 1
    assert not contents.is_complete


def test_the_published_data_agree_with_their_summary(
    published: Archive, contents: Contents
) -> None:
    summary = published.summary
    assert len(contents.reachable) == summary["reachable"]
    assert len(contents.impossible) == summary["impossible"]
    assert Counter(why.value for why in contents.impossible.values()) == summary["by_reason"]
    assert contents.is_complete
    games = contents.games
    assert games is not None
    assert games.total == summary["games"]["games"]
    assert round(games.plies / games.total, 2) == summary["games"]["plies_mean"]
    assert {who.lower(): n for who, n in games.players.items()} == summary["games"][
        "strings_by_player"
    ]
    assert list(games.moments) == published.strings()
    for san, moments in games.moments.items():
        assert all(games.moves[game].split(" ")[ply] == san for game, ply in moments)
    assert games.moments["e4"][0].ply == games.moments["Nf3"][0].ply == 0
    offered = {download.name: download.content for download in contents.downloads}
    manifest = (published.directory / MANIFEST).read_bytes()
    assert offered == {**dict(published.files()), MANIFEST: manifest}
    assert set(DESCRIPTIONS) == {*WITH_COVER, MANIFEST}


TABLE = FILES["witnesses.csv"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("witnesses.csv", TABLE.replace(b",1,7,,\n", b",2,7,,\n"), "has no game 2"),
        ("witnesses.csv", TABLE.replace(b",1,7,,\n", b",1,7,2,8\n"), "has no game 2"),
        ("witnesses.csv", TABLE.replace(b",1,7,", b",1,5,"), "has game 1, which lacks Qxf7#"),
        ("witnesses.csv", TABLE.replace(b",1,7,", b",1,9,"), "has game 1, which lacks Qxf7#"),
        (
            "witnesses.csv",
            b"".join(line.rsplit(b",", 4)[0] + b"\n" for line in TABLE.splitlines()),
            "has no game that shows Qxf7#",
        ),
        ("witnesses.csv", TABLE.replace(b"\nQxf7#", b"\nQxf7+"), r"witness for Qxf7\+, which is"),
        ("witnesses.csv", TABLE.splitlines(keepends=True)[0], "has no witness for Qxf7#"),
        ("impossible.csv.gz", gzipped(b"san,reason\nQxf7#,no-twins\n"), "says both of Qxf7#"),
        ("evil.js", b"alert(1)", "names of files"),
    ],
)
def test_files_of_different_runs(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        sample_contents(tmp_path, {name: content})


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
    assert tuple(shards) == NAMES
    assert sum(len(decoded(shard["codes"])) for shard in shards.values()) == len(expected)
    for name, codes in shown.items():
        all_codes = decoded(shards[name]["codes"])
        if name != "castling":
            all_codes = "".join(all_codes[i : i + 3] for i in range(0, len(all_codes), 36))
        assert all_codes == "".join(codes)
    assert contents.games is not None
    moments = {
        san: [[shard["games"][place][0], ply] for place, ply in played]
        for shard in shards.values()
        for san, played in shard["rows"]
    }
    assert moments == {san: list(map(list, both)) for san, both in contents.games.moments.items()}
    for shard in shards.values():
        numbers = [number for number, _ in shard["games"]]
        assert len(set(numbers)) == len(numbers)
        assert all(moves == contents.games.moves[number] for number, moves in shard["games"])


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
    files = {name: content for name, content in FILES.items() if name != "games.pgn.gz"}
    run = write_run(tmp_path / "without", files | {"witnesses.csv": table + b"\n"})
    shard = read_shard(dict(make_shards(read_contents(open_archive(run))))["Q-f7"])
    assert shard["rows"] == [["Qxf7#", BEFORE, "h5f7"]]
    assert "games" not in shard


def test_runs_of_letters_and_scripts_without_markup() -> None:
    assert run_lengths(list("aaab")) == "a3b1"
    assert run_lengths([]) == ""
    assert script("f", "a", [1, "<"]) == b'f("a", [1,"\\u003c"]);\n'
