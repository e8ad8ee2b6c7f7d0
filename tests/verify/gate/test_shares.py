"""The rule that differences point to, and the order of a list."""

from collections.abc import Callable

import pytest

from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.archive.door import open_archive
from sanproof.verify.gate.compare import Gate, GateReport
from sanproof.verify.gate.lists import StringList
from tests.verify.gate.evidence import made_up

ARCHIVE = open_archive()
FULL = ARCHIVE.strings()
SHORT = ARCHIVE.strings(bare=True)
GATE = Gate(ARCHIVE)
SUFFIXED = Gate(ARCHIVE, bare=False)
ORDERED = Gate(ARCHIVE, ordered=True)


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.gate.compare.look_up_all", made_up)


def gated(strings: list[str], gate: Gate = GATE) -> GateReport:
    return gate.compare(StringList("list", "line", strings))


LACKS: dict[str, tuple[Callable[[San], object], str]] = {
    "ranks": (
        lambda san: san.piece and san.rank and not san.file,
        "when the rank is written (rank discriminators)",
    ),
    "files of knights": (
        lambda san: san.piece == "N" and san.file and not san.rank,
        "when the file is written (file discriminators), or at the moves of knights",
    ),
    "squares and ranks from the a-file": (
        lambda san: san.piece and san.rank and san.file in ("", "a"),
        "what the rank and square discriminators share: which twins are possible",
    ),
    "knights": (lambda san: san.piece == "N", "the moves of knights"),
    "kings": (lambda san: san.piece == "K", "the moves of kings"),
    "castling": (lambda san: san.piece[:1] == "O", "castling"),
    "promotions": (
        lambda san: san.promotion == "N", "promotions"),
    "captures": (lambda san: san.capture, "captures (x)"),
    "captures of pawns": (
        lambda san: not san.piece and san.capture,
        "the captures of pawns",
    ),
    "pushes": (
        lambda san: not san.piece and not san.capture,
        "the pushes of pawns",
    ),
    "mates": (lambda san: san.suffix == "#", "the rule for check and mate (+ and #)"),
    "a square": (
        lambda san: san.destination == "d4",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("gone", "rule"), LACKS.values(), ids=LACKS)
def test_a_rule_that_is_left_out_is_named(gone: Callable[[San], object], rule: str) -> None:
    report = gated([san for san in FULL if not gone(parse_san(san))], SUFFIXED)
    assert report.rules == ({"missing": rule} if rule else {})


def test_what_is_missing_and_what_is_too_many_are_told_apart() -> None:
    """A vocabulary without squares of origin, with move numbers' neighbours of its own."""
    squares = [san for san in FULL if (parts := parse_san(san)).piece and parts.file and parts.rank]
    report = gated([*(set(FULL) - set(squares)), "Kae1", "Kb1b2"], SUFFIXED)
    assert "square" in report.rules["missing"]
    assert report.rules["too_many"] == "the moves of kings"


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
