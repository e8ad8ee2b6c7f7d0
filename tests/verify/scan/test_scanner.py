import csv
import gzip
import hashlib
import json
import shutil
import sqlite3
import zlib
from collections import Counter
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sanproof.reports.archive.door import published_directory
from sanproof.verify.errors import MISUSE, Failure, Interrupted
from sanproof.verify.scan import harness, scanner
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options
from sanproof.verify.scan.scanner import Settings, scan
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.sources import Source
from tests.sentences import broken
from tests.verify.command import expect_sentence, sanproof
from tests.verify.scan.pgn import game, options, random_games

MISTAKES = game("1. e4 e7e5 2. Ng1f3 Nc6 3. Bb5+ *") + game("1. e4 Ke7 *", Round="2")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write two files; the second is packed."""
    folder = tmp_path_factory.mktemp("games")
    text = "".join(random_games(11, 24)) + MISTAKES
    (folder / "a.pgn").write_text(text)
    (folder / "b.pgn.gz").write_bytes(gzip.compress((MISTAKES + text).encode()))
    return [str(folder / "a.pgn"), str(folder / "b.pgn.gz")]


def settings(
    workers: int = 1,
    *,
    strict: bool = False,
    fast: bool = True,
    rows: str = "",
    rewrite: bool = False,
) -> Settings:
    changed = options()._replace(strict=strict, fast=fast, rows=rows, rewrite=rewrite)
    return Settings(changed, workers, chunk_bytes=3000)


def everything(workers: int = 1) -> Settings:
    """Ask for all files that there can be."""
    return settings(workers, rows="parquet", rewrite=True)


def outputs(directory: Path) -> dict[str, bytes]:
    """Read all files of a scan but its store."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and not path.name.startswith("scan.sqlite3")
    }


@pytest.fixture(scope="module")
def whole(games: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a finished scan that wrote everything; it is not to be changed."""
    directory = tmp_path_factory.mktemp("whole") / "out"
    scan(games, directory, everything())
    return directory


@pytest.fixture(scope="module")
def plain(games: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a finished scan with the usual settings; it is not to be changed."""
    directory = tmp_path_factory.mktemp("plain") / "out"
    scan(games, directory, settings())
    return directory


def copied(directory: Path, to: Path) -> Path:
    """Return a copy of a finished scan, to be changed."""
    return Path(shutil.copytree(directory, to))


def test_results_are_the_same_for_any_number_of_workers(
    games: list[str], whole: Path, tmp_path: Path
) -> None:
    scan(games, tmp_path, everything(2))
    found = outputs(tmp_path)
    assert found == outputs(whole)
    assert set(found) > {"counts.csv", "deviations.csv", "summary.json", "summary.md"}


def test_without_the_fast_path_the_bytes_are_the_same_and_tell_duplicates(
    games: list[str], tmp_path: Path
) -> None:
    found = []
    for fast in (True, False):
        wanted = settings(fast=fast)
        wanted = wanted._replace(options=wanted.options._replace(games=True, tags=("Event",)))
        scan(games, tmp_path / str(fast), wanted)
        found.append(outputs(tmp_path / str(fast)))
    assert found[0] == found[1]
    with (tmp_path / "True/games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    first, second = ([row["hash"] for row in rows if row["source"] == name] for name in games)
    assert len(set(first)) > 24
    assert second == [*first[24:], *first]  # the mistakes, and all of the first file
    assert {row["Event"] == row["event"] != "" for row in rows} == {True}
    times = Counter(row["hash"] for row in rows)
    with (tmp_path / "True/duplicates.csv").open(newline="") as file:
        same = list(csv.DictReader(file))
    assert same == [row for row in rows if times[row["hash"]] > 1 and row["moves"] != "0"]


def test_deviations_are_placed_in_their_files(games: list[str], plain: Path) -> None:
    with (plain / "deviations.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    by_source = [row["source"] for row in rows]
    assert by_source == [games[0]] * 4 + [games[1]] * 8
    for row in rows:
        path = Path(row["source"])
        data = path.read_bytes() if path.suffix == ".pgn" else gzip.decompress(path.read_bytes())
        line = data.decode().split("\n")[int(row["line"]) - 1]
        assert line[int(row["column"]) - 1 :].startswith(row["written"])
    kinds = [row["kind"] for row in rows[:4]]
    expected = ["coordinate-notation", "excess-square", "superfluous-check", "illegal own-piece"]
    assert kinds == expected
    assert [int(row["game"]) for row in rows[:4]] == [25, 25, 25, 26]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = parquet.read_table(plain / "deviations.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in table] == rows


def test_rewritten_games_are_in_files_of_their_names(games: list[str], whole: Path) -> None:
    found = sorted((whole / "rewritten").iterdir())
    assert [path.name for path in found] == ["a.pgn", "b.pgn"]
    due = Path(games[0]).read_text().replace("e7e5", "e5").replace("Ng1f3", "Nf3")
    assert found[0].read_text() == due.replace("3. Bb5+ *", "3. Bb5 *")


class _Stop(Exception):
    pass


_STOP = _Stop()


def stopped(
    names: list[str], out: Path, wanted: Settings, count: int, error: BaseException = _STOP
) -> None:
    """Begin a scan that ends with an error at its so many-th chunk."""
    numbers = iter(range(count))

    def failing(chunk: Chunk, how: Options) -> ChunkResult:
        if next(numbers, None) is None:
            raise error
        return scan_chunk(chunk, how)

    with suppress(_Stop), pytest.MonkeyPatch.context() as patched:
        patched.setattr(scanner, "scan_in_order", partial(harness.scan_in_order, scan=failing))
        scan(names, out, wanted)


@pytest.mark.parametrize("count", [0, 1, 9])
@pytest.mark.usually(1)
def test_a_scan_goes_on_where_it_stopped(
    games: list[str], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    with pytest.raises(Interrupted, match="all kept in"):
        stopped(games, tmp_path / "out", everything(), count, KeyboardInterrupt())
    assert not (tmp_path / "out/summary.json").exists()
    for part in (tmp_path / "out/rewritten").iterdir():
        with part.open("ab") as file:  # written after it was saved last, as before a power cut
            file.write(b"beyond")
    scanned: list[int] = []

    def noted(chunk: Chunk, wanted: Options) -> ChunkResult:
        scanned.append(chunk.number)
        return scan_chunk(chunk, wanted)

    monkeypatch.setattr(scanner, "scan_in_order", partial(harness.scan_in_order, scan=noted))
    scan(games, tmp_path / "out", everything())
    assert scanned[0] == count
    assert outputs(tmp_path / "out") == outputs(whole)
    scan(games, tmp_path / "out", everything())  # and a finished scan gives the same again
    assert outputs(tmp_path / "out") == outputs(whole)


def test_no_more_processes_are_started_than_are_of_use() -> None:
    wanted = Settings(options(), 8, chunk_bytes=1000)
    for sizes, workers in (([10], 1), ([1500, 1500], 4), ([10**9], 8), ([10, None], 8)):
        sources = [Source("a.pgn", size) for size in sizes]
        assert scanner.useful_workers(sources, wanted) == workers


def test_changed_files_are_refused(games: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(Path(games[0]).read_bytes())
    stopped([str(path)], tmp_path / "out", settings(), 5)
    text = path.read_text()
    for changed in (text.replace("Event", "event", 1), text[:100]):
        path.write_text(changed)
        with pytest.raises(Failure, match="have changed"):
            scan([str(path)], tmp_path / "out", settings())


def test_other_options_are_refused(games: list[str], plain: Path, tmp_path: Path) -> None:
    with pytest.raises(Failure, match="other --strict"):
        scan(games, copied(plain, tmp_path / "out"), settings(strict=True))


def test_what_is_not_ours_is_left_alone(games: list[str], tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("mine")
    with pytest.raises(Failure, match="holds other files"):
        scan(games, tmp_path, settings())
    assert (tmp_path / "counts.csv").read_text() == "mine"
    with pytest.raises(Failure, match="cannot be a scan directory"):
        scan(games, tmp_path / "counts.csv", settings())
    (tmp_path / "out").mkdir()
    (tmp_path / "out/scan.sqlite3").write_text("mine")
    with pytest.raises(Failure, match="not a sanproof scan"):
        scan(games, tmp_path / "out", settings())


def test_a_row_that_is_lost_is_noticed(games: list[str], plain: Path, tmp_path: Path) -> None:
    """The hashes of the rows that are left are right."""
    out = copied(plain, tmp_path / "out")
    with closing(sqlite3.connect(out / "scan.sqlite3")) as database, database:
        lost = "DELETE FROM chunks WHERE name = (SELECT max(name) FROM chunks)"
        assert database.execute(lost).rowcount == 1
    with pytest.raises(Failure, match="its chunks are not those that it counts"):
        scan(games, out, settings())


KEPT = [["a.pgn", "a.pgn", 1, "0" * 64, "", ""], ["b.pgn.gz", "b.pgn.gz", 0, "", "", ""]]
TALLY: list[Any] = [[{}, {}], {}, {}, [{}, {}]]


def with_tally(place: int, value: object) -> list[object]:
    """Return a state whose sums are as they should be, but for one of them."""
    return [KEPT, 0, [], [*TALLY[:place], value, *TALLY[place + 1 :]]]


@pytest.mark.parametrize("folder", ["rows", "rewritten"])
@pytest.mark.parametrize("how", ["removed", "cut", "edited", "longer", "link"])
def test_what_was_written_is_compared_before_it_is_extended(
    games: list[str], whole: Path, tmp_path: Path, folder: str, how: str
) -> None:
    """A cut file once got NUL bytes, and a removed one was empty, with exit code 0."""
    out = copied(whole, tmp_path / "out")
    path = min((out / folder).iterdir())
    before = path.read_bytes()
    changed = {"cut": before[:-9], "edited": b"?" + before[1:], "longer": before + b"more"}
    path.unlink()
    if how == "link":
        (tmp_path / "precious").write_bytes(before)
        path.symlink_to(tmp_path / "precious")
    elif how in changed:
        path.write_bytes(changed[how])
    if (folder, how) == ("rewritten", "longer"):  # as after a stop: what was not saved goes
        scan(games, out, everything())
        assert path.read_bytes() == before
        return
    with pytest.raises(Failure, match=f"{path.name} is not|not a file of this scan"):
        scan(games, out, everything())
    if how == "link":
        assert (tmp_path / "precious").read_bytes() == before


@pytest.mark.parametrize("name", ["rows", "rewritten", "counts.csv", "rewritten/.0001.part"])
def test_nothing_is_written_through_a_link(games: list[str], tmp_path: Path, name: str) -> None:
    out, precious = tmp_path / "out", tmp_path / "precious"
    stopped(games, out, everything(), 2)
    if name in ("rows", "rewritten"):
        precious.mkdir()
        (out / name).rename(tmp_path / "elsewhere")
    else:
        precious.write_text("precious")
        (out / name).unlink(missing_ok=True)
    (out / name).symlink_to(precious)
    with pytest.raises(Failure, match=r"is not a file of this scan"):
        scan(games, out, everything())
    assert list(precious.iterdir()) == [] if precious.is_dir() else precious.read_text()


@pytest.fixture(scope="module")
def shorter_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a run's folder whose list lacks the string Nf3."""
    folder = tmp_path_factory.mktemp("run")
    published = published_directory()
    name = "san_strings_with_symbols.txt"
    shorter = (published / name).read_bytes().replace(b"\nNf3\n", b"\n")
    manifest = json.loads((published / "manifest.json").read_bytes())
    manifest["files"][name] = hashlib.sha256(shorter).hexdigest()
    (folder / name).write_bytes(shorter)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "summary.json").write_bytes((published / "summary.json").read_bytes())
    return folder


def test_a_refuted_theorem_is_loud_and_has_its_own_exit_code(
    tmp_path: Path, shorter_run: Path
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. d4 *") + game("1. Nf3 {kept} *"))
    out = str(tmp_path / "out")
    run = sanproof(
        *("scan", str(path), "--out", out, "--run", str(shorter_run), "--workers", "1"),
    )
    assert run.returncode == 5, run.stderr
    assert "THE THEOREM IS REFUTED" in run.stderr
    kept = (tmp_path / "out/refuting.pgn").read_text()
    assert "{kept}" in kept
    assert "game 2, ply 1: Nf3" in kept
    assert "refuted" in (tmp_path / "out/summary.md").read_text()
    assert not broken(run.stdout + run.stderr + (tmp_path / "out/summary.md").read_text())
    run = sanproof("scan", "--check", str(path), "--run", str(shorter_run))
    expect_sentence(run, 5, "Nf3", "refuted")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usually(1)
def test_what_stands_before_a_damage_is_counted(tmp_path: Path, workers: int) -> None:
    packed = gzip.compress("".join(random_games(21, 80)).encode())[:-3000]
    before = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(packed)
    assert before.count(b"[Event") > 10
    for name, content in (("a", packed), ("b", MISTAKES.encode()), ("c", before)):
        (tmp_path / name).write_bytes(content)
    damaged, good, expected = (
        [str(tmp_path / name) for name in names] for names in ("a", "ab", "cb")
    )
    summary = scan(good, tmp_path / "out", settings(workers))
    why = {"why": "it ends too early", "read": "before"}
    assert summary["damaged"] == [{"source": damaged[0], **why}]
    assert "a is damaged (it ends too early)" in (tmp_path / "out/summary.md").read_text()
    assert summary["total"] == scan(expected, tmp_path / "expected", settings())["total"]
    for count in (2, 10**9):
        stopped(good, tmp_path / "stopped", settings(), count)
    assert outputs(tmp_path / "stopped") == outputs(tmp_path / "out")


def test_files_that_cannot_be_read_are_named_and_the_scan_goes_on(tmp_path: Path) -> None:
    folder, out = tmp_path / "games", tmp_path / "out"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.pgn.gz").write_bytes(b"\x1f\x8b\x08garbage")
    (folder / "gone.pgn").symlink_to("nowhere.pgn")
    (folder / "bad.zip").write_bytes(b"PK\x03\x04garbage")
    (folder / "sub/good.PGN").write_text(game("1. e2e4 *"))
    ended = sanproof("scan", str(folder), "--out", str(out), "--rewrite", "--no-fast")
    assert ended.returncode == MISUSE
    summary = json.loads((out / "summary.json").read_bytes())
    names = [Path(damage["source"]).name for damage in summary["damaged"]]
    assert names == ["a.pgn.gz", "bad.zip", "gone.pgn"]
    assert {damage["read"] for damage in summary["damaged"]} == {"nothing"}
    assert all(f"{name} cannot be read: " in ended.stderr for name in names)
    assert summary["total"]["games_read"] == 1
    written = {path for path in (out / "rewritten").rglob("*") if path.is_file()}
    assert written == {out / "rewritten/sub/good.PGN"}
    assert (out / "rewritten/sub/good.PGN").read_text() == game("1. e4 *")
    before = outputs(out)
    again = sanproof("scan", str(folder), "--out", str(out), "--rewrite", "--no-fast")
    assert (again.returncode, outputs(out)) == (MISUSE, before)


def test_every_game_that_is_not_read_has_a_row(tmp_path: Path) -> None:
    tags = {"White": "Ann, A", "Black": "Bob", "Result": "1-0"}
    text = (
        game("1. e4 *", **tags)
        + game("1. Ke2 e5 2. d4 *", **tags)
        + game("1. e4 { e5 2. Nf3", **tags)
        + game("1. e4 * 2. d4", **tags)
        + game("1. e4 e5 *", Variant="Nonesuch")
        + game("1. e4 *", fen="8/8/8/8/8/8/4k3/4K3 w - - 0 1")
    )
    (tmp_path / "a.pgn").write_text(text)
    run = sanproof("scan", str(tmp_path / "a.pgn"), "--out", str(tmp_path / "out"), "--games")
    assert run.returncode == MISUSE
    rows, games = (
        list(csv.DictReader((tmp_path / "out" / name).read_text().splitlines()))
        for name in ("unread.csv", "games.csv")
    )
    assert [(r["game"], r["outcome"], r["moves"], r["left"]) for r in rows] == [
        ("2", "stopped", "0", "3"),
        ("3", "unclosed", "1", "2"),
        ("4", "after-result", "1", "1"),
        ("5", "variant", "0", "2"),
        ("6", "bad-position", "0", "1"),
    ]
    first = rows[0]
    assert (first["white"], first["result"], rows[3]["reason"]) == ("Ann, A", "1-0", "Nonesuch")
    lines = text.split("\n")
    assert {lines[int(row["line"]) - 1] for row in rows} == {'[Event "test"]'}
    assert (games[0]["outcome"], games[1:]) == ("read", rows)
