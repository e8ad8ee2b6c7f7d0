"""The two lists as lists, and against python-chess on random boards and real games."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.generator.geometry import PATHS, RAYS, ray
from sanproof.generator.strings import bare_strings, both_lists, suffixed_strings
from tests.games import REAL_GAMES

GRAMMAR = re.compile(
    r"([BKNQR])?([a-h])?([1-8])?(x)?([a-h])([1-8])(?:=([BKNQR]))?([+#])?|O-O(-O)?[+#]?"
)
MIRROR_FILES = str.maketrans("abcdefgh", "hgfedcba")
MIRROR_RANKS = str.maketrans("12345678", "87654321")
REAL_GAMES_READ = 150

BARE = bare_strings()
SUFFIXED = suffixed_strings()


@pytest.mark.parametrize("texts", [BARE, SUFFIXED], ids=["bare", "suffixed"])
class TestEachList:
    def test_is_sorted_by_length_and_character_without_repetition(self, texts: list[str]) -> None:
        assert texts == sorted(set(texts), key=lambda text: (len(text), text))

    def test_obeys_the_grammar(self, texts: list[str]) -> None:
        assert [text for text in texts if not GRAMMAR.fullmatch(text)] == []

    def test_is_its_own_mirror_image_in_files(self, texts: list[str]) -> None:
        assert {text.translate(MIRROR_FILES) for text in texts} == set(texts)

    def test_is_its_own_mirror_image_in_ranks(self, texts: list[str]) -> None:
        assert {text.translate(MIRROR_RANKS) for text in texts} == set(texts)

    def test_does_not_depend_on_who_asked_before(self, texts: list[str]) -> None:
        assert texts in both_lists()


def test_the_suffixed_list_without_suffixes_is_the_bare_list() -> None:
    assert [text for text in SUFFIXED if text[-1] not in "+#"] == BARE
    assert {text.rstrip("+#") for text in SUFFIXED} == set(BARE)


def test_a_string_carries_both_suffixes_or_none() -> None:
    mates = {text[:-1] for text in SUFFIXED if text.endswith("#")}
    assert mates == {text[:-1] for text in SUFFIXED if text.endswith("+")}


def test_a_capture_can_check_where_the_quiet_move_can() -> None:
    checking = {text[:-1] for text in SUFFIXED if text.endswith("+")}
    for text in checking:
        if text[0] in "NBRQK" and "x" not in text:
            assert f"{text[:-2]}x{text[-2:]}" in checking


def test_pawns_and_kings_have_every_move_that_some_board_shows() -> None:
    """Each pawn and king move from each square, alone on the board, with and without a victim."""
    shown = {"O-O", "O-O-O"}
    for color in chess.COLORS:
        for piece in (chess.PAWN, chess.KING):
            for origin in chess.SQUARES:
                if piece == chess.KING or chess.square_rank(origin) not in (0, 7):
                    shown |= _shown_by_a_lone(chess.Piece(piece, color), origin)
    assert shown == {text for text in BARE if text[0] not in "NBRQ"}


def _shown_by_a_lone(piece: chess.Piece, origin: chess.Square) -> set[str]:
    board = chess.Board(None)
    board.turn = piece.color
    board.set_piece_at(origin, piece)
    shown = set(map(board.san, board.legal_moves))
    for destination in chess.SquareSet(~chess.BB_SQUARES[origin]):
        board.set_piece_at(destination, chess.Piece(chess.KNIGHT, not piece.color))
        shown |= {board.san(move) for move in board.legal_moves if board.is_capture(move)}
        board.remove_piece_at(destination)
    return {text.rstrip("+#") for text in shown}


@st.composite
def crowded_boards(draw: st.DrawFn) -> chess.Board:
    """Boards with several like pieces around one square, in which White's moves need telling."""
    board = chess.Board(None)
    squares = draw(st.permutations(chess.SQUARES))
    board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
    like = draw(st.sampled_from((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)))
    for square in squares[2 : draw(st.integers(4, 12))]:
        board.set_piece_at(square, chess.Piece(like, chess.WHITE))
    for square in squares[12 : draw(st.integers(12, 18))]:
        kind = draw(st.sampled_from((chess.KNIGHT, chess.BISHOP, chess.ROOK)))
        board.set_piece_at(square, chess.Piece(kind, draw(st.booleans())))
    board.turn = chess.WHITE
    return board


@given(crowded_boards())
def test_python_chess_writes_no_other_string_on_crowded_boards(board: chess.Board) -> None:
    king = board.king(chess.BLACK)
    assert king is not None
    for attacker in board.attackers(chess.WHITE, king):
        board.remove_piece_at(attacker)
    if board.is_valid():
        written = {board.san(move) for move in board.legal_moves}
        assert written - set(SUFFIXED) == set()


def test_python_chess_writes_no_other_string_in_random_games() -> None:
    known, rng = set(SUFFIXED), random.Random(2)
    for _ in range(15):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            moves = list(board.legal_moves)
            assert {board.san(move) for move in moves} <= known
            board.push(rng.choice(moves))


def test_people_write_no_other_string_in_real_games() -> None:
    known, moves = set(SUFFIXED), 0
    with REAL_GAMES.open(encoding="utf-8", errors="replace") as file:
        for _ in range(REAL_GAMES_READ):
            game = chess.pgn.read_game(file)
            if game is None:
                break
            for node in game.mainline():
                assert node.san() in known
                moves += 1
    assert moves > REAL_GAMES_READ


def test_attacks_are_those_of_python_chess() -> None:
    for letter, attacked in PATHS.items():
        for square in chess.SQUARES:
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
            assert attacked[square].keys() == set(board.attacks(square))
            for target, path in attacked[square].items():
                if letter not in "PNK":
                    assert path == chess.between(square, target)
                else:
                    assert path == chess.BB_EMPTY


def test_rays_end_at_the_edge() -> None:
    for step in RAYS:
        for square in chess.SQUARES:
            squares = [square, *ray(square, step)]
            for one, next_one in pairwise(squares):
                assert chess.square_file(next_one) - chess.square_file(one) == step[0]
                assert chess.square_rank(next_one) - chess.square_rank(one) == step[1]
            file = chess.square_file(squares[-1]) + step[0]
            rank = chess.square_rank(squares[-1]) + step[1]
            assert not (0 <= file < 8 and 0 <= rank < 8)
