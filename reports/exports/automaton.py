"""The minimal automaton of a list of strings.

A deterministic automaton without circles: it reads a string character by character and accepts
exactly those of the list. No automaton with fewer states does (Myhill and Nerode): of two states,
there is always a text that one accepts and the other does not.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple


class State(NamedTuple):
    """A state: whether a text may end, and the characters that may follow, with their states."""

    accepts: bool
    steps: tuple[tuple[str, int], ...]


class Automaton:
    """The states, of which 0 is the first; the others follow breadth first."""

    def __init__(self, strings: Sequence[str]) -> None:
        """Build it from strings, each given once; there is at least one."""
        known: dict[State, int] = {}  # a state is what it accepts and where it leads
        first = _state_of(sorted(strings), 0, known)
        states = list(known)
        order = {first: 0}
        for number in (queue := [first]):  # which grows
            for _, step in states[number].steps:
                if step not in order:
                    order[step] = len(order)
                    queue.append(step)
        self.states = tuple(
            State(states[n].accepts, tuple((c, order[step]) for c, step in states[n].steps))
            for n in order
        )

    def branches(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield the steps from a state: the characters that lead to the same state together."""
        targets: dict[int, str] = {}
        for step, following in self.states[number].steps:
            targets[following] = targets.get(following, "") + step
        for following, characters in targets.items():
            yield characters, following


def _state_of(strings: list[str], depth: int, known: dict[State, int]) -> int:
    """Return the state that accepts what follows the first ``depth`` characters of some strings."""
    rest = [text for text in strings if len(text) > depth]
    steps = tuple(
        (character, _state_of(list(some), depth + 1, known))
        for character, some in groupby(rest, key=itemgetter(depth))
    )
    return known.setdefault(State(len(rest) < len(strings), steps), len(known))
