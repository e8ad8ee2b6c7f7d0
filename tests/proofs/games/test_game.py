"""Games as lines, and what is recorded of them, against python-chess."""

from collections.abc import Sequence

import chess
import pytest

from sanproof.proofs.games.game import (
    ProofGame,
    Recorder,
    bare_san,
    check_game,
    is_king_attacked,
    read_line,
    write_line,
)
from sanproof.proofs.kernel.games import GameError, Shown
from sanproof.proofs.rules.cubes import BLACK, COLOURS, WHITE, exchanged_ranks
from tests.proofs.encoding.positions import FAMILIES, first_boards

FOOLS_MATE = ProofGame("Qh4#", BLACK, 3, ("f2f3", "e7e5", "g2g4", "d8h4"))
SCHOLARS_MATE = ProofGame("Bc4", WHITE, 2, ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"))


def test_a_record_holds_all_moves_and_the_positions_around_the_string() -> None:
    checked = check_game(SCHOLARS_MATE)
    assert checked.sans == ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
    board = chess.Board()
    for uci in SCHOLARS_MATE.moves[:2]:
        board.push_uci(uci)
    assert (checked.before_fen, checked.uci) == (board.fen(), "f1c4")
    board.push_uci(checked.uci)
    assert checked.after_fen == board.fen()
    with pytest.raises(GameError, match="is not white's"):
        check_game(FOOLS_MATE._replace(colour=WHITE))


def test_records_do_not_depend_on_the_game_before() -> None:
    recorder = Recorder()
    other = SCHOLARS_MATE._replace(san="Qxf7#", ply=6)
    for game in (SCHOLARS_MATE, other, FOOLS_MATE, other, SCHOLARS_MATE):
        assert recorder.record(game) == check_game(game)


SHARED = ("g1f3", "f7f6", "f1d3", "g7g5", "e1g1", "a5a4", "f3d4", "a4a3", "d1h5")
CASTLES = ("e2e3", "a7a5", *SHARED)
BLACK_CASTLES = ("a2a3", "e7e6", "a3a4", *map(exchanged_ranks, SHARED))


class Counting(Recorder):
    """Counts the games that it plays."""

    def __init__(self) -> None:
        super().__init__()
        self.played = 0

    def check(self, moves: Sequence[str], ply: int, san: str) -> Shown:
        """Play a game."""
        self.played += 1
        return super().check(moves, ply, san)


@pytest.mark.parametrize("first", [0, 1])
def test_a_record_is_the_same_after_the_game_with_the_colours_exchanged(first: int) -> None:
    """Castlings, rights and clocks; the second of the games is not played."""
    for ply in range(2, len(CASTLES)):
        board = chess.Board()
        sans = [board.san_and_push(chess.Move.from_uci(move)) for move in CASTLES]
        white = ProofGame(sans[ply], COLOURS[ply % 2], ply, CASTLES)
        colour = COLOURS[1 - ply % 2]
        black = ProofGame(exchanged_ranks(sans[ply]), colour, ply + 1, BLACK_CASTLES)
        recorder = Counting()
        for game in (white, black)[:: 1 - 2 * first]:
            assert recorder.record(game) == check_game(game)
            assert read_line(write_line(game)) == game
        assert recorder.played == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_san_and_checks_are_python_chess_s(family: str) -> None:
    """In positions with crowds of twins, pins, checks, promotions and captures in passing.

    Kings are asked about after any move, legal or not, for either player.
    """
    for board in filter(chess.Board.is_valid, first_boards(family)):
        for move in list(board.pseudo_legal_moves):
            if board.is_legal(move):
                assert bare_san(board, move) == board.san(move).rstrip("+#"), board.fen()
            board.push(move)
            assert is_king_attacked(board, board.turn) == board.is_check(), board.fen()
            assert is_king_attacked(board, not board.turn) == board.was_into_check(), board.fen()
            board.pop()
