"""``sanproof scan --check``: lines, formats and exit codes."""

import json
from pathlib import Path

import pytest

from sanproof.verify.errors import ANSWER_NO
from sanproof.verify.scan.chunks import Options, proven_lines
from sanproof.verify.scan.lint import lint, pick
from tests.verify.command import expect_sentence, expect_usage, sanproof
from tests.verify.scan.pgn import game, options, random_games

GOOD = "".join(random_games(21, 3))
BAD = game("1. e4 e7e5 2. Nf3 { ü } Nb8c6\n3. Ke3 *")
FORMS = ("text", "json", "sarif", "github")
BAD_POSITION = game("1. e4 *", fen="4k3/8/8/8/8/8/8/8 w - - 0 1")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Write one file as it should be, one that deviates three times."""
    good, bad = tmp_path / "good.pgn", tmp_path / "bad, name.pgn"
    good.write_text(GOOD)
    bad.write_text(GOOD + BAD)
    return good, bad


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        (GOOD, 0, "moves: all moves are canonical SAN."),
        (game("1. e2e4 *"), 1, "1 game, 1 move: 1 move is not canonical SAN."),
        (
            game("1. f3 e5 2. g4 Qh4# 1-0") + game("1. e2e4 1/2"),
            1,
            ": 1 move is not canonical SAN. 2 deviations beside the moves.",
        ),
        (
            game("1. e4 { 1... e5"),
            2,
            "1 game with an unclosed comment or variation. 1 game without a result.",
        ),
        (
            game("1. e4 e5 *", Variant="Chess960"),
            0,
            "1 game, 0 moves. 1 game of chess960, counted apart.",
        ),
    ],
)
def test_the_last_line_and_the_exit_code_say_what_there_is(
    tmp_path: Path, text: str, code: int, last: str
) -> None:
    (tmp_path / "a.pgn").write_text(text)
    run = sanproof("scan", "--check", str(tmp_path / "a.pgn"))
    assert (run.returncode, run.stderr) == (code, "")
    assert run.stdout.endswith(f"{last}\n")


def test_deviations_have_lines_and_columns(files: tuple[Path, Path]) -> None:
    outputs = []
    for how in (["text"], ["json"], ["github", "--limit", "2"]):
        run = sanproof("scan", "--check", *map(str, files), "--format", *how)
        assert run.returncode == 2, run.stderr  # a game was not read to its end
        outputs.append(run.stdout)
    line = len(GOOD.splitlines()) + 3
    first, second, third, *table, last = outputs[0].splitlines()
    kinds = ["coordinate-notation", "excess-square", "illegal cannot-reach"]
    assert table == [f"        1 {kind}" for kind in kinds]
    name = files[1]
    assert first.startswith(f"{name}:{line}:7: e7e5 should be written e5 (coordinate-notation). ")
    assert second.startswith(f"{files[1]}:{line}:25: Nb8c6 should be written Nc6 (excess-square). ")
    assert third.startswith(f"{files[1]}:{line + 1}:4: Ke3 is illegal (cannot-reach). ")
    assert last.startswith("7 games, ")
    assert "3 moves are not canonical SAN. 1 game stopped at" in last
    told = json.loads(outputs[1])
    assert told["found"] == len(told["deviations"]) == 3
    names = ("written", "canonical", "column", "end_column", "game", "ply")
    row = [told["deviations"][1][name] for name in names]
    assert row == ["Nb8c6", "Nc6", 25, 30, 4, 4]
    first, second, more, *_ = outputs[2].splitlines()
    assert first.startswith("::error file=")
    assert more == "and 1 more (--limit 3 shows them all)"
    assert "bad%2C name.pgn,line=" in first
    assert "col=7,endColumn=11,title=SAN coordinate-notation::e7e5 should be written e5" in first
    assert "title=SAN excess-square" in second


def test_sarif_has_rules_levels_a_limit_and_fingerprints_without_lines(tmp_path: Path) -> None:
    path = tmp_path / "a, b.pgn"
    text = game("1. e2e4 e5 2.\xa0Nf3 Ke4 *")
    runs = []
    for before, limit in (("", 100), (GOOD, 100), ("", 2)):
        path.write_text(before + text)
        arguments = ["--check", "--format", "sarif", "--limit", str(limit)]
        run = sanproof("scan", *arguments, str(path))
        runs += json.loads(run.stdout)["runs"]
    first, moved, limited = (run["results"] for run in runs)
    names = ["coordinate-notation", "no-break-space", "illegal"]
    assert [result["ruleId"] for result in first] == names
    assert {*names} < {rule["id"] for rule in runs[0]["tool"]["driver"]["rules"]}
    assert [result["level"] for result in first] == ["warning", "note", "error"]
    place = first[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("a%2C%20b.pgn")
    assert place["region"]["startColumn"] == 4
    prints = [result["partialFingerprints"]["sanproof/v1"] for result in first]
    assert len(set(prints)) == 3
    assert prints == [result["partialFingerprints"]["sanproof/v1"] for result in moved]
    assert limited == first[:2]
    assert runs[2]["properties"] == {"found": 3, "shown": 2}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_games_that_are_not_read_and_obeys_no_text(
    tmp_path: Path, form: str
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. ##[error]x\x1b[31m *") + BAD_POSITION)
    run = sanproof("scan", "--check", "--format", form, str(path))
    assert run.returncode == 2
    assert "##[" not in run.stdout
    assert "\x1b" not in run.stdout
    assert "Game 2 is bad-position: " in run.stdout
    assert "White has no king" in run.stdout
    assert "1 move text was not read" in run.stdout


@pytest.mark.parametrize("text", ["", "\n\n", '[Event "x"]\n[Result "*"]\n\n*\n', "1-0"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usually(2)
def test_no_file_may_be_without_a_move(tmp_path: Path, text: str, form: str) -> None:
    good, empty = tmp_path / "good.pgn", tmp_path / "upload.pgn"
    good.write_text(game("1. e4 *"))
    empty.write_text(text)
    run = sanproof("scan", "--check", "--format", form, str(empty), str(good))
    expect_sentence(run, 2, "upload.pgn holds no move: see that it is the file that was meant.")


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


def test_misuse_is_a_sentence_and_the_other_files_are_checked(tmp_path: Path) -> None:
    expect_usage(sanproof("scan", "x.pgn", "--check", "--out", "x"), "--out", "--check")
    expect_usage(sanproof("scan", "x.pgn", "--check", "--rewrite"), "--out")
    expect_usage(sanproof("scan", "x", "--check", "--scheduler", "tcp://x:1"), "is for --out")
    expect_sentence(sanproof("scan", "--check", str(tmp_path / "no.pgn")), 2, "cannot be read")
    (tmp_path / "a.pgn").write_bytes(b"\x1f\x8b\x08garbage")
    (tmp_path / "b.pgn").write_text(game("1. e2e4 *"))
    run = sanproof("scan", "--check", str(tmp_path))
    assert run.returncode == 2
    assert "b.pgn:3:4: e2e4 should be written e4" in run.stdout
    assert run.stderr == f"{tmp_path}/a.pgn cannot be read: " + run.stderr.partition("read: ")[2]


def test_a_few_of_each_kind_and_file_come_first_and_tables_last(tmp_path: Path) -> None:
    many = " ".join(["Ng1f3 Ng8f6 Nf3g1 Nf6g8"] * 3)
    (tmp_path / "a.pgn").write_text(game(f"1. {many} 2. e2e4 *"))
    (tmp_path / "b.pgn").write_text(game("1. e2e4 e5 *") + game("1. Ke3 *"))
    run = sanproof("scan", "--check", str(tmp_path), "--limit", "8")
    *shown, more, first, second, third, in_a, in_b, _ = run.stdout.splitlines()
    names = [line.partition("): ")[0].split("(")[1].split(")")[0] for line in shown]
    few = [*["excess-square"] * 3, *["coordinate-notation"] * 2, "cannot-reach"]
    assert names == [*few, "excess-square", "excess-square"]
    assert more == "and 7 more (--limit 15 shows them all)"
    kinds = ("       12 excess-square", "        2 coordinate-notation")
    assert (first, second, third) == (*kinds, "        1 illegal cannot-reach")
    assert in_a == f"       13 in {tmp_path}/a.pgn"
    assert in_b == f"        2 in {tmp_path}/b.pgn"
    whole = sanproof("scan", "--check", str(tmp_path), "--limit", "15").stdout.splitlines()
    assert "e2e4" in whole[12]
    assert "Ke3" in whole[14]


@pytest.mark.usually(1)
@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("WhiteEllo >= 3", "--where matches no game: none has the tag WhiteEllo."),
        ("Event == 'x' or WhiteEllo >= 3", "--where matches no game: none has the tag WhiteEllo."),
        ("Event == 'x'", "--where matches no game."),
    ],
)
def test_a_scan_that_looks_at_nothing_is_no_success(tmp_path: Path, where: str, why: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("1. e4 *", WhiteElo="5") + game("1. d4 *"))
    for how in (["--check"], ["--out", str(tmp_path / "out")]):
        run = sanproof("scan", str(path), *how, "--where", where)
        assert (run.returncode, run.stderr) == (2, f"{why}\n")
        assert sanproof("scan", str(path), "--check", "--where", "WhiteElo > 3").returncode == 0


def test_what_is_no_game_file_or_not_packed_as_it_is_named_is_said(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(b"\x7fELF\2\1\1" + bytes(range(256)) * 9)
    (tmp_path / "a.pgn.gz").write_text(game("1. e4 *"))
    (tmp_path / "nul.pgn").write_bytes(game("1. e4 {\0} *").encode())
    for name, why in (
        ("program", "it is not a game file: it is not text"),
        ("a.pgn.gz", "it is not a gzip file, although its name says so"),
    ):
        run = sanproof("scan", "--check", str(tmp_path / name))
        assert run.returncode == 2
        assert run.stderr == f"{tmp_path}/{name} cannot be read: {why}.\n"
    assert sanproof("scan", "--check", str(tmp_path / "nul.pgn")).returncode == 0


@pytest.mark.parametrize("fast_from", [1, 1 << 20])
def test_games_with_a_string_are_found_and_clean_ones_told_apart(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fast_from: int,
) -> None:
    monkeypatch.setattr("sanproof.verify.scan.lint.FAST_FROM_BYTES", fast_from)
    mate = "1. f3 e5 2. g4 Qh4#"
    clean = [game(f"{mate} 0-1", White=name) for name in "AB"]
    broken = [game(text) for text in ("1. f3 e5 2. g4 Qh4 0-1", f"1. e4 ({mate}", "1. Ke2 *")]
    first, second = str(tmp_path / "a.pgn"), str(tmp_path / "b.pgn")
    Path(first).write_text(broken[0] + clean[0] + broken[1])
    Path(second).write_text(broken[2] + clean[1])
    wanted, out = options()._replace(find="Qh4#"), tmp_path / "found"
    assert pick([first, second], wanted, out) == 0
    rows = [f"{first},1,4", f"{first},2,4", f"{second},2,4"]
    assert capsys.readouterr().out.splitlines() == ["source,game,ply", *rows]
    assert (out / "found.pgn").read_text() == broken[0] + "".join(clean)
    assert pick([first, second], wanted._replace(where="White == 'B'"), None) == 0
    assert capsys.readouterr().out.splitlines()[1:] == rows[2:]
    assert pick([first], wanted._replace(find="O-O"), None) == ANSWER_NO
    assert pick([first, second], options()._replace(split=True), tmp_path / "split") == 0
    assert (tmp_path / "split/clean.pgn").read_text() == "".join(clean)
    assert (tmp_path / "split/broken.pgn").read_text() == "".join(broken)


@pytest.mark.parametrize("wrong", ["--find O-O-O-O", "--split", "--find e4 --check", "--find="])
def test_a_search_that_cannot_be_is_refused(wrong: str, files: tuple[Path, Path]) -> None:
    expect_usage(sanproof("scan", *wrong.split(), str(files[0])))
