"""Long algebraic notation, UCI and the outputs of networks: each row is replayed."""

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
from sanproof.reports.exports.long_form import ShownText
from sanproof.reports.exports.policies import (
    ALPHAZERO_OUTPUTS,
    alphazero_output,
    lc0_outputs,
    lc0_text,
)
from tests.campaigns.long_form import (
    bare_lan,
    make_manifest,
    mirrored,
    never_checks,
    read_games,
    suffix,
)


@cache
def all_rows() -> list[long_form.ShownText]:
    return long_form.read_rows()


@cache
def games() -> list[list[str]]:
    return read_games()


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
        assert board.lan(move) == bare_lan(board, move) + suffix(board, move) == row.lan
        assert row.player == (WHITE if board.turn else BLACK)
        assert board.uci(move) == row.uci


def by_game() -> list[list[long_form.ShownText]]:
    ordered = sorted(all_rows(), key=lambda row: row.game)
    return [list(rows) for _, rows in groupby(ordered, key=lambda row: row.game)]


def test_some_games_show_what_they_should() -> None:
    for rows in by_game()[::200]:
        check(rows)


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


def geometry(player: str) -> set[str]:
    """Return bare texts by how pieces move on an empty board."""
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
    white, black = ([row for row in all_rows() if row.player == who] for who in (WHITE, BLACK))
    uci = [{row.uci for row in rows} for rows in (white, black)]
    assert (len(uci[0]), len(uci[1]), len(uci[0] | uci[1])) == (1880, 1880, 1968)
    assert {mirrored(row.lan) for row in white} == {row.lan for row in black}
    suffixes = Counter(row.lan.lstrip("BKNQROabcdefgh12345678-x=") for row in white)
    assert suffixes == {"": 7544, "+": 7416, "#": 7416}


@pytest.mark.parametrize("what", ["uci", "lan"])
@pytest.mark.usually(1)
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
    """Write rows with a manifest that is right."""
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
    assert long_form.read_rows(tmp_path) == [long_form.ShownText("O-O-O#", "black", 7, 9, "e8c8")]
    (tmp_path / long_form.ROWS).write_bytes(lzma.compress(b"other\n"))
    with pytest.raises(ArchiveError, match="has not the hash"):
        long_form.read_rows(tmp_path)
    for manifest in ("", "[]", "{}", '{"files": {}}', '{"files": 1}'):
        (tmp_path / long_form.MANIFEST).write_text(manifest)
        with pytest.raises(ArchiveError, match="or its manifest cannot be read"):
            long_form.read_rows(tmp_path)


LC0 = lc0_outputs()


def test_the_table_of_lc0() -> None:
    """Pieces of kIdxToMove in lc0's src/chess/bitboard.cc."""
    moves = list(LC0)
    assert len(moves) == 1858
    expected = "a1b1 a1c1 a1d1 a1e1 a1f1 a1g1 a1h1 a1a2 a1b2 a1c2 a1a3 a1b3 a1c3 a1a4 a1d4 a1a5"
    expected += " a1e5 a1a6 a1f6 a1a7 a1g7 a1a8 a1h8 b1a1"
    assert moves[:24] == expected.split()
    at = LC0["e4b1"]
    assert moves[at - 1 : at + 4] == ["d4h8", "e4b1", "e4e1", "e4h1", "e4c2"]
    assert moves[-68:-64] == ["h8f8", "h8g8", "a7a8q", "a7a8r"]
    assert moves[-4:] == ["h7g8b", "h7h8q", "h7h8r", "h7h8b"]


TEXTS_OF_LC0 = {
    ("e7e8n", WHITE, False): "e7e8",
    ("e7e8q", WHITE, False): "e7e8q",
    ("e2d1r", BLACK, False): "e7d8r",
    ("g8f6", BLACK, False): "g1f3",
    ("e1g1", WHITE, False): "e1g1",
    ("e1g1", WHITE, True): "e1h1",
    ("e8c8", BLACK, True): "e1a1",
}
OUTPUTS = {
    ("a1a2", WHITE): 0,  # the first direction is north
    ("a1b2", WHITE): 7,
    ("a1b3", WHITE): 56,  # the first leap
    ("a7a8n", WHITE): 48 * 73 + 64 + 3,  # straight on is the second of three directions
    ("b7a8n", WHITE): 49 * 73 + 64,
    ("b7c8r", WHITE): 49 * 73 + 72,
    ("e7e8q", WHITE): 52 * 73,
    ("h8h7", BLACK): 0,  # the board turned by half
    ("e8g8", BLACK): 3 * 73 + 6 * 7 + 1,  # castling: two to the west of d1
}


def test_moves_as_lc0_and_gym_chess_have_them() -> None:
    for (uci, player, castling), text in TEXTS_OF_LC0.items():
        assert lc0_text(uci, player, castling=castling) == text
        assert text in LC0
    assert {move: alphazero_output(*move) for move in OUTPUTS} == OUTPUTS


def test_what_no_output_has(monkeypatch: pytest.MonkeyPatch) -> None:
    for uci in ("a1b4", "a1a1", "a7c8r", "a2a4q"):
        with pytest.raises(ValueError, match=uci):
            alphazero_output(uci, WHITE)
        assert lc0_text(uci, WHITE, castling=False) not in LC0
    assert lc0_text("e1e2", WHITE, castling=True) not in LC0
    row = ShownText("Na1-b4", WHITE, 1, 1, "a1b4")
    monkeypatch.setattr("sanproof.reports.exports.long_form.moves", lambda: [row])
    for what in ("alphazero", "lc0"):
        with pytest.raises(ArchiveError, match="is damaged: no output stands for a1b4"):
            list(plan(what, "csv", None, bare=False).rows(open_archive()))


@pytest.mark.parametrize("what", ["alphazero", "lc0"])
def test_each_move_has_one_output_and_most_planes_are_idle(what: str) -> None:
    archive = open_archive()
    rows = list(plan(what, "csv", None, bare=False).rows(archive))
    assert [row[0] for row in rows] == list(
        range(ALPHAZERO_OUTPUTS if what == "alphazero" else 1858)
    )
    uci = {row[0]: row[1] for row in plan("uci", "csv", None, bare=False).rows(archive)}
    for column, player in ((1, "white"), (2, "black")):
        moves = [move for row in rows for move in str(row[column]).split()]
        assert len(moves) == len(set(moves))
        plain = {move for move in moves if not move.startswith("O")}
        assert plain == {text for text, players in uci.items() if player in str(players)}
        assert {move for move in moves if move.startswith("O")} == {"O-O", "O-O-O"}
    used = [row for row in rows if row[1] or row[2]]
    assert len(used) == 1858
    assert all(bool(row[1]) == bool(row[2]) for row in rows)
