"""The gate: exact lists pass, every difference is named, and the rule that differences share."""

import lzma
import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.archive.door import open_archive
from sanproof.reports.tables.names import IMPOSSIBLE as IMPOSSIBLE_ROWS
from sanproof.verify.explain.answers import look_up
from sanproof.verify.gate.compare import ALL, BARE, GateReport, compare
from sanproof.verify.gate.lists import StringList
from tests.examples import examples

ARCHIVE = open_archive()
FULL = ARCHIVE.strings()
SHORT = ARCHIVE.strings(bare=True)
IMPOSSIBLE = ["Ba1b2+", "e1", "Kae1", "Nd4=Q"]
STRANGE = ["", "e9", "# all of them", "e4 ", "\x1b[31me4", "0-0", "e4\r", "\u202ee4", "[bold]e4"]


def gated(entries: list[str], bare: bool | None = None) -> GateReport:
    return compare(ARCHIVE, StringList("list", "line", entries), bare=bare)


def test_every_difference_is_named_with_its_place() -> None:
    entries = [*FULL[:-1], *IMPOSSIBLE, *STRANGE, FULL[0]]
    report = gated(entries)
    assert not report.exact
    assert report.missing == [look_up(ARCHIVE, FULL[-1])]
    assert [(x.san, x.place) for x in report.too_many] == [
        (san, entries.index(san) + 1) for san in IMPOSSIBLE
    ]
    table = lzma.decompress(ARCHIVE.content(IMPOSSIBLE_ROWS)).decode()
    assert all(f"\n{x.san},{x.reason}\n" in table for x in report.too_many)
    assert [x.place for x in report.not_san] == [entries.index(text) + 1 for text in STRANGE]
    assert [(x.text, x.place, x.first) for x in report.repeated] == [(FULL[0], len(entries), 1)]


def test_one_stray_suffix_does_not_make_a_bare_list_another() -> None:
    report = gated([*SHORT, "e4+"])
    assert report.kind == BARE
    assert [extra.san for extra in report.too_many] == ["e4+"]
    assert not report.missing


@settings(max_examples=examples(25), phases=[Phase.explicit, Phase.generate])
@given(
    st.sets(st.sampled_from(FULL), max_size=4),
    st.lists(st.sampled_from([*FULL, *IMPOSSIBLE, *STRANGE]), max_size=4),
    st.integers(0, 99),
    st.sampled_from([None, False]),
)
def test_exact_if_and_only_if_nothing_differs(
    removed: set[str], added: list[str], seed: int, bare: bool | None
) -> None:
    """The lists differ little as they are: to make the difference smaller would take minutes."""
    entries = [san for san in FULL if san not in removed] + added
    random.Random(seed).shuffle(entries)
    report = gated(entries, bare)
    assert report.kind == ALL
    assert report.exact == (sorted(entries) == sorted(FULL)) == ("exactly" in report.headline)
    assert {x.san for x in report.missing} == set(FULL) - set(entries)
    assert {x.san for x in report.too_many} == set(entries) & set(IMPOSSIBLE)
    assert len(report.not_san) == len(set(entries) & set(STRANGE))
    assert len(report.repeated) == len(entries) - len(set(entries))


def test_so_many_differences_are_described_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.gate.compare.MAX_DESCRIBED", 3)
    entries = [*SHORT, "e9", *IMPOSSIBLE, *["a2"] * 5]
    report = gated(entries, bare=True)
    assert [len(x) for x in (report.not_san, report.too_many, report.repeated)] == [1, 2, 3]
    assert report.more == len(entries) - len(SHORT) - 6
    assert "2 extra, 3 repeated, 1 not SAN, 4 more that differ." in report.headline
    assert gated(SHORT).more == 0


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
    "promotions": (lambda san: san.promotion == "N", "promotions"),
    "captures": (lambda san: san.capture, "captures (x)"),
    "captures of pawns": (lambda san: not san.piece and san.capture, "the captures of pawns"),
    "pawns": (lambda san: not san.piece, "the moves of pawns"),
    "pushes": (lambda san: not (san.piece or san.capture), "the pushes of pawns"),
    "mates": (lambda san: san.suffix == "#", "the rule for check and mate (+ and #)"),
    "a square": (lambda san: san.destination == "d4", ""),
}


parsed = cache(parse_san)


@pytest.mark.parametrize(("gone", "rule"), LACKS.values(), ids=LACKS)
def test_a_rule_that_is_left_out_is_named(gone: Callable[[San], object], rule: str) -> None:
    report = gated([san for san in FULL if not gone(parsed(san))], bare=False)
    assert report.rules == ({"missing": rule} if rule else {})


def test_what_is_missing_and_what_is_too_many_are_told_apart() -> None:
    """A vocabulary without squares of origin, with move numbers' neighbours of its own."""
    squares = {san for san in FULL if (parts := parsed(san)).piece and parts.file and parts.rank}
    report = gated([*(set(FULL) - squares), "Kae1", "Kb1b2"], bare=False)
    assert "square" in report.rules["missing"]
    assert report.rules["too_many"] == "the moves of kings"


def test_another_order_is_said_and_with_ordered_it_is_a_difference() -> None:
    alphabetical = sorted(SHORT)
    report = gated(alphabetical)
    assert report.exact
    (note,) = report.notes
    assert "B1a2 stands where a2 belongs" in note
    assert "4 of 9,758 strings keep their place" in note
    report = compare(ARCHIVE, StringList("list", "line", alphabetical), ordered=True)
    assert not report.exact
    assert report.notes == ()
    assert report.headline.endswith(": in another order.")
    assert report.order is not None
    assert report.order[:3] == (1, "B1a2", "a2")
