"""What is written is python-chess's own; the facts that explain it must give the same string.

The reason for an illegal move is tested by taking it away: without the pieces that are named, the
move is legal.
"""

from collections import Counter
from itertools import islice
from random import Random

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.verify.commands.notation import reading_text, writing_text
from sanproof.verify.notation.illegal import move_obstacle
from sanproof.verify.notation.reading import ReadingVerdict, judge
from sanproof.verify.notation.vocabulary import FailedTry, Illegality
from sanproof.verify.notation.writing import (
    IllegalMove,
    MalformedUci,
    explain_move,
    write,
    writing_json,
)
from tests.verify.notation.positions import FENS, TANGLE, drawn, mixed


@given(st.integers(0, 2**32))
@example(0)
def test_all_moves_of_a_position(seed: int) -> None:
    """What is written, and the facts that explain it, by the legal moves; it is read back."""
    boards = [drawn(seed)] if seed else map(chess.Board, FENS)
    for board, move in [(each, move) for each in boards for move in each.legal_moves]:
        san, fen, after = board.san(move), board.fen(), board.copy(stack=False)
        after.push(move)
        written = explain_move(move, board)
        assert written.san == san
        kind, to = board.piece_type_at(move.from_square), move.to_square
        alike = {m.from_square for m in board.legal_moves if m.to_square == to}
        alike &= set(board.pieces(kind or chess.PAWN, board.turn)) - {move.from_square}
        twins = set() if kind in {chess.PAWN, chess.KING} else {*map(chess.square_name, alike)}
        assert set(written.twins) == twins, (written, fen)
        gone = {s for s in chess.SQUARES if board.color_at(s) == after.turn != after.color_at(s)}
        captured = {chess.parse_square(written.captured)} if written.captured else set()
        assert captured == gone, (written, fen)
        assert written.checkers == tuple(map(chess.square_name, after.checkers()))
        assert written.replies == after.legal_moves.count()
        reading = judge(san, board)
        assert (reading.verdict, reading.uci) == (ReadingVerdict.CANONICAL, move.uci()), (
            reading,
            fen,
        )
        assert board.fen() == fen


def test_a_pinned_piece_is_no_twin() -> None:
    written = write("g1e2", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
    assert written.san == "Ne2"
    assert written.twins == ()
    (idle,) = written.idle
    assert (idle.reason, idle.origin, idle.by) == (Illegality.PINNED, "c3", ("b4",))
    assert any("pinned to the king on e1 by the bishop on b4" in s for s in written.explanation)
    moved = {"uci": "g1e2", "fen": written.fen, "san": "Ne2", "twins": (), "captured": None}
    why = {"idle": [idle._asdict()], "explanation": written.explanation}
    assert writing_json(written) == {**moved, **why, "checkers": (), "replies": 12}


@pytest.mark.parametrize(
    ("uci", "fen", "san", "words"),
    [
        ("b1d2", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2", "not on the b-file"),
        ("a1a3", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "on the file of"),
        ("e5d6", TANGLE, "exd6", "in passing, which only the x marks: x. A pawn that captures"),
        ("d5c6", "5k2/8/2n5/3Q4/4Q3/8/3Q4/K7 w - - 0 1", "Qxc6", "captures the knight on c6: x."),
        ("e1g1", TANGLE, "O-O", "White castles kingside"),
        ("e8c8", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "O-O-O", "Black castles queenside"),
        ("a7a8q", "8/P7/8/8/8/8/5k2/K7 w - - 0 1", "a8=Q", "becomes a queen: =Q."),
        ("a1a8", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", "no legal reply"),
        ("a1a8", "6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "Ra8+", "only legal reply is Kh7"),
        ("a1a8", "6k1/8/8/8/8/8/8/R5K1 w - - 0 1", "Ra8+", "3 legal replies: Kh7, Kg7 and Kf7"),
        ("a1a4", "8/8/8/8/7k/8/8/R5K1 w - - 0 1", "Ra4+", "4 legal replies: +."),
        ("e4f6", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nf6+", "give double check"),
        ("e4g5", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Ng5+", "gives discovered check"),
        ("c5c7", "k7/8/1K6/2Q5/8/8/8/8 w - - 0 1", "Qc7", "stalemate"),
    ],
)
def test_explanations(uci: str, fen: str, san: str, words: str) -> None:
    written = write(uci, fen)
    assert written.san == san
    assert any(words in sentence for sentence in written.explanation), written.explanation


@pytest.mark.parametrize(
    ("uci", "fen", "words"),
    [
        ("a7b8", "4k3/Pp6/8/8/8/8/8/4K3 w - - 0 1", "nothing to capture on b8"),
        ("a7a8q", "r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "rook on a8"),
        ("e1h1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling is the king's move"),
        ("e1g1", "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "knight on g1 stands between"),
        ("a1a2", "1k2r3/8/8/8/7b/8/8/R3K3 w - - 0 1", "double check from the bishop on h4 and"),
    ],
)
def test_illegal_moves(uci: str, fen: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        write(uci, fen)


@pytest.mark.parametrize(
    "uci", ["", "e2", "0000", "e2e2", "0e2e4", "e2e4Q", "E2E4", "e2-e4", "Nf3", "e2e4\n", "N@f3"]
)
def test_malformed_uci(uci: str) -> None:
    with pytest.raises(MalformedUci, match="is not a move in UCI"):
        write(uci)


def test_what_is_said_stands_in_80_columns() -> None:
    tangle, lines = chess.Board(TANGLE), list[str]()
    for text in ("Nd5", "e4", "7. Bxc6+ e.p.?! $14 (=)", "Ra1b2"):
        lines += reading_text(judge(text, tangle)).splitlines()
    for move in tangle.legal_moves:
        lines += writing_text(explain_move(move, tangle)).splitlines()
    assert max(map(len, lines)) <= 80
    said = reading_text(judge("Nd2", chess.Board("4k3/8/8/8/8/1N6/3P4/1N2K3 w - - 0 1")))
    assert "\n  own-piece  The knight on b3" in said


# Why a move is illegal

LEAVES_KING_IN_CHECK = {
    Illegality.PINNED,
    Illegality.CHECK_NOT_ANSWERED,
    Illegality.EN_PASSANT_EXPOSES_KING,
    Illegality.ATTACKED_SQUARE,
}
REMOVABLE = LEAVES_KING_IN_CHECK | {Illegality.OWN_PIECE, Illegality.BLOCKED}
"""Reasons that the named pieces bring about alone: without these the move is legal."""


def test_each_piece_that_could_be_meant_has_its_reason() -> None:
    reading = judge("Nd2", chess.Board("4k3/8/8/8/8/1N6/3P4/1N2K3 w - - 0 1"))
    assert [obstacle.origin for obstacle in reading.obstacles] == ["b1", "b3"]
    assert {obstacle.reason for obstacle in reading.obstacles} == {Illegality.OWN_PIECE}
    reading = judge("Rd4", chess.Board("4k3/8/8/8/R1p5/4r3/4R3/4K3 w - - 0 1"))
    assert [(obstacle.reason, obstacle.origin) for obstacle in reading.obstacles] == [
        (Illegality.BLOCKED, "a4")
    ]
    reading = judge("Ne5", chess.Board("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1"))
    assert "can reach e5 in one move, from a1 and b1" in reading.sentence
    assert "captures only on adjacent files" in judge("exh", chess.Board()).sentence


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
    without = board.copy(stack=False)
    for square in obstacle.by:
        without.remove_piece_at(chess.parse_square(square))
    after = move_obstacle(without, move.from_square, move.to_square)
    return (
        after is None
        or after.reason not in {obstacle.reason, Illegality.CANNOT_REACH}
        or bool(after.by and not set(after.by) & set(obstacle.by))
    )


def test_there_is_an_obstacle_exactly_where_no_move_is_legal() -> None:
    seen = Counter[Illegality | None]()
    for board in islice(mixed(Random(14)), 0, 400, 40):
        own = chess.scan_forward(board.occupied_co[board.turn])
        steps = [chess.Move(a, b) for a in own for b in chess.SQUARES if a != b]
        for move in steps:
            obstacle = move_obstacle(board, move.from_square, move.to_square)
            seen[obstacle and obstacle.reason] += 1
            assert obstacle_is_true(obstacle, move, board), (obstacle, move, board.fen())
    assert {None, Illegality.PINNED, Illegality.BLOCKED, Illegality.CHECK_NOT_ANSWERED} <= set(seen)
