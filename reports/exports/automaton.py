"""The minimal automaton of a list of strings.

A deterministic automaton without circles: it reads a string character by character and accepts
exactly those of the list. No automaton with fewer states does (Myhill and Nerode): of two states,
there is always a text that one accepts and the other does not.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class State(NamedTuple):
    """A state: whether a text may end, and the characters that may follow, with their states."""

    accepts: bool
    steps: tuple[tuple[str, int], ...]


class Automaton:
    """The states, of which 0 is the first; the others follow in the order in which they are met.

    Attributes:
        states: The states.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        """Build it from strings, each given once; there is at least one."""
        self.states = _minimal(sorted(strings))

    def branches(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield the steps from a state: the characters that lead to the same state together."""
        targets: dict[int, str] = {}
        for step, following in self.states[number].steps:
            targets[following] = targets.get(following, "") + step
        for following, characters in targets.items():
            yield characters, following


def _minimal(strings: Sequence[str]) -> tuple[State, ...]:
    """States of which no two are alike, breadth first from the first one; the strings are sorted.

    A state is known by what it accepts and where it leads.
    """
    states: dict[State, int] = {}

    def state_of(begin: int, end: int, depth: int) -> int:
        """Return the state that accepts what follows the first ``depth`` characters of these."""
        accepts = len(strings[begin]) == depth
        at, steps = begin + accepts, []
        while at < end:
            start, character = at, strings[at][depth]
            while at < end and strings[at][depth] == character:
                at += 1
            steps.append((character, state_of(start, at, depth + 1)))
        return states.setdefault(State(accepts, tuple(steps)), len(states))

    order = [state_of(0, len(strings), 0)]
    known = list(states)
    numbers = {order[0]: 0}
    for number in order:  # which grows
        for _, step in known[number].steps:
            if step not in numbers:
                numbers[step] = len(order)
                order.append(step)
    return tuple(
        State(known[n].accepts, tuple((c, numbers[step]) for c, step in known[n].steps))
        for n in order
    )
