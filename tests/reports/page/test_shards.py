"""The shards: the verdict on every string, and the games of those that can be written."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.rules.san import parse_san, universe
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import open_archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.shards import LETTERS, NAMES, make_shards, run_lengths, script, shard_of
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import BEFORE, FILES, GAME, sample_contents


@pytest.fixture(scope="module")
def shards(contents: Contents) -> dict[str, Any]:
    """What each shard of the published data says."""
    return {name: read_shard(content) for name, content in make_shards(contents)}


def read_shard(content: bytes) -> dict[str, Any]:
    text = content.decode("ascii")
    _, shard = json.loads(f"[{text[text.index('(') + 1 : -3]}]")
    assert isinstance(shard, dict)
    return shard


def decoded(codes: str) -> str:
    return "".join(code * int(times) for code, times in re.findall(r"(\D)(\d+)", codes))


@pytest.mark.slow
def test_shards_hold_the_verdict_on_every_string(
    shards: dict[str, Any], contents: Contents
) -> None:
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


@pytest.mark.slow
def test_shards_hold_the_games_of_every_reachable_string(
    shards: dict[str, Any], contents: Contents
) -> None:
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


def test_the_shard_of_a_small_run(tmp_path: Path) -> None:
    shard = read_shard(dict(make_shards(sample_contents(tmp_path)))["Q-f7"])
    assert shard["games"] == [[1, " ".join(GAME.sans)]]
    assert shard["rows"] == [["Qxf7#", [[0, 6]]]]


def test_without_games_the_position_is_shown(tmp_path: Path) -> None:
    table = b"\n".join(row.rsplit(b",", 4)[0] for row in FILES["witnesses.csv"].splitlines())
    files = {name: content for name, content in FILES.items() if name != "games.pgn.gz"}
    run = write_run(tmp_path, files | {"witnesses.csv": table + b"\n"})
    contents = read_contents(open_archive(run))
    shard = read_shard(dict(make_shards(contents))["Q-f7"])
    assert shard["rows"] == [["Qxf7#", BEFORE, "h5f7"]]
    assert "games" not in shard


def test_runs_of_letters() -> None:
    assert run_lengths(list("aaab")) == "a3b1"
    assert run_lengths([]) == ""


def test_scripts_hold_no_markup() -> None:
    assert script("f", "a", [1, "<"]) == b'f("a", [1,"\\u003c"]);\n'


def test_strings_outside_a_run_are_not_undecided(tmp_path: Path) -> None:
    contents = sample_contents(tmp_path)
    shards = dict(make_shards(contents, lambda san: san.startswith("Qxf7")))
    codes = decoded(read_shard(shards["Q-f7"])["codes"])
    assert codes.count("?") == 2 * 1 + 15  # Qxf7 and Qxf7+, and the promotions
    assert codes.count(".") == 1
    assert codes.count(LETTERS[Reason.NO_TWINS]) == 1
    assert set(decoded(read_shard(shards["Q-e7"])["codes"])) == {"-"}


def test_a_string_is_in_the_shard_of_its_piece_and_square() -> None:
    assert [shard_of(parse_san(san)) for san in ("e4", "Qb6xe3#", "O-O-O+")] == [
        "P-e4",
        "Q-e3",
        "castling",
    ]
