"""Statically valid positions to read and write moves in: of games, and random ones."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import chess
import chess.pgn

REAL_GAMES: Final = Path(__file__).parents[4] / "shared" / "games" / "real-games.pgn"

CROWD = "6r1/P1P4r/8/2QNQ3/7k/2QNQ3/1b5P/4K2R w K - 0 1"
"""Four queens and two knights, one of them pinned, and pawns that promote."""
TANGLE = "r3k2r/p1p3pp/2n5/1B1pP1q1/1b6/2N5/PP3PPP/R1B1K2R w KQkq d6 0 1"
"""A pinned knight, a pinned bishop, castling both ways, and a capture in passing."""
BLACK_CROWD = "1n2k2r/8/8/4r1b1/2pP4/r3r3/1p3pK1/Q1N3N1 b k d3 0 1"
"""Black is to move: three rooks, promotions, a capture in passing, castling."""
ANSWERS = "4r2k/8/8/8/8/3N1N2/4B3/N3K1N1 w - - 0 1"
"""A pinned bishop, and four knights."""
IN_CHECK = "4k3/8/8/8/1b6/5N2/8/RN1QK2R w KQ - 0 1"
"""White is in check, and may not castle."""


def random_games(rng: Random) -> Iterator[chess.Board]:
    """Positions of games in which both players move at random."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(1, 150)):
            moves = list(board.legal_moves)
            if not moves:
                break
            yield board
            board.push(rng.choice(moves))


def crowds(rng: Random) -> Iterator[chess.Board]:
    """Positions with many pieces of a kind, at random, by which players have choices and pins."""
    while True:
        board = chess.Board(None)
        for colour in chess.COLORS:
            _place(board, rng, chess.Piece(chess.KING, colour))
            kinds = rng.choices(chess.PIECE_TYPES[:5], k=2)
            for kind in rng.choices(kinds, k=rng.randint(1, 7)):
                _place(board, rng, chess.Piece(kind, colour))
        board.turn = rng.random() < 0.5
        if rng.random() < 0.3:
            board.castling_rights = chess.BB_CORNERS
            board.castling_rights = board.clean_castling_rights()
        _allow_en_passant(board, rng)
        if board.is_valid():
            yield board


def near_castling(rng: Random) -> Iterator[chess.Board]:
    """Positions in which White may be able to castle, with men that may prevent it."""
    while True:
        board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        for symbol in rng.choices("NBQPnbrqp", k=rng.randint(1, 6)):
            _place(board, rng, chess.Piece.from_symbol(symbol))
        if board.is_valid():
            yield board if rng.random() < 0.5 else board.mirror()


def mixed(rng: Random) -> Iterator[chess.Board]:
    """Positions of all these sorts, in turn."""
    sources = [random_games(rng), crowds(rng), near_castling(rng)]
    while True:
        for source in sources:
            yield next(source)


def recorded_games(rng: Random, share: float) -> Iterator[chess.Board]:
    """Positions of a random share of the recorded games."""
    with REAL_GAMES.open(encoding="utf-8", errors="replace") as file:
        while True:
            if rng.random() >= share:
                if not chess.pgn.skip_game(file):
                    return
                continue
            game = chess.pgn.read_game(file)
            if game is None:
                return
            board = game.board()
            for move in game.mainline_moves():
                yield board
                board.push(move)


def _place(board: chess.Board, rng: Random, piece: chess.Piece) -> None:
    outer = chess.BB_BACKRANKS if piece.piece_type == chess.PAWN else chess.BB_EMPTY
    free = list(chess.scan_forward(~(board.occupied | outer) & chess.BB_ALL))
    board.set_piece_at(rng.choice(free), piece)


def _allow_en_passant(board: chess.Board, rng: Random) -> None:
    """Name a square for a capture in passing, if one can be named."""
    rank = 5 if board.turn == chess.WHITE else 2
    squares = [chess.square(file, rank) for file in range(8)]
    rng.shuffle(squares)
    for square in squares:
        board.ep_square = square
        if board.is_valid():
            return
    board.ep_square = None
