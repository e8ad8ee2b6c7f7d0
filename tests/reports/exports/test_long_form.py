"""Long algebraic notation and UCI: each row is replayed, by python-chess."""

import lzma
from collections import Counter
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
from tests.campaigns.long_form import (
    Collector,
    bare_lan,
    keep,
    make_manifest,
    mirrored,
    never_checks,
    read_games,
    suffix,
    write,
)


@cache
def all_rows() -> list[long_form.Shown]:
    return long_form.read_rows()


@cache
def games() -> list[list[str]]:
    return read_games()


@cache
def playable() -> set[tuple[str, str]]:
    return {(row.lan, row.player) for row in all_rows()}


def check(rows: list[long_form.Shown]) -> None:
    """Rows of one game: each move is legal there, and python-chess writes it so."""
    moves = games()[rows[0].game - 1]
    board = chess.Board()
    played = 0
    for row in sorted(rows, key=lambda row: row.ply):
        for uci in moves[played : row.ply - 1]:
            board.push_uci(uci)
        played = row.ply - 1
        move = board.parse_uci(row.uci)
        assert board.lan(move) == bare_lan(board, move) + suffix(board, move) == row.lan
        assert row.player == (WHITE if board.turn else BLACK)
        assert board.uci(move) == row.uci


def by_game() -> list[list[long_form.Shown]]:
    ordered = sorted(all_rows(), key=lambda row: row.game)
    return [list(rows) for _, rows in groupby(ordered, key=lambda row: row.game)]


def test_some_games_show_what_they_should() -> None:
    for rows in by_game()[::200]:
        check(rows)


@pytest.mark.slow
def test_every_row_is_shown() -> None:
    assert [rows[0].game for rows in by_game()] == list(range(1, len(games()) + 1))
    for rows in by_game():
        check(rows)


@pytest.mark.slow
def test_every_game_is_legal_and_ends_in_mate() -> None:
    """So that no position in it is dead."""
    replay = Replay()
    board = chess.Board()
    for moves in games():
        board.reset()
        for uci in moves[:-1]:
            board.push_uci(uci)
        replay.check(moves, len(moves), board.san(board.parse_uci(moves[-1])))


def geometry(player: str) -> set[str]:
    """Bare texts by how men move on an empty board."""
    texts = {"O-O", "O-O-O"}
    ahead, first = (1, 1) if player == WHITE else (-1, 6)
    for square, name in enumerate(chess.SQUARE_NAMES):
        for kind in chess.PIECE_TYPES[1:]:
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
            letter = chess.piece_symbol(kind).upper()
            for target in board.attacks(square):
                texts |= {f"{letter}{name}{sign}{chess.SQUARE_NAMES[target]}" for sign in "-x"}
        file, rank = square & 7, square >> 3
        if 1 <= rank <= 6:
            steps = [("-", file, rank + ahead)] + [("-", file, rank + 2 * ahead)] * (rank == first)
            steps += [("x", f, rank + ahead) for f in (file - 1, file + 1) if 0 <= f < 8]
            for sign, f, r in steps:
                text = f"{name}{sign}{chess.square_name(chess.square(f, r))}"
                texts |= {f"{text}={x}" for x in "BNQR"} if r in (0, 7) else {text}
    return texts


def test_every_text_that_geometry_allows_is_shown_or_never_checks() -> None:
    for player in (WHITE, BLACK):
        shown = {lan for lan, who in playable() if who == player}
        allowed = {lan + suffix for lan in geometry(player) for suffix in ("", "+", "#")}
        assert shown <= allowed
        never = {lan for lan in allowed if lan[-1] in "+#" and never_checks(lan)}
        assert allowed - shown == never
        assert len(never) > 200


def test_the_counts() -> None:
    uci = {
        player: {row.uci for row in all_rows() if row.player == player} for player in (WHITE, BLACK)
    }
    assert {player: len(texts) for player, texts in uci.items()} == {WHITE: 1880, BLACK: 1880}
    assert len(uci[WHITE] | uci[BLACK]) == 1968
    lan = {
        player: {row.lan for row in all_rows() if row.player == player} for player in (WHITE, BLACK)
    }
    assert {mirrored(text) for text in lan[WHITE]} == lan[BLACK]
    suffixes = Counter(text[-1] if text[-1] in "+#" else "" for text in lan[WHITE])
    assert suffixes == {"": 7544, "+": 7416, "#": 7416}


def test_games_are_looked_through(tmp_path: Path) -> None:
    collector = Collector()
    collector.look_through(["f2f3", "e7e5", "g2g4", "d8h4"])
    assert ("Qd8-h4#", BLACK) in collector.shown
    assert ("g1-h3", WHITE) not in collector.shown
    game, ply, uci = collector.shown["Ng1-h3", WHITE]
    assert (len(game), ply, uci) == (4, 1, "g1h3")
    assert collector.lacks("Qd1-h5")
    missing = set(collector.missing())
    assert "Bc1-d2" in missing
    assert not {lan for lan in missing if lan[-1] in "+#" and never_checks(lan)}
    assert not collector.lacks("Nb1-c3")
    assert not Collector(collector).plays_something_new(["f2f3", "e7e5", "e2e4"])
    assert Collector(collector).plays_something_new(["f2f3", "e7e5", "e2e4", "d8h4"])
    write(collector, tmp_path)
    assert {(row.lan, row.player) for row in long_form.read_rows(tmp_path)} == set(collector.shown)
    assert read_games(tmp_path)[0][:2] == ["f2f3", "e7e5"]
    again = Collector()
    keep(again, tmp_path)
    assert again.shown == collector.shown
    assert set(again.missing()) == set(collector.missing())


@pytest.mark.parametrize(
    "row",
    [
        ("Ng1-f3", WHITE, 1, "g1f3", 2),
        ("Ng1-f3+", WHITE, 1, "g1f3", 1),
        ("Ng1-f3", BLACK, 1, "g1f3", 1),
        ("Ng1-f3", WHITE, 3, "g1f3", 1),
        ("Ng1-f3", WHITE, 9, "g1f3", 1),
    ],
)
def test_rows_that_are_not_so_are_not_kept(
    row: tuple[str, str, int, str, int], tmp_path: Path
) -> None:
    lan, player, ply, uci, game = row
    collector = Collector()
    collector.note((lan, player), (("g1f3", "g8f6", "b1c3"), ply, uci))
    write(collector, tmp_path)
    if game > 1:
        rows = lzma.decompress((tmp_path / long_form.ROWS).read_bytes()).decode()
        put(tmp_path, rows.replace(",1,", ",2,", 1), (tmp_path / long_form.GAMES).read_bytes())
    with pytest.raises(ArchiveError, match="is not written in game"):
        keep(Collector(), tmp_path)


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


def put(folder: Path, rows: str, games: bytes = b"") -> None:
    """Rows with a manifest that is right."""
    content = lzma.compress(rows.encode())
    (folder / "long_form").mkdir(exist_ok=True)
    (folder / long_form.ROWS).write_bytes(content)
    files = {long_form.ROWS: content, long_form.GAMES: games}
    (folder / long_form.MANIFEST).write_bytes(make_manifest(files, 0, 1))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("=1,white,1,1,e2e4", "holds the row"),
        ("e2-e4,white,1,1,d2d4", "e2-e4 of white is not d2d4"),
        ("O-O,black,1,1,e1g1", "O-O of black is not e1g1"),
        ("Nb7xa8+,white,1,1,b7a8n", "is not b7a8n"),
    ],
)
def test_damaged_rows_are_refused(row: str, said: str, tmp_path: Path) -> None:
    put(tmp_path, f"{long_form.HEADER}\n{row}\n")
    with pytest.raises(ArchiveError, match=said):
        long_form.read_rows(tmp_path)


def test_files_have_the_hashes_of_their_manifest(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="cannot be read"):
        long_form.read_rows(tmp_path)
    put(tmp_path, f"{long_form.HEADER}\nO-O-O#,black,7,9,e8c8\n")
    assert long_form.read_rows(tmp_path) == [long_form.Shown("O-O-O#", "black", 7, 9, "e8c8")]
    (tmp_path / long_form.ROWS).write_bytes(lzma.compress(b"other\n"))
    with pytest.raises(ArchiveError, match="has not the hash"):
        long_form.read_rows(tmp_path)
    for manifest in ("", "[]", "{}", '{"files": {}}', '{"files": 1}'):
        (tmp_path / long_form.MANIFEST).write_text(manifest)
        with pytest.raises(ArchiveError, match="or its manifest cannot be read"):
            long_form.read_rows(tmp_path)
