"""Where two files differ is said by the line, and what makes games a cover."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import COVER as FILE
from sanproof.reports.tables.pgn import PgnGame
from sanproof.verify.audit.consistency import EXCERPT, check_cover, difference
from tests.reports.samples import COVER, FOOLS, SCHOLARS

TEXTS = st.text("ab\n", max_size=30).map(str.encode)


@given(TEXTS, TEXTS)
@example(b"a", b"a\n")
@example(b"a\nb", b"a")
@example(b"", b"a")
@example(b"a\n", b"a\nb")
def test_the_first_line_that_differs_is_named(ours: bytes, theirs: bytes) -> None:
    if ours == theirs:
        return
    right, wrong = (text.split(b"\n") for text in (ours, theirs))
    number = 0
    while number < min(len(right), len(wrong)) and right[number] == wrong[number]:
        number += 1
    should, does = (
        repr(lines[number].decode()) if number < len(lines) else "the end"
        for lines in (right, wrong)
    )
    expected = f"line {number + 1} is {does}, and should be {should}"
    assert difference(ours, theirs) == expected


def test_of_a_long_line_the_part_is_shown_where_it_differs() -> None:
    ours, theirs = b"x" * 1000 + b"y" + b"z" * 1000, b"x" * 1000 + b"w" + b"z" * 1000
    said = difference(ours, theirs)
    assert "xw" in said
    assert "xy" in said
    assert len(said) < 3 * EXCERPT


def test_what_is_said_is_one_line_of_text() -> None:
    assert difference(b"a\xff\x1b[2J", b"b\r\x00").isprintable()


def test_many_lines_are_not_taken_apart() -> None:
    assert difference(b"\n" * (1 << 24), b"\n" * ((1 << 24) - 1)).startswith("line 16777217 is")


STRINGS = sorted({san for game in COVER for san in game.sans})


def test_games_that_show_every_string_pass() -> None:
    check_cover(COVER, STRINGS)
    check_cover([], [])


def test_a_string_that_no_mating_game_shows_may_have_its_own() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_cover([*COVER, own], [*STRINGS, "e6"])


WRONG: dict[str, tuple[Sequence[PgnGame], Sequence[str], str]] = {
    "a string in no game": (COVER, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    "a mate without its game": (COVER, [*STRINGS, "Qg7#"], "not one game for each mate: Qg7#"),
    "a mate that is not to be shown": (COVER, ["e4"], "not one game for each mate: Q"),
    "two games for a mate": ([*COVER, FOOLS], STRINGS, "two games end with the same mate"),
    "no games": ([], ["Qh4#"], "not one game for each mate: Qh4#"),
    "a mate that is not the end": (
        [FOOLS._replace(ply=1), SCHOLARS],
        STRINGS,
        "a game does not end with Qh4#",
    ),
    "a game about another string only": (
        [FOOLS._replace(san="e5", ply=1), SCHOLARS],
        STRINGS,
        "not one game for each mate: Qh4#",
    ),
    "a game that shows nothing more": (
        [*COVER, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "a game for f3, which another game shows",
    ),
}


@pytest.mark.parametrize(("cover", "strings", "said"), WRONG.values(), ids=WRONG)
def test_games_that_are_no_cover_fail(
    cover: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^{FILE}: {said}"):
        check_cover(cover, strings)
