"""Games of strings of every kind, hubs and endings, and records: as python-chess says."""

from random import Random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.games import endings, hubs
from sanproof.proofs.games import search as games_of
from sanproof.proofs.games.endings import search_mate
from sanproof.proofs.games.game import (
    ProofGame,
    Recorder,
    check_game,
    quiet_replies,
    read_line,
    write_line,
)
from sanproof.proofs.games.pieces import read_setting
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_ranks
from sanproof.proofs.search import material
from tests.examples import examples
from tests.games import published_games

ALL_HUBS = [(family, *hub) for family, found in hubs.load_hubs().items() for hub in found.items()]


@pytest.mark.slow
def test_published_games_are_found_again() -> None:
    """From the positions of White's to the same games, move by move, and so are Black's.

    With another hub, path or ending the games would be as good, but a run writes what is published.
    """
    games = published_games()
    blacks = {game.san: game for game in games if game.colour == BLACK}
    whites = [game for game in games if game.colour == WHITE]
    odd = [game for game in whites if game.san[0] == "O" or "=" in game.san]
    rng = Random(1)
    for white in rng.sample(whites, examples(60)) + rng.sample(odd, examples(20)):
        position = check_game(white).before_fen
        witness = checked_witness(white.san, position, white.moves[white.ply])
        assert games_of.search_games(witness) == (white, blacks[exchanged_ranks(white.san)])
    for white in rng.sample(whites, examples(600)):
        if not white.san.endswith("#"):
            after = check_game(white).after_fen
            line = search_mate(read_setting(after.split(" ")[0])) or []
            assert tuple(line) == white.moves[white.ply + 1 :]


@pytest.mark.parametrize(
    "witness",
    [
        # After the capture Black is stalemated, so no mate follows.
        checked_witness("Bd2xc3", "7Q/8/8/8/3B4/2n5/1B1B1K1n/7k w - - 0 1", "d2c3"),
        # Nothing but a double check by two knights: no last move of Black's leads there.
        checked_witness("Kg2", "8/8/8/8/2k5/6n1/5n2/QR1R3K w - - 0 1", "h1g2"),
    ],
    ids=lambda witness: witness.san,
)
def test_another_position_is_found_where_no_game_passes_the_first(witness: Witness) -> None:
    assert checked_witness(*witness[:3]) == witness
    assert games_of.search_games(witness) is None
    games, _ = games_of.solve_games(witness)
    checked = check_game(games[0])
    assert checked.game.san == witness.san
    assert checked.before_fen.split(" ")[0] != witness.fen.split(" ")[0]


def test_positions_with_a_quiet_reply_come_first() -> None:
    """After exd7 Black can only take the pawn, and the cover needs its pieces."""
    witness = checked_witness("exd7", "3knR2/3n4/4P3/2Q5/K7/8/8/8 w - - 0 1", "e6d7")
    first = next(games_of._positions(witness))
    assert first.san == "exd7"
    board = chess.Board(first.fen)
    board.push_uci(first.uci)
    assert any(quiet_replies(board))


# Hubs


UNMOVED = {"O-O": "e1 h1", "O-O-O": "e1 a1", **{f"P{file}": f"{file}2" for file in "abcdefgh"}}
"""The squares whose pieces must not have moved, for castling and for a pawn still to move."""


def test_hubs_are_what_their_lines_lead_to_and_black_gets_there_a_move_later() -> None:
    for family, line, placement in ALL_HUBS:
        board = hubs.replay(line)
        assert board is not None
        assert (board.turn, board.board_fen()) == (chess.WHITE, placement)
        wanted = material.FAMILIES[family]
        for colour, letters in zip((chess.WHITE, chess.BLACK), wanted, strict=True):
            placed = [
                (s, p.symbol().upper()) for s, p in board.piece_map().items() if p.color == colour
            ]
            found = [material.bishop_letter(s) if letter == "B" else letter for s, letter in placed]
            assert sorted(found) == sorted(f"K{letters}")
        touched = {uci[i : i + 2] for uci in line for i in (0, 2)}
        assert touched.isdisjoint(UNMOVED.get(family, "").split())
        blacks = hubs.with_tempo_loss(line)
        assert blacks is not None
        exchanged = hubs.replay(blacks)
        assert exchanged is not None
        assert len(blacks) == len(line) + 1
        assert exchanged.mirror().board_fen() == placement


# Endings


@settings(max_examples=examples(400))
@given(st.lists(st.integers(0, 63), min_size=8, max_size=8, unique=True), st.booleans())
def test_moves_of_a_scene_are_python_chess_s(squares: list[int], turn: bool) -> None:
    """With pins, checks and discovered checks, as they come."""
    board = chess.Board(None)
    for square, symbol in zip(squares, "KQRNkrbn", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = turn
    if not board.is_valid():
        return
    setting = read_setting(board.board_fen())
    pieces, row = np.array([6, 5, 4, 2, 12, 10, 9, 8]), np.array(setting.squares)
    after = endings.after_moves(pieces, row, endings.WHITE if turn else endings.BLACK)
    steps = [endings._step_between(row, one) for one in after]
    assert {chess.Move(*step) for step in steps} == set(board.legal_moves)
    for step, one in zip(steps, after, strict=True):
        board.push(chess.Move(*step))
        assert sorted(one[one != endings.NONE]) == list(chess.scan_forward(board.occupied))
        board.pop()


@pytest.mark.parametrize("placement", ["7k/5Q2/6K1/8/8/8/8/8", "8/8/8/3k4/8/8/8/3K4"])
def test_no_ending_after_stalemate_or_in_a_dead_position(placement: str) -> None:
    assert search_mate(read_setting(placement)) is None


# Records


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
