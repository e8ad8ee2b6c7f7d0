"""The cover: one game for each mate, and every other string played on the way. Untrusted.

A game has at most one mate, so a cover has at least as many games as there are strings of mate.
Here it has no more: a game goes from a hub to the witness of a string, plays it, goes from there
to the witness of another, and so on to a mate::

    initial position ──▶ witness 1 ──▶ string 1 ──▶ ... ──▶ witness n ──▶ string n ──▶ mate

Strings are taken the longest first, for those are rarely played by chance; what is played on the
way counts as well. All is seen from White's side; a game of Black's has the colours exchanged.

A leg of a tour, from where it stands to the witness of a string, is looked for in four steps, each
for fewer and at more cost: how many plies a way must have, whichever pieces go where; how many a
leg has at least, with pieces that are on the board; whether its move has that SAN with these
pieces; and the path.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, islice, product
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.board.strict import written
from sanproof.proofs.board.witness import witness_on
from sanproof.proofs.cover.cover import MatesPart, Start, Station, Tour, can_follow
from sanproof.proofs.games.game import quiet_replies
from sanproof.proofs.games.paths import Plies, least_steps, match_homes, plies_left, search_path
from sanproof.proofs.games.pieces import (
    FAR,
    KINDS,
    LETTERS,
    Setting,
    distances,
    pieces_on,
    read_setting,
)
from sanproof.proofs.kernel.games import read_move
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.squares import SQUARES, parse_square

Side = tuple[int, ...]
"""The pieces of a side, each one integer, kind times 64 plus square, so that they sort by kinds."""
MAX_REPLIES: Final = 4
"""After how many replies to a check a tour is tried to go on."""
MAX_EDITS: Final = 8
"""The number of ways to edit a side, or both, that are tried."""
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


class Stop(NamedTuple):
    """A point of a tour: its start, or the position after one of its strings or a reply to it.

    The moves since the start are in UCI and in SAN; ``setting`` has the pieces of the board.
    """

    moves: tuple[str, ...]
    sans: tuple[str, ...]
    board: chess.Board
    setting: Setting

    @classmethod
    def at(cls, fen: str) -> "Stop":
        """Return a tour's beginning in a position."""
        board = chess.Board(fen)
        return cls((), (), board, pieces_on(board))

    @property
    def black_pieces(self) -> int:
        """The number of Black's pieces besides the king."""
        return len(self.setting.kinds) - self.setting.whites - 1

    def play(self, moves: Sequence[str], san: str | None = None) -> "Stop | None":
        """Return the point after these moves; None if one is illegal, or the last not ``san``.

        The search for a path knows no pawns' captures, so a king may be left in check, but that is
        rare. So is a move after 75 without progress (FIDE 9.6.2).
        """
        board, sans = self.board.copy(stack=False), list(self.sans)
        for number, text in enumerate(moves, 1):
            move = read_move(text)
            if board.is_seventyfive_moves() or not board.is_legal(move):
                return None
            # Only the last may be written as mate, for a legal move follows each other.
            sans.append(written(move, board, may_mate=number == len(moves)))
            board.push(move)
        if san not in (None, sans[-1]):
            return None
        return Stop((*self.moves, *moves), tuple(sans), board, pieces_on(board))

    def continuations(self) -> list["Stop"]:
        """Return the position itself; in check, where few replies are legal, those after one.

        With fewer of White's pieces fewer strings can follow, but after a check there is often no
        way.
        """
        board = self.board
        if not board.is_check():
            return [self]
        legal = list(board.legal_moves)
        calm = [reply for reply in legal if not board.gives_check(reply)]
        chosen = (list(quiet_replies(board)) or calm or legal)[:MAX_REPLIES]
        return list(filter(None, [self.play([reply.uci()]) for reply in chosen]))


def board_of(setting: Setting) -> chess.Board:
    """Return a board with these pieces, White to move and without rights."""
    board = chess.Board(None)
    for i, (kind, square) in enumerate(zip(setting.kinds, setting.squares, strict=True)):
        piece = chess.Piece.from_symbol(LETTERS[kind])
        board.set_piece_at(square, chess.Piece(piece.piece_type, i < setting.whites))
    return board


class Leg(NamedTuple):
    """A way from where a tour stands to a station, with these pieces there; still to be found.

    ``plies`` are those that the tour has when it is made, at least; ``number`` decides between
    equal ones. The setting is the position before the station's move.
    """

    plies: int
    number: int
    start: Stop
    station: Station
    setting: Setting

    def leads_to_its_string(self) -> bool:
        """Return whether the position is valid and the move, with these pieces, has this SAN."""
        move = read_move(self.station.uci)
        return witness_on(board_of(self.setting), move, self.station.san) is not None

    def search(self, most_nodes: int) -> list[str] | None:
        """Return the path, if it is found with so many nodes."""
        homes = match_homes(self.setting, self.start.setting)
        black_begins = self.start.board.turn == chess.BLACK
        return search_path(self.setting, homes, frozenset(), most_nodes, black_begins=black_begins)

    def play(self, path: Iterable[str]) -> Stop | None:
        """Return where the tour stands after the path and the string; None if a move is illegal."""
        return self.start.play([*path, self.station.uci], self.station.san)


class Stations:
    """The stations to which the legs of a part go, read once for all its tours.

    Arrays have the steps to the pieces of every station, of every piece of a kind that is there:
    of each station that a tour may go to next only these are looked at.

    Attributes:
        left: The stations that no tour has reached, by their strings.
    """

    def __init__(self, stations: Sequence[Station]) -> None:
        self.left = {station.san: station for station in stations}
        self._row = {station.san: row for row, station in enumerate(stations)}
        self._sides = [pieces_of(read_setting(station.before_fen)) for station in stations]
        self._leads: dict[tuple[str, Setting], bool] = {}
        shape = (len(COLOURS), len(KINDS), len(stations))
        self._steps = np.full((*shape, 64), FAR, np.int16)
        self._numbers = np.zeros(shape, np.int16)
        for row, sides in enumerate(self._sides):
            for side, pieces in enumerate(sides):
                for piece in pieces:
                    self._numbers[side, piece >> 6, row] += 1
                    nearest = self._steps[side, piece >> 6, row]
                    np.minimum(nearest, _steps_to(piece), out=nearest)

    def legs(
        self, starts: Sequence[Stop], stations: Sequence[Station], rng: random.Random
    ) -> Iterator[Leg]:
        """All legs from these starts to these stations, the shortest first.

        They are made when it is their turn: few are ever asked for.
        """
        current = [pieces_of(start.setting) for start in starts]
        fewest_steps = (
            [self.fewest_steps(stations, side, pieces) for side, pieces in enumerate(sides)]
            for sides in current
        )
        ways = [_plies(start, *steps) for start, steps in zip(starts, fewest_steps, strict=True)]
        fewest_plies = np.array(ways).T.ravel()
        number = 0
        found: list[Leg] = []
        for i in np.argsort(fewest_plies, kind="stable").tolist():
            fewest = int(fewest_plies[i])
            if fewest >= FAR:
                break
            station, start = stations[i // len(starts)], starts[i % len(starts)]
            while found and found[0].plies < fewest:
                yield heappop(found)
            for setting in self._fitting(station, start.setting, current[i % len(starts)], rng):
                plies = _plies(start, *least_steps(setting, start.setting))
                if plies < FAR:
                    number += 1
                    heappush(found, Leg(plies, number, start, station, setting))
        while found:
            yield heappop(found)

    def fewest_steps(
        self, stations: Sequence[Station], side: int, pieces: Side
    ) -> NDArray[np.int64]:
        """Return the steps from where pieces stand to these stations that are left at least.

        However a station's pieces are edited; those of a kind of which fewer are there may stand
        where they do now.
        """
        rows = [self._row[station.san] for station in stations]
        kinds = np.array(kinds_of(pieces))
        ways = self._steps[side, kinds[:, None], rows, np.array(pieces)[:, None] & 63]
        enough = (
            self._numbers[side, kinds[:, None], rows] >= (kinds[:, None] == kinds).sum(0)[:, None]
        )
        fewest: NDArray[np.int64] = np.where(enough, ways, 0).sum(0)
        return fewest

    def _fitting(
        self, station: Station, start: Setting, sides: tuple[Side, Side], rng: random.Random
    ) -> Iterator[Setting]:
        """Yield the station's position with the pieces that are there, in a few ways."""
        moving = 1 << parse_square(station.uci[:2]) | 1 << parse_square(station.uci[2:4])
        both = zip(self._sides[self._row[station.san]], sides, strict=True)
        whites, blacks = (edit_side(pieces, current, moving, rng) for pieces, current in both)
        whites = whites[: -(-MAX_EDITS // max(1, len(blacks)))]
        for ours, theirs in islice(product(whites, blacks), MAX_EDITS):
            squares = tuple([piece & 63 for piece in ours + theirs])
            if len(set(squares)) == len(squares):
                yield start._replace(squares=squares)

    def leads(self, leg: Leg) -> bool:
        """Return whether a leg leads to its string; the answer is kept."""
        key = leg.station.san, leg.setting
        if key not in self._leads:
            self._leads[key] = leg.leads_to_its_string()
        return self._leads[key]


@cache
def _steps_to(piece: int) -> NDArray[np.int16]:
    """Return the steps to where a piece stands, of a piece of its kind on each square."""
    return np.array([distances(piece >> 6, s)[piece & 63] for s in SQUARES], np.int16)


def _plies(start: Stop, white: Plies, black: Plies) -> Plies:
    """Return the plies that a tour has at least after these steps of the players; FAR or more."""
    return len(start.moves) + plies_left(white, black, True, start.board.turn == chess.BLACK)


# Editing. The witness of a string may have other pieces than the game so far. Each side is edited
# alone: pieces of kinds that are missing take the place of pieces that are too many, or are added
# where they stand now; what is then too many is left out.


def pieces_of(setting: Setting) -> tuple[Side, Side]:
    """White's pieces and Black's."""
    pieces = tuple([k << 6 | s for k, s in zip(setting.kinds, setting.squares, strict=True)])
    return pieces[: setting.whites], pieces[setting.whites :]


def kinds_of(pieces: Side) -> tuple[int, ...]:
    """Return the pieces' kinds, in their order."""
    return tuple([piece >> 6 for piece in pieces])


def edit_side(pieces: Side, current: Side, moving: int, rng: random.Random) -> list[Side]:
    """Return a station's pieces changed to the current kinds, in a few ways, each sorted.

    On the squares of the mask ``moving`` no piece is left out.
    """
    have, want = kinds_of(pieces), kinds_of(current)
    if have == want:
        return [pieces]
    edits = [pieces]
    for kind in _beyond(want, have):
        ways = [way for edit in edits for way in _with_piece(kind, edit, want, current)]
        rng.shuffle(ways)
        edits = ways[:MAX_EDITS]
    every = (left for edit in edits for left in _without_surplus(edit, want, moving))
    return [tuple(sorted(edited)) for edited in islice(every, MAX_EDITS)]


@cache
def _beyond(kinds: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Return the kinds of which there are more than others, as often as that."""
    return tuple((Counter(kinds) - Counter(others)).elements())


def _with_piece(kind: int, pieces: Side, want: tuple[int, ...], current: Side) -> Iterator[Side]:
    """Yield the pieces with one of a missing kind wherever it can stand."""
    surplus = _beyond(kinds_of(pieces), want)
    for i, piece in enumerate(pieces):
        if piece >> 6 in surplus:
            yield (*pieces[:i], kind << 6 | piece & 63, *pieces[i + 1 :])
    for piece in current:
        if piece >> 6 == kind and piece not in pieces:
            yield (*pieces, piece)


def _without_surplus(pieces: Side, want: tuple[int, ...], moving: int) -> Iterator[Side]:
    """Yield the pieces without surplus ones, in every way that keeps the moving piece."""
    surplus = sorted(_beyond(kinds_of(pieces), want))
    loose = [piece for piece in pieces if piece >> 6 in surplus and not moving >> (piece & 63) & 1]
    for removed in combinations(loose, len(surplus)):
        if sorted(kinds_of(removed)) == surplus:
            yield tuple([piece for piece in pieces if piece not in removed])


# Tours


def tour_part(part: MatesPart) -> list[Tour]:
    """Return a tour for each mate of the part, with as many of its strings as could be put in."""
    return _TourSearch(part).tours()


class _TourSearch:
    """Builds the games of one part, one after the other."""

    def __init__(self, part: MatesPart) -> None:
        self._random = random.Random(part.name)
        self._firsts = list(part.firsts)
        self._starts = [(start, Stop.at(start.fen)) for start in part.starts]
        self._mates = Stations(part.mates)
        self._quiet = Stations([s for s in part.strings if "x" not in s.san])
        self._captures = Stations([s for s in part.strings if "x" in s.san])

    def tours(self) -> list[Tour]:
        """Return a tour for each first string that a mate could follow; or else for each mate."""
        if self._firsts:
            found = filter(None, map(self._tour_from_first, self._firsts))
            return [self._done(tour, first) for tour, first in found]
        return [self._done(*self._tour()) for _ in range(len(self._mates.left))]

    def _done(self, tour: Tour, before: Iterable[str]) -> Tour:
        """Strike out what the tour plays."""
        del self._mates.left[tour.mate]
        for san in (*before, *tour.sans):
            self._quiet.left.pop(san, None)
            self._captures.left.pop(san, None)
        return tour

    def _tour_from_first(self, first: Station) -> tuple[Tour, tuple[str, ...]] | None:
        begun = Stop.at(first.before_fen).play([first.uci], first.san)
        most = MAX_MATES if len(self._firsts) > 1 else len(self._mates.left)
        last = begun and self._extend(begun, self._mates, most)
        return last and (Tour(first.san, last.moves, last.sans), first.sans)

    def _tour(self) -> tuple[Tour, tuple[str, ...]]:
        """Return the next tour, and what is played before it.

        If no way is found from anywhere, it is the move of a mate's own proof game.
        """
        for attempt in range(STARTS):
            start, begin = self._begin(any_start=attempt % 2 == 1)
            for stop in reversed(self._stops(begin)):
                last = self._extend(stop, self._mates)
                if last is not None:
                    return Tour(start.name, last.moves, last.sans), start.sans
        mate = next(iter(self._mates.left.values()))
        return Tour(mate.san, (mate.uci,), (mate.san,)), mate.sans

    def _begin(self, *, any_start: bool) -> tuple[Start, Stop]:
        """Return a start, if not any then with pieces for all that are to be captured."""
        most = max(stop.black_pieces for _, stop in self._starts)
        needed = 0 if any_start else min(self._share(self._captures) + 1, most)
        enough = [(start, stop) for start, stop in self._starts if stop.black_pieces >= needed]
        return self._random.choice(enough)

    def _share(self, strings: Stations) -> int:
        """Return the number of these strings that the next tour should play."""
        return -(-len(strings.left) // len(self._mates.left))

    def _stops(self, begin: Stop) -> list[Stop]:
        """Return a tour over its share of strings, if they are found: where it stands after each.

        Captures come last, for with more pieces more positions fit.
        """
        stops = [begin]
        for strings in (self._quiet, self._captures):
            for _ in range(self._share(strings)):
                following = self._extend(stops[-1], strings)
                if following is None:
                    break
                stops.append(following)
        return stops

    def _extend(self, stop: Stop, stations: Stations, most: int = SAMPLE) -> Stop | None:
        """Go on to the nearest of so many stations that is found to be reachable."""
        pieces, played = stop.setting.white_pieces, set(stop.sans)
        left = stations.left.items()
        pool = [s for san, s in left if can_follow(san, pieces) and san not in played]
        sample = self._random.sample(pool, min(most, len(pool)))
        if not stop.black_pieces:
            sample = [station for station in sample if "x" not in station.san]
        legs = stations.legs(stop.continuations(), sample, self._random)
        return _first_found(islice(filter(stations.leads, legs), TRIES))


def _first_found(legs: Iterable[Leg]) -> Stop | None:
    """Return where the tour stands after the first of these legs that is found, and its string."""
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
