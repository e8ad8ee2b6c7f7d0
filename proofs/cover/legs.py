"""The ways from where a tour stands to the witnesses of strings, the shortest first. Untrusted.

A leg is looked for in four steps, each for fewer and at more cost: how many plies a way to the
station must have, whichever men go where; how many a leg has at least, with men that are on the
board; whether its string is written so with these men; and the path.

The witness of a string may have other men than the game so far. Each side is edited alone: men of
kinds that are missing take the place of men that are too many, or are added where they stand now;
what is then too many is left out.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, islice, pairwise, product
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.cover.parts import Station
from sanproof.proofs.cover.stops import Stop, needed_men
from sanproof.proofs.games.game import bare_san
from sanproof.proofs.games.paths import fewest_steps, match_homes, plies_left, search_path
from sanproof.proofs.games.pieces import (
    FAR,
    KINDS,
    LETTERS,
    ManStep,
    Setting,
    Side,
    attacked,
    board_of,
    can_move,
    distances,
    read_setting,
)
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.squares import SQUARES, parse_square

Numbers = NDArray[np.int64]
MAX_EDITS: Final = 8
"""The number of ways to edit a side, or both, that are tried."""

Men = tuple[int, ...]
"""The men of a side, each one integer, kind times 64 plus square, so that they sort by kinds."""


class Ways:
    """The steps to the men of many stations, of every man who is of a kind that is there.

    ``sides`` are White's and Black's men at each station. Arrays, because of each station that a
    tour may go to next only these are looked at.
    """

    def __init__(self, sides: Sequence[tuple[Men, Men]]) -> None:
        shape = (len(COLOURS), len(KINDS), len(sides))
        self._steps = np.full((*shape, 64), FAR, np.int16)
        self._numbers = np.zeros(shape, np.int16)
        for side, of_stations in enumerate(zip(*sides, strict=True)):
            for row, men in enumerate(of_stations):
                for man in men:
                    self._numbers[side, man >> 6, row] += 1
                    nearest = self._steps[side, man >> 6, row]
                    np.minimum(nearest, _steps_to(man), out=nearest)

    def fewest_steps(self, rows: Sequence[int], side: int, men: Men) -> Numbers:
        """The steps from where men stand to these stations that are left at least.

        However a station's men are edited; those of a kind of which fewer are there may stand where
        they do now.
        """
        kinds = np.array(kinds_of(men))
        ways = self._steps[side, kinds[:, None], rows, np.array(men)[:, None] & 63]
        enough = (
            self._numbers[side, kinds[:, None], rows] >= (kinds[:, None] == kinds).sum(0)[:, None]
        )
        fewest: Numbers = np.where(enough, ways, 0).sum(0)
        return fewest


@cache
def _steps_to(man: int) -> NDArray[np.int16]:
    """The steps to where a man stands, of a man of his kind on each square."""
    return np.array([distances(man >> 6, s)[man & 63] for s in SQUARES], np.int16)


class Target(NamedTuple):
    """A station to which legs are looked for: White's and Black's men, and its row in the ways.

    Its move goes from ``origin`` to ``destination`` and needs ``number`` men of a ``kind``.
    ``written`` says of men that were looked at whether the string is written so with them.
    """

    station: Station
    sides: tuple[Men, Men]
    row: int
    origin: int
    destination: int
    kind: int
    number: int
    written: dict[tuple[Men, Men], bool]


class Targets(NamedTuple):
    """The stations of a part by their strings, and the ways to all that there were at first."""

    ways: Ways
    by_san: dict[str, Target]


def targets_of(stations: Sequence[Station]) -> Targets:
    """The stations, read once for all tours of a part."""
    sides = [men_of(read_setting(station.before_fen.split(" ", 1)[0])) for station in stations]
    by_san = {
        station.san: Target(
            station,
            men,
            row,
            parse_square(station.uci[:2]),
            parse_square(station.uci[2:4]),
            *needed_men(station.san),
            {},
        )
        for row, (station, men) in enumerate(zip(stations, sides, strict=True))
    }
    return Targets(Ways(sides), by_san)


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

    def search(self, most_nodes: int) -> list[ManStep] | None:
        """The path, if it is found with so many nodes."""
        setting, black_begins = self.setting, not self.start.position.white_to_move
        homes = match_homes(setting, self.start.setting)
        return search_path(setting, homes, frozenset(), most_nodes, black_begins=black_begins)

    def play(self, path: Iterable[ManStep]) -> Stop | None:
        """Where the tour stands after the path and the string; None if a move is illegal."""
        station = self.target.station
        return self.start.play([*(step.uci for step in path), station.uci], station.san)


def find_legs(
    starts: Sequence[Stop], ways: Ways, targets: Sequence[Target], rng: random.Random
) -> Iterator[Leg]:
    """All legs from these starts to these targets, the shortest first.

    They are made when it is their turn: few are ever asked for.
    """
    current = [tuple(map(Current, men_of(start.setting))) for start in starts]
    rows = [target.row for target in targets]
    fewest_plies = np.array(
        [
            _fewest_plies_each(start, *(ways.fewest_steps(rows, i, sides[i].men) for i in (0, 1)))
            for start, sides in zip(starts, current, strict=True)
        ]
    ).T.ravel()
    number = 0
    found: list[Leg] = []
    for i in np.argsort(fewest_plies, kind="stable").tolist():
        fewest = int(fewest_plies[i])
        if fewest >= FAR:
            break
        target, start = targets[i // len(starts)], starts[i % len(starts)]
        while found and found[0].plies < fewest:
            yield heappop(found)
        for white, black in _fitting(target, current[i % len(starts)], rng):
            plies = _fewest_plies(start, white.steps, black.steps)
            if plies < FAR:
                number += 1
                heappush(found, Leg(plies, number, start, target, white, black))
    while found:
        yield heappop(found)


def _fewest_plies(start: Stop, white: int, black: int) -> int:
    """The plies that a tour has at least after these steps of the players; or it is FAR."""
    black_last = not start.position.white_to_move
    return len(start.moves) + plies_left(white, black, black_first=True, black_last=black_last)


def _fewest_plies_each(start: Stop, white: Numbers, black: Numbers) -> Numbers:
    """Return the fewest plies for many steps at once."""
    if start.position.white_to_move:
        left = 2 * np.maximum(white, black)
    else:
        left = np.maximum(np.maximum(2 * black - 1, 2 * white + 1), 1)
    return len(start.moves) + left


def _fitting(
    target: Target, current: Sequence[Current], rng: random.Random
) -> Iterator[tuple[StationSide, StationSide]]:
    """The target's position with the men that are there, in a few ways."""
    moving = 1 << target.origin | 1 << target.destination
    white, black = current
    whites = white.edits(target.sides[0], moving, rng)
    blacks = black.edits(target.sides[1], moving, rng)
    whites = whites[: -(-MAX_EDITS // max(1, len(blacks)))]
    pairs = product(list(map(white.side, whites)), list(map(black.side, blacks)))
    number = len(white.men) + len(black.men)
    for ours, theirs in islice(pairs, MAX_EDITS):
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

    Black has no pawns, whose moves :mod:`proofs.games.pieces` leaves out.
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


def _squares_by_kinds(men: Men) -> Side:
    return tuple([(man >> 6, man & 63) for man in men])


# Editing


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
        edits = [_put(kind, *place) for place in places[:MAX_EDITS]]
    every = (left for edit in edits for left in _without_surplus(edit, want, moving))
    return [tuple(sorted(edited)) for edited in islice(every, MAX_EDITS)]


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
