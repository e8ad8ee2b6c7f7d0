"""Readings: legacy forms, misspellings, and every bare string against the definition.

The tables of docs/notation.md are cases.
"""

import csv
import re
from itertools import islice, product
from pathlib import Path

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.rules.san import universe
from sanproof.verify.notation.position import FenError, board_of
from sanproof.verify.notation.reading import ReadingVerdict, judge, read, reading_json
from sanproof.verify.notation.vocabulary import Deviation, Illegality
from sanproof.verify.notation.writing import IllegalMove, write
from tests.verify.notation.oracle import differences, expectations
from tests.verify.notation.positions import BLACK_CROWD, CROWD, LIKELY, TANGLE, legacy_texts

TABLES = Path(__file__).parents[3] / "docs" / "tables"
START = chess.STARTING_FEN
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
DOUBLE = "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the page."""
    return list(csv.DictReader((TABLES / name).read_text(encoding="utf-8").splitlines()))


DEVIATIONS = rows_of("deviations.csv")
REASONS = rows_of("illegal.csv")


@pytest.mark.parametrize(("rows", "names"), [(DEVIATIONS, Deviation), (REASONS, Illegality)])
def test_the_vocabulary_is_the_one_of_the_table(
    rows: list[dict[str, str]], names: type[Deviation | Illegality]
) -> None:
    assert [(row["name"], row["meaning"]) for row in rows] == [(n.value, n.sentence) for n in names]


@pytest.mark.parametrize("row", DEVIATIONS, ids=lambda row: row["name"])
def test_examples_of_deviations(row: dict[str, str]) -> None:
    reading = read(row["example"], row["position"])
    assert reading.canonical == row["written"]
    assert Deviation(row["name"]) in reading.deviations


@pytest.mark.parametrize("row", REASONS, ids=lambda row: row["name"])
def test_examples_of_reasons(row: dict[str, str]) -> None:
    name, text, fen = row["name"], row["example"], row["position"]
    if name == Illegality.PROMOTION_MISSING.value:  # a missing piece is ambiguous in SAN
        with pytest.raises(IllegalMove, match=name):
            write(text, fen)
    else:
        assert read(text, fen).reason is Illegality(name)


FIDE_GAMES = [
    """1.e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4 d5 6. exd6 e.p. Nxd6 7. Bg5 Nc6
    8. Qe3+ Be7 9. Nbd2 0-0 10. 0-0-0 Re8 11. Kb1 (=)""",
    """1. e4 e5 2. Nf3 Nf6 3. d4 ed4 4. e5 Ne4 5. Qd4 d5 6. ed6 Nd6 7. Bg5 Nc6
    8. Qe3 Be7 9 Nbd2 0-0 10. 0-0-0 Re8 11. Kb1 (=)""",
]
"""The examples at the end of FIDE's Appendix C: one game in two forms."""


def test_fides_own_examples_are_understood() -> None:
    games = []
    for game in FIDE_GAMES:
        board = chess.Board()
        for text in re.findall(r"(?:[0-9]+[. ] ?)?[a-hKQRBN0]\S+(?: e\.p\.| \(=\))?", game):
            board.push_uci(f"{judge(text, board).uci}")
        games.append(board.move_stack)
    assert len(games[0]) == 21
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("text", "fen", "sans"),
    [
        ("Nd2", TWO_KNIGHTS, ["Nbd2", "Nfd2"]),
        ("a8", PROMOTION, ["a8=B", "a8=N", "a8=Q+", "a8=R+"]),
        ("exd", "4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1", ["exd5", "exd6"]),
        ("xd5", "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", ["cxd5", "exd5"]),
        ("a7a8", PROMOTION, ["a8=B", "a8=N", "a8=Q+", "a8=R+"]),
    ],
)
def test_ambiguous_texts(text: str, fen: str, sans: list[str]) -> None:
    reading = read(text, fen)
    assert reading.verdict is ReadingVerdict.AMBIGUOUS
    assert [candidate.san for candidate in reading.candidates] == sans
    assert reading.uci is reading.canonical is None


PARTS = {
    ReadingVerdict.CANONICAL: {"uci", "canonical"},
    ReadingVerdict.UNDERSTANDABLE: {"uci", "canonical", "deviations"},
    ReadingVerdict.AMBIGUOUS: {"candidates"},
    ReadingVerdict.ILLEGAL: {"reason", "obstacles"},
    ReadingVerdict.NOT_SAN: {"offset", "expected"},
}
ALWAYS = {"text", "board", "verdict", "sentence"}


@given(
    st.one_of(st.text(), LIKELY, legacy_texts()),
    st.sampled_from([START, CROWD, TANGLE, BLACK_CROWD, EN_PASSANT, PROMOTION, DOUBLE]),
)
def test_any_text_gives_a_reading(text: str, fen: str) -> None:
    board = chess.Board(fen)
    reading, legal = judge(text, board), {m.uci(): board.san(m) for m in board.legal_moves}
    there = {name for name, part in reading._asdict().items() if part not in (None, ())}
    assert there - ALWAYS == PARTS[reading.verdict], reading
    denoted = [(reading.uci, reading.canonical)] if reading.uci else reading.candidates
    assert all(legal[uci] == san for uci, san in denoted)
    assert len(reading.candidates) != 1
    assert reading.reason == (reading.obstacles[0].reason if reading.obstacles else None)
    assert reading.sentence.endswith(".")
    assert reading.sentence.isprintable()
    assert board == chess.Board(fen)
    assert (reading.verdict is ReadingVerdict.CANONICAL) == (text in legal.values())
    assert reading_json(reading)["verdict"] == reading.verdict.value


BEFORE = [("", ""), ("12.", "move-number"), ("7... ", "move-number"), (" ", "white-space")]
SUFFIX = [("", ""), (" e.p.", "false-en-passant-mark"), (" ep", "false-en-passant-mark")]
AFTER = [("", ""), ("!?", "annotation"), (" $14", "numeric-annotation"), (" (=)", "draw-offer")]


@pytest.mark.parametrize("row", DEVIATIONS, ids=lambda row: row["name"])
def test_deviations_add_up(row: dict[str, str]) -> None:
    """What stands around a text deviates besides; its suffix stands before the mark."""
    text, alone = row["example"], read(row["example"], row["position"])
    assert alone.move is not None
    is_plain = not any(name in row["name"] for name in ("number", "white", "anno", "offer", "mark"))
    marks = SUFFIX if is_plain and not alone.board.is_en_passant(alone.move) else SUFFIX[:1]
    for (before, first), (mark, second), (after, third) in product(BEFORE, marks, AFTER):
        if not is_plain and (before or after):
            continue
        found = {d.value for d in read(before + text + mark + after, row["position"]).deviations}
        assert found == {d.value for d in alone.deviations} | ({first, second, third} - {""})


@pytest.mark.parametrize(
    ("text", "fen", "names"),
    [
        ("Nf6++", DOUBLE, ["double-plus"]),
        ("Qc6++", "4k3/8/8/8/8/8/2Q5/4K3 w - - 0 1", ["double-plus", "check-written-as-mate"]),
        ("Ra8++", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", ["double-plus"]),
        ("Nf3++", START, ["double-plus", "superfluous-mate"]),
        ("a8=\u265b+", PROMOTION, ["figurine"]),
        ("a8=q+", PROMOTION, ["lower-case-piece"]),
        ("\u265fa8/Q+", PROMOTION, ["figurine", "pawn-letter", "promotion-after-slash"]),
    ],
)
def test_what_a_part_means_depends_on_others(text: str, fen: str, names: list[str]) -> None:
    assert [deviation.value for deviation in read(text, fen).deviations] == names


@pytest.mark.parametrize("fen", [CROWD, TANGLE])
def test_every_bare_string_denotes_what_the_definition_says(fen: str) -> None:
    """Each that denotes something, and of the others a part."""
    board = chess.Board(fen)
    denoting = expectations(board)
    others = [str(san) for san in islice(universe(), 0, None, 149) if not san.suffix]
    assert len(others) > 1000
    assert not differences(board, [*denoting, *others])


# Positions as they are given

FAULTS = (
    *("White has no king", "Black has no king", "more than two kings", "more than eight pawns"),
    *("a pawn stands on the first", "more than sixteen pieces", "a castling right is given"),
    *("en passant square", "not to move is in check", "the board is empty", "variant"),
    *("more than two pieces give check", "no move can have given the check"),
)


@pytest.mark.parametrize(
    ("fen", "faults"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", {FAULTS[0], FAULTS[1], FAULTS[9]}),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", {FAULTS[1]}),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", {FAULTS[2]}),
        ("4k3/8/8/P7/PPPPPPPP/8/8/4K3 w - - 0 1", {FAULTS[3]}),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", {FAULTS[4]}),
        ("8/k7/8/8/Q7/QQQQQQQQ/QQQQQQQQ/4K3 b - - 0 1", {FAULTS[5]}),
        ("4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1", {FAULTS[6], FAULTS[7]}),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", {FAULTS[8]}),
        ("4k3/8/8/8/4r3/2n5/1r2K3/8 w - - 0 1", {FAULTS[11], FAULTS[12]}),
    ],
)
def test_a_position_is_refused_for_its_faults_and_no_others(fen: str, faults: set[str]) -> None:
    with pytest.raises(FenError) as caught:
        read("e4", fen)
    assert {fault for fault in FAULTS if fault in str(caught.value)} == faults


@pytest.mark.parametrize(
    ("fen", "mended"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", " 4k3/8/8/8/8/8/8/4K2R w K - 0 1 would do."),
        ("r3k3/8/8/8/8/8/8/4K3 b KQkq - 0 1", " r3k3/8/8/8/8/8/8/4K3 b q - 0 1 would do."),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", " 4k3/8/8/8/8/8/8/4K3 w - - 0 1 would do."),
        ("4k3/8/8/8/8/8/4R3/4K3 w k - 0 1", " to move is in check."),
    ],
)
def test_false_rights_are_told_with_the_fen_that_would_do(fen: str, mended: str) -> None:
    for position in (fen, chess.Board(fen)):
        with pytest.raises(FenError, match=fen[-6:]) as caught:
            board_of(position)
        assert str(caught.value).endswith(mended)


@given(st.text(max_size=200))
@example("4" * 10_000)
@example("/" * 300)
def test_any_text_is_a_position_or_refused(text: str) -> None:
    refused = ""
    try:
        assert board_of(text).is_valid()
    except FenError as error:
        refused = str(error)
    assert refused.isprintable()
    assert len(refused) < 1200


def test_fields_may_be_missing_and_a_check_be_one_that_only_the_last_move_rules_out() -> None:
    assert board_of("4k3/8/8/8/8/8/8/4K3").fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert len(board_of("4k3/8/8/8/7b/8/8/r3K3 w - - 0 1").checkers()) == 2
