"""What is played, a position and a game have the mechanism that their id names."""

import chess
import pytest

from conformance.suite.build import POSITIONS
from conformance.suite.recognise_positions import NAMES, PLAYED, wrong_position
from conformance.suite.sources import position, sources

BOTH = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PASSED = "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1"


@pytest.mark.parametrize(
    ("name", "fen", "text"),
    [
        ("play.castling", BOTH, "O-O"),
        ("play.castling-right", BOTH, "Ke2"),
        ("play.rook-captured", BOTH, "Rxa8+"),
        ("play.rook-two-ranks", BOTH, "Ra3"),
        ("play.in-passing", PASSED, "exd6"),
        ("play.quiet", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Rh7"),
        ("play.capture", "4k2r/8/8/8/8/8/8/4K2R w - - 0 1", "Rxh8+"),
        ("moves.castling", BOTH, None),
        ("moves.en-passant", PASSED, None),
        ("game.plain", chess.STARTING_FEN, None),
        ("game.illegal-move", chess.STARTING_FEN, "Nf4"),
    ],
)
def test_each_is_recognised_as_no_other_of_its_operation(
    name: str, fen: str, text: str | None
) -> None:
    board = chess.Board(fen)
    operation = name.partition(".")[0]
    assert wrong_position(name, board, text) is None
    if operation == "play":
        others = [other for other in PLAYED if wrong_position(other, board, text) is None]
        assert set(others) <= {name, "play.castling-right"}, others


@pytest.mark.parametrize(
    ("name", "fen", "text"),
    [
        ("play.rook-captured", "r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Rxa8+"),
        ("play.double-push", chess.STARTING_FEN, "e4"),
        ("play.double-push-idle", chess.STARTING_FEN, "e3"),
        ("play.quiet", chess.STARTING_FEN, "e4"),
        ("play.quiet", chess.STARTING_FEN, "Nf6"),
        ("moves.promotion", chess.STARTING_FEN, None),
        ("moves.initial", chess.STARTING_FEN, "e4"),
        ("game.plain", chess.STARTING_FEN, "e4"),
        ("game.ambiguous-move", chess.STARTING_FEN, "Nf3"),
    ],
)
def test_what_lacks_it_is_refused(name: str, fen: str, text: str | None) -> None:
    assert wrong_position(name, chess.Board(fen), text) is not None


def test_every_mechanism_of_these_operations_is_known_and_explained() -> None:
    asked = {s.mechanism for s in sources() if s.mechanism.startswith(("play", "moves", "game"))}
    assert asked == NAMES
    assert set(PLAYED) <= set(POSITIONS)


def test_all_sources_have_what_their_name_says() -> None:
    for source in sources():
        if source.mechanism in NAMES and source.level:
            assert wrong_position(source.mechanism, position(source), source.text) is None
