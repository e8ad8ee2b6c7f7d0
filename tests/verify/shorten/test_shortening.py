"""``sanproof shorten``: the folder, all games of some plies, and a user's games."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sanproof.proofs.shortest.checks import check_rows
from sanproof.proofs.shortest.table import TABLE, ShortestRow, read_rows
from sanproof.verify.commands.runs import shorten
from sanproof.verify.errors import Failure
from sanproof.verify.shorten import shortening
from sanproof.verify.shorten.shortening import Folder

FOOLS = "1. f4 e5 2. g4 Qh4# 0-1\n"


def run(*arguments: str) -> Result:
    """Run the command; a Failure is raised."""
    return CliRunner().invoke(shorten, list(arguments), catch_exceptions=False)


def known(monkeypatch: pytest.MonkeyPatch, *rows: ShortestRow) -> None:
    """Have these rows be the published ones."""
    monkeypatch.setattr(shortening, "published_rows", lambda: list(rows))


MATE = "f2f3e7e6a2a3a7a6g2g4d8h4"
LONGER = [
    *(ShortestRow("Qh4#", 6, 4, MATE), ShortestRow("g4", 5, 1, MATE)),
    ShortestRow("f4", 1, 1, "f2f4e7e5g2g4d8h4"),
]


def test_a_game_that_shows_a_string_earlier_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.pgn"
    path.write_text("1. e4 e5 *\n\n" + FOOLS + "\n1. f3 e5 2. g4 Qh4# 0-1\n")
    known(monkeypatch, *LONGER)
    result = run("--check", str(path))
    assert "g4 by white: ply 3 in game 2, 5 before\nQh4# by black: ply 4 " in result.output
    assert result.exit_code == 0
    known(monkeypatch, LONGER[0]._replace(ply=4, text=MATE[:16]))
    result = run("--check", str(path))
    assert (result.exit_code, result.output[:9]) == (1, "0 strings")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "contains no game"),
        ("1. e4 e4 *\n", "game 1 has a move that cannot be played"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n[SetUp "1"]\n\n1. O-O *\n', "does not begin"),
        ('[Event "?"]\n\n*\n', "game 1 has no moves"),
        ('[Variant "Atomic"]\n\n1. e4 *\n', "game 1 is not read"),
        ("1. e4 -- *\n", "has a null move"),
        ("Nf3 Nf6 Ng1 Ng8 " * 4 + "e4 *\n", "goes on after its end"),
    ],
)
def test_a_file_that_cannot_be_checked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wrong: str
) -> None:
    known(monkeypatch, *LONGER)
    path = tmp_path / "my.pgn"
    path.write_text(text)
    with pytest.raises(Failure, match=wrong):
        run("--check", str(path))
    (tmp_path / "cut.pgn.gz").write_bytes(gzip.compress(FOOLS.encode())[:-9])
    for name in ("none.pgn", "cut.pgn.gz"):
        with pytest.raises(Failure, match="cannot be read"):
            run("--check", str(tmp_path / name))


def test_a_folder_is_begun_continued_and_has_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(monkeypatch, *LONGER)
    out, sent = tmp_path / "out", tmp_path / "my.pgn"
    sent.write_text("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 *\n\n" + FOOLS)
    folder, checked = Folder(out, 0, "e*"), list[ShortestRow]()
    monkeypatch.setattr(shortening, "check_rows", checked.extend)
    assert len(list(folder.improve(0, sent=sent))) == 1
    assert ("Qh4#", 4, 4) in [row[:3] for row in checked]
    begun = read_rows(out / TABLE)
    assert {*checked} == {*begun} - {*LONGER}
    assert len(list(folder.improve(1, games=100))) == 1
    rows = {(row.player, row.san): row for row in read_rows(out / TABLE)}
    assert len(rows) > len(begun)
    check_rows(list(rows.values())[::20])
    assert rows["white", "Qh5"].ply == 3
    monkeypatch.setattr(shortening, "published_rows", list)
    result = run("--out", str(out), "--workers", "1")
    assert (result.exit_code, result.output.split()[0]) == (0, str(len(rows)))
    assert sorted(read_rows(out / TABLE)) == sorted(rows.values())


def test_a_folder_with_other_files_or_a_damaged_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match="contains other files"):
        Folder(tmp_path, 0)
    (tmp_path / TABLE).touch()
    with pytest.raises(Failure, match="has 0 parts"):
        Folder(tmp_path, 0)
    monkeypatch.setattr(shortening, "PUBLISHED", "none")
    with pytest.raises(Failure, match="none is missing"):
        Folder(tmp_path / "new", 0)


def test_all_games_of_some_plies_are_counted() -> None:
    assert run("--exhaust", "3").output.split()[-4:] == ["3", "400", "8,902", "72"]
