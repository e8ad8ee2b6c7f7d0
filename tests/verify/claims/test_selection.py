"""Selecting a part of the universe."""

import fnmatch
from functools import cache

import pytest

from sanproof.proofs.find.patterns import MAX_PATTERN_LENGTH
from sanproof.proofs.rules.cubes import all_cubes, cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.verify.claims.selection import RunScope, select
from sanproof.verify.errors import Failure
from tests.strings import all_texts


def test_without_a_pattern_everything_is_selected() -> None:
    selection = select(None)
    assert (selection.pattern, selection.cubes, selection.selected) == ("", None, None)


@pytest.mark.parametrize("pattern", ["[!QRBN]*[48]", "?[a-d]x??[+#]", "O-O*"])
def test_a_pattern_selects_what_a_shell_would(pattern: str) -> None:
    selection = select(pattern)
    assert selection.selected is not None
    assert selection.cubes is not None
    for san in all_texts()[::200]:
        assert selection.selected(san) == fnmatch.fnmatchcase(san, pattern)
    matching = {cube_of(parse_san(san)) for san in fnmatch.filter(all_texts(), pattern)}
    assert selection.cubes == [cube for cube in all_cubes() if cube in matching]


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        *((pattern, False) for pattern in ("q*", "[z-a]*", "", "Q??????????", "[\\]")),
        *((pattern, True) for pattern in ("Q", "Qa1b", "O-O-", "[KQ]")),
    ],
)
def test_a_pattern_that_matches_nothing_is_a_failure(pattern: str, begins: bool) -> None:
    """With a hint where strings begin so."""
    with pytest.raises(Failure, match="No SAN string matches") as caught:
        select(pattern)
    assert caught.value.exit_code == 2
    assert f"'{pattern}'" in str(caught.value)
    assert (f"did you mean '{pattern}*'?" in str(caught.value)) == begins
    assert not begins or select(f"{pattern}*").cubes


@pytest.mark.parametrize("pattern", ["Q\u00e9*", "[!\u00e9]*", "e4\n", "*\x1b", "\udcff*"])
def test_a_pattern_of_other_characters_is_refused(pattern: str) -> None:
    """The audit of such a run would refuse it: what a run says of itself is printable ASCII."""
    with pytest.raises(Failure, match="holds a character that is in no SAN string") as caught:
        select(pattern)
    assert ascii(pattern) in str(caught.value)
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()


@pytest.mark.parametrize("pattern", ["x" * 5000, "[" * 40_000, "*" * 201])
def test_a_pattern_longer_than_any_need_be_is_not_tried(pattern: str) -> None:
    """Translating 40,000 brackets takes a minute."""
    with pytest.raises(Failure, match="at most 200 are allowed"):
        select(pattern)


def test_the_longest_string_can_be_selected_with_a_set_for_each_character() -> None:
    pattern = "".join(f"[{character}{'abcdefgh12345678'}]" for character in "Qa1xb2=N#")
    assert len(pattern) <= MAX_PATTERN_LENGTH
    assert select(pattern).cubes


SCOPES = [
    RunScope(select(pattern), games=games, cover=cover)
    for pattern in (None, "Nxh8*", "N*h8*")
    for games, cover in ((False, False), (True, False), (True, True))
]


def test_a_scope_has_a_name_of_its_own() -> None:
    names = {scope.name for scope in SCOPES}
    assert len(names) == len(SCOPES)
    assert names >= {"all strings, with games and cover", "strings that match N*h8*, without games"}


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_a_scope_holds_what_it_finds_no_less_of(scope: RunScope) -> None:
    """By the strings that the one and the others select."""
    mine = selected_by(scope.selection.pattern)
    for other in SCOPES:
        games, cover = other.games <= scope.games, other.cover <= scope.cover
        theirs = selected_by(other.selection.pattern)
        assert scope.holds(other) == (theirs <= mine and games and cover)


@cache
def selected_by(pattern: str) -> set[str]:
    matches = select(pattern or None).selected
    return {san for san in all_texts()[::7] if matches is None or matches(san)}
