"""Games written down in SAN: as the checked recorder writes them, and as python-chess does."""

import lzma
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import chess
import pytest

from sanproof.proofs.games.game import ProofGame, read_line, write_line
from sanproof.proofs.games.player import play_game
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import check_games
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.reports.tables.names import COVER
from sanproof.verify.audit.record import (
    can_compile,
    check_and_record,
    check_lines,
    moves_of,
    record_batch,
    submit_cover,
    submit_games,
)
from sanproof.verify.work.executors import Inline
from tests.campaigns.forging.model import Quiet

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


@pytest.fixture(scope="module")
def games(made: Path) -> list[ProofGame]:
    text = lzma.decompress((made / "played" / GAMES).read_bytes()).decode()
    return list(map(read_line, text.splitlines()))


def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing compiled, as where numba is not installed."""
    monkeypatch.setattr("sanproof.verify.audit.record.can_compile", lambda: False)


def test_a_numba_that_cannot_be_loaded_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    can_compile.cache_clear()
    assert can_compile()
    can_compile.cache_clear()
    monkeypatch.setitem(sys.modules, "sanproof.proofs.games.player", None)
    try:
        assert not can_compile()
        assert check_and_record(LINES)[0] == check_games(LINES)
    finally:
        can_compile.cache_clear()


def lines_of(games: Iterable[ProofGame]) -> list[str]:
    return sorted(map(write_line, games))


def test_games_are_written_alike_with_and_without_numba(
    games: list[ProofGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the games of a run every other one is the one before with the colours exchanged."""
    lines = lines_of(games)
    compiled = check_and_record(lines), record_batch(lines)
    monkeypatch.setattr("sanproof.proofs.games.player.play_game", None)
    plainly(monkeypatch)
    assert (check_and_record(lines), record_batch(lines)) == compiled


def test_it_is_what_python_chess_writes(games: list[ProofGame]) -> None:
    replayed = list(submit_games(lines_of(games), Inline(), Quiet()))
    shown = [one for batch, _ in replayed for one in batch]
    records = [record for _, batch in replayed for record in batch]
    assert len(records) == len(games) > 0
    assert [(record.san, record.ply % 2 == 0) for record in records] == shown
    texts = {(game.san, game.colour): game.moves for game in games}
    for san, ply, sans, witness in records:
        board = chess.Board()
        moves = texts[san, COLOURS[ply % 2]]
        for number, (text, written) in enumerate(zip(moves, sans.split(" "), strict=True)):
            if number == ply:
                assert (san, board.fen(), text) == (witness.san, witness.fen, witness.uci)
            assert board.san_and_push(chess.Move.from_uci(text)) == written
            if number == ply:
                assert board.fen() == witness.after_fen
        assert board.is_checkmate()


def test_python_chess_sees_a_game_that_is_recorded_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play_game(FOOLS_MATE, 3, "Qh4#")._replace(after_fen="8/8/8/8/8/8/8/8 w - - 0 1")
    monkeypatch.setattr("sanproof.proofs.games.player.play_game", lambda *_: played)
    with pytest.raises(EvidenceError, match=f"{COVER}: .*python-chess plays it otherwise"):
        record_batch([f"{FOOLS_MATE} 4 Qh4#"])


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_games_are_recorded_in_their_order(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.audit.record.BATCH", batch)
    monkeypatch.setattr("sanproof.verify.audit.record.KERNEL_BATCH", batch)
    replayed = submit_games(LINES, Inline(), Quiet())
    cover = submit_cover(LINES, Inline(), Quiet(), 2)
    for records in ([r for _, batch in replayed for r in batch], [r for b in cover for r in b]):
        games = [record.played() for record in records]
        assert [(san, ply + 1) for san, ply, _ in games] == [
            (line.split()[-1], int(line.split()[-2])) for line in LINES
        ]
        assert games[0][2] == ("f3", "e5", "g4", "Qh4#")


def test_moves_are_those_of_the_lines() -> None:
    moves = moves_of(LINES)
    for game in map(read_line, LINES):
        assert moves((game.san, game.ply % 2)) == game.moves


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize(("name", "check"), [(GAMES, check_and_record), (COVER, record_batch)])
def test_games_are_checked(
    name: str,
    check: Callable[[list[str]], object],
    compiles: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not compiles:
        plainly(monkeypatch)
    for line in ("f2f3 e7e5 g2g4 d8h5 4 Qh5#", "f2f3 e7e5 3 f3", "f2f3 1 f3"):
        with pytest.raises(EvidenceError, match=f"^{name}: "):
            check([line])


@pytest.mark.parametrize("number", ["03", "+3", "3_", "", "x", "3.0", "\u0663"])
@pytest.mark.parametrize(("name", "check"), [(GAMES, check_and_record), (COVER, record_batch)])
def test_a_line_has_one_spelling(
    name: str, check: Callable[[list[str]], object], number: str
) -> None:
    assert write_line(read_line(f"{FOOLS_MATE} 3 g4")) == f"{FOOLS_MATE} 3 g4"
    with pytest.raises(EvidenceError, match=f"^{name}: "):
        check([f"{FOOLS_MATE} {number} g4"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a 1 x", "not ended"),
        ("b 1 x\na 1 y\n", "sorted"),
        ("a 1 x\na 1 x\n", "sorted"),
        ("a 1 x\nb 3 x\n", "two games show 'x' of the same player"),
        ("a 2 x\nb 10 x\n", "two games show 'x' of the same player"),
        ("\n", "sorted"),
    ],
)
def test_lines_that_are_no_file_of_games(text: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=f"^{GAMES}: .*{said}"):
        check_lines(GAMES, text)


def test_lines_of_both_players() -> None:
    assert check_lines(GAMES, "a 1 x\nb 2 x\nc 3 y\n") == ["a 1 x", "b 2 x", "c 3 y"]
    assert check_lines(GAMES, "") == []
