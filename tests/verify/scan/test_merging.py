"""Finished scans that are added are one scan of all their files, to the byte."""

import gzip
import os
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.scan import command
from sanproof.verify.errors import MISUSE, Failure
from sanproof.verify.scan import merging
from sanproof.verify.scan.merging import merge
from sanproof.verify.scan.scanner import Settings, scan
from sanproof.verify.scan.store import Tally
from tests.verify.command import (
    expect_sentence,
    forge_row,
    sanproof,
)
from tests.verify.scan.pgn import game, options, random_games
from tests.verify.scan.test_scanner import outputs

EVERYTHING = Settings(
    options()._replace(fast=False, rows="csv", rewrite=True, games=True, variations=True),
    1,
    chunk_bytes=400,
)


def settings(*, strict: bool = False, games: bool = False) -> Settings:
    return Settings(options()._replace(fast=False, strict=strict, games=games), 1)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write files of all sorts; return them in order of their names."""
    folder = tmp_path_factory.mktemp("games")
    texts = random_games(31, 8, 20)
    packed = gzip.compress(("".join(random_games(32, 5, 20)) * 2).encode())
    contents: dict[str, str | bytes] = {
        "a-b.pgn": texts[0] + game("1. e4 e7e5 2. Ng1f3 *") + game("1. e4 Ke7 *"),
        "a/b.pgn": texts[1] + game("1. e4 *", Variant="Nonesuch") + texts[2],
        "c.pgn": game("1. N@f3 e5 *") + texts[3] + game("1. e4 *", Variant="Crazyhouse"),
        "d.pgn": texts[1] + game("1. c4 (1. d2d4 Ke3) (1. e4) *"),
        "e.pgn": "",
        "games.pgn": texts[4] + texts[5],
        "games.pgn.gz": packed[: len(packed) * 2 // 3],
        "h.pgn.gz": b"\x1f\x8b\x08garbage",
        os.fsdecode(b"\xff.pgn"): texts[6] + texts[0],
    }
    for name, content in contents.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with zipfile.ZipFile(folder / "f.zip", "w") as archive:
        for name in ("x/m.pgn", "x-y.pgn"):
            archive.writestr(name, texts[7])
    return sorted((str(folder / name) for name in (*contents, "f.zip")), key=os.path.dirname)


def by_name(files: Sequence[str]) -> list[str]:
    return [str(path) for path in sorted(map(Path, files))]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usually(1)
def test_parts_in_any_order_are_one_scan(files: list[str], tmp_path: Path, seed: int) -> None:
    ordered = by_name(files)
    scan(ordered, tmp_path / "whole", EVERYTHING)
    expected = outputs(tmp_path / "whole")
    chosen = random.Random(seed)
    parts = [tmp_path / name for name in "0123"]
    groups = [chosen.randrange(4) for _ in ordered]
    for number, part in enumerate(parts):
        scan([f for f, n in zip(ordered, groups, strict=True) if n == number], part, EVERYTHING)
    chosen.shuffle(parts)
    before = [outputs(part) for part in parts]
    merge(parts, tmp_path / "merged", options().proven)
    assert outputs(tmp_path / "merged") == expected
    assert [outputs(part) for part in parts] == before
    assert {path.split("/")[0] for path in expected} > {"rows", "rewritten", "games.csv"}
    merge(parts[1:], tmp_path / "some", options().proven)
    merge([tmp_path / "some", parts[0]], tmp_path / "again", options().proven)
    assert outputs(tmp_path / "again") == expected
    scan(ordered, tmp_path / "merged", EVERYTHING)  # is taken up as if it had read all itself
    assert outputs(tmp_path / "merged") == expected


def test_a_scan_keeps_the_order_in_which_it_was_asked(files: list[str], tmp_path: Path) -> None:
    """The place where a string was first is known in that order only."""
    names = by_name(files)
    c, d, *_ = (name for name in names if Path(name).name in {"c.pgn", "d.pgn", "games.pgn"})
    others = [name for name in names if name not in {c, d}]
    scan([d, c], tmp_path / "a", EVERYTHING)
    scan(others, tmp_path / "b", EVERYTHING)
    found = merge([tmp_path / "b", tmp_path / "a"], tmp_path / "out", options().proven)
    order = [source["name"] for source in found["sources"]]
    assert order.index(d) < order.index(c)
    assert found == merge([tmp_path / "a", tmp_path / "b"], tmp_path / "2", options().proven)
    asked = [d, c, *others]
    asked.sort(key=lambda name: next(i for i, n in enumerate(order) if n.startswith(name)))
    assert found == scan(asked, tmp_path / "whole", EVERYTHING)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Make two finished scans."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.pgn").write_text(game("1. e4 e5 *", White=name))
        scan([str(tmp_path / f"{name}.pgn")], tmp_path / name, settings())
    return tmp_path / "a", tmp_path / "b"


def refused(parts: Sequence[Path], out: Path, why: str) -> None:
    with pytest.raises(Failure, match=why) as caught:
        merge(parts, out, options().proven)
    assert caught.value.exit_code == MISUSE
    assert not out.exists() or out in parts
    assert not list(out.parent.glob(".sanproof-*"))


def test_what_is_no_finished_scan_is_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "none", "a.pgn"):
        refused([*two, tmp_path / name], tmp_path / "out", f"{name} holds no scan")
    assert not (tmp_path / "none").exists()
    assert not list((tmp_path / "empty").iterdir())
    rows = [["x.pgn", "x.pgn", 0, "", "", ""]]
    forge_row(two[0] / "scan.sqlite3", "state", "", [rows, 0, [], Tally.of(1)])
    refused(two, tmp_path / "out", "a holds a scan that is not finished")
    (two[1] / "scan.sqlite3").write_bytes(b"mine")
    refused([two[1]], tmp_path / "out", "is not a sanproof scan")


def test_scans_of_one_file_are_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = two
    refused([a, b, a], tmp_path / "out", "a.pgn is in .*/a and .*/a, and would count twice")
    path = tmp_path / "a.pgn"
    scan([str(path)], tmp_path / "c", settings())
    refused([a, tmp_path / "c"], tmp_path / "out", "a.pgn is in .*/a and .*/c, and would count")
    path.write_text(game("1. d4 *"))
    scan([str(path)], tmp_path / "d", settings())
    refused([tmp_path / "d", a], tmp_path / "out", "a.pgn is the name of different files in .*/a")


def test_other_settings_are_refused(
    two: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c.pgn").write_text(game("1. d4 *"))
    scan([str(tmp_path / "c.pgn")], tmp_path / "c", settings(strict=True, games=True))
    refused([*two, tmp_path / "c"], tmp_path / "out", "a and .*/c hold scans with other games, st")
    refused([two[0], two[1]], two[0], "a is not empty")
    with pytest.raises(Failure, match="a holds a scan with other strings than this"):
        merge(two, tmp_path / "out", b"e4\n")
    monkeypatch.setattr(merging, "versions", lambda: {"version of code": "other"})
    refused(two, tmp_path / "out", "a holds a scan with other version of code than this sanproof")


@pytest.mark.parametrize("how", ["removed", "edited", "link"])
@pytest.mark.parametrize("name", ["rows/part-00000000.csv", "rewritten/a.pgn"])
def test_what_a_scan_wrote_is_compared(tmp_path: Path, name: str, how: str) -> None:
    (tmp_path / "a.pgn").write_text(game("1. e4 *"))
    scan([str(tmp_path / "a.pgn")], tmp_path / "c", EVERYTHING)
    path = tmp_path / "c" / name
    content = path.read_bytes()
    path.unlink()
    if how == "edited":
        path.write_bytes(content.replace(b"e4", b"d4"))
    if how == "link":
        path.symlink_to(tmp_path / "elsewhere")
        (tmp_path / "elsewhere").write_bytes(content)
    refused([tmp_path / "c"], tmp_path / "out", f"{path.name} is not as it was written")


def test_the_command_and_what_reads_a_scan(two: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = sanproof("scan", "--merge", *map(str, two), "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "2 games, 4 moves" in run.stdout
    page = tmp_path / "page.html"
    run = sanproof("report", str(out), "--out", str(page))
    assert run.returncode == 0, run.stderr
    again = sanproof("scan", "--merge", *map(str, two), "--out", str(out))
    expect_sentence(again, MISUSE, "not empty")
    for options_ in (["--strict"], ["--check"], ["--rows", "csv"], ["--workers", "1"]):
        named = CliRunner().invoke(command, ["--merge", "a", "--out", "x", *options_])
        assert named.exit_code == MISUSE
        assert f"leave out {options_[0]}" in named.output
    assert "name a directory" in CliRunner().invoke(command, ["--merge", "a"]).output
