"""Games as lines, and what is recorded of them, against python-chess."""

from random import Random

import chess
import pytest

from sanproof.proofs.games.game import (
    ProofGame,
    Recorder,
    check_game,
    read_line,
    write_line,
)
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_ranks
from tests.examples import examples
from tests.games import published_games

FOOLS_MATE = ProofGame("Qh4#", 3, ("f2f3", "e7e5", "g2g4", "d8h4"))
SCHOLARS_MATE = ProofGame("Bc4", 2, ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"))


def test_a_record_holds_all_moves_and_the_positions_around_the_string() -> None:
    checked = check_game(SCHOLARS_MATE)
    assert checked.sans == ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
    board = chess.Board()
    for uci in SCHOLARS_MATE.moves[:2]:
        board.push_uci(uci)
    assert checked.witness[:3] == ("Bc4", board.fen(), "f1c4")
    board.push_uci("f1c4")
    assert checked.after_fen == board.fen()
    assert (SCHOLARS_MATE.colour, FOOLS_MATE.colour) == (WHITE, BLACK)
    with pytest.raises(EvidenceError, match="none of its 4"):
        check_game(FOOLS_MATE._replace(ply=5))


def test_games_are_recorded_alike_whatever_came_before() -> None:
    """Castlings among them; of two that end alike with the colours exchanged, one is played."""
    games = {(game.san, game.colour): game for game in published_games()}
    names = ["O-O", "O-O-O+", *Random(1).sample(sorted({san for san, _ in games}), examples(30))]
    recorder = Recorder()
    for san in names:
        if (san, WHITE) in games:
            white, black = games[san, WHITE], games[exchanged_ranks(san), BLACK]
            for game in (white, black, white, black, black, white):
                assert recorder.record(write_line(game)) == check_game(game)
                assert read_line(write_line(game)) == game
