"""Verdicts: a string that no proof excludes is undecided until a game shows it."""

import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube, exchanged_cube
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import Findings, Verdict

ROOK = Cube("R", "", "a1")


def shown(san: str) -> Witness:
    return Witness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a2a1", "")


def closed(*, white: list[str], black: list[str]) -> Findings:
    """Return closing proofs that leave open the plain move, which is shown, and these besides."""
    findings = Findings(left_open={ROOK: ["Ra1", *white], exchanged_cube(ROOK): ["Ra8", *black]})
    findings.add_witnesses(map(shown, ("Ra1", "Ra8")))
    return findings


def verdict(findings: Findings, san: str) -> Verdict:
    string = parse_san(san)
    return findings.ruling(string).verdict(string.suffix)


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


def test_a_string_that_both_proofs_exclude_is_impossible() -> None:
    findings = closed(white=[], black=[])
    for san in ("Rba1", "Ra1+", "Ra1=K#"):
        assert verdict(findings, san) is Verdict.IMPOSSIBLE
    assert verdict(findings, "Rab1") is Verdict.UNDECIDED  # of another cube


def test_a_string_that_white_may_play_is_undecided_until_it_is_shown() -> None:
    findings = closed(white=["Rba1"], black=[])
    assert verdict(findings, "Rba1") is Verdict.UNDECIDED
    findings.add_witnesses([shown("Rba1")])
    assert verdict(findings, "Rba1") is Verdict.REACHABLE
    assert verdict(findings, "Rba1+") is Verdict.IMPOSSIBLE


def test_a_string_that_black_may_play_is_undecided() -> None:
    """Black's proof is White's with the ranks counted from the other side."""
    findings = closed(white=["R3a1"], black=["R7a8"])
    expected = {"R2a1": True, "R3a1": True, "R6a8": True, "R7a8": True}
    expected |= {"R7a1": False, "R6a1": False, "R3a8": False, "R2a8": False}
    for san, possible in expected.items():
        assert verdict(findings, san) is (Verdict.UNDECIDED if possible else Verdict.IMPOSSIBLE)


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
