"""Plans the cover: which strings are searched next, in the games of which mates. Untrusted.

The work is done in rounds, because strings that occur by chance in one round need no search in the
next. The parts of a round are independent of each other, so that the result does not depend on the
workers.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from math import ceil
from typing import Final

from sanproof.proofs.cover.cover import (
    Cover,
    MatesPart,
    Station,
    as_white,
    begins,
    can_follow,
    ends,
    family_of,
    pieces_after,
    starts,
)
from sanproof.proofs.rules.cubes import COLOURS, WHITE
from sanproof.proofs.rules.san import CASTLINGS, parse_san

MAX_ROUNDS: Final = 100
FIRST_ROUNDS: Final = 5
ROUNDS: Final = 10
"""The number of rounds, the first ones included, before the rounds of repair."""
MATES_IN_A_PART: Final = 150
FIRSTS_IN_A_PART: Final = 300
REPAIRED: Final = 3
"""The number of games that are replaced for one missing string."""
IDLE_MATES: Final = 300
"""The number of additional mates, in each round, from which a string that begins a game chooses."""
ONE_MATE_IN: Final = 4
"""One in this many mates is offered to these strings in a round, chosen at random."""
FEW: Final = 20
"""If at most this many strings are missing, games may begin with them in every other round."""
MORE_CAPTURES: Final = 1.2
"""The share of captures, compared with an even one."""
FIRSTS: Final = "firsts"
"""The name of the family of parts whose games begin with strings."""
HUBS: Final = {
    FIRSTS: (),
    "Q": ("Q",),
    "R": ("R", "O-O", "O-O-O"),
    "N": ("N",),
    "B light": ("L",),
    "B dark": ("D",),
}
"""The families of hubs that have the pieces for a family's strings, so that tours begin there."""
PROMOTIONS: Final = ("", "N", "B", "R", "Q")
"""The promotions of a pawn, sorted by how many mates can follow."""

_PLAIN: Final = str.maketrans("", "", "x+")


def rounds(cover: Cover) -> Iterator[list[MatesPart]]:
    """Yield the parts of each round, until no string is missing or there were many rounds.

    The caller puts the results of a round into ``cover`` before it takes the next round.
    """
    missing = cover.missing()
    for number in range(1, MAX_ROUNDS + 1):
        if parts := parts_of_round(cover, number, missing):
            yield parts
            missing = cover.missing()
        elif number > ROUNDS and not missing:
            return


def parts_of_round(cover: Cover, number: int, missing: Sequence[str]) -> list[MatesPart]:
    """Return the parts of a round, which may be none. Rounds count from 1."""
    if number <= FIRST_ROUNDS:
        return _first_parts(cover, number, missing)
    if number <= ROUNDS:
        wanted = frozenset(missing)
        families = (_family_parts(cover, number, family, wanted) for family in cover.families)
        return [part for parts in families for part in parts]
    return _repair_parts(cover, number, missing)


def _first_parts(cover: Cover, number: int, missing: Iterable[str]) -> list[MatesPart]:
    """Strings to begin with, each player's with half of the mates that have no game but their own.

    In the first round these are the pawns' and castlings, and of the mates those that need few
    pieces.
    """
    if number == 1:
        firsts = list(filter(begins, missing))
        mates = list(filter(_is_plain_mate, cover.strings))
    else:
        firsts = [san for san in missing if san in cover.firsts]
        mates = [san for san in cover.strings if ends(san) and cover.is_idle(san)]
    random.Random(number).shuffle(mates)
    # After a pawn that stays a pawn the fewest mates can follow: it chooses first.
    firsts.sort(key=lambda san: PROMOTIONS.index(parse_san(san).promotion))
    parts = []
    for colour, half in zip(COLOURS, (mates[::2], mates[1::2]), strict=True):
        own = [m for m in mates if cover.player(m) == colour and begins(m)]
        own += [m for m in half if not begins(m)]
        theirs = [san for san in firsts if cover.player(san) == colour]
        cut = -(-len(theirs) // FIRSTS_IN_A_PART)
        parts += [
            _part(cover, (colour, FIRSTS, number, i), theirs[i::cut], (), own[i::cut])
            for i in range(cut)
        ]
    return parts


def _is_plain_mate(san: str) -> bool:
    """Return whether few pieces suffice: a mate by a pawn, or by a piece without discriminator."""
    piece, file, rank, *_ = parse_san(san)
    return ends(san) and piece not in CASTLINGS and not (piece and (file or rank))


def _family_parts(
    cover: Cover, number: int, family: str, missing: Collection[str]
) -> list[MatesPart]:
    """Return a share of the mates, with a share of the strings: those least often met by chance.

    These say most of the origin. Of the captures the share is larger, for chance shows few of them,
    and no game many.
    """
    rounds_left = ROUNDS - number + 1
    members = cover.families[family]
    free = [san for san in members if ends(san) and san not in cover.tours]
    random.Random(f"{family} {number}").shuffle(free)
    left = [san for san in members if san in missing]
    left.sort(key=lambda san: (-len(san.translate(_PLAIN)), san))
    captures = [san for san in left if "x" in san]
    quiet = [san for san in left if "x" not in san]
    strings = captures[: ceil(MORE_CAPTURES * len(captures) / rounds_left)]
    strings += quiet[: ceil(len(quiet) / rounds_left)]
    mates = free[: -(-len(free) // rounds_left)]
    cut = -(-len(mates) // MATES_IN_A_PART)
    return [
        _part(cover, (WHITE, family, number, i), (), strings[i::cut], mates[i::cut])
        for i in range(cut)
    ]


def _repair_parts(cover: Cover, number: int, missing: Sequence[str]) -> list[MatesPart]:
    """For each missing string some games, taken at random, to be replaced.

    A string that must begin a game, and one of few that are left in every other round, gets mates
    from a quarter of all, which each round draws again: those whose games show least that no other
    game shows, from round to round more of them, and one of these is enough. That may be another
    such string's, which then looks for another mate. If all were offered each time, a few strings
    could take the same mates from each other for ever.

    Another string is put in the games of its family's mates, with what is lost with their old ones.
    """
    mates = list(cover.tours)
    random.Random(number).shuffle(mates)
    idle = mates[::ONE_MATE_IN][::-1]
    idle.sort(key=lambda mate: len(cover.only_in(mate)))
    few = number % 2 and len(missing) <= FEW
    beginning = {san for san in missing if few or san in cover.firsts}
    used: set[str] = set()
    parts = []
    for i, san in enumerate(missing):
        if san in beginning:
            colour = cover.player(san)
            following = _following(cover, san, (mate for mate in idle if mate not in used))
            share = min(len(following) // len(beginning), IDLE_MATES * (number - ROUNDS))
            chosen = following[:share]
            part = _part(cover, (colour, FIRSTS, number, i), [san], (), chosen)
        else:
            left = (mate for mate in reversed(mates) if mate not in used)
            chosen = list(islice(_of_family(cover, san, left), REPAIRED))
            members = set(cover.families[family_of(san)])
            lost = [s for m in chosen for s in cover.only_in(m) if s in members and not ends(s)]
            part = _part(cover, (WHITE, family_of(san), number, i), (), [san, *lost], chosen)
        used.update(chosen)
        if chosen:
            parts.append(part)
    return parts


def _following(cover: Cover, first: str, mates: Iterable[str]) -> list[str]:
    """Return the mates for which there are pieces in a game that begins with a string."""
    colour = cover.player(first)
    pieces = pieces_after(cover.station(first, colour))
    return [
        mate
        for mate in mates
        if cover.can_play(mate, colour) and can_follow(as_white(mate, colour), pieces)
    ]


def _of_family(cover: Cover, san: str, mates: Iterable[str]) -> Iterator[str]:
    """Return the mates of a string's family whose games begin with no string."""
    family, colour = family_of(san), cover.player(san)
    ours = (m for m in mates if family_of(m) == family and cover.can_play(m, colour))
    return (mate for mate in ours if not begins(mate) and cover.is_free(mate))


def _part(
    cover: Cover,
    key: tuple[str, str, int, int],
    firsts: Iterable[str],
    strings: Iterable[str],
    mates: Iterable[str],
) -> MatesPart:
    """Return a part, with where its strings are played, by player, family, round and number."""
    colour, family, *_ = key

    def stations(sans: Iterable[str]) -> tuple[Station, ...]:
        return tuple([cover.station(san, colour) for san in sans])

    given = stations(firsts), stations(strings), stations(mates)
    begun = [start for start, _ in starts(colour).values()]
    begun = [start for start in begun if start.name.split(" ")[0] in HUBS[family]]
    return MatesPart(" ".join(map(str, key)), colour, *given, tuple(begun))
