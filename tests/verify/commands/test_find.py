"""``sanproof find``: forms, exit codes, and what a user can do wrong."""

import io
import json
from pathlib import Path

import chess
import chess.pgn
import pytest
from click.testing import CliRunner, Result

from sanproof.proofs.find.known import KnownGame
from sanproof.proofs.find.refuted import check_certificates
from sanproof.verify.commands.find import FORMS, find
from sanproof.verify.errors import ANSWER_NO

EASY = ("Qd4#", "white-to-move", "men=..5")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(find, arguments)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_answers(form: str) -> None:
    done = run(*EASY, "--count", "2", "--format", form)
    assert done.exit_code == 0
    expected = json.loads(run(*EASY, "--count", "2", "--format", "json").stdout)
    assert fens(form, done.stdout) == [row["fen"] for row in expected]
    for row in expected:
        assert row["san"] == "Qd4#"
        board = chess.Board(row["fen"])
        assert board.san(chess.Move.from_uci(row["uci"])) == "Qd4#"


def fens(form: str, text: str) -> list[str]:
    lines = text.splitlines()
    if form == "json":
        return [row["fen"] for row in json.loads(text)]
    if form == "fen":
        return lines
    if form == "pgn":
        stream = io.StringIO(text)
        games = [game for _ in range(2) if (game := chess.pgn.read_game(stream))]
        assert all([str(m) for m in game.mainline_moves()] for game in games)
        return [game.headers["FEN"] for game in games]
    return [line for line in lines if line.endswith(" 0 1")]


def played(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert (game.errors, game.board()) == ([], chess.Board())
    return game


def test_known_games_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ("e2e4", "e7e5", "d1h5", "e8e7")
    games = [KnownGame(moves, "Qxe5#")]
    monkeypatch.setattr("sanproof.proofs.find.asking.known_games", lambda: games)
    game = played(run("Qxe5#", "--game", "--format", "pgn").stdout)
    assert [move.uci() for move in game.mainline_moves()] == [*moves, "h5e5"]


def test_refutations_and_their_certificates(tmp_path: Path) -> None:
    path = tmp_path / "certificate.txt"
    for words, said in (
        (["Kd4?", "direct"], "refuted by 2 formulas; each refutation was checked."),
        (["Qd4", "white=KK"], "White has exactly one king"),
    ):
        done = run(*words, "--certificate", str(path))
        assert (done.exit_code, done.stdout) == (ANSWER_NO, "")
        assert said in done.stderr
        assert str(check_certificates(path.read_text())) == " ".join(words)
        path.unlink()
    assert run("Qd4", "white=KK").exit_code == ANSWER_NO
    assert run(*EASY, "--certificate", str(path)).exit_code == 0
    done = run("Nf3", "capture", "--certificate", str(path))
    assert done.stderr.endswith("\nNo position: neither player has such a move.\n")
    assert "is not written: there is no refutation.\n" in done.stderr
    assert (done.exit_code, path.exists()) == (ANSWER_NO, False)
