"""Long algebraic notation, UCI and the outputs of networks: each row is replayed."""

from functools import cache
from itertools import groupby
from pathlib import Path

import chess
import pytest

from sanproof.proofs.kernel.games import Replay
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.exports import long_form
from sanproof.reports.exports.exports import plan


@cache
def all_rows() -> list[long_form.ShownText]:
    return long_form.read_rows()


@cache
def games() -> list[list[str]]:
    return [line.split(" ") for line in long_form.read_lines(None, long_form.GAMES)]


@cache
def playable() -> set[tuple[str, str]]:
    return {(row.lan, row.player) for row in all_rows()}


def check(rows: list[long_form.ShownText]) -> None:
    """Check rows of one game: each move is legal there, and python-chess writes it so."""
    moves = games()[rows[0].game - 1]
    board = chess.Board()
    played = 0
    for row in sorted(rows, key=lambda row: row.ply):
        for uci in moves[played : row.ply - 1]:
            board.push_uci(uci)
        played = row.ply - 1
        move = board.parse_uci(row.uci)
        assert board.lan(move) == row.lan
        assert row.player == (WHITE if board.turn else BLACK)
        assert board.uci(move) == row.uci


def by_game() -> list[list[long_form.ShownText]]:
    ordered = sorted(all_rows(), key=lambda row: row.game)
    return [list(rows) for _, rows in groupby(ordered, key=lambda row: row.game)]


@pytest.mark.slow
def test_every_row_is_shown_in_a_legal_game_that_ends_in_mate() -> None:
    """So that no position in it is dead."""
    assert [rows[0].game for rows in by_game()] == list(range(1, len(games()) + 1))
    replay = Replay()
    for rows, moves in zip(by_game(), games(), strict=True):
        check(rows)
        board = chess.Board()
        for uci in moves[:-1]:
            board.push_uci(uci)
        replay.check(moves, len(moves), board.san(board.parse_uci(moves[-1])))


@pytest.mark.parametrize("what", ["uci", "lan"])
def test_tables_of_texts(what: str) -> None:
    archive = open_archive()
    columns = [what, "players", "white_game", "white_ply", "id"]
    rows = list(plan(what, "csv", columns, bare=False).rows(archive))
    for number, (text, players, *place, last) in enumerate(rows):
        assert last == number
        who = str(players).split(" and ")
        assert (WHITE in who) == (place != [None, None])
        assert (str(text), who[0]) in playable() or what == "uci"
    assert {str(row[0]) for row in rows} == {getattr(row, what) for row in all_rows()}
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), key=list_order)  # type: ignore[arg-type]
    bare = list(plan("lan", "csv", ["lan"], bare=True).rows(archive))
    assert [text for (text,) in bare] == [
        text for text in dict.fromkeys(row.lan for row in all_rows()) if text[-1] not in "+#"
    ]


def test_missing_and_damaged_rows_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        long_form.read_rows(tmp_path)
    (tmp_path / "long_form").mkdir()
    (tmp_path / long_form.ROWS).write_bytes(b"no archive")
    with pytest.raises(ArchiveError):
        long_form.read_rows(tmp_path)
