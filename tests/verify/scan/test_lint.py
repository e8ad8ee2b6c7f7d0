import json
from pathlib import Path

import pytest

from sanproof.verify.scan.chunks import Options, proven_lines
from sanproof.verify.scan.lint import lint
from tests.verify.command import expect_sentence, expect_usage, sanproof
from tests.verify.scan.pgn import game, random_games

GOOD = "".join(random_games(21, 3))
BAD = game("1. e4 e7e5 2. Nf3 { ü } Nb8c6\n3. Ke3 *")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """One file as it should be, one that deviates three times."""
    good, bad = tmp_path / "good.pgn", tmp_path / "bad, name.pgn"
    good.write_text(GOOD)
    bad.write_text(GOOD + BAD)
    return good, bad


def test_good_games_are_exit_code_0(files: tuple[Path, Path]) -> None:
    run = sanproof("scan", "--check", str(files[0]))
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("3 games, ")
    assert "all moves are canonical SAN." in run.stdout


def test_deviations_are_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(game("1. e2e4 *"))
    assert sanproof("scan", "--check", str(tmp_path / "a.pgn")).returncode == 1


def test_what_deviates_beside_the_moves_is_no_move(tmp_path: Path) -> None:
    """A result that the mate contradicts, and one that PGN does not know."""
    (tmp_path / "a.pgn").write_text(game("1. f3 e5 2. g4 Qh4# 1-0") + game("1. e2e4 1/2"))
    run = sanproof("scan", "--check", str(tmp_path / "a.pgn"))
    assert run.returncode == 1
    last = run.stdout.splitlines()[-1]
    assert ": 1 move is not canonical SAN. 2 deviations beside the moves." in last
    out = sanproof("scan", "--out", str(tmp_path / "out"), str(tmp_path / "a.pgn")).stdout
    assert "\n1 move is not canonical SAN.\n2 deviations beside the moves.\n" in out


def test_deviations_have_lines_and_columns(files: tuple[Path, Path]) -> None:
    run = sanproof("scan", "--check", *map(str, files))
    assert run.returncode == 2, run.stderr  # a game was not read to its end
    first, second, third, last = run.stdout.splitlines()
    line = len(GOOD.splitlines()) + 3
    assert first.startswith(f"{files[1]}:{line}:7: e7e5 is written e5 (coordinate-notation). ")
    assert second.startswith(f"{files[1]}:{line}:25: Nb8c6 is written Nc6 (excess-square). ")
    assert third.startswith(f"{files[1]}:{line + 1}:4: Ke3 is illegal (cannot-reach). ")
    assert last.startswith("7 games, ")
    assert "3 moves are not canonical SAN. 1 game stopped at" in last


def test_what_breaks_off_is_said_in_good_english(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(game("1. e4 { 1... e5"))
    run = sanproof("scan", "--check", str(tmp_path / "a.pgn"))
    assert run.returncode == 2
    assert run.stdout == (
        f"{tmp_path}/a.pgn:1:1: Game 1 is unclosed: a comment or a variation is not closed; "
        "1 move text was not read.\n"
        "1 game, 1 move: all moves are canonical SAN. 1 game with a comment or a variation that is "
        "not closed. 1 game without a result.\n"
    )


def test_json(files: tuple[Path, Path]) -> None:
    run = sanproof("scan", "--check", "--format", "json", str(files[1]))
    assert run.returncode == 2
    content = json.loads(run.stdout)
    assert content["found"] == len(content["deviations"]) == 3
    second = content["deviations"][1]
    assert (second["written"], second["canonical"]) == ("Nb8c6", "Nc6")
    assert (second["column"], second["end_column"], second["game"], second["ply"]) == (25, 30, 4, 4)


def test_sarif(files: tuple[Path, Path]) -> None:
    run = sanproof("scan", "--check", "--format", "sarif", str(files[1]))
    (content,) = json.loads(run.stdout)["runs"]
    rules = {rule["id"] for rule in content["tool"]["driver"]["rules"]}
    assert [r["ruleId"] for r in content["results"]] == [
        "coordinate-notation",
        "excess-square",
        "illegal",
    ]
    assert {r["ruleId"] for r in content["results"]} <= rules
    place = content["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("bad%2C%20name.pgn")
    assert place["region"]["startColumn"] == 7


def test_a_file_of_a_variant_holds_moves(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(game("1. e4 e5 *", Variant="Chess960"))
    run = sanproof("scan", "--check", str(tmp_path / "a.pgn"))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "1 game, 0 moves. 1 game of chess960, counted apart.\n"


def test_sarif_has_levels_a_limit_and_fingerprints_without_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    text = game("1. e2e4 e5 2.\xa0Nf3 Ke4 *")
    runs = []
    for before, limit in (("", 100), (GOOD, 100), ("", 2)):
        path.write_text(before + text)
        arguments = ["--check", "--format", "sarif", "--limit", str(limit)]
        run = sanproof("scan", *arguments, str(path))
        runs += json.loads(run.stdout)["runs"]
    first, moved, limited = (run["results"] for run in runs)
    assert [result["level"] for result in first] == ["warning", "note", "error"]
    prints = [result["partialFingerprints"]["sanproof/v1"] for result in first]
    assert len(set(prints)) == 3
    assert prints == [result["partialFingerprints"]["sanproof/v1"] for result in moved]
    assert limited == first[:2]
    assert runs[2]["properties"] == {"found": 3, "shown": 2}


def test_github(files: tuple[Path, Path]) -> None:
    run = sanproof("scan", "--check", "--format", "github", "--limit", "2", str(files[1]))
    first, second, more, _ = run.stdout.splitlines()
    assert first.startswith("::error file=")
    assert more == "and 1 more (--limit 3 shows them all)"
    assert "bad%2C name.pgn,line=" in first
    assert "col=7,endColumn=11,title=SAN coordinate-notation::e7e5 is written e5" in first
    assert "title=SAN excess-square" in second


def test_no_text_of_a_file_is_a_command_for_a_build(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. ##[error]x\x1b[31m *"))
    for form in ("text", "github", "json", "sarif"):
        run = sanproof("scan", "--check", "--format", form, str(path))
        assert run.returncode == 2
        assert "##[" not in run.stdout
        assert "\x1b" not in run.stdout


@pytest.mark.parametrize("text", ["", "\n\n", '[Event "x"]\n[Result "*"]\n\n*\n', "1-0"])
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_file_without_a_move_does_not_pass(tmp_path: Path, text: str, form: str) -> None:
    path = tmp_path / "upload.pgn"
    path.write_text(text)
    run = sanproof("scan", "--check", "--format", form, str(path))
    assert run.returncode == 2
    assert run.stderr.endswith(
        "upload.pgn holds no move: see that it is the file that was meant.\n"
    )
    assert run.stderr.count("\n") == 1


def test_no_file_of_several_may_be_without_a_move(tmp_path: Path) -> None:
    good, empty = tmp_path / "good.pgn", tmp_path / "empty.pgn"
    good.write_text(game("1. e4 *"))
    empty.write_text("")
    assert sanproof("scan", "--check", str(good)).returncode == 0
    expect_sentence(sanproof("scan", "--check", str(empty), str(good)), 2, "empty.pgn holds no")


def test_the_slow_path_is_named_where_the_fast_one_would_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. e4 *"))
    monkeypatch.setattr("sanproof.verify.scan.scanning.NEEDED", ("no_such_package",))
    options = Options(proven_lines(None))
    assert not lint([str(path)], options, "text", 10)
    assert not capsys.readouterr().err  # python-chess reads so little sooner
    monkeypatch.setattr("sanproof.verify.scan.lint.FAST_FROM_BYTES", 1)
    assert not lint([str(path)], options._replace(fast=False), "text", 10)
    assert not capsys.readouterr().err
    monkeypatch.setattr("sanproof.verify.scan.scanning.fast_path", lambda: None)
    assert not lint([str(path)], options, "text", 10)
    said = "The fast path is not installed (pip install 'sanproof[scan]')"
    assert capsys.readouterr().err == f"{said}: python-chess reads every game.\n"


def test_misuse_is_a_sentence(tmp_path: Path) -> None:
    expect_usage(sanproof("scan", "x.pgn"), "--out", "--check")
    expect_usage(sanproof("scan", "x.pgn", "--check", "--rewrite"), "--out")
    expect_sentence(sanproof("scan", "--check", str(tmp_path / "no.pgn")), 2, "cannot be read")
    (tmp_path / "a.pgn").write_bytes(b"\x1f\x8b\x08garbage")
    run = sanproof("scan", "--check", str(tmp_path / "a.pgn"))
    assert run.returncode == 2
    assert run.stderr == f"{tmp_path}/a.pgn cannot be read: " + run.stderr.partition("read: ")[2]
    assert run.stdout == "0 games, 0 moves.\n"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_form_names_games_that_are_not_read(tmp_path: Path, form: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. e4 *") + game("1. e4 *", fen="4k3/8/8/8/8/8/8/4K3 w K - 0 1"))
    run = sanproof("scan", "--check", "--format", form, str(path))
    assert run.returncode == 2
    assert "Game 2 is bad-position: " in run.stdout
    assert "a right to castle is given without king and rook at home" in run.stdout
    assert "1 move text was not read" in run.stdout


def test_the_other_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(b"\x1f\x8b\x08garbage")
    (tmp_path / "b.pgn").write_text(game("1. e2e4 *"))
    run = sanproof("scan", "--check", str(tmp_path))
    assert run.returncode == 2
    assert "b.pgn:3:4: e2e4 is written e4" in run.stdout
    assert "a.pgn cannot be read" in run.stderr


def test_moves_that_were_not_read_are_moves(tmp_path: Path) -> None:
    """And of none that was read it is not said that all are right."""
    path = tmp_path / "house.pgn"
    path.write_text('[Variant "Crazyhouse"]\n\n1. e4 e5 *\n')
    run = sanproof("scan", "--check", str(path))
    assert run.returncode == 0, run.stderr
    assert "canonical" not in run.stdout
