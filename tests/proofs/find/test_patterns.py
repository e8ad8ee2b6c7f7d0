import fnmatch
from functools import cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.find.patterns import Pattern, matches_some_string, matching_cubes
from sanproof.proofs.rules.cubes import all_cubes, cube_of
from sanproof.proofs.rules.san import parse_san
from tests.strings import all_texts


@cache
def sample() -> list[str]:
    return Random(1).sample(all_texts(), 1000)


@given(st.text("*?QNxad14#+=[]!-O", max_size=10))
@example("[]")
@example("[]Q]*")
@example("[!]")
@example("[!]Q]*")
@example("[1-a]*")
@example("[4-1]*")
@example("[Q-]*")
def test_patterns_match_as_those_of_a_shell(pattern: str) -> None:
    ours = Pattern(pattern)
    for text in [*sample(), pattern, pattern.replace("[", ""), pattern.replace("*", "]")]:
        assert ours.takes(text) == fnmatch.fnmatchcase(text, pattern), text


@pytest.mark.parametrize("pattern", ["Q*d4#", "?a?4", "[NB]*x[a-c][!3]", "*=N+", "O-O*", "Nf3"])
@pytest.mark.usually(2)
def test_strings_and_cubes_of_a_pattern(pattern: str) -> None:
    expected = set(fnmatch.filter(all_texts(), pattern))
    found = [str(san) for cube in all_cubes() for san in Pattern(pattern).strings(cube)]
    assert sorted(found) == sorted(expected)
    cubes = {cube_of(parse_san(text)) for text in expected}
    assert matching_cubes(pattern) == [cube for cube in all_cubes() if cube in cubes]


def test_what_matches_nothing() -> None:
    assert not matches_some_string("check")
    assert not matches_some_string("Nf9")
    assert not matches_some_string("*" * 10_000)
    assert matches_some_string("*")
