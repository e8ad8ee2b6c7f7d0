"""Shell patterns of SAN strings, matched cube by cube: no list of a million strings is made.

``*`` stands for any text, ``?`` for one character and ``[ab]`` for one of several, as in a shell.
A pattern matches a whole string, its suffix included.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of

States = frozenset[int]
"""How far into a pattern a text may have come."""

_TOKEN: Final = re.compile(r"\*+|\[(!?+)(\][^\]]*|[^\]]+)\]|.", re.DOTALL)
LONGEST_PATTERN: Final = 200
"""A SAN string has at most nine characters; twenty for each are enough for any set of them."""


class _Token(NamedTuple):
    """One part of a pattern: any text, or one character in a set, or one that is not in it."""

    is_star: bool
    characters: frozenset[str] | None
    inverted: bool

    def takes(self, character: str) -> bool:
        return self.characters is None or (character in self.characters) != self.inverted


class Pattern:
    """A shell pattern; a plain SAN string matches itself."""

    def __init__(self, text: str) -> None:
        self._tokens = [_token(match) for match in _TOKEN.finditer(text[:LONGEST_PATTERN])]
        self._too_long = len(text) > LONGEST_PATTERN
        self._start = self._skip_stars({0})
        self._read = cache(self._read_text)
        self._before = cache(self._states_before)

    def takes(self, text: str) -> bool:
        """Whether a text matches."""
        return self._ends(self._read_text(self._start, text))

    def strings(self, cube: Cube) -> Iterator[grammar.San]:
        """The strings of a cube that match."""
        head = self._read(self._start, cube.piece)
        tails = list(product(_promotions(cube), grammar.SUFFIXES))
        for file, rank in _origins(cube):
            before = self._read(head, file + rank)
            after = self._read(before, cube.capture + cube.destination)
            for promotion, suffix in tails if after else ():
                if self._ends(self._read(after, _tail(promotion, suffix))):
                    yield grammar.San(
                        cube.piece, file, rank, cube.capture, cube.destination, promotion, suffix
                    )

    def matches(self, cube: Cube) -> bool:
        """Whether any string of the cube matches."""
        before = self._before(cube.piece)
        after = {self._read(states, cube.capture + cube.destination) for states in before}
        tails = [_tail(*parts) for parts in product(_promotions(cube), grammar.SUFFIXES)]
        return any(self._ends(self._read(states, tail)) for states in after for tail in tails)

    def _states_before(self, piece: str) -> set[States]:
        """The states in which the strings of a piece can be where their origin is written."""
        head = self._read(self._start, piece)
        return {self._read(head, file + rank) for file, rank in _origins(Cube(piece, "", ""))}

    def _read_text(self, states: States, text: str) -> States:
        for character in text:
            reached: set[int] = set()
            for state in states:
                if state < len(self._tokens) and self._tokens[state].takes(character):
                    reached.add(state if self._tokens[state].is_star else state + 1)
            states = self._skip_stars(reached)
        return states

    def _skip_stars(self, states: Iterable[int]) -> States:
        reached = set(states)
        pending = list(reached)
        while pending:
            state = pending.pop()
            if state < len(self._tokens) and self._tokens[state].is_star:
                pending += {state + 1} - reached
                reached.add(state + 1)
        return frozenset(reached)

    def _ends(self, states: States) -> bool:
        return len(self._tokens) in states and not self._too_long


def _token(match: re.Match[str]) -> _Token:
    text = match[0]
    if text[0] == "*":
        return _Token(is_star=True, characters=None, inverted=False)
    if text == "?":
        return _Token(is_star=False, characters=None, inverted=False)
    if match[2]:
        return _Token(is_star=False, characters=_set(match[2]), inverted=bool(match[1]))
    return _Token(is_star=False, characters=frozenset(text), inverted=False)


def _set(text: str) -> frozenset[str]:
    """The ASCII characters of a bracket, with ranges such as ``a-d``: no string has others."""
    found: set[str] = set()
    for one in re.finditer(r"(.)-(.)|.", text, re.DOTALL):
        if one[1]:
            found.update(map(chr, range(ord(one[1]), min(ord(one[2]), 127) + 1)))
        else:
            found.add(one[0])
    return frozenset(found)


def _origins(cube: Cube) -> list[tuple[str, str]]:
    return [("", "")] if cube.castling else list(product(grammar.FILE_LETTERS, grammar.RANK_DIGITS))


def _promotions(cube: Cube) -> tuple[str, ...]:
    return ("",) if cube.castling else grammar.PROMOTIONS


def _tail(promotion: str, suffix: str) -> str:
    return (promotion and "=" + promotion) + suffix


def matching_cubes(pattern: str) -> list[Cube]:
    """The cubes with a string that matches, in the order of all cubes."""
    try:
        return [cube_of(grammar.parse_san(pattern))]
    except ValueError:
        compiled = Pattern(pattern)
        return [cube for cube in all_cubes() if compiled.matches(cube)]


def matches_some_string(pattern: str) -> bool:
    """Whether any SAN string matches."""
    return bool(matching_cubes(pattern))
