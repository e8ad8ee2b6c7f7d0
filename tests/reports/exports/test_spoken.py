"""How strings are said."""

import pytest

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.verdicts.malformed import MalformedSan
from sanproof.reports.exports.spoken import spoken

SAID = {
    "Qb6xe3": "queen b six takes e three",
    "Nbd2": "knight b d two",
    "R5e2+": "rook five e two check",
    "e4": "e four",
    "exd8=N#": "e takes d eight equals knight checkmate",
    "O-O": "castles kingside",
    "O-O-O+": "castles queenside check",
}


@pytest.mark.parametrize(("san", "words"), SAID.items())
def test_strings_are_said_so(san: str, words: str) -> None:
    assert spoken(san) == words


def test_no_two_strings_are_said_alike() -> None:
    strings = suffixed_strings()
    assert len({spoken(san) for san in strings}) == len(strings)


def test_what_is_no_string_is_not_said() -> None:
    with pytest.raises(MalformedSan):
        spoken("e9")
