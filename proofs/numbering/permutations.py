"""Numbers the permutations of things in a row, where things of one kind look alike.

The things are sorted as in a dictionary: the first place decides, and the kinds come in the order
in which they are given. `aab, aba, baa` are the permutations 0, 1, 2 of two `a` and one `b`.
"""

from collections.abc import Iterable, Sequence
from math import factorial, prod


def count_permutations(counts: Iterable[int]) -> int:
    """Count the permutations of so many things of each kind: a multinomial coefficient."""
    counts = tuple(counts)
    return factorial(sum(counts)) // prod(map(factorial, counts))


def permutation(kinds: str, counts: Sequence[int], number: int) -> str:
    """Return the permutation of a number from 0 to `count_permutations(counts) - 1`.

    `kinds` names one character for each kind.
    """
    pairs = [(kind, count) for kind, count in zip(kinds, counts, strict=True) if count]
    names = [kind for kind, _ in pairs]
    left = [count for _, count in pairs]
    size = count_permutations(counts)
    row: list[str] = []
    for places in range(sum(left), 0, -1):
        # `size` permutations of `places` things; `share` of them begin with this kind.
        kind = 0
        while number >= (share := size * left[kind] // places):
            number -= share
            kind += 1
        row.append(names[kind])
        size = share
        left[kind] -= 1
    return "".join(row)


def permutation_number(kinds: str, counts: Sequence[int], row: str) -> int:
    """Return the number of a permutation; the inverse of `permutation`."""
    left = list(counts)
    places = sum(left)
    size = count_permutations(left)
    number = 0
    for thing in row:
        kind = kinds.index(thing)
        number += size * sum(left[:kind]) // places
        size = size * left[kind] // places
        left[kind] -= 1
        places -= 1
    return number
