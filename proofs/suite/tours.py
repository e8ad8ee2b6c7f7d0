"""The covering suite: one game for each mate, and every other string played on the way. Untrusted.

A game has at most one mate, so a suite has at least as many games as there are strings of mate.
Here it has no more: a game goes from a hub to the witness of a string, plays it, goes from there
to the witness of another, and so on to a mate::

    starting array ──▶ witness 1 ──▶ string 1 ──▶ ... ──▶ witness n ──▶ string n ──▶ mate

Strings are taken the longest first, for those are rarely played by chance; what is played on the
way counts as well. All is seen from White's side; a game of Black's has the colours exchanged.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice, product
from typing import Final, NamedTuple

import chess

from proofs.games.men import FAR, LETTERS, PAWN, Setting, read_setting
from proofs.games.paths import match_homes, needed_steps, plies_left, search_path
from proofs.games.search import quiet_replies, uci_of
from proofs.rules.san import parse_san

SAMPLE: Final = 40
"""How many next stations are compared."""
MOST_MATES: Final = 400
"""How many mates are, after a string that begins a game; all of them if it is the only one."""
TRIES: Final = 6
"""To how many of them, the nearest first, a path is looked for."""
EFFORTS: Final = (60, 300)
"""How many positions a search for a path looks at: of all of these paths first few, then more."""
MOST_EDITS: Final = 8
LEGS_EACH: Final = 20
"""How many ways to a station are looked at, in the mean."""
MOST_REPLIES: Final = 4
MOST_WITHOUT_PROGRESS: Final = 150
"""Plies, of both players."""
STARTS: Final = 4
"""How many starts are tried before a mate is left to its own proof game."""


class Station(NamedTuple):
    """A string, where it is played, and a way there; all of it as White plays it.

    Attributes:
        san: The string.
        before_fen: The position before its move.
        uci: Its move.
        sans: The moves that lead to the position, in SAN.
    """

    san: str
    before_fen: str
    uci: str
    sans: tuple[str, ...]


class Start(NamedTuple):
    """A position from which tours begin, White to move.

    Attributes:
        name: Names it.
        fen: The position.
        sans: The moves that lead there, in SAN.
    """

    name: str
    fen: str
    sans: tuple[str, ...]


class Tour(NamedTuple):
    """The way of a game from a start, over the witnesses of strings, to a mate.

    Attributes:
        start: The name of the start.
        moves: All moves from there on (UCI).
        sans: The same in SAN; the last one is the mate.
    """

    start: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]

    @property
    def mate(self) -> str:
        """The string with which it ends."""
        return self.sans[-1]


class Part(NamedTuple):
    """A piece of work: the strings to be played in the games of these mates.

    Attributes:
        name: Names it.
        firsts: Strings that are begun with, from the witnesses of their own proof games.
        strings: The other strings.
        mates: The mates that the tours end with.
        starts: Where a tour begins that does not begin with a string.
    """

    name: str
    firsts: tuple[Station, ...]
    strings: tuple[Station, ...]
    mates: tuple[Station, ...]
    starts: tuple[Start, ...]


def tour_part(part: Part) -> list[Tour]:
    """A tour for each mate of the part, with as many of its strings as could be put there."""
    return _Guide(part).tours()


def men_after(first: Station) -> Counter[int]:
    """White's men, by their kinds, after a string's move."""
    return _white_men(_begun(first))


def can_follow(san: str, men: Mapping[int, int]) -> bool:
    """Whether these men are enough: the one that moves, and twins for what is written."""
    kind, number = _needed_men(san)
    return men.get(kind, 0) >= number


class _Stop(NamedTuple):
    """Where a tour stands: at its start, or after one of its strings or a reply to it."""

    moves: tuple[str, ...]
    sans: tuple[str, ...]
    board: chess.Board
    setting: Setting


class _Leg(NamedTuple):
    """A way from a start to a station that is still to be found.

    Attributes:
        plies: The plies that the tour has when it is made, at least.
        number: Decides between equal ones.
        start: Which start.
        station: Where to.
        setting: The men there.
        homes: Where they come from.
    """

    plies: int
    number: int
    start: int
    station: Station
    setting: Setting
    homes: tuple[int, ...]


class _Guide:
    """Builds the games of one part, one after the other."""

    def __init__(self, part: Part) -> None:
        self._random = random.Random(part.name)
        self._firsts = list(part.firsts)
        self._starts = part.starts
        self._mates = {station.san: station for station in part.mates}
        self._quiet = {s.san: s for s in part.strings if not _captures(s)}
        self._captures = {s.san: s for s in part.strings if _captures(s)}
        self._settings = {
            s.san: read_setting(s.before_fen.split(" ", 1)[0]) for s in (*part.strings, *part.mates)
        }

    def tours(self) -> list[Tour]:
        """A tour for each first string that a mate could follow; or else one for each mate."""
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
        begun = _begun(first)
        most = MOST_MATES if len(self._firsts) > 1 else len(self._mates)
        last = self._extend(begun, self._mates, most)
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
        mate = next(iter(self._mates.values()))
        return Tour(mate.san, (mate.uci,), (mate.san,)), mate.sans

    def _begin(self, *, any_start: bool) -> tuple[Start, _Stop]:
        """A start, if not any then with men for all that are to be captured."""
        stops = [(start, _stop_at(start.fen)) for start in self._starts]
        most = max(_black_men(stop) for _, stop in stops)
        needed = 0 if any_start else min(self._share(self._captures) + 1, most)
        enough = [(start, stop) for start, stop in stops if _black_men(stop) >= needed]
        return self._random.choice(enough)

    def _share(self, strings: Collection[str]) -> int:
        """How many of these strings the next tour is to play."""
        return -(-len(strings) // len(self._mates))

    def _stops(self, begin: _Stop) -> list[_Stop]:
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

    def _extend(
        self, stop: _Stop, stations: dict[str, Station], most: int = SAMPLE
    ) -> _Stop | None:
        """Go on to the nearest of so many stations that is found to be reachable."""
        men = _white_men(stop)
        pool = [s for s in stations.values() if s.san not in stop.sans and can_follow(s.san, men)]
        sample = self._random.sample(pool, min(most, len(pool)))
        if not _black_men(stop):
            sample = [s for s in sample if not _captures(s)]
        starts = _starts(stop)
        legs = sorted(self._legs(starts, sample))[: most * LEGS_EACH]
        nearest = list(islice(filter(_leads_to_its_string, legs), TRIES))
        for most_nodes in EFFORTS:
            for leg in nearest:
                following = _walk(starts[leg.start], leg, most_nodes)
                if following is not None:
                    return following
        return None

    def _legs(self, starts: Sequence[_Stop], stations: Iterable[Station]) -> Iterator[_Leg]:
        """All ways from here to these stations, with the plies that they need at least."""
        number = 0
        for station in stations:
            for i, start in enumerate(starts):
                for setting in self._fitting(station, start.setting):
                    homes = match_homes(setting, start.setting)
                    white, black = needed_steps(setting, homes)
                    if max(white, black) < FAR:
                        black_begins = not start.board.turn
                        plies = plies_left(white, black, black_first=True, black_last=black_begins)
                        number += 1
                        yield _Leg(len(start.moves) + plies, number, i, station, setting, homes)

    def _fitting(self, station: Station, current: Setting) -> Iterable[Setting]:
        """Positions for the station with the men that are there; its string may be another."""
        setting = self._settings[station.san]
        if setting.kinds == current.kinds:
            return [setting]
        return _edited(station, setting, current, self._random)


def _walk(start: _Stop, leg: _Leg, most_nodes: int) -> _Stop | None:
    """Where the game stands after the way to a station, if one is found, and its string."""
    black_begins = not start.board.turn
    path = search_path(leg.setting, leg.homes, frozenset(), most_nodes, black_begins=black_begins)
    if path is None:
        return None
    return _play(start, [*map(uci_of, path), leg.station.uci], leg.station.san)


def _leads_to_its_string(leg: _Leg) -> bool:
    """Whether python-chess writes the move, with these men, as this string."""
    board = _board(leg.setting)
    move = chess.Move.from_uci(leg.station.uci)
    return board.is_valid() and board.is_legal(move) and board.san(move) == leg.station.san


def _begun(first: Station) -> _Stop:
    begun = _play(_stop_at(first.before_fen), [first.uci], first.san)
    if begun is None:
        raise ValueError(f"{first.uci} is not {first.san} in {first.before_fen}")
    return begun


def _stop_at(fen: str) -> _Stop:
    board = chess.Board(fen)
    return _Stop((), (), board, read_setting(board.board_fen()))


def _play(stop: _Stop, moves: Sequence[str], san: str | None) -> _Stop | None:
    """Where the game stands after these moves; None if one is illegal, or the last not the string.

    A path on a board of few men may be illegal, for its search knows no castling and no pawns'
    captures, but that is rare. So is a move after 75 without progress (FIDE 9.6.2).
    """
    board, sans = stop.board.copy(stack=False), []
    for uci in moves:
        move = chess.Move.from_uci(uci)
        if board.halfmove_clock >= MOST_WITHOUT_PROGRESS or not board.is_legal(move):
            return None
        sans.append(board.san_and_push(move))
    if san is not None and sans[-1] != san:
        return None
    setting = read_setting(board.board_fen())
    return _Stop((*stop.moves, *moves), (*stop.sans, *sans), board, setting)


def _starts(stop: _Stop) -> list[_Stop]:
    """The position itself; in check, where few replies are legal, those after one of these.

    With fewer of White's men fewer strings can follow, but after a check there is often no way.
    """
    board = stop.board
    if not board.is_check():
        return [stop]
    legal = list(board.legal_moves)
    calm = [reply for reply in legal if not board.gives_check(reply)]
    chosen = (quiet_replies(board) or calm or legal)[:MOST_REPLIES]
    after = (_play(stop, [reply.uci()], None) for reply in chosen)
    return [start for start in after if start is not None]


def _black_men(stop: _Stop) -> int:
    """Black's men besides the king."""
    return len(stop.setting.kinds) - stop.setting.whites - 1


def _white_men(stop: _Stop) -> Counter[int]:
    """White's men by their kinds."""
    return Counter(stop.setting.kinds[: stop.setting.whites])


@cache
def _needed_men(text: str) -> tuple[int, int]:
    """The kind of the man that moves, and how many of it there must be for what is written."""
    san = parse_san(text)
    if san.piece not in LETTERS or not san.piece:
        return PAWN, 1
    return LETTERS.index(san.piece), 1 + bool(san.file) + bool(san.rank)


def _captures(station: Station) -> bool:
    return "x" in station.san


Men = list[tuple[int, int]]


def _edited(
    station: Station, setting: Setting, current: Setting, rng: random.Random
) -> Iterator[Setting]:
    """The station's position with other men: some left out, others put where they stand now."""
    moving = {chess.parse_square(station.uci[:2]), chess.parse_square(station.uci[2:4])}
    pairs = zip(_men(setting), _men(current), strict=True)
    sides = [_side_edits(men, now, moving, rng) for men, now in pairs]
    for white, black in islice(product(*sides), MOST_EDITS):
        men = sorted(white) + sorted(black)
        squares = tuple(s for _, s in men)
        if len(set(squares)) == len(squares):
            yield Setting(tuple(kind for kind, _ in men), len(white), squares)


def _men(setting: Setting) -> tuple[Men, Men]:
    men = list(zip(setting.kinds, setting.squares, strict=True))
    return men[: setting.whites], men[setting.whites :]


def _side_edits(men: Men, current: Men, moving: Collection[int], rng: random.Random) -> list[Men]:
    """One side's men made to be of the current kinds, in a few ways.

    A man of a missing kind takes the place of one too many, or stands where it stands now.
    """
    have, want = (Counter(kind for kind, _ in side) for side in (men, current))
    edits = [men]
    for kind in (want - have).elements():
        edits = [edit for men in edits for edit in _with(kind, men, want, current)]
        rng.shuffle(edits)
        edits = edits[:MOST_EDITS]
    return [edit for men in edits for edit in _without_surplus(men, want, moving)]


def _with(kind: int, men: Men, want: Counter[int], current: Men) -> Iterator[Men]:
    surplus = Counter(kind for kind, _ in men) - want
    for i, (other, square) in enumerate(men):
        if surplus[other]:
            yield [*men[:i], (kind, square), *men[i + 1 :]]
    yield from ([*men, man] for man in current if man[0] == kind and man not in men)


def _without_surplus(men: Men, want: Counter[int], moving: Collection[int]) -> Iterator[Men]:
    surplus = Counter(kind for kind, _ in men) - want
    loose = [man for man in men if surplus[man[0]] and man[1] not in moving]
    for removed in combinations(loose, surplus.total()):
        if Counter(kind for kind, _ in removed) == surplus:
            yield [man for man in men if man not in removed]


def _board(setting: Setting) -> chess.Board:
    board = chess.Board(None)
    for i, (kind, square) in enumerate(zip(setting.kinds, setting.squares, strict=True)):
        piece_type = chess.PIECE_SYMBOLS.index(LETTERS[kind].lower())
        board.set_piece_at(square, chess.Piece(piece_type, i < setting.whites))
    return board
