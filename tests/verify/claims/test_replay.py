"""Games that are replayed and written down in SAN, as python-chess writes them."""

import lzma
from pathlib import Path

import chess
import pytest

from sanproof.proofs.games.game import read_line
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.reports.tables.names import COVER
from sanproof.verify.claims import replay as module
from sanproof.verify.claims.replay import ReplayedGame, replay, replay_lines
from sanproof.verify.work.executors import Inline

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
SLOWER = "f2f3 e7e6 g2g4 d8h4"
LINES = sorted(
    f"{moves} {ply} {san}"
    for moves, ply, san in (
        (FOOLS_MATE, 1, "f3"),
        (SLOWER, 2, "e6"),
        (FOOLS_MATE, 3, "g4"),
        (SLOWER, 4, "Qh4#"),
    )
)


def replayed(text: str, name: str = GAMES) -> list[ReplayedGame]:
    return [each for batch in replay(text, Inline(), name) for each in batch]


def text_of(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", [GAMES, COVER])
@pytest.mark.parametrize("batch", [1, 3, 100])
def test_games_are_written_down(batch: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", batch)
    games = replayed(text_of(LINES), name)
    assert sorted(game.game for _, game in games) == sorted(map(read_line, LINES))
    assert games[0][1].sans == ("f3", "e5", "g4", "Qh4#")
    assert all(shown == (game.san, game.ply % 2 == 0) for shown, (game, *_) in games)


def test_it_is_what_python_chess_writes(made: Path) -> None:
    """Of the games of a run every other one is the one before with the colours exchanged."""
    text = lzma.decompress((made / "played" / GAMES).read_bytes()).decode()
    games = replayed(text)
    assert len(games) == text.count("\n") > 0
    for (san, is_white), (game, sans, before, after) in games:
        assert (san, is_white) == (game.san, game.ply % 2 == 0)
        board = chess.Board()
        for ply, (move, written) in enumerate(zip(game.moves, sans, strict=True)):
            if ply == game.ply:
                assert board.fen() == before
            assert board.san_and_push(chess.Move.from_uci(move)) == written
            if ply == game.ply:
                assert (written, board.fen()) == (san, after)
        assert board.is_checkmate()


@pytest.mark.parametrize(
    "line",
    [
        *("f2f3 e7e5 g2g4 d8h5 4 Qh5#", "f2f3 e7e5 3 f3", "f2f3 1 f3", "", "1", "1 f3"),
        *(f"{FOOLS_MATE} {n} g4" for n in ("03", "+3", "3_", "", "x", "3.0", "9" * 5000)),
    ],
)
@pytest.mark.parametrize("name", [GAMES, COVER])
def test_what_is_no_game_is_refused(line: str, name: str) -> None:
    with pytest.raises(EvidenceError, match=f"^{name}: "):
        replay_lines([line], name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a 1 x", "whole"),
        ("b 1 x\na 1 y\n", "sorted"),
        ("a 1 x\na 1 x\n", "different"),
        ("a 1 x\nb 3 x\n", "two games show 'x' of the same player"),
        ("a 2 x\nb 10 x\n", "two games show 'x' of the same player"),
    ],
)
def test_lines_that_are_no_file_of_games(text: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=f"^{GAMES}: .*{said}"):
        replayed(text)


def test_a_run_may_have_no_games() -> None:
    assert replayed("") == []
