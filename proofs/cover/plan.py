"""The plan of the cover: which strings are searched next, in the games of which mates. Untrusted.

The work is done in rounds, so that what was played by chance in one need not be played on purpose
in the next. Each round is cut into parts that do not know of each other, and nothing depends on who
does them.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import ceil
from typing import Final

from sanproof.proofs.cover.cover import HUBS, Cover, starts
from sanproof.proofs.cover.parts import (
    MatesPart,
    Station,
    Tour,
    as_white,
    begins,
    can_follow,
    ends,
    family_of,
    is_plain_mate,
    pieces_after,
    promotion_order,
    rarity,
)
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.rules.cubes import COLOURS, WHITE

MAX_ROUNDS: Final = 100
FIRST_ROUNDS: Final = 5
ROUNDS: Final = 10
"""The first rounds and those of the families, before the rounds of repair."""
MATES_IN_A_PART: Final = 150
FIRSTS_IN_A_PART: Final = 300
REPAIRED: Final = 3
"""The number of games that are replaced for one string that is missing."""
IDLE_MATES: Final = 300
"""The number of mates more, in each round, that a string that begins a game may choose from."""
ONE_MATE_IN: Final = 4
"""Of how many mates one is offered to these strings in a round, chosen at random."""
FEW: Final = 20
"""With at most this many strings missing, any of them begins games in every other round."""
MORE_CAPTURES: Final = 1.2
"""The share of captures that is taken, compared with an even share."""
FIRSTS: Final = "firsts"
"""The family of parts whose games begin with strings."""


def prepare() -> None:
    """Work out what every plan needs, before there are games."""
    for colour in COLOURS:
        starts(colour)


class CoverPlan(Cover):
    """The rounds of the work on a cover.

    Games that begin with a pawn's string, a castling, or a check without quiet replies, from the
    witness of its own proof game, come first. The other games are White's. ``played`` has the proof
    game of each string and player.
    """

    def __init__(self, played: Mapping[tuple[str, str], CheckedGame]) -> None:
        super().__init__(played)
        self._round = 0
        for san in self.strings:
            if ends(san) and begins(san):
                colour = self.player(san)
                mate = self.station(san, colour)
                self.put(san, colour, Tour(mate.san, (mate.uci,), (mate.san,)))

    def look_ahead(self) -> None:
        """Work out what the second round needs, while the first is searched."""
        _ = self.firsts

    def parts(self) -> list[MatesPart]:
        """Return the next parts to search; none if every string is played, or after many rounds."""
        missing = self.missing()
        while self._round < MAX_ROUNDS:
            self._round += 1
            parts = parts_of_round(self, self._round, missing)
            if parts or (self._round > ROUNDS and not missing):
                return parts
        return []

    def take(self, parts: Sequence[MatesPart], tours: Iterable[Sequence[Tour]]) -> None:
        """Take in what came out of the parts, unless it shows fewer strings than before."""
        for part, found in zip(parts, tours, strict=True):
            shown = len(self.games_with)
            mates = [as_white(tour.mate, part.colour) for tour in found]
            before = {mate: self.tours[mate] for mate in mates if mate in self.tours}
            for mate, tour in zip(mates, found, strict=True):
                self.put(mate, part.colour, tour)
            if len(self.games_with) < shown:
                for mate, old in before.items():
                    self.put(mate, *old)


def parts_of_round(cover: Cover, number: int, missing: Sequence[str]) -> list[MatesPart]:
    """Return the parts of a round, the first of which has number 1; there may be none."""
    if number <= FIRST_ROUNDS:
        return _first_parts(cover, number, missing)
    if number <= ROUNDS:
        wanted = frozenset(missing)
        return [
            part
            for family in cover.families
            for part in _family_parts(cover, number, family, wanted)
        ]
    return _repair_parts(cover, number, missing)


def _first_parts(cover: Cover, number: int, missing: Iterable[str]) -> list[MatesPart]:
    """Strings to begin with, each player's with half of the mates that have no game but their own.

    In the first round these are the pawns' and castlings, and of the mates those that need few
    pieces.
    """
    if number == 1:
        firsts = list(filter(begins, missing))
        mates = list(filter(is_plain_mate, cover.strings))
    else:
        firsts = [san for san in missing if san in cover.firsts]
        mates = [san for san in cover.strings if ends(san) and cover.is_idle(san)]
    random.Random(number).shuffle(mates)
    # After a pawn that stays a pawn the fewest mates can follow: it chooses first.
    firsts.sort(key=promotion_order)
    parts = []
    for colour, half in zip(COLOURS, (mates[::2], mates[1::2]), strict=True):
        own = [m for m in mates if cover.player(m) == colour and begins(m)]
        own += [m for m in half if not begins(m)]
        theirs = [san for san in firsts if cover.player(san) == colour]
        parts += _cut_firsts(cover, number, colour, theirs, own)
    return parts


def _cut_firsts(
    cover: Cover, number: int, colour: str, firsts: Sequence[str], mates: Sequence[str]
) -> list[MatesPart]:
    parts = -(-len(firsts) // FIRSTS_IN_A_PART)
    return [
        make_part(cover, (colour, FIRSTS, number, i), firsts[i::parts], (), mates[i::parts])
        for i in range(parts)
    ]


def _family_parts(
    cover: Cover, number: int, family: str, missing: Collection[str]
) -> list[MatesPart]:
    """Return a share of the mates, with a share of the strings: those least often met by chance.

    Of the captures the share is larger, for chance shows few of them, and no game many.
    """
    rounds_left = ROUNDS - number + 1
    members = cover.families[family]
    free = [san for san in members if ends(san) and san not in cover.tours]
    random.Random(f"{family} {number}").shuffle(free)
    left = sorted((san for san in members if san in missing), key=rarity)
    captures = [san for san in left if "x" in san]
    quiet = [san for san in left if "x" not in san]
    strings = captures[: ceil(MORE_CAPTURES * len(captures) / rounds_left)]
    strings += quiet[: ceil(len(quiet) / rounds_left)]
    mates = free[: -(-len(free) // rounds_left)]
    parts = -(-len(mates) // MATES_IN_A_PART)
    return [
        make_part(cover, (WHITE, family, number, i), (), strings[i::parts], mates[i::parts])
        for i in range(parts)
    ]


def _repair_parts(cover: Cover, number: int, missing: Sequence[str]) -> list[MatesPart]:
    """For each missing string some games, taken at random, to be replaced.

    A string that must begin a game, and one of few that are left in every other round, gets mates
    from a quarter of all, which each round draws again: those whose games show least that no other
    game shows, from round to round more of them, and one of these is enough. That may be another
    such string's, which then looks for another mate.
    """
    offers = _Offers(cover, number)
    few = number % 2 and len(missing) <= FEW
    beginning = [san for san in missing if few or san in cover.firsts]
    parts = []
    for i, san in enumerate(missing):
        if san in beginning:
            mates = offers.following(san, len(beginning))
            key, firsts, strings = (cover.player(san), FIRSTS, number, i), [san], []
        else:
            mates = offers.of_family(san)
            key, firsts = (WHITE, family_of(san), number, i), []
            strings = _to_replace(cover, san, mates)
        if mates:
            parts.append(make_part(cover, key, firsts, strings, mates))
    return parts


def _to_replace(cover: Cover, san: str, mates: Iterable[str]) -> list[str]:
    """Return a missing string, and those of its family that are lost with these mates' games."""
    members = set(cover.families[family_of(san)])
    return [
        san,
        *(s for mate in mates for s in cover.only_in(mate) if s in members and not ends(s)),
    ]


class _Offers:
    """The mates that a round of repair offers to strings, none of them twice."""

    def __init__(self, cover: Cover, number: int) -> None:
        self._most = IDLE_MATES * (number - ROUNDS)
        self._used: set[str] = set()
        self._cover = cover
        self._mates = list(cover.tours)
        random.Random(number).shuffle(self._mates)

    @cached_property
    def _idle(self) -> list[str]:
        """A quarter of the mates, others in each round; those with least of their own are last.

        If all were offered each time, a few strings could take the same mates from each other for
        ever.
        """
        some = self._mates[::ONE_MATE_IN]
        return sorted(some, key=lambda mate: len(self._cover.only_in(mate)), reverse=True)

    @cached_property
    def _pools(self) -> dict[str, list[str]]:
        """By family, the mates whose games begin with no string."""
        pools: dict[str, list[str]] = defaultdict(list)
        for mate in reversed(self._mates):
            if not begins(mate) and self._cover.is_free(mate):
                pools[family_of(mate)].append(mate)
        return pools

    def following(self, first: str, sharers: int) -> list[str]:
        """Mates that a game may end with which begins with a string, those that show least first.

        ``sharers`` such strings share the mates.
        """
        cover = self._cover
        colour = cover.player(first)
        pieces = pieces_after(cover.station(first, colour))
        possible = [
            mate
            for mate in self._idle
            if mate not in self._used
            and cover.can_play(mate, colour)
            and can_follow(as_white(mate, colour), pieces)
        ]
        number = min(len(possible) // sharers, self._most)
        return self._offer(possible[::-1][:number])

    def of_family(self, san: str) -> list[str]:
        """Return some mates of a string's family."""
        colour = self._cover.player(san)
        free = (
            mate
            for mate in self._pools[family_of(san)]
            if mate not in self._used and self._cover.can_play(mate, colour)
        )
        return self._offer(list(islice(free, REPAIRED)))

    def _offer(self, mates: list[str]) -> list[str]:
        self._used.update(mates)
        return mates


def make_part(
    cover: Cover,
    key: tuple[str, str, int, int],
    firsts: Iterable[str],
    strings: Iterable[str],
    mates: Iterable[str],
) -> MatesPart:
    """Return a part, with where its strings are played; ``key`` are its first four entries."""
    colour, family, *_ = key

    def stations(sans: Iterable[str]) -> tuple[Station, ...]:
        return tuple(cover.station(san, colour) for san in sans)

    begun = [start for start in starts(colour).values() if start.family in HUBS.get(family, ())]
    return MatesPart(*key, stations(firsts), stations(strings), stations(mates), tuple(begun))
