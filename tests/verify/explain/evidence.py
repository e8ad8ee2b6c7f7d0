"""The evidence that an answer has to hold."""

import chess

from sanproof.proofs.theory.reasons import Verdict
from sanproof.verify.explain.answers import Answer


def expect_evidence(answer: Answer) -> None:
    """Check that the game is legal and mates, and passes the witness at the string's ply."""
    assert answer.verdict is Verdict.REACHABLE
    assert answer.game is not None
    shown, board = answer.shown, chess.Board()
    for ply, san in enumerate(answer.game.sans, 1):
        if ply == answer.game.ply:
            assert san == answer.san
            assert board.fen() == shown.before_fen
            assert board.parse_san(san).uci() == shown.uci
            assert chess.COLOR_NAMES[board.turn] == answer.game.colour
        board.push_san(san)
        if ply == answer.game.ply:
            assert board.fen() == shown.after_fen
    assert board.is_checkmate()
    assert board.result() == answer.game.result
