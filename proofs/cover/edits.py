"""Positions for a string with the men that are on the board. Untrusted.

The witness of a string may have other men than the game so far. Each side is edited alone: men of
kinds that are missing take the place of men that are too many, or are added where they stand now;
what is then too many is left out. Whether the string can still be played, another must say.

A man is one integer here, its kind times 64 plus its square, so that men sort by kinds.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Final

from sanproof.proofs.games.placements import Setting

MOST_EDITS: Final = 8
"""How many ways to edit a side, or both, are looked at."""

Men = tuple[int, ...]


def men_of(setting: Setting) -> tuple[Men, Men]:
    """White's men and Black's."""
    men = tuple([k << 6 | s for k, s in zip(setting.kinds, setting.squares, strict=True)])
    return men[: setting.whites], men[setting.whites :]


def kinds_of(men: Sequence[int]) -> tuple[int, ...]:
    """The men's kinds, in their order."""
    return tuple([man >> 6 for man in men])


def edit_side(
    men: Men, current: Men, want: tuple[int, ...], moving: int, rng: random.Random
) -> list[Men]:
    """A station's men made to be of the current men's kinds, in a few ways; all are sorted.

    ``want`` are those kinds; on the squares of the mask ``moving`` no man is left out.
    """
    have = kinds_of(men)
    if have == want:
        return [men]
    edits = [men]
    for kind in _missing(have, want):
        places = [place for edit in edits for place in _places(kind, edit, want, current)]
        rng.shuffle(places)
        edits = [_put(kind, *place) for place in places[:MOST_EDITS]]
    every = (left for edit in edits for left in _without_surplus(edit, want, moving))
    return [tuple(sorted(edited)) for edited in islice(every, MOST_EDITS)]


@cache
def _missing(have: tuple[int, ...], want: tuple[int, ...]) -> tuple[int, ...]:
    """The kinds of men that are wanted and not there."""
    return tuple((Counter(want) - Counter(have)).elements())


@cache
def _surplus(have: tuple[int, ...], want: tuple[int, ...]) -> tuple[int, ...]:
    """The kinds of men that are there and not wanted, sorted."""
    return tuple(sorted((Counter(have) - Counter(want)).elements()))


_Place = tuple[Men, int, int]
"""Men, the index of the one whose place is taken or -1, and the square."""


def _places(kind: int, men: Men, want: tuple[int, ...], current: Men) -> Iterator[_Place]:
    """Where a man of a missing kind can stand."""
    surplus = _surplus(kinds_of(men), want)
    for i, man in enumerate(men):
        if man >> 6 in surplus:
            yield men, i, man & 63
    for man in current:
        if man >> 6 == kind and man not in men:
            yield men, -1, man & 63


def _put(kind: int, men: Men, i: int, square: int) -> Men:
    man = kind << 6 | square
    return (*men, man) if i < 0 else (*men[:i], man, *men[i + 1 :])


def _without_surplus(men: Men, want: tuple[int, ...], moving: int) -> Iterator[Men]:
    """The men without those that are too many, in every way that leaves the moving man."""
    surplus = _surplus(kinds_of(men), want)
    if not surplus:
        yield men
        return
    loose = [man for man in men if man >> 6 in surplus and not moving >> (man & 63) & 1]
    if len(surplus) == 1:
        for removed_man in loose:
            yield tuple([man for man in men if man != removed_man])
        return
    for removed in combinations(loose, len(surplus)):
        if tuple(sorted(kinds_of(removed))) == surplus:
            yield tuple([man for man in men if man not in removed])
