"""A case has the mechanism that its id names, and none that the name excludes."""

from collections.abc import Iterator
from functools import cache

import chess
import pytest

from conformance.suite.mechanisms import MECHANISMS, MoveMechanism
from conformance.suite.recognise import FURTHER, wrong_with
from conformance.suite.recognise_texts import TEXTS
from conformance.suite.sources import position, sources

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
