"""Statically valid positions to read and write moves in, and texts that are like moves."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import chess
from hypothesis import strategies as st

from tests.proofs.encoding.positions import place, playouts

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
FENS = [CROWD, TANGLE, BLACK_CROWD, ANSWERS, IN_CHECK]


def crowds(rng: Random) -> Iterator[chess.Board]:
    """Yield random positions with many pieces of a kind, so that players have choices and pins."""
    while True:
        board = chess.Board(None)
        for colour in chess.COLORS:
            place(board, rng, [chess.Piece(chess.KING, colour).symbol()])
            kinds = rng.choices(chess.PIECE_TYPES[:5], k=2)
            pieces = rng.choices(kinds, k=rng.randint(1, 7))
            place(board, rng, [chess.Piece(kind, colour).symbol() for kind in pieces])
        board.turn = rng.random() < 0.5
        if rng.random() < 0.3:
            board.castling_rights = chess.BB_CORNERS
            board.castling_rights = board.clean_castling_rights()
        _allow_en_passant(board, rng)
        if board.is_valid():
            yield board


def near_castling(rng: Random) -> Iterator[chess.Board]:
    """Yield positions in which White may be able to castle, with pieces that may prevent it."""
    while True:
        board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        place(board, rng, rng.choices("NBQPnbrqp", k=rng.randint(1, 6)))
        if board.is_valid():
            yield board if rng.random() < 0.5 else board.mirror()


def mixed(rng: Random) -> Iterator[chess.Board]:
    """Yield positions of all these sorts, in turn."""
    sources = [playouts(rng), crowds(rng), near_castling(rng)]
    while True:
        for source in sources:
            yield next(source)


def drawn(seed: int) -> chess.Board:
    """Return one of them, or of those that are named."""
    rng = Random(seed)
    if rng.random() < 0.2:
        return chess.Board(rng.choice(FENS))
    return next(crowds(rng)) if rng.random() < 0.5 else next(islice(mixed(rng), 40, None))


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


LIKELY = st.text(
    st.sampled_from("abchKQRBNPknqO0o-xX:=+#!?$().12389/ e.p♘♟\u2013\ufe0f"), max_size=12
)


@st.composite
def legacy_texts(draw: st.DrawFn) -> str:
    """Return a text of the tolerant grammar, in the forms of docs/notation.md."""
    piece = draw(st.sampled_from(["", "N", "n", "P", "q", "♗", "♝\ufe0e"]))
    square = st.builds("".join, st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("12345678")))
    origin = draw(st.one_of(st.sampled_from(["", "b", "g", "1", "8"]), square))
    signs = ["", "x", "X", ":"] + (["-", "\u2013"] if piece or origin else [])
    promotion = draw(st.sampled_from(["", "=Q", "q", "(R)", "/N", "=", " =B", "♕"]))
    move = piece + origin + draw(st.sampled_from(signs)) + draw(square) + promotion
    body = draw(st.sampled_from([move, "O-O", "0-0-0", "oo", "O\u2013O", "exd", "ed", "Pcxb(N)"]))
    number = draw(st.sampled_from(["", " ", "1.", "1 ", "12. ... ", "…", "7\t. "]))
    suffix = draw(st.sampled_from(["", "+", "#", "++", " +"]))
    mark = draw(st.sampled_from(["", " e.p.", "ep", "e.p"]))
    late = draw(st.sampled_from(["", "+", " ++", "#"])) if not suffix else ""
    tail = draw(st.sampled_from(["", "!", " ??", "!? $255", "$0 $19", " (=)", "$1(=) ", "\n"]))
    return number + body + suffix + mark + late + tail
