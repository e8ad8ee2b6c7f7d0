"""Every impossible string has a reason that is true; what no proof excludes is undecided."""

from random import Random

import chess
import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube, all_cubes, exchanged_cube
from sanproof.proofs.rules.san import SUFFIXES, San, parse_san
from sanproof.proofs.theory.arrangements import attempts
from sanproof.proofs.theory.reasons import RULES, Findings, Reason, Verdict, reason, sentence
from tests.reports.samples import CLAIMED
from tests.strings import strings_of

PIECES = "NBRQK"
CORNERS_AND_OTHERS = ("a1", "b2", "c1", "d4", "h6")
CUBES = [
    *(Cube("", capture, square) for capture in ("", "x") for square in ("a8", "e1", "d4", "h5")),
    *(Cube(piece, "", square) for piece in PIECES for square in CORNERS_AND_OTHERS),
    *(Cube(piece, "x", "g8") for piece in PIECES),
]


def impossible(cube: Cube) -> list[tuple[San, Reason]]:
    """Return the cube's strings that are not claimed, each with its reason."""
    return [
        (san, reason(san.bare, playable=str(san.bare) in CLAIMED))
        for san in strings_of(cube)
        if str(san) not in CLAIMED
    ]


def test_every_impossible_string_has_a_reason_and_a_sentence_about_it() -> None:
    used = set()
    for cube in CUBES:
        for san, why in impossible(cube)[::5]:
            used.add(why)
            text = sentence(san, why)
            assert "{" not in text
            assert str(san if why is not Reason.NO_CHECK else san.bare) in text
            assert san.destination in text
    assert used == set(Reason) == set(RULES)


@pytest.mark.parametrize("cube", [cube for cube in CUBES if cube.piece], ids=str)
def test_what_is_said_of_origins_and_twins_is_true(cube: Cube) -> None:
    """As python-chess sees attacks, and the search over arrangements, which overlooks nothing."""
    target = chess.parse_square(cube.destination)
    board = chess.BaseBoard.empty()
    board.set_piece_at(target, chess.Piece.from_symbol(cube.piece))
    names = [chess.square_name(square) for square in board.attacks(target)]
    for san, why in impossible(cube):
        if why in {Reason.NO_ORIGIN, Reason.NO_TWINS, Reason.NO_CHECK}:
            named = [n for n in names if san.file in ("", n[0]) and san.rank in ("", n[1])]
            assert bool(named) == (why is not Reason.NO_ORIGIN)
            if cube.piece != "K":
                fits = any(attempt.fits for attempt in attempts(san.bare))
                assert fits == (why is Reason.NO_CHECK)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_said_of_pawns_is_true(seed: int) -> None:
    """Against every pawn move on an empty board, or with something to capture."""
    moves = set()
    for origin in chess.SQUARES[8:56]:
        for target in {origin - 9, origin - 7, origin, origin + 7, origin + 9} & {*chess.SQUARES}:
            board = chess.Board(None)
            board.turn = chess.WHITE if seed != 1 else chess.BLACK
            board.set_piece_at(target, chess.Piece(chess.KNIGHT, not board.turn))
            board.set_piece_at(origin, chess.Piece(chess.PAWN, board.turn))
            moves |= {board.san(move) for move in board.legal_moves}
    cubes = Random(seed).sample([cube for cube in all_cubes() if cube.piece == ""], 8)
    for cube in cubes:
        for san, why in impossible(cube):
            assert str(san.bare) not in moves, why


# Verdicts


ROOK = Cube("R", "", "a1")


def shown(san: str) -> Witness:
    return Witness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a2a1", "")


def closed(*, white: list[str], black: list[str]) -> Findings:
    """Return closing proofs that leave open the plain move, which is shown, and these besides."""
    findings = Findings(left_open={ROOK: ["Ra1", *white], exchanged_cube(ROOK): ["Ra8", *black]})
    findings.add_witnesses(map(shown, ("Ra1", "Ra8")))
    return findings


def verdict(findings: Findings, san: str) -> Verdict:
    return findings.verdict(parse_san(san))[0]


@pytest.mark.parametrize("san", ["Ra1+", "Ra1#", "Raa1", "Rba1+", "Ra1=K"])
@pytest.mark.parametrize("left_open", [[], ["Rca1", "Rca8"]])
@pytest.mark.parametrize("closed_cubes", [[], [ROOK], [exchanged_cube(ROOK)]])
def test_without_both_closing_proofs_nothing_is_impossible(
    san: str, closed_cubes: list[Cube], left_open: list[str]
) -> None:
    findings = Findings(left_open=dict.fromkeys(closed_cubes, left_open))
    findings.add_witnesses([shown("Ra1")])
    assert verdict(findings, san) is Verdict.UNDECIDED
    assert verdict(findings, "Ra1") is Verdict.REACHABLE


POSSIBLE = {
    **dict.fromkeys(["Ra1", "Ra8"], Verdict.REACHABLE),
    **dict.fromkeys(["Rba1", "R3a1", "R7a8", "Rab1"], Verdict.UNDECIDED),  # Rab1: of another cube
    **dict.fromkeys(["R2a1", "R6a8", "Rba8"], Verdict.UNDECIDED),  # the other player's
    **dict.fromkeys(["Ra1+", "Ra1=K#", "Rba1+", "R7a1", "R6a1", "R3a8"], Verdict.IMPOSSIBLE),
}


def test_a_string_is_impossible_if_both_proofs_exclude_it_and_reachable_if_shown() -> None:
    """Black's proof is White's with the ranks counted from the other side."""
    findings = closed(white=["R3a1", "Rba1"], black=["R7a8"])
    assert {san: verdict(findings, san) for san in POSSIBLE} == POSSIBLE
    for bare, verdicts, why in findings.rulings([ROOK, exchanged_cube(ROOK)]):
        told = [findings.verdict(bare._replace(suffix=suffix)) for suffix in SUFFIXES]
        assert [one for one, _ in told] == [*verdicts]
        assert {because for _, because in told} - {None} == {why} - {None}
    findings.add_witnesses([shown("Rba1")])
    assert verdict(findings, "Rba1") is Verdict.REACHABLE


def test_what_is_open_to_each_player() -> None:
    findings = closed(white=["R3a1"], black=["Rba8"])
    assert findings.open_to(WHITE) == {"Ra1", "R3a1", "Ra8", "Rba8"}
    assert findings.open_to(BLACK) == {"Ra8", "R6a8", "Ra1", "Rba1"}


@pytest.mark.parametrize("turns", ["wb", "bw", "bwb", "wbw", "b", "w"])
def test_white_s_first_witness_is_published_or_else_black_s(turns: str) -> None:
    given = [
        Witness("Ra1", f"8/8/8/8/8/8/8/8 {turn} - - 0 {number}", "a2a1", "")
        for number, turn in enumerate(turns, 1)
    ]
    findings = Findings()
    findings.add_witnesses(given)
    assert findings.witnesses == {"Ra1": given[max(turns.find("w"), 0)]}
