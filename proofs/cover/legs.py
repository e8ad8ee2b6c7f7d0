"""The ways from where a tour stands to the witnesses of strings, the shortest first. Untrusted.

A leg is looked for in four steps, each for fewer and at more cost: how many plies a way to the
station must have, whichever men go where; how many a leg has at least, with men that are on the
board; whether its string is written so with these men; and the path.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import islice, pairwise, product
from operator import itemgetter
from typing import NamedTuple

import chess

from sanproof.proofs.cover.edits import MOST_EDITS, Men, edit_side, kinds_of, men_of
from sanproof.proofs.cover.parts import Station
from sanproof.proofs.cover.stops import Stop, needed_men
from sanproof.proofs.games.game import bare_san
from sanproof.proofs.games.men import (
    FAR,
    LETTERS,
    ManStep,
    Setting,
    board_of,
    distances,
    read_setting,
)
from sanproof.proofs.games.paths import PathSearch, fewest_steps, match_homes, plies_left
from sanproof.proofs.games.scenes import Men as SceneMen
from sanproof.proofs.games.scenes import attacked, can_move
from sanproof.proofs.rules.squares import SQUARES, parse_square


class Ways(NamedTuple):
    """One side's men at a station.

    Their kinds, and for every man that is of one of them the steps to the nearest of these men.
    """

    kinds: tuple[int, ...]
    steps: dict[int, int]


class Target(NamedTuple):
    """A station to which legs are looked for: White's and Black's men, and the ways to them.

    Its move goes from ``origin`` to ``destination`` and needs ``number`` men of a ``kind``.
    ``written`` says of men that were looked at whether the string is written so with them.
    """

    station: Station
    sides: tuple[Men, Men]
    ways: tuple[Ways, Ways]
    origin: int
    destination: int
    kind: int
    number: int
    written: dict[tuple[Men, Men], bool]


def target_of(station: Station) -> Target:
    """The station, read once for all tours of a part."""
    sides = men_of(read_setting(station.before_fen.split(" ", 1)[0]))
    white, black = map(_ways_to, sides)
    origin, destination = parse_square(station.uci[:2]), parse_square(station.uci[2:4])
    return Target(station, sides, (white, black), origin, destination, *needed_men(station.san), {})


def _ways_to(men: Men) -> Ways:
    steps: dict[int, int] = {}
    for man in men:
        for other, number in _steps_to(man).items():
            steps[other] = min(number, steps.get(other, FAR))
    return Ways(kinds_of(men), steps)


@cache
def _steps_to(man: int) -> dict[int, int]:
    """The steps to where a man stands, of each man of his kind."""
    kind = man >> 6
    return {kind << 6 | s: distances(kind, s)[man & 63] for s in SQUARES}


class StationSide(NamedTuple):
    """One side's men at a station, sorted; the mask of their squares; the least steps to there."""

    men: Men
    occupied: int
    steps: int


class Current:
    """One side's men where they stand now, sorted, and their kinds."""

    def __init__(self, men: Men) -> None:
        self.men = men
        self.kinds = kinds_of(men)
        ways = [distances(man >> 6, man & 63) for man in men]
        groups = _groups(self.kinds)
        self._alone = [(i, ways[i]) for i, after in groups if after == i + 1]
        self._equal = [(i, after, ways[i:after]) for i, after in groups if after > i + 1]

    def fewest_steps(self, ways: Ways) -> int:
        """The steps to a station's men that are left at least, however they are edited.

        Of a kind that is missing there, men may stand where they do now.
        """
        men, steps = self.men, ways.steps
        return sum([steps[men[i]] for i in _of_kinds_there(self.kinds, ways.kinds)])

    def edits(self, men: Men, moving: int, rng: random.Random) -> list[Men]:
        """A station's men made to be of these kinds, in a few ways."""
        return edit_side(men, self.men, self.kinds, moving, rng)

    def side(self, men: Men) -> StationSide:
        """Men of these kinds at a station."""
        occupied, steps = 0, 0
        squares = [man & 63 for man in men]
        for square in squares:
            occupied |= 1 << square
        for i, way in self._alone:
            steps += way[squares[i]]
        for first, after, ways in self._equal:
            steps += fewest_steps(ways, squares[first:after])
        return StationSide(men, occupied, steps)


@cache
def _of_kinds_there(kinds: tuple[int, ...], there: tuple[int, ...]) -> list[int]:
    """The indices of men of whose kinds there are no fewer at a station."""
    return [i for i, kind in enumerate(kinds) if kinds.count(kind) <= there.count(kind)]


@cache
def _groups(kinds: tuple[int, ...]) -> list[tuple[int, int]]:
    """For each kind of sorted men the index of its first man, and the one after its last."""
    firsts = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
    return list(pairwise([*firsts, len(kinds)]))


class Leg(NamedTuple):
    """A way from where a tour stands to a station, with these men there; still to be found.

    ``plies`` are those that the tour has when it is made, at least; ``number`` decides between
    equal ones.
    """

    plies: int
    number: int
    start: Stop
    target: Target
    white: StationSide
    black: StationSide

    @property
    def setting(self) -> Setting:
        """The position before the station's move."""
        men = self.white.men + self.black.men
        return Setting(kinds_of(men), len(self.white.men), tuple([man & 63 for man in men]))

    def search(self) -> PathSearch:
        """A search for the path."""
        setting = self.setting
        homes = match_homes(setting, self.start.setting)
        return PathSearch(setting, homes, frozenset(), black_begins=not self.start.board.turn)

    def play(self, path: Iterable[ManStep]) -> Stop | None:
        """Where the tour stands after the path and the string; None if a move is illegal."""
        station = self.target.station
        return self.start.play([*(step.uci for step in path), station.uci], station.san)


def find_legs(
    starts: Sequence[Stop], targets: Iterable[Target], rng: random.Random
) -> Iterator[Leg]:
    """All legs from these starts to these targets, the shortest first.

    They are made when it is their turn: few are ever asked for.
    """
    current = [tuple(map(Current, men_of(start.setting))) for start in starts]
    ways = [
        (plies, start, sides, target)
        for target in targets
        for start, sides in zip(starts, current, strict=True)
        if (plies := _fewest_plies(start, *map(Current.fewest_steps, sides, target.ways))) < FAR
    ]
    ways.sort(key=itemgetter(0))
    number = 0
    found: list[Leg] = []
    for fewest, start, sides, target in ways:
        while found and found[0].plies < fewest:
            yield heappop(found)
        for white, black in _fitting(target, sides, rng):
            plies = _fewest_plies(start, white.steps, black.steps)
            if plies < FAR:
                number += 1
                heappush(found, Leg(plies, number, start, target, white, black))
    while found:
        yield heappop(found)


def _fewest_plies(start: Stop, white: int, black: int) -> int:
    """The plies that a tour has at least after these steps of the players; or it is FAR."""
    black_last = not start.board.turn
    return len(start.moves) + plies_left(white, black, black_first=True, black_last=black_last)


def _fitting(
    target: Target, current: Sequence[Current], rng: random.Random
) -> Iterator[tuple[StationSide, StationSide]]:
    """The target's position with the men that are there, in a few ways."""
    moving = 1 << target.origin | 1 << target.destination
    white, black = current
    whites = white.edits(target.sides[0], moving, rng)
    blacks = black.edits(target.sides[1], moving, rng)
    whites = whites[: -(-MOST_EDITS // max(1, len(blacks)))]
    pairs = product(list(map(white.side, whites)), list(map(black.side, blacks)))
    number = len(white.men) + len(black.men)
    for ours, theirs in islice(pairs, MOST_EDITS):
        if (ours.occupied | theirs.occupied).bit_count() == number:
            yield ours, theirs


def leads_to_its_string(leg: Leg) -> bool:
    """Whether the position is valid and the move, with these men, is written as the string.

    A look at the kings rules out most, before there is a board.
    """
    written, men = leg.target.written, (leg.white.men, leg.black.men)
    if men not in written:
        written[men] = _has_its_suffix(leg) and _has_its_bare_string(leg)
    return written[men]


def _has_its_suffix(leg: Leg) -> bool:
    """Whether White may have moved so, and Black is then in check or mated as the string says.

    Black has no pawns, whose moves :mod:`proofs.games.scenes` leaves out.
    """
    white, black = _squares_by_kinds(leg.white.men), _squares_by_kinds(leg.black.men)
    occupied = leg.white.occupied | leg.black.occupied
    if attacked(black[0][1], white, occupied):
        return False
    station, origin, destination = leg.target.station, leg.target.origin, leg.target.destination
    promotion = station.uci[4:].upper()
    white = tuple(
        [
            (LETTERS.index(promotion) if promotion else kind, destination)
            if s == origin
            else (kind, s)
            for kind, s in white
        ]
    )
    black = tuple([man for man in black if man[1] != destination])
    occupied = occupied & ~(1 << origin) | 1 << destination
    if attacked(white[0][1], black, occupied):
        return False
    if not attacked(black[0][1], white, occupied):
        return station.san[-1] not in "+#"
    if station.san[-1] not in "+#":
        return False
    # Black has no pawns.
    return can_move(black, white) == (station.san[-1] == "+")


def _has_its_bare_string(leg: Leg) -> bool:
    """Whether the move is legal in a valid position, and all but its suffix is written so."""
    board = board_of(leg.setting)
    move = chess.Move.from_uci(leg.target.station.uci)
    if not (board.is_valid() and board.is_legal(move)):
        return False
    return bare_san(board, move) == leg.target.station.san.rstrip("+#")


def _squares_by_kinds(men: Men) -> SceneMen:
    return tuple([(man >> 6, man & 63) for man in men])
