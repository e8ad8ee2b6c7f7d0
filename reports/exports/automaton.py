"""The minimal automaton of a list of strings, and the numbers that it gives them.

A deterministic automaton without circles: it reads a string character by character and accepts
exactly those of the list. No automaton with fewer states does (Myhill and Nerode): of two states,
there is always a text that one accepts and the other does not.

The number of a string is its place in the published list, shorter strings first, then by
character. So it is the ``id`` of the vocabulary.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple


class State(NamedTuple):
    """A state: whether a text may end, and the characters that may follow, with their states."""

    accepts: bool
    steps: tuple[tuple[str, int], ...]


class Automaton:
    """The states, of which 0 is the first; the others follow in the order in which they are met.

    Attributes:
        states: The states.
        longest: The length of the longest string.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        """Build it from strings, each given once; there is at least one."""
        self.longest = max(map(len, strings))
        self.states = _minimal(sorted(strings))

    @cached_property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """For each state how many texts of each length, from 0, are accepted from there."""

        @cache
        def count(number: int) -> tuple[int, ...]:
            state = self.states[number]
            following = [count(step) for _, step in state.steps]
            longer = (sum(c[n] for c in following) for n in range(self.longest))
            return (int(state.accepts), *longer)

        return tuple(map(count, range(len(self.states))))

    def number_of(self, text: str) -> int | None:
        """Return the place of a text in the list, from 0; None if it is not one of the strings."""
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is not a string")
        if len(text) > self.longest:
            return None
        number, place = 0, sum(self.counts[0][: len(text)])
        for read, character in enumerate(text):
            for step, following in self.states[number].steps:
                if step == character:
                    number = following
                    break
                place += self.counts[following][len(text) - read - 1]
            else:
                return None
        return place if self.states[number].accepts else None

    def string_of(self, place: int) -> str:
        """Return the string at a place of the list, from 0.

        Raises:
            IndexError: There is no such place.
        """
        number_of_strings = sum(self.counts[0])
        if not 0 <= place < number_of_strings:
            raise IndexError(f"the numbers are from 0 to {number_of_strings - 1}, not {place}")
        length = 0
        while place >= self.counts[0][length]:
            place -= self.counts[0][length]
            length += 1
        number, text = 0, ""
        for left in reversed(range(length)):
            for step, following in self.states[number].steps:
                if place < self.counts[following][left]:
                    number, text = following, text + step
                    break
                place -= self.counts[following][left]
        return text

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
