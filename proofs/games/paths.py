"""From a hub to a witness: a search backwards, by un-moves without captures. Untrusted.

All the tightness is at the witness, so the search starts there: it takes moves back, for each
player in turn, until every man stands where the hub has it. A* with the number of steps that the
men still need on an empty board; a player who needs fewer than the other loses moves. Its loops
are in :mod:`proofs.games.unmoves`.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Final

from sanproof.proofs.games.pieces import FAR, ManStep, Setting, distances

MAX_HUBS: Final = 1000
"""Of how many hubs the ways are kept: of all that there are, or of the last stops of tours."""


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """The hub's squares in the order of the setting's men, equal men matched with least way."""
    homes = list(hub.squares)
    for _, group, ways in _ways_home(hub):
        if len(group) > 1:
            _, order = _match(ways, [setting.squares[i] for i in group])
            for i, k in zip(group, order, strict=True):
                homes[i] = hub.squares[group[k]]
    return tuple(homes)


def least_steps(setting: Setting, hub: Setting) -> tuple[int, int]:
    """The steps that White's and Black's men are away from the hub, matched with least way."""
    steps, squares = [0, 0], setting.squares
    for is_black, group, ways in _ways_home(hub):
        if len(group) == 1:
            steps[is_black] += ways[0][squares[group[0]]]
        else:
            steps[is_black] += fewest_steps(ways, [squares[i] for i in group])
    return steps[0], steps[1]


@lru_cache(MAX_HUBS)
def _ways_home(hub: Setting) -> list[tuple[bool, list[int], list[list[int]]]]:
    """A hub's men by player and kind: whether Black's, which, and the ways to their squares."""
    return [
        (group[0] >= hub.whites, group, [distances(hub.kinds[i], hub.squares[i]) for i in group])
        for group in _groups(hub.kinds, hub.whites)
    ]


def fewest_steps(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> int:
    """The fewest steps of equal men from these squares to as many homes.

    ``ways`` has for each home the steps from every square.
    """
    return _match(ways, squares)[0]


def _match(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The fewest steps, and which home each man takes."""
    if len(squares) == 2:
        (a, b), (s, t) = ways, squares
        straight, crossed = a[s] + b[t], b[s] + a[t]
        return (straight, (0, 1)) if straight <= crossed else (crossed, (1, 0))
    least, best = FAR * len(squares) + 1, _orders(len(squares))[0]
    for order in _orders(len(squares)):
        steps = 0
        for k, s in zip(order, squares, strict=True):
            steps += ways[k][s]
        if steps < least:
            least, best = steps, order
    return least, best


@cache
def _orders(number: int) -> tuple[tuple[int, ...], ...]:
    """All orders of so many things."""
    return tuple(permutations(range(number)))


@cache
def _groups(kinds: tuple[int, ...], whites: int) -> list[list[int]]:
    """The indices of equal men."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, kind in enumerate(kinds):
        found.setdefault((i < whites, kind), []).append(i)
    return list(found.values())


def plies_left(white: int, black: int, *, black_first: bool, black_last: bool = False) -> int:
    """The fewest plies back to a hub, for the steps that White's and Black's men need.

    Black takes back the next move if ``black_first``, and the last one if ``black_last``, so that
    Black is to move in the hub.
    """
    if black_first != black_last:
        return 2 * max(white, black)
    first, second = (black, white) if black_first else (white, black)
    return max(2 * first - 1, 2 * second + 1, 1)


def search_path(
    setting: Setting,
    homes: Sequence[int],
    unmoved: frozenset[int],
    most_nodes: int,
    *,
    black_begins: bool = False,
) -> list[ManStep] | None:
    """The moves from a hub to a setting; None if there are none, or too many nodes were looked at.

    In the setting White is to move. The hub has each of its men at home; those ``unmoved`` stand
    there and stay; Black is to move in the hub if ``black_begins``.
    """
    from sanproof.proofs.games import unmoves  # noqa: PLC0415 - numba is slow to load

    loose = [i not in unmoved for i in range(len(homes))]
    return unmoves.search_path(setting, homes, loose, most_nodes, black_begins=black_begins)
