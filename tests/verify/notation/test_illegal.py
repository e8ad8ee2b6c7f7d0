"""The reason is tested by taking it away: without the pieces that are named, the move is legal."""

from collections import Counter
from itertools import islice
from random import Random

import chess

from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.verify.notation.illegal import move_obstacle
from sanproof.verify.notation.reading import Reading, judge
from sanproof.verify.notation.vocabulary import FailedTry, Illegality
from tests.verify.notation.oracle import bare_strings
from tests.verify.notation.positions import mixed

LEAVES_KING_IN_CHECK = {
    Illegality.PINNED,
    Illegality.CHECK_NOT_ANSWERED,
    Illegality.EN_PASSANT_EXPOSES_KING,
    Illegality.ATTACKED_SQUARE,
}
REMOVABLE = LEAVES_KING_IN_CHECK | {Illegality.OWN_PIECE, Illegality.BLOCKED}
"""Reasons that the named pieces bring about alone: without these the move is legal."""


def taken_away(board: chess.Board, squares: tuple[str, ...]) -> chess.Board:
    """Return the position without the pieces on some squares."""
    without = board.copy(stack=False)
    for square in squares:
        without.remove_piece_at(chess.parse_square(square))
    return without


def read(text: str, fen: str) -> Reading:
    board = chess.Board(fen)
    assert board.is_valid(), fen
    return judge(text, board)


def test_each_piece_that_could_be_meant_has_its_reason() -> None:
    reading = read("Nd2", "4k3/8/8/8/8/1N6/3P4/1N2K3 w - - 0 1")
    assert [obstacle.origin for obstacle in reading.obstacles] == ["b1", "b3"]
    assert {obstacle.reason for obstacle in reading.obstacles} == {Illegality.OWN_PIECE}
    reading = read("Rd4", "4k3/8/8/8/R1p5/4r3/4R3/4K3 w - - 0 1")
    assert [(obstacle.reason, obstacle.origin) for obstacle in reading.obstacles] == [
        (Illegality.BLOCKED, "a4")
    ]
    reading = read("Ne5", "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1")
    assert "can reach e5 in one move, from a1 and b1" in reading.sentence


def obstacle_is_true(obstacle: FailedTry | None, move: chess.Move, board: chess.Board) -> bool:
    """Check that an obstacle is there exactly if no legal move goes there, and is of its sort."""
    step = (move.from_square, move.to_square)
    if step in {(m.from_square, m.to_square) for m in board.legal_moves}:
        return obstacle is None
    if obstacle is None:
        return False
    pseudo = step in {(m.from_square, m.to_square) for m in board.pseudo_legal_moves}
    if pseudo != (obstacle.reason in LEAVES_KING_IN_CHECK):
        return False
    return obstacle.reason not in REMOVABLE or goes_away(obstacle, move, board)


def goes_away(obstacle: FailedTry, move: chess.Move, board: chess.Board) -> bool:
    """Check that it is gone, or due to other pieces, without the pieces that are named in it."""
    if any(board.piece_type_at(chess.parse_square(by)) == chess.KING for by in obstacle.by):
        return True  # a board without a king is invalid
    after = move_obstacle(taken_away(board, obstacle.by), move.from_square, move.to_square)
    return (
        after is None
        or after.reason not in {obstacle.reason, Illegality.CANNOT_REACH}
        or bool(after.by and not set(after.by) & set(obstacle.by))
    )


def all_steps(board: chess.Board) -> list[chess.Move]:
    """Return the steps from each of the player's pieces to each square."""
    return [
        chess.Move(origin, destination)
        for origin in chess.scan_forward(board.occupied_co[board.turn])
        for destination in chess.SQUARES
        if origin != destination
    ]


def test_there_is_an_obstacle_exactly_where_no_move_is_legal() -> None:
    seen = Counter[Illegality | None]()
    for board in islice(mixed(Random(14)), 0, 600, 40):
        for move in all_steps(board):
            obstacle = move_obstacle(board, move.from_square, move.to_square)
            seen[obstacle and obstacle.reason] += 1
            assert obstacle_is_true(obstacle, move, board), (obstacle, move, board.fen())
    assert {None, Illegality.PINNED, Illegality.BLOCKED, Illegality.CHECK_NOT_ANSWERED} <= set(seen)


def test_black_is_judged_as_white_is() -> None:
    rng = Random(5)
    pawns = ["a8=Q", "d1=K", "e8=K", "xb1=N", "c7c8=R", "f2f1=Q", "e8", "g6", "exd6"]
    for board in islice(mixed(Random(9)), 15):
        for text in [*rng.sample(bare_strings(), 30), *pawns]:
            here, there = judge(text, board), judge(exchanged_ranks(text), board.mirror())
            assert (here.verdict, here.reason) == (there.verdict, there.reason), (text, board.fen())
