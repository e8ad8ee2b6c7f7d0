"""A few whole commands: what they print, and each file that they leave."""

import csv
import fnmatch
import io
import json
import lzma
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from click.testing import CliRunner, Result

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.find.refuted import check_certificates
from sanproof.proofs.rules.cubes import all_cubes
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.theory.reasons import Reason, Verdict
from sanproof.reports.archive.door import GameRow, published_directory
from sanproof.verify.audit import whole
from sanproof.verify.commands import find
from sanproof.verify.commands.cli import cli
from sanproof.verify.explain.answers import Answer
from sanproof.verify.run.runner import open_store
from tests.proofs.numbering.oracle import PAIRS
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES
from tests.strings import strings_of
from tests.verify.command import PART, ROOT, expect_sentence, names, sanproof, verify


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)), prog_name="sanproof")


# verify and audit


def lines(path: Path) -> list[str]:
    content = path.read_bytes()
    assert b"\r" not in content
    assert not content.endswith(b"\n")
    return content.decode("ascii").split("\n")


def test_lists_are_what_the_generator_claims_in_their_published_form(made: Path) -> None:
    finished = made / "played"
    everything = lines(finished / "san_strings_with_symbols.txt")
    assert everything == [san for san in suffixed_strings() if fnmatch.fnmatchcase(san, PART)]
    bare = [san for san in everything if san[-1] not in "+#"]
    assert lines(finished / "san_strings.txt") == bare
    content = lzma.decompress((finished / "impossible.csv.xz").read_bytes()).decode("ascii")
    head, *rows = csv.reader(io.StringIO(content))
    assert head == ["san", "reason"]
    excluded = [san for san, _ in rows]
    assert excluded == sorted(excluded, key=list_order)
    cubes = [cube for cube in all_cubes() if cube.destination == "b1"]
    selected = fnmatch.filter((str(san) for cube in cubes for san in strings_of(cube)), PART)
    assert Counter(everything) + Counter(excluded) == Counter(selected)
    assert {why for _, why in rows} <= {reason.value for reason in Reason}


def test_another_part_of_the_same_strings_needs_no_deciding(finished: Path) -> None:
    (finished / "manifest.json").unlink()
    folder = finished.rename(finished.parent / "run [bold] [i]")
    done = sanproof(*verify(folder, "Nxb1?"))
    assert done.returncode == 0, done.stderr
    assert lines(folder / "san_strings_with_symbols.txt") == ["Nxb1#", "Nxb1+"]
    assert f"Everything is in {folder}." in done.stdout


def test_two_runs_at_once_in_one_folder(finished: Path) -> None:
    with open_store(finished):
        paths = [path for path in finished.iterdir() if "sqlite3" not in path.name]
        before = {path: path.read_bytes() for path in paths}
        expect_sentence(sanproof(*verify(finished)), 2, "Another run", str(finished))
        assert {path: path.read_bytes() for path in paths} == before


def test_games_and_cover_that_a_run_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def finished(*_: object, **how: object) -> tuple[dict[str, Any], bool]:
        seen.append(how)
        return {}, True

    monkeypatch.setattr("sanproof.verify.run.runner.run", finished)
    monkeypatch.setattr("sanproof.verify.run.show.show_result", lambda *_, **__: 0)
    for line in ("", "--no-games", "--only Q*d4 --scheduler tls://a.b:1"):
        assert run("verify", "--out", "x", *line.split()).exit_code == 0
    asked = [tuple(how.values()) for how in seen]
    assert asked == [(True, True, None), (False, False, None), (True, False, "tls://a.b:1")]


def test_without_a_folder_the_published_data_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    audited: list[tuple[object, ...]] = []
    monkeypatch.setattr(whole, "run_audit", lambda *a, **_: audited.append(a))
    assert run("audit", "--workers", "3").exit_code == 0
    assert audited == [(published_directory(), 3)]


# report


def test_the_page_of_a_run_lies_beside_it(tmp_path: Path) -> None:
    sample = write_run(tmp_path / "sample", FILES)
    before = names(sample)
    page = sample.with_name("sample-page") / "index.html"
    done = sanproof("report", str(sample))
    assert (done.returncode, done.stdout) == (0, f"{page}\n")
    expect_sentence(sanproof("report", str(sample), "--out", str(page.parent)), 2, "new or empty")
    assert "that match <code>Qxf7*</code>" in page.read_text("utf-8")
    assert names(sample) == before
    with (sample / "witnesses.csv").open("ab") as file:
        file.write(b"\n")
    expect_sentence(sanproof("report", str(sample), "--out", str(page.parent / "x")), 2, "damaged")


@pytest.mark.slow
def test_without_a_run_the_page_is_about_the_published_data(tmp_path: Path) -> None:
    done = sanproof("report", cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout) == (0, "sanproof-page/index.html\n")
    assert [path.name for path in tmp_path.iterdir()] == ["sanproof-page"]


# explain


def test_undecided_is_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = {"O-O": Verdict.UNDECIDED, "e4": Verdict.REACHABLE, "Kae1": Verdict.IMPOSSIBLE}

    def proved(san: str, *, black: bool) -> Answer:
        assert not black
        game = GameRow(0, "e4", "white", 1, ("e4",), "1-0") if san == "e4" else None
        return Answer(san, verdicts[san], sentence=f"{san}.", proof=game)

    monkeypatch.setattr("sanproof.verify.explain.prove.prove", proved)
    for sans, code in (("O-O", 3), ("e4 O-O e4", 3), ("O-O Kae1", 1), ("e4", 0)):
        for form in ("text", "json"):
            assert run("explain", *sans.split(), "--prove", "--format", form).exit_code == code


# conformance


def test_the_suite_is_exported(tmp_path: Path) -> None:
    out, published = tmp_path / "new" / "suite", ROOT / "data" / "conformance"
    assert run("conformance", "export", "--out", out).exit_code == 0
    assert names(out) == {"core.json", "schema.json", "smoke.json"}
    for path in out.iterdir():
        assert path.read_bytes() == (published / path.name).read_bytes()


# find

EASY = ("find", "Qd4#", "white-to-move", "men=..5", "--count", "2", "--format")


def fens(form: str, text: str) -> list[str]:
    if form == "json":
        return [row["fen"] for row in json.loads(text)]
    if form == "pgn":
        stream = io.StringIO(text)
        games = [game for _ in range(2) if (game := chess.pgn.read_game(stream))]
        assert {game.headers["Result"] for game in games} == {"1-0"}
        return [game.headers["FEN"] for game in games]
    return [line for line in text.splitlines() if line.endswith(" 0 1")]


def test_every_form_of_find_holds_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers are searched once, in this process."""
    once = cache(lambda search, *arguments: [*search(*arguments)])
    monkeypatch.setattr("sanproof.proofs.find.asking.within", lambda _, *call: iter(once(*call)))
    expected = json.loads(run(*EASY, "json").stdout)
    assert len(expected) == 2
    for row in expected:
        board = chess.Board(row["fen"])
        assert board.san(chess.Move.from_uci(row["uci"])) == row["san"] == "Qd4#"
    for form in find.FORMS:
        assert fens(form, run(*EASY, form).stdout) == [row["fen"] for row in expected]


def test_known_games_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ("e2e4", "e7e5", "d1h5", "e8e7")
    known = [(moves, "Qxe5#")]
    monkeypatch.setattr("sanproof.proofs.find.search.known_games", lambda: known)
    text = run("find", "Qxe5#", "--game", "--format", "pgn").stdout
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert (game.errors, game.board(), game.headers["Result"]) == ([], chess.Board(), "1-0")
    assert [move.uci() for move in game.mainline_moves()] == [*moves, "h5e5"]


def test_refutations_and_their_certificates(tmp_path: Path) -> None:
    path = tmp_path / "certificate.txt"
    done = sanproof("find", "Kd4?", "direct", "--certificate", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "2 formulas describe it; all are refuted" in " ".join(done.stderr.split())
    assert str(check_certificates(path.read_text())) == "Kd4? direct"
    path.unlink()
    for asked, code in (([*EASY, "fen"], 0), (["find", "Nf3", "capture"], 1)):
        done = sanproof(*asked, "--certificate", str(path))
        assert "is not written" in done.stderr
        assert (done.returncode, path.exists()) == (code, False)


# position

NUMBER, FEN = PAIRS[-1]


@pytest.mark.parametrize("text", [[str(NUMBER)], [FEN], FEN.split(), [f"  {NUMBER} "]])
def test_a_number_and_a_fen_print_the_same_line(text: list[str]) -> None:
    assert run("position", *text).output == f"{NUMBER} {FEN}\n"
