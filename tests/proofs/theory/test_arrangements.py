"""The reasons of impossible strings, in arrangements and pictures; compared with python-chess."""

import lzma
from collections.abc import Mapping

import chess
import pytest

from sanproof.proofs.kernel.certificates import read_certificate, split_certificates
from sanproof.proofs.rules.cubes import all_cubes
from sanproof.proofs.rules.san import San, list_order, parse_san
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.arrangements import between, strings_of
from sanproof.proofs.theory.pictures import (
    BEFORE,
    BOTH,
    COMES,
    LEFT,
    NAMED,
    SHUT,
    TWIN,
    drawn,
    origins,
    picture,
)
from sanproof.reports.archive.door import open_archive
from tests.verify.command import ROOT


def test_the_theory_has_exactly_what_the_certificates_leave_open() -> None:
    text = lzma.decompress((ROOT / "data" / "certificates.txt.xz").read_bytes()).decode()
    paragraphs = list(split_certificates(text))
    assert len(paragraphs) == len(all_cubes())
    for cube, _, strings, _ in map(read_certificate, paragraphs[::5]):
        assert sorted(map(str, strings_of(cube)), key=list_order) == strings


def test_squares_in_between() -> None:
    for start in chess.SQUARES:
        for end in chess.SQUARES:
            assert between(start, end) == set(chess.SquareSet.between(start, end))


def squares(marks: Mapping[int, str], mark: str) -> set[str]:
    return {square_name(square) for square, kind in marks.items() if kind == mark}


def test_the_flagship() -> None:
    san = parse_san("Ba1b2+")
    found = picture(san, playable=True)
    marks = {TWIN: "a3 c1", LEFT: "a1", BEFORE: "c3 d4 e5 f6 g7 h8", SHUT: ""}
    assert {mark: " ".join(sorted(squares(found, mark))) for mark in marks} == marks
    assert list(drawn(san, found))[5:9:3] == ["  3  t . - . . . . .", "     a b c d e f g h"]
    assert not picture(parse_san("O-O"), playable=True)


@pytest.mark.parametrize("capture", [False, True])
def test_a_pawn_of_either_player_comes_from_where_python_chess_says(capture: bool) -> None:
    """Of every square but those of the first and last rank, to every other."""
    for destination in chess.SQUARES:
        found = set()
        for origin in chess.SquareSet(~(chess.BB_RANK_1 | chess.BB_RANK_8)):
            for turn in (chess.WHITE, chess.BLACK):
                board = chess.Board(None)
                board.turn = turn
                board.set_piece_at(origin, chess.Piece(chess.PAWN, turn))
                if capture and destination != origin:
                    board.set_piece_at(destination, chess.Piece(chess.KNIGHT, not turn))
                if any(move.to_square == destination for move in board.pseudo_legal_moves):
                    found.add(chess.square_name(origin))
        name = chess.square_name(destination)
        promoted = "=Q" if name[1] in "18" else ""
        file = "a" if capture else ""  # a file must be written; from where is asked of all
        san = San("", file, "", "x" if capture else "", name, promoted[1:], "")
        assert set(map(square_name, origins(san))) == found, san


def never() -> list[str]:
    """Return the bare strings that can be played and never give check."""
    strings = set(open_archive().strings())
    return sorted(s for s in strings if s[-1] not in "+#" and f"{s}+" not in strings)


def test_every_square_that_is_attacked_is_accounted_for() -> None:
    """Of each of the 168 as python-chess sees attacks, before the move and with the twins after."""
    found = never()
    assert len(found) > 100
    for san in found:
        told = picture(parse_san(f"{san}+"), playable=True)
        piece, twins = chess.Piece.from_symbol(san[0]), squares(told, TWIN)
        before, after = chess.Board(None), chess.Board(None)
        for board, others in ((before, squares(told, LEFT)), (after, {san[-2:]})):
            for name in twins | others:
                board.set_piece_at(chess.parse_square(name), piece)
        assert set(after.attacks(chess.parse_square(san[-2:]))) <= set(told), san
        for name in squares(told, BEFORE):
            assert before.attackers(chess.WHITE, chess.parse_square(name)), (san, name)


@pytest.mark.parametrize(
    ("san", "comes", "names", "both"),
    [
        ("Ra1b3", {"b1", "b8", "a3", "h3"}, {"a1"}, set()),
        ("cxe5", {"d4", "f4"}, {"c1", "c8"}, set()),
        ("e2e4", {"e3"}, set(), {"e2"}),
        ("Nh1g3", {"e2", "f1", "f5"}, set(), {"h1"}),
        ("Ke1e2", {"d1", "f3"}, set(), {"e1"}),
    ],
)
def test_lines_that_do_not_meet(san: str, comes: set[str], names: set[str], both: set[str]) -> None:
    found = picture(parse_san(san), playable=False)
    assert comes <= squares(found, COMES)
    assert names <= squares(found, NAMED)
    assert squares(found, BOTH) == both
    if both:
        assert squares(found, NAMED) == set()
