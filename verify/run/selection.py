"""Working on a part of the universe: the strings that match a pattern."""

import re
from collections.abc import Callable
from fnmatch import translate
from typing import NamedTuple

from proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube
from proofs.rules.san import universe
from verify.errors import Failure


class Selection(NamedTuple):
    """The strings to decide: all of them, or those that match a shell pattern such as ``Q*d4``."""

    pattern: str
    cubes: list[Cube] | None
    selected: Callable[[str], bool] | None

    @property
    def closed_cubes(self) -> list[Cube]:
        """The cubes whose closing proofs the verdicts need: for either colour, in order."""
        wanted = set(all_cubes() if self.cubes is None else self.cubes)
        wanted |= {exchanged_cube(cube) for cube in wanted}
        return [cube for cube in all_cubes() if cube in wanted]


def select(pattern: str | None) -> Selection:
    """The strings that match the pattern, all if it is None.

    Raises:
        Failure: No string of the universe matches.
    """
    if pattern is None:
        return Selection("", None, None)
    matches = re.compile(translate(pattern)).match
    cubes = {cube_of(san) for san in universe() if matches(str(san))}
    if not cubes:
        raise Failure(f"No SAN string matches {pattern!a} (* is any text, ? any character).")
    in_order = [cube for cube in all_cubes() if cube in cubes]
    return Selection(pattern, in_order, lambda san: bool(matches(san)))
