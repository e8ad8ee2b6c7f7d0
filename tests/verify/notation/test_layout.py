from itertools import islice
from random import Random
from textwrap import dedent

import chess
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.notation.layout import explanation_text, reading_text, writing_text
from sanproof.verify.notation.reading import judge
from sanproof.verify.notation.writing import explain_move
from tests.verify.notation.positions import CROWD, TANGLE, mixed
from tests.verify.notation.spellings import misspelled


def test_an_explanation_reads_and_writes() -> None:
    board = chess.Board("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
    assert explanation_text("Nge2", board) == dedent(
        """\
        'Nge2' is understandable: it denotes g1e2, written Ne2.

          excess-file  The file of the origin is written and not needed.

        g1e2 is written Ne2.

          - A knight goes from g1 to e2: N.
          - The knight on c3 is pinned to the king on e1 by the bishop on b4. So it
            needs no discriminator.

          8  . . . . k . . .
          7  . . . . . . . .
          6  . . . . . . . .
          5  . . . . . . . .
          4  . b . . . . . .
          3  . . N . . . . .
          2  . . . . . . . .
          1  . . . . K . N .

             a b c d e f g h   White to move"""
    )
    assert explanation_text("Nd5", board) == reading_text(judge("Nd5", board), board)


def test_other_pieces_have_their_reasons_beside_the_closest() -> None:
    board = chess.Board("4k3/8/8/8/1b6/2N5/4P3/R3K1N1 w - - 0 1")
    lines = reading_text(judge("Ne2", board), board).splitlines()
    assert lines[0].startswith("'Ne2' is illegal (own-piece).")
    assert lines[3].startswith("  own-piece  The knight on c3")


@given(st.integers(0, 2**32))
def test_nothing_is_wider_than_80_columns(seed: int) -> None:
    rng = Random(seed)
    board = chess.Board(rng.choice([CROWD, TANGLE]))
    if rng.random() < 0.5:
        board = next(islice(mixed(rng), rng.randint(0, 30), None))
    texts = [writing_text(explain_move(move, board), board) for move in board.legal_moves]
    for move in islice(board.legal_moves, 3):
        texts += [reading_text(judge(text, board), board) for text, _ in misspelled(move, board)]
    texts += [reading_text(judge(text, board), board) for text in ("Nd5", "e4", "Qh9", "Ra1b2")]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80
