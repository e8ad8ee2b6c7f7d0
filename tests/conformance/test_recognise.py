"""A case has the mechanism that its id names, and none that the name excludes."""

from collections.abc import Iterator
from functools import cache

import chess
import pytest

from conformance.suite import build
from conformance.suite.build import POSITIONS
from conformance.suite.mechanisms import MECHANISMS, MoveMechanism
from conformance.suite.recognise import FURTHER, wrong_with
from conformance.suite.recognise_positions import NAMES, PLAYED, wrong_position
from conformance.suite.recognise_texts import TEXTS
from conformance.suite.sources import position, read_sources, sources
from sanproof.reports.tables.rows import RowError
from sanproof.verify.conformance.suite import Demand, Operation

EXCLUSIVE = (
    {"castling.kingside", "castling.queenside"},
    {name for name in TEXTS if not name.startswith("text.")} | {"wrong.cannot-reach"},
    {"text.excess-file", "text.excess-for-pinned-twin"},
    {"text.double-plus-for-mate", "text.double-plus-for-double-check"},
    {"en-passant.diagonal-pin", "en-passant.file-pin"},
    {f"promotion.{how}-{what}" for how in ("push", "capture") for what in ("queen", "rook")},
    {f"mate.by-{kind}" for kind in ("queen", "rook", "bishop", "knight", "pawn", "king")},
    {"disambiguation.none", "disambiguation.file", "disambiguation.rank", "disambiguation.square"},
)
"""Names of which a case has one; ``wrong.cannot-reach`` is what the more special ones leave."""
LEFT = {"wrong.cannot-reach"}


@cache
def cases_of(name: str) -> list[tuple[chess.Board, str]]:
    found = [s for s in sources() if s.mechanism == name and s.level and s.text is not None]
    return [(position(source), source.text or "") for source in found]


def confused() -> Iterator[tuple[str, str, str]]:
    """The cases that would also pass under another name of a group."""
    for group in EXCLUSIVE:
        for name in group:
            for board, text in cases_of(name)[:6]:
                for other in group - {name} - LEFT:
                    if wrong_with(other, board, text) is None:
                        yield name, other, text


def test_no_case_fits_a_name_that_its_own_excludes() -> None:
    assert list(confused()) == []


@pytest.mark.parametrize(
    ("name", "fen", "text"),
    [
        ("castling.queenside", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O"),
        ("castling.kingside", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O"),
        ("text.excess-file", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nge2"),
        ("text.excess-for-pinned-twin", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Nge2"),
        ("wrong.no-move", chess.STARTING_FEN, "Nf9"),
        ("wrong.no-square", chess.STARTING_FEN, "xyNf3"),
        ("wrong.empty", chess.STARTING_FEN, "Nf9"),
        ("wrong.king-takes-rook", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg3"),
        ("wrong.bishop-for-pawn", "4k3/8/8/8/8/p7/8/1B2K3 w - - 0 1", "bxa3"),
    ],
)
def test_a_case_under_a_wrong_name_is_refused(name: str, fen: str, text: str) -> None:
    assert wrong_with(name, chess.Board(fen), text) is not None


def test_castling_is_told_apart_by_its_side() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert wrong_with("castling.queenside", board, "O-O-O") is None
    assert wrong_with("castling.kingside", board, "O-O") is None


def test_what_is_asked_further_is_of_mechanisms() -> None:
    assert set(FURTHER) <= {n for n, m in MECHANISMS.items() if isinstance(m, MoveMechanism)} | {
        "en-passant.diagonal-pin",
        "en-passant.file-pin",
    }
    assert set(TEXTS) <= set(MECHANISMS) - {
        n for n, m in MECHANISMS.items() if isinstance(m, MoveMechanism)
    }


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


RIGHT = 'core | disambiguation.file | "Nbd7" | g1f3 g8f6 d2d4 d7d6 e2e3'


def built(line: str) -> list[tuple[Operation, Demand, object]]:
    (source,) = read_sources([line])
    cases = build.cases_of(source, position(source), "black", 1)
    return [(case.operation, case.demand, case.expected) for case in cases]


def test_a_source_is_read_and_written() -> None:
    assert built(RIGHT) == [
        (Operation.READ, Demand.MUST, "b8d7"),
        (Operation.WRITE, Demand.MUST, "Nbd7"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("core", "most"),
        (" | ", " "),
        ('"Nbd7"', "Nbd7"),
        ("e2e3", "e2e5"),
        ("disambiguation.file", "disambiguation.rank"),
        ("disambiguation.file", "disambiguation.pinned-twin"),
        ("disambiguation.file", "check.direct"),
        ("disambiguation.file", "wrong.pinned"),
        ("disambiguation.file", "text.missing-x"),
        ("disambiguation.file", "no-such"),
        ("Nbd7", "Nd7"),
        ("Nbd7", "Nb8d7"),
    ],
)
def test_a_wrong_source_is_an_error(old: str, new: str) -> None:
    assert old in RIGHT
    with pytest.raises(RowError):
        built(RIGHT.replace(old, new))


def test_every_mechanism_has_a_source() -> None:
    assert set(MECHANISMS) <= {source.mechanism for source in sources()}


def test_no_position_stands_twice_in_a_mechanism() -> None:
    seen = [(source.mechanism, source.text, source.moves) for source in sources()]
    assert len(set(seen)) == len(seen)
