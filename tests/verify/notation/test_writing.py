"""The string is python-chess's own; the facts that explain it must give the same string."""

from itertools import islice
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.san import parse_san
from sanproof.verify.commands.notation import reading_text, writing_text
from sanproof.verify.notation.reading import judge
from sanproof.verify.notation.vocabulary import Illegality
from sanproof.verify.notation.writing import (
    IllegalMove,
    MalformedUci,
    explain_move,
    write,
    writing_json,
)
from tests.examples import examples
from tests.verify.notation.oracle import check_writing
from tests.verify.notation.positions import (
    ANSWERS,
    BLACK_CROWD,
    CROWD,
    IN_CHECK,
    TANGLE,
    crowds,
    mixed,
)

FENS = [CROWD, TANGLE, BLACK_CROWD, ANSWERS, IN_CHECK]
SOME_MOVES = examples(3000)


@pytest.mark.parametrize("fen", FENS)
def test_all_moves_of_a_position(fen: str) -> None:
    board = chess.Board(fen)
    for move in board.legal_moves:
        check_writing(move, board)


def test_moves_of_random_positions() -> None:
    seen = 0
    rng = Random(14)
    for board in mixed(rng):
        for move in rng.sample(moves := list(board.legal_moves), min(len(moves), 5)):
            check_writing(move, board)
            seen += 1
        if seen >= SOME_MOVES:
            return


@pytest.mark.parametrize(
    ("uci", "square", "piece"), [("e5d6", "d5", "p"), ("b5c6", "c6", "n"), ("b5c4", None, None)]
)
def test_what_is_captured(uci: str, square: str | None, piece: str | None) -> None:
    written = write(uci, TANGLE)
    assert written.captured == square
    captured = judge(written.san, chess.Board(TANGLE)).captured
    assert (captured and captured.symbol()) == piece


def test_a_pinned_piece_is_no_twin() -> None:
    written = write("g1e2", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
    assert written.san == "Ne2"
    assert written.twins == ()
    (idle,) = written.idle
    assert (idle.reason, idle.origin, idle.by) == (Illegality.PINNED, "c3", ("b4",))
    assert any("pinned to the king on e1 by the bishop on b4" in s for s in written.explanation)


@pytest.mark.parametrize(
    ("uci", "fen", "san", "words"),
    [
        ("b1d2", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2", "not on the b-file"),
        ("a1a3", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "shares the file"),
        ("e5d6", TANGLE, "exd6", "in passing"),
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


def test_the_json_of_a_writing_has_each_part() -> None:
    fen = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
    written = write("g1e2", fen)
    moved = {"uci": "g1e2", "fen": fen, "san": "Ne2", "twins": (), "captured": None}
    idle = {"idle": [written.idle[0]._asdict()], "explanation": written.explanation}
    assert writing_json(written) == {**moved, **idle, "checkers": (), "replies": 12}


@pytest.mark.parametrize(
    ("uci", "fen", "words"),
    [
        ("a7a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion-missing"),
        ("a7b8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "nothing to capture on b8"),
        ("a6a7q", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "promotion-before-last-rank"),
        ("a7a8q", "r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "rook on a8"),
        ("e1h1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling is the king's move"),
        ("e1g1", "4k3/8/8/8/8/8/8/4KBNR w K - 0 1", "knight on g1 stand between"),
        ("e1g1", "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "knight on g1 stands between"),
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


@given(st.integers(0, 2**32))
def test_the_explanation_names_what_makes_the_string(seed: int) -> None:
    """The destination alone decides whether a check is answered, and twins share it."""
    board = next(crowds(Random(seed)))
    for move in board.legal_moves:
        written = write(move.uci(), board.fen())
        said, san = " ".join(written.explanation), parse_san(written.san)
        assert (": #." in said, ": +." in said) == (san.suffix == "#", san.suffix == "+")
        assert (": x." in said) == bool(san.capture)
        assert ("A pawn that captures" in said) == bool(san.capture and not san.piece)
        kinds = ("", "file", "rank", "square")
        due = kinds[bool(san.file) + 2 * bool(san.rank)] if san.piece else ""
        assert [kind for kind in kinds[1:] if f"so the {kind} is written" in said] == [due] * (
            due != ""
        )
        assert {idle.reason for idle in written.idle} <= {Illegality.PINNED, Illegality.BLOCKED}
        after = board.copy()
        after.push(move)
        checkers = after.checkers()
        kind = "gives check"
        if checkers - {move.to_square}:
            kind = "gives discovered check" if len(checkers) == 1 else "give double check"
        assert (kind in said) == after.is_check()
        assert said.count(" check, and ") == after.is_check()


def test_what_else_could_be_meant_stands_below() -> None:
    board = chess.Board("4k3/8/8/8/1b6/2N5/4P3/R3K1N1 w - - 0 1")
    reading = judge("Ne2", board)
    lines = reading_text(reading).splitlines()
    assert [obstacle.origin for obstacle in reading.obstacles] == ["g1", "c3"]
    assert "own-piece" in lines[0]
    assert reading.obstacles[0].sentence in reading.sentence
    assert lines[3].startswith("  own-piece  The knight on c3")


@given(st.integers(0, 2**32))
def test_nothing_is_wider_than_80_columns(seed: int) -> None:
    rng = Random(seed)
    board = chess.Board(rng.choice([CROWD, TANGLE]))
    if rng.random() < 0.5:
        board = next(islice(mixed(rng), rng.randint(0, 30), None))
    texts = [writing_text(explain_move(move, board)) for move in board.legal_moves]
    read = [f"7. {board.san(move)} e.p.?! $14 (=)" for move in board.legal_moves][:3]
    read += ["Nd5", "e4", "Qh9", "Ra1b2"]
    texts += [reading_text(judge(text, board)) for text in read]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80
