"""Every bare string of the universe, judged by the definition a second time."""

import chess
import pytest

from sanproof.verify.notation import reading, vocabulary
from sanproof.verify.notation.vocabulary import Deviation
from tests.verify.notation import oracle
from tests.verify.notation.oracle import bare_strings, differences, expectations
from tests.verify.notation.positions import CROWD, TANGLE


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("fen", [CROWD, TANGLE])
def test_every_bare_string_denotes_what_the_definition_says(
    fen: str, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each that denotes something, and of the others each fortieth."""
    board = chess.Board(fen)
    denoting = expectations(board)
    asked = [san for i, san in enumerate(bare_strings()) if san in denoting or not i % each]
    monkeypatch.setattr(oracle, "bare_strings", lambda: asked)
    wrong, verdicts = differences(board)
    assert not wrong, wrong[:5]
    assert verdicts.total() == len(asked) >= len(bare_strings()) // each
    assert len(bare_strings()) == 373_250
    bare = {san for move in board.legal_moves if (san := board.san(move))[-1] not in "+#"}
    assert verdicts["canonical"] == len(bare)
    assert verdicts["understandable"] > verdicts["canonical"]
    assert verdicts["illegal"] > 300_000 // each


def test_a_crowd_makes_strings_ambiguous() -> None:
    verdicts = {expected.verdict for expected in expectations(chess.Board(CROWD)).values()}
    assert verdicts == {"canonical", "understandable", "ambiguous"}


def test_planted_errors_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board(TANGLE)
    some = tuple(expectations(board))
    monkeypatch.setattr(oracle, "bare_strings", lambda: some)
    assert not differences(board)[0]
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_KING_CASTLES_TO", 0)  # castling is no move of the king
        assert differences(board)[0]
    with monkeypatch.context() as patch:
        patch.setitem(vocabulary.SUFFIX_DEVIATIONS, ("", "+"), Deviation.MISSING_MATE)
        assert differences(board)[0]
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_agreeing", lambda *_: list(board.pseudo_legal_moves))
        assert differences(board)[0]
