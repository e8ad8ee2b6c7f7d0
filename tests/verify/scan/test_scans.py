"""Whole scans: their files, resuming, formats and exit codes; and the choice of games."""

import csv
import gzip
import hashlib
import io
import json
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import chess
import pytest

from sanproof.reports.archive.door import published_directory
from sanproof.verify.errors import Failure, Interrupted
from sanproof.verify.scan import scanner, scanning
from sanproof.verify.scan.results import Chunk, Outcome, read_where, selects
from sanproof.verify.scan.scanner import rewritten, rewritten_names, scan, scan_in_order
from tests.verify.command import sanproof
from tests.verify.scan.pgn import game, options, piece, random_games, scanned

MISTAKES = game("1. e4 e7e5 2. Ng1f3 Nc6 3. Bb5+ *") + game("1. e4 Ke7 *", Round="2")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write two files; the second is packed."""
    folder = tmp_path_factory.mktemp("games")
    text = "".join(random_games(11, 7)) + MISTAKES
    (folder / "a.pgn").write_text(text)
    (folder / "b.pgn.gz").write_bytes(gzip.compress((MISTAKES + text).encode()))
    return [str(folder / "a.pgn"), str(folder / "b.pgn.gz")]


def scan_all(names: list[str], out: Path, workers: int = 1, **how: bool) -> None:
    """Write all files that there can be."""
    every: dict[str, Any] = dict.fromkeys(("rewrite", "games", "variations"), True)
    wanted = options()._replace(**every | {"rows": "csv"} | how)
    scan(names, out, wanted, workers, chunk_bytes=1000)


def outputs(directory: Path) -> dict[str, bytes]:
    """Read all files of a scan but its store."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and "sqlite3" not in path.name
    }


@pytest.fixture(scope="module")
def whole(games: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of a scan by this process and python-chess."""
    directory = tmp_path_factory.mktemp("whole")
    scan_all(games, directory, fast=False)
    return outputs(directory)


@pytest.mark.parametrize(("workers", "fast"), [(2, False), (1, True)])
def test_the_bytes_are_the_same_for_any_workers_and_path(
    games: list[str],
    whole: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    workers: int,
    fast: bool,
) -> None:
    monkeypatch.setattr(scanning, "FAST_FROM_BYTES", 0)
    scan_all(games, tmp_path, workers, fast=fast)
    assert outputs(tmp_path) == whole
    assert {"counts.csv", "rewritten/b.pgn", "rows/part-00000000.csv"} <= {*whole}
    summary = json.loads(whole["summary.json"])
    assert summary["total"]["games_stopped"] == 3
    assert summary["total"]["deviating_moves"] == 9
    assert sum(summary["deviations"].values()) == 12
    rows = list(csv.DictReader(whole["games.csv"].decode().splitlines()))
    hashes = [{row["hash"] for row in rows if row["source"] == name} for name in games]
    assert hashes[0] == hashes[1]
    parts = [text.decode().splitlines() for name, text in whole.items() if "rows/" in name]
    shown = {(r["san"], r["source"], r["game"]) for part in parts for r in csv.DictReader(part)}
    of = Counter(san for san, *_ in shown)
    counts = csv.DictReader(whole["counts.csv"].decode().splitlines())
    assert {row["string"]: int(row["games"]) for row in counts} == of


@pytest.mark.parametrize("count", [0, 1, 9])
def test_a_scan_goes_on_where_it_stopped(
    games: list[str],
    whole: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    done: list[Chunk] = []

    def stopped(error: type[BaseException] | None, *arguments: Any) -> Any:  # noqa: ANN401
        for chunk, result in scan_in_order(*arguments):
            if error and len(done) == count:
                raise error
            done.append(chunk)
            yield chunk, result

    for error in (KeyboardInterrupt, None):
        monkeypatch.setattr(scanner, "scan_in_order", partial(stopped, error))
        with suppress(Interrupted):
            scan_all(games, tmp_path)
    assert outputs(tmp_path) == whole
    assert len(done) == len({(chunk[0].place, chunk[0].lines) for chunk in done})


def test_changed_files_other_options_and_other_folders_are_refused(tmp_path: Path) -> None:
    path, out = tmp_path / "games.pgn", tmp_path / "out"
    path.write_text(MISTAKES)
    scan_all([str(path)], out)
    with pytest.raises(Failure, match="strict"):
        scan_all([str(path)], out, strict=True)
    path.write_text(MISTAKES.replace("Bb5", "Bc4"))
    with pytest.raises(Failure, match="have changed"):
        scan_all([str(path)], out)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("mine")
    with pytest.raises(Failure, match="contains other files"):
        scan_all([str(path)], tmp_path / "other")


def test_rewritten_files_have_names_of_their_own_within_the_folder() -> None:
    withins = ["a/b.pgn.gz", "a/B.pgn", "a", "a/b.pgn/c.pgn", "../x.pgn", "/..", "x" * 300 + ".pgn"]
    names = list(rewritten_names(withins))
    assert names[0] == "a/b.pgn"
    assert len({name.casefold() for name in names}) == len(withins)
    assert not any(name.startswith("/") or ".." in name.split("/") for name in names)


def test_a_refuted_theorem_is_loud_and_has_its_own_exit_code(tmp_path: Path) -> None:
    run, published = tmp_path / "run", published_directory()
    run.mkdir()
    name = "san_strings_with_symbols.txt"
    shorter = (published / name).read_bytes().replace(b"\nNf3\n", b"\n")
    manifest = json.loads((published / "manifest.json").read_bytes())
    manifest["files"][name] = hashlib.sha256(shorter).hexdigest()
    (run / name).write_bytes(shorter)
    (run / "manifest.json").write_text(json.dumps(manifest))
    (run / "summary.json").write_bytes((published / "summary.json").read_bytes())
    path = tmp_path / "games.pgn"
    path.write_text(game("1. d4 *") + game("1. Nf3 {kept} *"))
    done = sanproof("scan", str(path), "--out", str(tmp_path / "out"), "--run", str(run))
    assert done.returncode == 5, done.stderr
    assert "THE THEOREM IS REFUTED" in done.stderr
    assert "Nf3" in done.stderr
    assert "game 2" in done.stderr
    done = sanproof("scan", "--check", str(path), "--run", str(run))
    assert done.returncode == 5
    assert "Nf3" in done.stderr


MANY = game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 *") * 60 + game("1. e4 e5 2. Qh6 *")
"""A chunk in which a lost game comes after hundreds of deviations."""


@pytest.mark.parametrize("form", ["text", "github", "sarif", "json"])
def test_a_lost_game_is_shown_and_first_to_people(tmp_path: Path, form: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(MANY)
    run = sanproof("scan", "--check", str(path), "--format", form, "--limit", "3")
    assert run.returncode == 2
    assert form == "json" or run.stdout.index("Qh6") < run.stdout.index("e2e4")
    if form == "json":
        told = json.loads(run.stdout)
        assert len(told["deviations"]) == told["found"] == 361
    if form == "text":
        assert run.stdout.count(" should be written ") == 3
        assert "and 357 more (--limit 360 shows them all)" in run.stdout
        assert "61 games, 362 moves: 360 moves are not canonical SAN." in run.stdout


def test_what_is_picked_from_files_with_lost_games_says_so(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(game("1. e4 e5 *") + game("1. e4 Ke7 *"))
    found, files = "source,game,ply\ngames.pgn,1,2\n", "out/clean.pgn\nout/broken.pgn\n"
    for how, told in (("--find e5", found), ("--split --out out", files)):
        run = sanproof("scan", "games.pgn", *how.split(), cwd=tmp_path)
        assert run.returncode == 2
        assert "games.pgn:7:7: Ke7 is illegal" in run.stderr
        assert run.stdout == told
    assert (tmp_path / "out/clean.pgn").read_text() == game("1. e4 e5 *")
    assert (tmp_path / "out/broken.pgn").read_text() == game("1. e4 Ke7 *")


def test_what_has_no_end_is_placed_where_it_begins(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(game("1. e4 e5\n2. Nf3 { 2... Nc6 *", White="é"))
    run = sanproof("scan", "--check", "games.pgn", cwd=tmp_path)
    assert run.stdout.startswith("games.pgn:5:8: Game 1 (é) is not read to its end (unclosed): ")


def test_without_the_compiler_python_chess_reads_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fast = options()._replace(fast=True)
    assert not scanning.suited(fast, scanning.FAST_FROM_BYTES - 1).fast
    monkeypatch.setattr(scanning, "NEEDED", ("none",))
    assert not scanning.suited(fast, None).fast
    assert "sanproof[scan]" in capsys.readouterr().err
    monkeypatch.setattr(scanning, "NEEDED", ())
    assert scanning.suited(fast, None).fast
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert not scanning.suited(fast, None).fast


# Which games are read

TAGS = {"White": "Carlsen", "WhiteElo": "2839", "BlackElo": "900", "Round": "1.10", "Date": "?"}


HOLDS = (
    *("WhiteElo >= 2500", "2800 < WhiteElo <= 2839.0", "Round == 1.1", "White < 'D'"),
    *("WhiteElo > BlackElo", "Round == '1.10' and not Round == '1.1'"),  # as texts 9 is after 2
    *("White == 'Carlsen' or WhiteElo < 1", "'Carl' in White and 'x' not in White"),
    *("not (White != 'Carlsen')", "(((WhiteElo != 2838)))", "not " * 240 + "White == 'Carlsen'"),
)
LACKS = ("ECO == 'B90'", "ECO != 'B90'", "WhiteElo >= 2500 or ECO == 'B90'", "Date >= 2020")


@pytest.mark.parametrize("where", [*HOLDS, *LACKS])
def test_a_missing_tag_and_a_text_for_a_number_leave_a_game_out(where: str) -> None:
    assert selects(where, TAGS) is (where in HOLDS)
    assert not selects(f"not ({where})", TAGS)


WRONG = (
    *("", "WhiteElo >=", "WhiteElo = 2500", "WhiteElo >= 2500; White", "1 < 2", "WhiteElo += 1"),
    *("White.upper() == 'A'", "open('x')", "__import__('os')", "White + 'x' == 'y'", "[White]"),
    *("White == None", "White == b'x'", "White is White", "f'{White}' == 'x'", "(x := White)"),
    *("White == True", "-WhiteElo < 1", "White[0] == 'C'", "lambda: White", "White\0", "(" * 900),
    *("'\\d' == White(", "White ** 9 > 1", "x" * 1001, "-" * 999 + "White", "\ud800"),
)


@pytest.mark.parametrize("where", WRONG)
def test_a_wrong_expression_is_refused_in_a_sentence(where: str) -> None:
    with pytest.raises(ValueError, match=r"^--where takes .*\.$"):
        read_where(where)


RATED = (
    game("1. e4 e7e5 *", WhiteElo="2600", White="=A")
    + game("1. d2d4 (1. c4) Ke3 *", WhiteElo="2400")
    + game("1. c4 *", White="no rating")
    + game("1. Nf3 d5 *", WhiteElo="2500", White="B")
)


def test_games_that_are_left_out_are_counted_and_nothing_else_of_them() -> None:
    wanted = options()._replace(where="WhiteElo >= 2500", games=True, rewrite=True, rows="csv")
    result = scanned(RATED.encode(), wanted)
    due = {"games": 4, f"games_{Outcome.LEFT_OUT}": 2, "games_read": 2, "moves": 4}
    assert {name: result.counts[0][name] for name in due} == due
    assert "move_texts_not_read" not in result.counts[0]
    assert [d.game for d in result.found] == [1]
    assert [row.game for row in result.games] == [1, 4]
    ((_, anew),) = rewritten([piece(RATED.encode())], result.edits)
    assert anew.decode() == RATED.replace("e7e5", "e5")
    assert result.seen["Nf3"][3] == 4


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_each_move_has_its_row(form: str) -> None:
    tags = ("White", "WhiteElo", "Nothing")
    rows = scanned(RATED.encode(), options()._replace(rows=form, tags=tags)).rows
    if form == "csv":
        table = list(csv.DictReader(io.StringIO(rows.decode())))
    else:
        table = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(rows)).to_pylist()
    assert [(row["san"], int(row["game"]), int(row["ply"])) for row in table] == [
        *(("e4", 1, 1), ("e5", 1, 2), ("d4", 2, 1), ("c4", 3, 1), ("Nf3", 4, 1), ("d5", 4, 2))
    ]
    assert [row["WhiteElo"] for row in table] == ["2600", "2600", "2400", "", "2500", "2500"]
    assert (table[0]["White"], table[0]["Nothing"]) == ("'=A" if form == "csv" else "=A", "")
    for row in table:
        board = chess.Board(row["before_fen"])
        board.push_uci(row["uci"])
        assert board.fen() == row["after_fen"]


def test_the_command_says_what_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(RATED)
    run = partial(sanproof, "scan", "a.pgn", cwd=tmp_path)
    done = run("--check", "--where", "WhiteElo > 9000")
    assert (done.returncode, done.stdout) == (2, "4 games, 0 moves. 4 games left out by --where.\n")
    assert run("--where", "WhiteElo >= 2500", "--no-fast", "--out", "out").returncode == 0
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert summary["total"][f"games_{Outcome.LEFT_OUT}"] == 2
    assert summary["settings"]["where"] == "WhiteElo >= 2500"
    assert run("--games", "--tags", "WhiteElo, White", "--out", "games").returncode == 2
    columns, *table = csv.reader((tmp_path / "games/games.csv").read_text().splitlines())
    assert columns[-2:] == ["WhiteElo", "White"]
    assert [",".join(row[-2:]) for row in table] == ["2600,'=A", "2400,", ",no rating", "2500,B"]
    wrong_columns = [["--rows", "csv", "--tags", n] for n in ("", "san", "W,W", "a b", "x" * 101)]
    for wrong in (["--where", "WhiteElo = 1"], ["--tags", "W"], ["--language", ""], *wrong_columns):
        assert run("--out", "new", *wrong).returncode == 2
