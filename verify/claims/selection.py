"""Selects the strings that match a pattern, to work on a part of them."""

import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from itertools import chain
from typing import NamedTuple

from sanproof.proofs.find.questions import MAX_PATTERN_LENGTH, Pattern, matching_cubes
from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube
from sanproof.proofs.rules.san import San, universe
from sanproof.verify.errors import Failure


class Selection(NamedTuple):
    """The strings to decide: those that match a shell pattern such as ``Q*d4``, or all (None).

    ``cubes`` are the cubes that have such strings. ``selected`` tells whether a string is one of
    them.
    """

    pattern: str | None
    cubes: list[Cube]
    selected: Callable[[str], bool]

    @property
    def closed_cubes(self) -> list[Cube]:
        """The cubes whose certificates the verdicts need, for both colours, in order."""
        wanted = {c for cube in self.cubes for c in (cube, exchanged_cube(cube))}
        return [cube for cube in all_cubes() if cube in wanted]

    def strings(self) -> Iterator[San]:
        """Yield the selected strings of the grammar."""
        if self.pattern is None:
            return universe()
        return chain.from_iterable(map(Pattern(self.pattern).strings, self.cubes))


def select(pattern: str | None) -> Selection:
    """Select the strings that match the pattern, or all if it is None.

    Raises:
        Failure: No string of the grammar matches, or the pattern is too long or not printable
            ASCII.
    """
    if pattern is None:
        return Selection(None, all_cubes(), lambda _: True)
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise Failure(
            f"The pattern {pattern[:20]!a}... has {len(pattern):,} characters, but at most "
            f"{MAX_PATTERN_LENGTH} are allowed."
        )
    if not (pattern.isascii() and pattern.isprintable()):
        raise Failure(
            f"The pattern {pattern!a} has a character that occurs in no SAN string: use ASCII only."
        )
    cubes = matching_cubes(pattern)
    if not cubes:
        begins = pattern and matching_cubes(f"{pattern}*")
        hint = f", did you mean '{pattern}*'?" if begins else ""
        raise Failure(f"No SAN string matches '{pattern}'{hint} (* is any text, ? any character).")
    matches = re.compile(translate(pattern)).match
    return Selection(pattern, cubes, lambda san: bool(matches(san)))
