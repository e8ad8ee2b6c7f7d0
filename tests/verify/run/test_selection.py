"""Selecting a part of the universe."""

from fnmatch import fnmatchcase

import pytest

from proofs.rules.cubes import all_cubes, cube_of
from proofs.rules.san import parse_san, universe
from verify.errors import Failure
from verify.run.selection import select

STRINGS = [str(san) for san in universe()]


def test_without_a_pattern_everything_is_selected() -> None:
    selection = select(None)
    assert (selection.pattern, selection.cubes, selection.selected) == ("", None, None)


@pytest.mark.parametrize("pattern", ["[!QRBN]*[48]", "?[a-d]x??[+#]", "O-O*"])
def test_a_pattern_selects_what_a_shell_would(pattern: str) -> None:
    selection = select(pattern)
    assert selection.selected is not None
    assert selection.cubes is not None
    for san in STRINGS[::200]:
        assert selection.selected(san) == fnmatchcase(san, pattern)
    matching = {cube_of(parse_san(san)) for san in STRINGS if fnmatchcase(san, pattern)}
    assert selection.cubes == [cube for cube in all_cubes() if cube in matching]


@pytest.mark.parametrize("pattern", ["q*", "[z-a]*", "Q\u00e94", "x" * 5000, "e4\n"])
def test_a_pattern_that_matches_nothing_is_a_failure(pattern: str) -> None:
    with pytest.raises(Failure, match="No SAN string matches") as caught:
        select(pattern)
    assert caught.value.exit_code == 2
    assert ascii(pattern) in str(caught.value)
    assert str(caught.value).isprintable()
