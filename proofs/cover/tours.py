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
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import combinations, islice, product
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.board.strict import written
from sanproof.proofs.cover.parts import MatesPart, Start, Station, Tour, needed_pieces
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

Numbers = NDArray[np.int64]
Side = tuple[int, ...]
"""The pieces of a side, each one integer, kind times 64 plus square, so that they sort by kinds."""
MAX_REPLIES: Final = 4
"""After how many replies to a check a tour is tried to go on."""
MAX_PIECES: Final = 10_000
"""Of how many sides' pieces the kinds are kept."""
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

    @property
    def black_pieces(self) -> int:
        """The number of Black's pieces besides the king."""
        return len(self.setting.kinds) - self.setting.whites - 1

    def play(self, moves: Sequence[str], san: str | None) -> "Stop | None":
        """Return the point after these moves; None if one is illegal, or the last not ``san``.

        The search for a path knows no pawns' captures, so a king may be left in check, but that is
        rare. So is a move after 75 without progress (FIDE 9.6.2).
        """
        played = play_on(self.board, moves)
        if played is None or (san is not None and played[1][-1] != san):
            return None
        board, sans = played
        return Stop((*self.moves, *moves), (*self.sans, *sans), board, pieces_on(board))

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
        after = (self.play([reply.uci()], None) for reply in chosen)
        return [stop for stop in after if stop is not None]


def play_on(board: chess.Board, moves: Sequence[str]) -> tuple[chess.Board, tuple[str, ...]] | None:
    """Play moves (UCI); the board after them and their SAN, or None if one may not be played.

    Only the last may be written as mate, for a legal move follows each other.
    """
    after, sans = board.copy(stack=False), []
    for number, text in enumerate(moves, 1):
        move = read_move(text)
        if after.is_seventyfive_moves() or not after.is_legal(move):
            return None
        sans.append(written(move, after, may_mate=number == len(moves)))
        after.push(move)
    return after, tuple(sans)


def board_of(setting: Setting) -> chess.Board:
    """Return a board with these pieces, White to move and without rights."""
    board = chess.Board(None)
    for i, (kind, square) in enumerate(zip(setting.kinds, setting.squares, strict=True)):
        piece = chess.Piece.from_symbol(LETTERS[kind])
        board.set_piece_at(square, chess.Piece(piece.piece_type, i < setting.whites))
    return board


def stop_at(fen: str) -> Stop:
    """Return a tour's beginning in a position."""
    board = chess.Board(fen)
    return Stop((), (), board, pieces_on(board))


def begun(first: Station) -> Stop:
    """Return where a tour stands that begins with a string.

    Raises:
        ValueError: The station's move is illegal or is not written as its string.
    """
    stop = stop_at(first.before_fen).play([first.uci], first.san)
    if stop is None:
        raise ValueError(f"{first.uci} is not {first.san} in {first.before_fen}")
    return stop


class Ways:
    """The steps to the pieces of many stations, of every piece of a kind that is there.

    ``sides`` are White's and Black's pieces at each station. Arrays, because of each station that a
    tour may go to next only these are looked at.
    """

    def __init__(self, sides: Sequence[tuple[Side, Side]]) -> None:
        shape = (len(COLOURS), len(KINDS), len(sides))
        self._steps = np.full((*shape, 64), FAR, np.int16)
        self._numbers = np.zeros(shape, np.int16)
        for side, of_stations in enumerate(zip(*sides, strict=True)):
            for row, pieces in enumerate(of_stations):
                for piece in pieces:
                    self._numbers[side, piece >> 6, row] += 1
                    nearest = self._steps[side, piece >> 6, row]
                    np.minimum(nearest, _steps_to(piece), out=nearest)

    def fewest_steps(self, rows: Sequence[int], side: int, pieces: Side) -> Numbers:
        """Return the steps from where pieces stand to these stations that are left at least.

        However a station's pieces are edited; those of a kind of which fewer are there may stand
        where they do now.
        """
        kinds = np.array(kinds_of(pieces))
        ways = self._steps[side, kinds[:, None], rows, np.array(pieces)[:, None] & 63]
        enough = (
            self._numbers[side, kinds[:, None], rows] >= (kinds[:, None] == kinds).sum(0)[:, None]
        )
        fewest: Numbers = np.where(enough, ways, 0).sum(0)
        return fewest


@cache
def _steps_to(piece: int) -> NDArray[np.int16]:
    """Return the steps to where a piece stands, of a piece of its kind on each square."""
    return np.array([distances(piece >> 6, s)[piece & 63] for s in SQUARES], np.int16)


class Target(NamedTuple):
    """A station to which legs are looked for: White's and Black's pieces, and its row in the ways.

    The mask ``moving`` is of its move's squares, which needs ``number`` pieces of a ``kind``.
    ``written`` says whether the move has that SAN with pieces that were looked at.
    """

    station: Station
    sides: tuple[Side, Side]
    row: int
    moving: int
    kind: int
    number: int
    written: dict[Setting, bool]


class Targets(NamedTuple):
    """The stations of a part by their strings, and the ways to all that there were at first."""

    ways: Ways
    by_san: dict[str, Target]


def targets_of(stations: Sequence[Station]) -> Targets:
    """Return the stations, read once for all tours of a part."""
    sides = [pieces_of(read_setting(station.before_fen.split(" ", 1)[0])) for station in stations]
    by_san = {
        station.san: Target(
            station,
            pieces,
            row,
            1 << parse_square(station.uci[:2]) | 1 << parse_square(station.uci[2:4]),
            *needed_pieces(station.san),
            {},
        )
        for row, (station, pieces) in enumerate(zip(stations, sides, strict=True))
    }
    return Targets(Ways(sides), by_san)


class Leg(NamedTuple):
    """A way from where a tour stands to a station, with these pieces there; still to be found.

    ``plies`` are those that the tour has when it is made, at least; ``number`` decides between
    equal ones. The setting is the position before the station's move.
    """

    plies: int
    number: int
    start: Stop
    target: Target
    setting: Setting

    def search(self, most_nodes: int) -> list[str] | None:
        """Return the path, if it is found with so many nodes."""
        homes = match_homes(self.setting, self.start.setting)
        black_begins = self.start.board.turn == chess.BLACK
        return search_path(self.setting, homes, frozenset(), most_nodes, black_begins=black_begins)

    def play(self, path: Iterable[str]) -> Stop | None:
        """Return where the tour stands after the path and the string; None if a move is illegal."""
        station = self.target.station
        return self.start.play([*path, station.uci], station.san)


def find_legs(
    starts: Sequence[Stop], ways: Ways, targets: Sequence[Target], rng: random.Random
) -> Iterator[Leg]:
    """All legs from these starts to these targets, the shortest first.

    They are made when it is their turn: few are ever asked for.
    """
    current = [pieces_of(start.setting) for start in starts]
    rows = [target.row for target in targets]
    fewest_plies = np.array(
        [
            _plies(start, *(ways.fewest_steps(rows, *side) for side in enumerate(sides)))
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
        for setting in _fitting(target, start.setting, current[i % len(starts)], rng):
            plies = _plies(start, *least_steps(setting, start.setting))
            if plies < FAR:
                number += 1
                heappush(found, Leg(plies, number, start, target, setting))
    while found:
        yield heappop(found)


def _plies(start: Stop, white: Plies, black: Plies) -> Plies:
    """Return the plies that a tour has at least after these steps of the players; FAR or more."""
    return len(start.moves) + plies_left(white, black, True, start.board.turn == chess.BLACK)


def _fitting(
    target: Target, start: Setting, sides: tuple[Side, Side], rng: random.Random
) -> Iterator[Setting]:
    """Yield the target's position with the pieces that are there, in a few ways."""
    both = zip(target.sides, sides, strict=True)
    whites, blacks = (edit_side(pieces, current, target.moving, rng) for pieces, current in both)
    whites = whites[: -(-MAX_EDITS // max(1, len(blacks)))]
    for ours, theirs in islice(product(whites, blacks), MAX_EDITS):
        squares = tuple([piece & 63 for piece in ours + theirs])
        if len(set(squares)) == len(squares):
            yield start._replace(squares=squares)


def leads_to_its_string(leg: Leg) -> bool:
    """Return whether the position is valid and the move, with these pieces, has this SAN."""
    written = leg.target.written
    if leg.setting not in written:
        written[leg.setting] = _is_written_so(leg.setting, leg.target.station)
    return written[leg.setting]


def _is_written_so(setting: Setting, station: Station) -> bool:
    board = board_of(setting)
    if board.is_attacked_by(chess.WHITE, setting.squares[setting.whites]):
        return False
    played = play_on(board, [station.uci])
    return played is not None and played[1] == (station.san,) and board.is_valid()


# Editing. The witness of a string may have other pieces than the game so far. Each side is edited
# alone: pieces of kinds that are missing take the place of pieces that are too many, or are added
# where they stand now; what is then too many is left out.


def pieces_of(setting: Setting) -> tuple[Side, Side]:
    """White's pieces and Black's."""
    pieces = tuple([k << 6 | s for k, s in zip(setting.kinds, setting.squares, strict=True)])
    return pieces[: setting.whites], pieces[setting.whites :]


@lru_cache(MAX_PIECES)
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
    for kind in _missing(have, want):
        places = [place for edit in edits for place in _places(kind, edit, want, current)]
        rng.shuffle(places)
        edits = [_put(kind, *place) for place in places[:MAX_EDITS]]
    every = (left for edit in edits for left in _without_surplus(edit, want, moving))
    return [tuple(sorted(edited)) for edited in islice(every, MAX_EDITS)]


@cache
def _missing(have: tuple[int, ...], want: tuple[int, ...]) -> tuple[int, ...]:
    """Return the kinds of pieces that are wanted and not there."""
    return tuple((Counter(want) - Counter(have)).elements())


@cache
def _surplus(have: tuple[int, ...], want: tuple[int, ...]) -> tuple[int, ...]:
    """Return the kinds of pieces that are there and not wanted, sorted."""
    return tuple(sorted((Counter(have) - Counter(want)).elements()))


_Place = tuple[Side, int, int]
"""Pieces, the index of the one whose place is taken or -1, and the square."""


def _places(kind: int, pieces: Side, want: tuple[int, ...], current: Side) -> Iterator[_Place]:
    """Yield the squares where a piece of a missing kind can stand."""
    surplus = _surplus(kinds_of(pieces), want)
    for i, piece in enumerate(pieces):
        if piece >> 6 in surplus:
            yield pieces, i, piece & 63
    for piece in current:
        if piece >> 6 == kind and piece not in pieces:
            yield pieces, -1, piece & 63


def _put(kind: int, pieces: Side, i: int, square: int) -> Side:
    piece = kind << 6 | square
    return (*pieces, piece) if i < 0 else (*pieces[:i], piece, *pieces[i + 1 :])


def _without_surplus(pieces: Side, want: tuple[int, ...], moving: int) -> Iterator[Side]:
    """Yield the pieces without surplus ones, in every way that keeps the moving piece."""
    surplus = _surplus(kinds_of(pieces), want)
    if not surplus:
        yield pieces
        return
    loose = [piece for piece in pieces if piece >> 6 in surplus and not moving >> (piece & 63) & 1]
    if len(surplus) == 1:
        for removed_piece in loose:
            yield tuple([piece for piece in pieces if piece != removed_piece])
        return
    for removed in combinations(loose, len(surplus)):
        if tuple(sorted(kinds_of(removed))) == surplus:
            yield tuple([piece for piece in pieces if piece not in removed])


# Tours


def tour_part(part: MatesPart) -> list[Tour]:
    """Return a tour for each mate of the part, with as many of its strings as could be put in."""
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
        """Return a tour for each first string that a mate could follow; or else for each mate."""
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
        """Return the next tour, and what is played before it.

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
        """Return a start, if not any then with pieces for all that are to be captured."""
        most = max(stop.black_pieces for _, stop in self._starts)
        needed = 0 if any_start else min(self._share(self._captures) + 1, most)
        enough = [(start, stop) for start, stop in self._starts if stop.black_pieces >= needed]
        return self._random.choice(enough)

    def _share(self, strings: Targets) -> int:
        """Return the number of these strings that the next tour should play."""
        return -(-len(strings.by_san) // len(self._mates.by_san))

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

    def _extend(self, stop: Stop, targets: Targets, most: int = SAMPLE) -> Stop | None:
        """Go on to the nearest of so many stations that is found to be reachable."""
        pieces, played = stop.setting.white_pieces, set(stop.sans)
        left = targets.by_san.items()
        pool = [t for san, t in left if pieces[t.kind] >= t.number and san not in played]
        sample = self._random.sample(pool, min(most, len(pool)))
        if not stop.black_pieces:
            sample = [t for t in sample if not t.station.captures]
        legs = find_legs(stop.continuations(), targets.ways, sample, self._random)
        return _first_found(islice(filter(leads_to_its_string, legs), TRIES))


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
