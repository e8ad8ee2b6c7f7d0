"""How check is given: counted from the positions of the witnesses."""

import pytest

from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow
from sanproof.reports.page.mechanisms import count_mechanisms, mechanism
from tests.reports.page.samples import AFTER, BEFORE

CHECKS = {
    ("castling", "the castled rook"): ("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("king", "discovered check"): ("Kd2+", "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2"),
    ("queen", "the moved piece"): ("Qxf7#", BEFORE, "h5f7"),
    ("knight", "double check"): ("Nf6+", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6"),
    ("pawn", "the promoted piece"): ("a8=Q+", "4k3/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
    ("pawn", "discovered check"): ("b8=N+", "8/RP5k/8/8/8/8/8/K7 w - - 0 1", "b7b8n"),
    ("pawn, en passant", "discovered check"): (
        "exd6+",
        "8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1",
        "e5d6",
    ),
}


@pytest.mark.parametrize("expected", CHECKS)
def test_who_gives_check(expected: tuple[str, str]) -> None:
    assert mechanism(WitnessRow(*CHECKS[expected], AFTER, None)) == expected


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        (BEFORE, "h5h8"),
        (BEFORE, "a4a5"),
        (BEFORE, "0000"),
        (BEFORE, "nonsense"),
        ("nonsense", "h5f7"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "h5f7"),
    ],
)
def test_a_witness_that_is_no_legal_move(fen: str, uci: str) -> None:
    with pytest.raises(ArchiveError, match=r"the witness of Qxf7# is not a"):
        mechanism(WitnessRow("Qxf7#", fen, uci, AFTER, None))


def test_the_rarest_come_first(published: Archive) -> None:
    counted = count_mechanisms(published.witnesses())
    sizes = [len(strings) for strings in counted.values()]
    assert sizes == sorted(sizes)
    assert sum(sizes) == sum(san[-1] in "+#" for san in published.strings())
