"""The cover: one game for each mate, and every other string played on the way. Untrusted.

A game has at most one mate, so a cover has at least as many games as there are strings of mate.
Here it has no more: a game goes from a hub to the witness of a string, plays it, goes from there
to the witness of another, and so on to a mate::

    initial position ──▶ witness 1 ──▶ string 1 ──▶ ... ──▶ witness n ──▶ string n ──▶ mate

Strings are taken the longest first, for those are rarely played by chance; what is played on the
way counts as well. All is seen from White's side; a game of Black's has the colours exchanged.
"""

import random
from collections.abc import Iterable
from itertools import islice
from typing import Final

from sanproof.proofs.cover.legs import (
    Leg,
    Stop,
    Targets,
    begun,
    find_legs,
    leads_to_its_string,
    stop_at,
    targets_of,
)
from sanproof.proofs.cover.parts import MatesPart, Start, Station, Tour

SAMPLE: Final = 60
"""The number of next stations that are compared."""
MAX_MATES: Final = 400
"""The number of mates compared after a string that begins a game, unless it is the only one."""
TRIES: Final = 6
"""To how many of them, the nearest first, a path is looked for."""
EFFORTS: Final = (60, 300)
"""The positions that a search for a path looks at: of all of these paths first few, then more."""
STARTS: Final = 4
"""The number of starts that are tried before a mate is left to its own proof game."""


def tour_part(part: MatesPart) -> list[Tour]:
    """A tour for each mate of the part, with as many of its strings as could be put there."""
    return _Guide(part).tours()


class _Guide:
    """Builds the games of one part, one after the other."""

    def __init__(self, part: MatesPart) -> None:
        self._random = random.Random(part.name)
        self._firsts = list(part.firsts)
        self._starts = [(start, stop_at(start.fen)) for start in part.starts]
        self._mates = targets_of(part.mates)
        self._quiet = targets_of([s for s in part.strings if not s.captures])
        self._captures = targets_of([s for s in part.strings if s.captures])

    def tours(self) -> list[Tour]:
        """A tour for each first string that a mate could follow; or else one for each mate."""
        if self._firsts:
            found = filter(None, map(self._tour_from_first, self._firsts))
            return [self._done(tour, first) for tour, first in found]
        return [self._done(*self._tour()) for _ in range(len(self._mates.by_san))]

    def _done(self, tour: Tour, before: Iterable[str]) -> Tour:
        """Strike out what the tour plays."""
        del self._mates.by_san[tour.mate]
        for san in (*before, *tour.sans):
            self._quiet.by_san.pop(san, None)
            self._captures.by_san.pop(san, None)
        return tour

    def _tour_from_first(self, first: Station) -> tuple[Tour, tuple[str, ...]] | None:
        most = MAX_MATES if len(self._firsts) > 1 else len(self._mates.by_san)
        last = self._extend(begun(first), self._mates, most)
        return last and (Tour(first.san, last.moves, last.sans), first.sans)

    def _tour(self) -> tuple[Tour, tuple[str, ...]]:
        """The next tour, and what is played before it.

        If no way is found from anywhere, it is the move of a mate's own proof game.
        """
        for attempt in range(STARTS):
            start, begin = self._begin(any_start=attempt % 2 == 1)
            for stop in reversed(self._stops(begin)):
                last = self._extend(stop, self._mates)
                if last is not None:
                    return Tour(start.name, last.moves, last.sans), start.sans
        mate = next(iter(self._mates.by_san.values())).station
        return Tour(mate.san, (mate.uci,), (mate.san,)), mate.sans

    def _begin(self, *, any_start: bool) -> tuple[Start, Stop]:
        """A start, if not any then with men for all that are to be captured."""
        most = max(stop.black_men for _, stop in self._starts)
        needed = 0 if any_start else min(self._share(self._captures) + 1, most)
        enough = [(start, stop) for start, stop in self._starts if stop.black_men >= needed]
        return self._random.choice(enough)

    def _share(self, strings: Targets) -> int:
        """Return the number of these strings that the next tour should play."""
        return -(-len(strings.by_san) // len(self._mates.by_san))

    def _stops(self, begin: Stop) -> list[Stop]:
        """A tour over its share of strings, if they are found: where it stands after each.

        Captures come last, for with more men more positions fit.
        """
        stops = [begin]
        for strings in (self._quiet, self._captures):
            for _ in range(self._share(strings)):
                following = self._extend(stops[-1], strings)
                if following is None:
                    break
                stops.append(following)
        return stops

    def _extend(self, stop: Stop, targets: Targets, most: int = SAMPLE) -> Stop | None:
        """Go on to the nearest of so many stations that is found to be reachable."""
        men, played = stop.setting.white_men, set(stop.sans)
        left = targets.by_san.items()
        pool = [t for san, t in left if men[t.kind] >= t.number and san not in played]
        sample = self._random.sample(pool, min(most, len(pool)))
        if not stop.black_men:
            sample = [t for t in sample if not t.station.captures]
        legs = find_legs(stop.continuations(), targets.ways, sample, self._random)
        return _first_found(islice(filter(leads_to_its_string, legs), TRIES))


def _first_found(legs: Iterable[Leg]) -> Stop | None:
    """Where the tour stands after the first of these legs that is found, and its string."""
    for most_nodes in EFFORTS:
        given_up = []
        for leg in legs:
            path = leg.search(most_nodes)
            if path is None:
                given_up.append(leg)
            elif following := leg.play(path):
                return following
        legs = given_up
    return None
