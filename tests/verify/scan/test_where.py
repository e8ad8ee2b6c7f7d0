"""The choice of games to read, and tags as columns of the table of all moves."""

import csv
import io
import json
from pathlib import Path

import pytest

from sanproof.verify.scan.outputs import rewritten
from sanproof.verify.scan.results import Outcome, check_tags
from sanproof.verify.scan.where import check_where, selects
from tests.sentences import broken
from tests.verify.command import sanproof
from tests.verify.scan.pgn import game, options, scanned

TAGS = {"White": "Carlsen", "WhiteElo": "2839", "BlackElo": "900", "Round": "1.10", "Date": "?"}


HOLDS = (
    *("WhiteElo >= 2500", "2800 < WhiteElo <= 2839.0", "Round == 1.1", "White < 'D'"),
    *("WhiteElo > BlackElo", "Round == '1.10' and not Round == '1.1'"),  # as texts 9 is after 2
    *("White == 'Carlsen' or WhiteElo < 1", "'Carl' in White and 'x' not in White"),
    *("not (White != 'Carlsen')", "(((WhiteElo != 2838)))", "not " * 240 + "White == 'Carlsen'"),
)


@pytest.mark.parametrize("where", HOLDS)
def test_it_holds(where: str) -> None:
    check_where(where)
    assert selects(where, TAGS)
    assert not selects(f"not ({where})", TAGS)


LACKS = (
    *("ECO == 'B90'", "ECO != 'B90'", "not ECO == 'B90'", "WhiteElo >= 2500 or ECO == 'B90'"),
    *("Date >= 2020", "not Date >= 2020", "Date != 2020", "White > 0"),
)


@pytest.mark.parametrize("where", LACKS)
def test_a_missing_tag_and_a_text_for_a_number_leave_a_game_out(where: str) -> None:
    check_where(where)
    assert not selects(where, TAGS)


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
        check_where(where)


GAMES = (
    game("1. e4 e7e5 *", WhiteElo="2600", White="=A")
    + game("1. d2d4 (1. c4) Ke3 *", WhiteElo="2400")
    + game("1. c4 *", White="no rating")
    + game("1. Nf3 d5 *", WhiteElo="2500", White="B")
)


def test_games_that_are_left_out_are_counted_and_nothing_else_of_them() -> None:
    wanted = options()._replace(where="WhiteElo >= 2500", games=True, rewrite=True, rows="csv")
    result = scanned(GAMES.encode(), wanted)
    assert result.counts["games"] == 4
    assert result.counts[f"games_{Outcome.LEFT_OUT}"] == 2
    assert result.counts["games_read"] == 2
    assert result.counts["moves"] == 4
    assert "move_texts_not_read" not in result.counts
    assert [d.game for d in result.found] == [1]
    assert [row.game for row in result.games] == [1, 4]
    assert rewritten(GAMES.encode(), result.edits).decode() == GAMES.replace("e7e5", "e5")
    assert result.seen["Nf3"][2] == 4
    with_variations = scanned(GAMES.encode(), wanted._replace(variations=True))
    assert not with_variations.in_variations


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tags_are_columns(form: str) -> None:
    names = ("White", "WhiteElo", "Nothing")
    rows = scanned(GAMES.encode(), options()._replace(rows=form, tags=names)).rows
    if form == "csv":
        table = list(csv.reader(io.StringIO(rows.decode())))
        assert table[0][-3:] == [*names]
        found = {tuple(row[-3:]) for row in table[1:]}
        assert "'=A" in {row[0] for row in found}
    else:
        pq = pytest.importorskip("pyarrow.parquet")
        read = pq.read_table(io.BytesIO(rows))
        assert read.column_names[-3:] == [*names]
        found = set(zip(*(read.column(name).to_pylist() for name in names), strict=True))
    assert {row[1:] for row in found} == {("2600", ""), ("2400", ""), ("", ""), ("2500", "")}


@pytest.mark.parametrize("names", [["san"], ["White", "White"], ["a b"], [""], ["x" * 101]])
def test_columns_that_cannot_be_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="--tags"):
        check_tags(names, is_used=True)


def test_the_command_says_what_it_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(GAMES)
    done = sanproof("scan", "--check", str(path), "--where", "WhiteElo > 9000")
    assert (done.returncode, done.stdout) == (2, "4 games, 0 moves. 4 games left out by --where.\n")
    out = tmp_path / "out"
    how = ("--where", "WhiteElo >= 2500", "--no-fast", "--out", str(out))
    assert sanproof("scan", str(path), *how).returncode == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["total"][f"games_{Outcome.LEFT_OUT}"] == 2
    assert summary["settings"]["where"] == "WhiteElo >= 2500"
    assert (out / "unread.csv").read_text().count("\n") == 1
    empty = [["--tags", "", "--rows", "csv"], ["--where", ""], ["--language", ""]]
    for wrong in (["--where", "WhiteElo = 1"], ["--tags", "White"], *empty):
        done = sanproof("scan", str(path), "--out", str(tmp_path / "new"), *wrong)
        assert done.returncode == 2
        assert not broken(done.stderr)
