"""Shell patterns of SAN strings, matched cube by cube: no list of a million strings is made.

``*`` stands for any text, ``?`` for one character and ``[ab]`` for one of several, as in a shell.
A pattern matches a whole string, its suffix included.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from typing import Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of

States = frozenset[int]
"""The places in a pattern that a text may have reached."""

MAX_PATTERN_LENGTH: Final = 200
"""A SAN string has at most nine characters; twenty for each are enough for any set of them."""
_TOKEN: Final = re.compile(r"\*+|\[!?+(?:\][^\]]*|[^\]]+)\]|.", re.DOTALL)
_CHARACTERS: Final = "abcdefgh12345678NBRQKxO-=+#"
"""All that SAN strings are made of."""


class Pattern:
    """A shell pattern; a plain SAN string matches itself."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_short = len(text) <= MAX_PATTERN_LENGTH
        tokens = _TOKEN.findall(text) if self._is_short else []
        self._is_star = [token.startswith("*") for token in tokens]
        self._takes = [{c for c in _CHARACTERS if fnmatchcase(c, token)} for token in tokens]
        self._start = self._skip_stars({0})
        self._read = cache(self._read_text)
        self._before = cache(self._states_before)

    def takes(self, text: str) -> bool:
        """Check whether a text matches."""
        return self._is_short and fnmatchcase(text, self._text)

    def strings(self, cube: Cube) -> Iterator[grammar.San]:
        """Yield the strings of a cube that match."""
        head = self._read(self._start, cube.piece)
        for file, rank in _origins(cube):
            before = self._read(head, file + rank)
            after = self._read(before, cube.capture + cube.destination)
            for promotion, suffix in _tails(cube) if after else ():
                if self._ends(after, promotion, suffix):
                    yield grammar.San(
                        cube.piece, file, rank, cube.capture, cube.destination, promotion, suffix
                    )

    def matches(self, cube: Cube) -> bool:
        """Check whether any string of the cube matches."""
        before = self._before(cube.piece)
        after = {self._read(states, cube.capture + cube.destination) for states in before}
        return any(self._ends(states, *tail) for states in after for tail in _tails(cube))

    def _states_before(self, piece: str) -> set[States]:
        """Return the states in which a piece's strings can be after their origin."""
        head = self._read(self._start, piece)
        return {self._read(head, file + rank) for file, rank in _origins(Cube(piece, "", ""))}

    def _read_text(self, states: States, text: str) -> States:
        for character in text:
            states = self._skip_stars(
                state + (not self._is_star[state])
                for state in states
                if state < len(self._takes) and character in self._takes[state]
            )
        return states

    def _skip_stars(self, states: Iterable[int]) -> States:
        reached = set(states)
        for state, is_star in enumerate(self._is_star):
            if is_star and state in reached:
                reached.add(state + 1)
        return frozenset(reached)

    def _ends(self, states: States, promotion: str, suffix: str) -> bool:
        written = "=" * bool(promotion) + promotion + suffix
        return len(self._takes) in self._read(states, written)


def _origins(cube: Cube) -> list[tuple[str, str]]:
    return [("", "")] if cube.castling else list(product(grammar.FILE_LETTERS, grammar.RANK_DIGITS))


def _tails(cube: Cube) -> Iterable[tuple[str, str]]:
    """Return what a cube's strings can end with: promotion and suffix."""
    return product(("",) if cube.castling else grammar.PROMOTIONS, grammar.SUFFIXES)


def matching_cubes(pattern: str) -> list[Cube]:
    """Return the cubes with a string that matches, in the order of all cubes."""
    try:
        return [cube_of(grammar.parse_san(pattern))]
    except ValueError:
        compiled = Pattern(pattern)
        return [cube for cube in all_cubes() if compiled.matches(cube)]
