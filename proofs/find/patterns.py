"""Shell patterns of SAN strings, matched cube by cube: no list of a million strings is made.

``*`` stands for any text, ``?`` for one character and ``[ab]`` for one of several, as in a shell.
A pattern matches a whole string, its suffix included.
"""

import re
from collections.abc import Iterator
from fnmatch import translate
from functools import lru_cache
from itertools import product
from typing import Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of

MAX_PATTERN_LENGTH: Final = 200
"""A SAN string has at most nine characters; twenty for each are enough for any set of them."""
_ORIGINS: Final = [*map("".join, product(grammar.FILE_LETTERS, grammar.RANK_DIGITS))]
_ENDS: Final = [
    (f"={piece}" if piece else "") + suffix
    for piece, suffix in product(grammar.PROMOTIONS, grammar.SUFFIXES)
]


class Pattern:
    """A shell pattern; a plain SAN string matches itself."""

    def __init__(self, text: str) -> None:
        is_short = len(text) <= MAX_PATTERN_LENGTH
        self._match = re.compile(translate(text) if is_short else "(?!)").match

    def takes(self, text: str) -> bool:
        """Check whether a text matches."""
        return self._match(text) is not None

    def matches(self, cube: Cube) -> bool:
        """Check whether any string of the cube matches."""
        return any(map(self._match, texts_of(cube)))

    def strings(self, cube: Cube) -> Iterator[grammar.San]:
        """Yield the strings of a cube that match."""
        return map(grammar.parse_san, filter(self._match, texts_of(cube)))


def texts_of(cube: Cube) -> list[str]:
    """Return all strings that the grammar derives for a cube."""
    if cube.castling:
        return [cube.piece + suffix for suffix in grammar.SUFFIXES]
    to = cube.capture + cube.destination
    return [cube.piece + origin + to + end for origin in _ORIGINS for end in _ENDS]


@lru_cache(4)  # a question is read, and then split into its parts
def matching_cubes(pattern: str) -> list[Cube]:
    """Return the cubes with a string that matches, in the order of all cubes."""
    try:
        return [cube_of(grammar.parse_san(pattern))]
    except ValueError:
        if not {*"*?["} & {*pattern}:
            return []  # without these a pattern matches itself alone
        return list(filter(Pattern(pattern).matches, all_cubes()))
