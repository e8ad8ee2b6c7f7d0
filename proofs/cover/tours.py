"""Finds the games of the cover: one for each mate, and every other string on the way. Untrusted.

A game has at most one mate, so a cover has at least as many games as there are strings of mate.
Here it has no more: a game goes from a hub to the witness of a string, plays it, goes from there
to the witness of another, and so on to a mate::

    initial position ──▶ witness 1 ──▶ string 1 ──▶ ... ──▶ witness n ──▶ string n ──▶ mate

The longest strings are taken first, because they rarely occur by chance; those that do occur by
chance count as well. All is seen from White's side; Black's games have the colours exchanged.

The next leg of a tour, to the witness of a string, is chosen in four steps, each for fewer
candidates and at more cost: the fewest plies of any way, whichever pieces go where; the fewest
plies with the pieces that are on the board; whether the string's move has that SAN with these
pieces; and the path.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import combinations, count, islice, product
from operator import itemgetter
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.strict import written
from sanproof.proofs.board.witness import witness_on
from sanproof.proofs.cover.cover import MatesPart, Station, Tour, can_follow
from sanproof.proofs.games.game import quiet_replies
from sanproof.proofs.games.paths import (
    least_steps,
    match_homes,
    plies_left,
    search_path,
    ways_home,
)
from sanproof.proofs.games.pieces import FAR, LETTERS, Setting, pieces_on, read_setting
from sanproof.proofs.kernel.games import read_move
from sanproof.proofs.rules.squares import parse_square

Stations = dict[str, Station]
"""The stations that no tour has reached yet, by their strings."""
Side = tuple[int, ...]
"""The pieces of a side, each one integer, kind times 64 plus square, so that they sort by kinds."""
MAX_REPLIES: Final = 4
"""The number of replies to a check after which the search tries to go on."""
MAX_EDITS: Final = 8
"""The number of variants that are tried of a side's pieces, or of both sides' together."""
SAMPLE: Final = 60
"""The number of next stations that are compared."""
MAX_MATES: Final = 400
"""The number of mates compared after a string that begins a game, unless it is the only one."""
TRIES: Final = 6
"""The number of these mates, the nearest first, to which a path is searched."""
EFFORTS: Final = (60, 300)
"""The numbers of positions that a search for a path looks at, first for all paths, then again."""
MAX_STATIONS: Final = 10_000
"""The size of the caches of stations' pieces and of positions for their moves."""
STARTS: Final = 4
"""The number of starts that are tried before a mate is left to its own proof game."""


class Stop(NamedTuple):
    """A point of a tour: its start, or the position after one of its strings or a reply to it.

    ``moves`` and ``sans`` are the moves since the start. ``setting`` has the pieces of the board.
    """

    moves: tuple[str, ...]
    sans: tuple[str, ...]
    board: chess.Board
    setting: Setting

    @classmethod
    def at(cls, fen: str) -> "Stop":
        """Return the start of a tour in the position of a FEN."""
        board = chess.Board(fen)
        return cls((), (), board, pieces_on(board))

    @property
    def black_pieces(self) -> int:
        """The number of Black's pieces besides the king."""
        return len(self.setting.kinds) - self.setting.whites - 1

    def play(self, moves: Sequence[str], san: str | None = None) -> "Stop | None":
        """Return the point after these moves, or None if one is illegal or the last is not ``san``.

        The search for a path leaves out captures by pawns, so a king may be left in check, but that
        is rare. A move after 75 moves without progress (FIDE 9.6.2) is as rare.
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
        """Return the points from which the tour goes on: this one, or those after a reply to check.

        A check has few replies. Quiet ones come first, because the fewer pieces White has, the
        fewer strings can follow.
        """
        board = self.board
        if not board.is_check():
            return [self]
        legal = list(board.legal_moves)
        calm = [reply for reply in legal if not board.gives_check(reply)]
        chosen = (list(quiet_replies(board)) or calm or legal)[:MAX_REPLIES]
        return list(filter(None, [self.play([reply.uci()]) for reply in chosen]))


def board_of(setting: Setting) -> chess.Board:
    """Return a board with these pieces, White to move, and no castling rights."""
    board = chess.Board(None)
    for i, (kind, square) in enumerate(zip(setting.kinds, setting.squares, strict=True)):
        piece = chess.Piece.from_symbol(LETTERS[kind])
        board.set_piece_at(square, chess.Piece(piece.piece_type, i < setting.whites))
    return board


def legs(
    starts: Sequence[Stop], stations: Sequence[Station], rng: random.Random
) -> Iterator[tuple[Stop, Station, Setting]]:
    """Yield the legs that may lead from these points to these stations, the shortest first.

    Each has the station's position with the pieces of the point, before the station's move. The
    path still has to be found. Legs are made as they are taken, because few are needed.
    """
    fewest = [
        (_plies(start, *_fewest_steps(station, start)), start, station)
        for station in stations
        for start in starts
    ]
    found: list[tuple[int, int, Stop, Station, Setting]] = []
    number = count()  # decides between equal ones
    for plies, start, station in sorted(fewest, key=itemgetter(0)):
        if plies >= FAR:
            break
        while found and found[0][0] < plies:
            yield heappop(found)[2:]
        for setting in _fitting(station, start.setting, rng):
            needed = _plies(start, *least_steps(setting, start.setting))
            if needed < FAR:
                heappush(found, (needed, next(number), start, station, setting))
    while found:
        yield heappop(found)[2:]


def _plies(start: Stop, white: int, black: int) -> int:
    """Return the plies that a tour has at least after these steps of the players; FAR or more."""
    return len(start.moves) + plies_left(white, black, True, start.board.turn == chess.BLACK)


def _fewest_steps(station: Station, start: Stop) -> tuple[int, int]:
    """Return the steps that White's pieces need to a station at least, and Black's.

    However the station's pieces are edited: those of a kind of which fewer are there may stand
    where they do now.
    """
    steps, there, setting = [0, 0], _squares_at(station.fen), start.setting
    for group, ways in ways_home(setting):
        is_black = group[0] >= setting.whites
        squares = there.get((is_black, setting.kinds[group[0]]), ())
        if len(squares) >= len(group):
            steps[is_black] += sum([min([way[square] for square in squares]) for way in ways])
    return steps[0], steps[1]


@lru_cache(MAX_STATIONS)
def _squares_at(fen: str) -> dict[tuple[bool, int], list[int]]:
    """Return where pieces stand, by player, which is whether they are Black's, and kind."""
    squares: dict[tuple[bool, int], list[int]] = {}
    for is_black, pieces in enumerate(_pieces_at(fen)):
        for piece in pieces:
            squares.setdefault((bool(is_black), piece >> 6), []).append(piece & 63)
    return squares


@lru_cache(MAX_STATIONS)
def _pieces_at(fen: str) -> tuple[Side, Side]:
    return pieces_of(read_setting(fen))


def _fitting(station: Station, start: Setting, rng: random.Random) -> Iterator[Setting]:
    """Yield the station's position with the pieces that are there, in a few ways."""
    moving = {parse_square(station.uci[:2]), parse_square(station.uci[2:4])}
    both = zip(_pieces_at(station.fen), pieces_of(start), strict=True)
    whites, blacks = (edit_side(pieces, current, moving, rng) for pieces, current in both)
    whites = whites[: -(-MAX_EDITS // max(1, len(blacks)))]
    for ours, theirs in islice(product(whites, blacks), MAX_EDITS):
        squares = tuple([piece & 63 for piece in ours + theirs])
        if len(set(squares)) == len(squares):
            yield start._replace(squares=squares)


@lru_cache(MAX_STATIONS)
def is_written(san: str, uci: str, setting: Setting) -> bool:
    """Check whether the position is valid and the move, with these pieces, has this SAN."""
    return witness_on(board_of(setting), read_move(uci), san) is not None


# Editing. The witness of a string may have other pieces than the game so far. Each side is edited
# alone: pieces of kinds that are missing take the place of pieces that are too many, or are added
# where they stand now; what is then too many is left out.


def pieces_of(setting: Setting) -> tuple[Side, Side]:
    """Return White's pieces and Black's."""
    pieces = tuple([k << 6 | s for k, s in zip(setting.kinds, setting.squares, strict=True)])
    return pieces[: setting.whites], pieces[setting.whites :]


def kinds_of(pieces: Side) -> tuple[int, ...]:
    """Return the kinds of the pieces, in the same order."""
    return tuple([piece >> 6 for piece in pieces])


def edit_side(
    pieces: Side, current: Side, moving: Collection[int], rng: random.Random
) -> list[Side]:
    """Return a few variants of ``pieces`` that have the same kinds of pieces as ``current``.

    Each is sorted. A piece on a square in ``moving`` is never left out.
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


def _without_surplus(
    pieces: Side, want: tuple[int, ...], moving: Collection[int]
) -> Iterator[Side]:
    """Yield the pieces without surplus ones, in every way that keeps the moving piece."""
    surplus = sorted(_beyond(kinds_of(pieces), want))
    loose = [piece for piece in pieces if piece >> 6 in surplus and piece & 63 not in moving]
    for removed in combinations(loose, len(surplus)):
        if sorted(kinds_of(removed)) == surplus:
            yield tuple([piece for piece in pieces if piece not in removed])


# Tours


def tour_part(part: MatesPart) -> list[Tour]:
    """Return the tours found for the mates of the part, with as many of its strings as possible."""
    return _TourSearch(part).tours()


class _TourSearch:
    """Builds the games of one part, one after the other."""

    def __init__(self, part: MatesPart) -> None:
        self._random = random.Random(part.name)
        self._firsts = list(part.firsts)
        self._starts = [(start, Stop.at(start.fen)) for start in part.starts]
        self._mates = {station.name: station for station in part.mates}
        self._quiet = {station.name: station for station in part.strings if "x" not in station.name}
        self._captures = {station.name: station for station in part.strings if "x" in station.name}

    def tours(self) -> list[Tour]:
        """Return a tour for each first string that a mate could follow; or else for each mate."""
        if self._firsts:
            found = filter(None, map(self._tour_from_first, self._firsts))
            return [self._done(tour, first) for tour, first in found]
        return [self._done(*self._tour()) for _ in range(len(self._mates))]

    def _done(self, tour: Tour, before: Iterable[str]) -> Tour:
        """Strike out what the tour plays."""
        del self._mates[tour.mate]
        for san in (*before, *tour.sans):
            self._quiet.pop(san, None)
            self._captures.pop(san, None)
        return tour

    def _tour_from_first(self, first: Station) -> tuple[Tour, tuple[str, ...]] | None:
        begun = Stop.at(first.fen).play([first.uci], first.name)
        most = MAX_MATES if len(self._firsts) > 1 else len(self._mates)
        last = begun and self._extend(begun, self._mates, most)
        return last and (Tour(first.name, last.moves, last.sans), first.sans)

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
        mate = next(iter(self._mates.values()))
        return Tour(mate.name, (mate.uci,), (mate.name,)), mate.sans

    def _begin(self, *, any_start: bool) -> tuple[Station, Stop]:
        """Return a start, if not any then with pieces for all that are to be captured."""
        most = max(stop.black_pieces for _, stop in self._starts)
        needed = 0 if any_start else min(self._share(self._captures) + 1, most)
        enough = [(start, stop) for start, stop in self._starts if stop.black_pieces >= needed]
        return self._random.choice(enough)

    def _share(self, strings: Stations) -> int:
        """Return the number of these strings that the next tour should play."""
        return -(-len(strings) // len(self._mates))

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
        pool = [s for san, s in stations.items() if can_follow(san, pieces) and san not in played]
        sample = self._random.sample(pool, min(most, len(pool)))
        if not stop.black_pieces:
            sample = [station for station in sample if "x" not in station.name]
        ways = legs(stop.continuations(), sample, self._random)
        right = (leg for leg in ways if is_written(leg[1].name, leg[1].uci, leg[2]))
        return _first_found(islice(right, TRIES))


def _first_found(ways: Iterable[tuple[Stop, Station, Setting]]) -> Stop | None:
    """Return where the tour stands after the first of these legs that is found, and its string."""
    for most_nodes in EFFORTS:
        given_up = []
        for start, station, setting in ways:
            homes = match_homes(setting, start.setting)
            black_begins = start.board.turn == chess.BLACK
            path = search_path(setting, homes, frozenset(), most_nodes, black_begins=black_begins)
            if path is None:
                given_up.append((start, station, setting))
            elif following := start.play([*path, station.uci], station.name):
                return following
        ways = given_up
    return None
