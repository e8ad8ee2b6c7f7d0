"""The common part of differences: a description that covers them, and the rule it points to."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.archive.door import open_archive
from sanproof.verify.gate.compare import Gate, GateReport
from sanproof.verify.gate.lists import StringList
from sanproof.verify.gate.shares import shared
from tests.verify.gate.evidence import made_up

ARCHIVE = open_archive()
FULL = ARCHIVE.strings()
SHORT = ARCHIVE.strings(bare=True)
GATE = Gate(ARCHIVE, explain=made_up)
SUFFIXED = Gate(ARCHIVE, bare=False, explain=made_up)
ORDERED = Gate(ARCHIVE, ordered=True, explain=made_up)


def gated(strings: list[str], gate: Gate = GATE) -> GateReport:
    return gate.compare(StringList("list", "line", strings))


LACKS: dict[str, tuple[Callable[[San], object], str, str]] = {
    "ranks": (
        lambda san: san.piece and san.rank and not san.file,
        "the rank of origin is written",
        "when the rank is written (rank discriminators)",
    ),
    "files of knights": (
        lambda san: san.piece == "N" and san.file and not san.rank,
        "the file of origin is written; knight",
        "when the file is written (file discriminators), or at the moves of knights",
    ),
    "squares and ranks from the a-file": (
        lambda san: san.piece and san.rank and san.file in ("", "a"),
        "the rank of origin is written or the square of origin is written; from file a or none",
        "what the rank and square discriminators share: which twins are possible",
    ),
    "knights": (lambda san: san.piece == "N", "knight", "the moves of knights"),
    "kings": (lambda san: san.piece == "K", "king", "the moves of kings"),
    "castling": (lambda san: san.piece[:1] == "O", "castling", "castling"),
    "promotions": (
        lambda san: san.promotion == "N", "promotion to N", "promotions"),
    "captures": (lambda san: san.capture, "captures", "captures (x)"),
    "captures of pawns": (
        lambda san: not san.piece and san.capture,
        "the file of origin is written; pawn",
        "the captures of pawns",
    ),
    "pushes": (
        lambda san: not san.piece and not san.capture,
        "no origin is written; pawn",
        "the pushes of pawns",
    ),
    "mates": (lambda san: san.suffix == "#", "with #", "the rule for check and mate (+ and #)"),
    "a square": (
        lambda san: san.destination == "d4",
        "to file d; to rank 4",
        "the code that all pieces' moves share",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("gone", "description", "rule"), LACKS.values(), ids=LACKS)
def test_a_rule_that_is_left_out_is_named(
    gone: Callable[[San], object], description: str, rule: str
) -> None:
    report = gated([san for san in FULL if not gone(parse_san(san))], SUFFIXED)
    number = len(report.missing)
    assert report.shared == {"missing": (number, description, number, rule)}


def test_what_is_missing_and_what_is_too_many_are_told_apart() -> None:
    """A vocabulary without squares of origin, with move numbers' neighbours of its own."""
    squares = [san for san in FULL if (parts := parse_san(san)).piece and parts.file and parts.rank]
    report = gated([*(set(FULL) - set(squares)), "e1", "Kae1", "O-O=Q"], SUFFIXED)
    assert "square" in report.shared["missing"].rule
    assert report.shared["missing"].strings == len(squares)
    assert report.shared["too_many"].strings == 2


@given(st.lists(st.sampled_from(FULL), min_size=2, max_size=6, unique=True))
def test_the_description_covers_all_that_differs(gone: list[str]) -> None:
    """And it is of no more than the strings that have the same parts."""
    found = shared(list(map(parse_san, gone)), frozenset(FULL))
    assert found is not None
    assert found.strings == len(gone) <= found.fitting < len(FULL)
    if len({san[-1] for san in gone}) == 1 and gone[0][-1] == "#":
        assert re.search(r"with #|mate", found.description)


# Order


def test_another_order_is_said_and_with_ordered_it_is_a_difference() -> None:
    alphabetical = sorted(SHORT)
    report = gated(alphabetical)
    assert report.exact
    (note,) = report.notes
    assert note.startswith("Its order is another one: B1a2 stands where a2 belongs")
    assert "4 of 9,758 strings keep their place" in note
    report = gated(alphabetical, ORDERED)
    assert not report.exact
    assert report.notes == ()
    assert report.headline.endswith(": in another order.")
    assert report.order is not None
    assert report.order[:3] == (1, "B1a2", "a2")
