"""Which strings go into the games of which mates: the plan of the covering suite. Untrusted.

The work is done in rounds, so that what was played by chance in one need not be played on purpose
in the next. Each round is cut into parts that do not know of each other, and nothing depends on
who does them.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from math import ceil
from typing import Final, NamedTuple

import chess

from proofs.games.game import ProofGame
from proofs.games.hubs import Hub, exchange_move, load_hubs, lose_a_move
from proofs.games.search import quiet_replies
from proofs.rules.cubes import BLACK, COLOURS, WHITE, exchanged_san
from proofs.rules.moves import CASTLING
from proofs.rules.san import list_order, parse_san
from proofs.rules.squares import file_of, parse_square, rank_of
from proofs.suite.tours import Part, Start, Station, Tour, can_follow, men_after

FIRST_ROUNDS: Final = 5
ROUNDS: Final = 10
MOST_ROUNDS: Final = 100
MATES_IN_A_PART: Final = 150
FIRSTS_IN_A_PART: Final = 300
REPAIRED: Final = 3
"""How many games are made anew for one string that is missing."""
IDLE_MATES: Final = 300
"""How many mates more, in each round, a string may choose from that must begin a game."""
FEW: Final = 20
"""So few missing strings begin games in every other round, whatever they are."""
PROMOTIONS: Final = ("", "N", "B", "R", "Q")
"""What a pawn becomes, in the order in which ever more mates can follow."""
MORE_CAPTURES: Final = 1.2
"""How many more captures than an even share are taken."""

HUBS: Final = {
    "Q": ("Q",),
    "R": ("R", "O-O", "O-O-O"),
    "N": ("N",),
    "B light": ("L",),
    "B dark": ("D",),
}
"""The hubs from which the tours of a family's strings begin: they have the men for it."""

_PLAIN: Final = str.maketrans("", "", "x+")


class Played(NamedTuple):
    """A proof game, up to and with the move that is written ``san``.

    Attributes:
        san: The string.
        colour: Who plays it.
        before_fen: The position before its move.
        moves: The moves before it (UCI), and its own.
        sans: The same in SAN.
    """

    san: str
    colour: str
    before_fen: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]


class SuiteGame(NamedTuple):
    """A game of the suite; the last move is its mate."""

    moves: tuple[str, ...]
    sans: tuple[str, ...]


class TourStart(NamedTuple):
    """A position on a hub's line from which tours begin: the hub, or one before, White to move.

    Attributes:
        family: The hub's family.
        name: Names it.
        fen: The position.
        line: The moves that lead there.
    """

    family: str
    name: str
    fen: str
    line: tuple[str, ...]


@cache
def tour_starts() -> tuple[TourStart, ...]:
    """The hubs; and where Black still has one man more, so that two can be captured before mate."""
    return tuple(
        start
        for hubs in load_hubs().values()
        for number, hub in enumerate(hubs)
        for start in _starts_on(hub, f"{hub.family} {number}")
    )


def _starts_on(hub: Hub, name: str) -> list[TourStart]:
    want = _men_of(hub.placement)
    board, deep = chess.Board(), []
    for ply, uci in enumerate(hub.line):
        if board.turn and not board.is_check():
            have = _men_of(board.board_fen())
            extra = have - want
            if not want - have and extra.total() == 1 and next(iter(extra)) in "qrbn":
                deep = [TourStart(hub.family, f"{name} before", board.fen(), hub.line[:ply])]
        board.push_uci(uci)
    return [*deep, TourStart(hub.family, name, board.fen(), hub.line)]


def _men_of(placement: str) -> Counter[str]:
    return Counter(filter(str.isalpha, placement))


class SuitePlan:
    """The suite as far as it is there.

    Games that begin with a pawn's string, a castling, or a check without quiet replies, from the
    witness of its own proof game, come first. The other games are White's.

    Args:
        played: For each string and player, the proof game.
    """

    def __init__(self, played: Mapping[tuple[str, str], Played]) -> None:
        self._played = played
        self._tours: dict[str, tuple[str, Tour]] = {}
        self._shown: Counter[str] = Counter()
        self._number_shown = 0
        self._lines = {colour: dict(_lines(colour)) for colour in COLOURS}
        self._round = 0
        self._strings = sorted({san for san, _ in played}, key=list_order)
        self._families: dict[str, list[str]] = defaultdict(list)
        self._firsts = {san for san in self._strings if self._is_first(san)}
        for san in self._strings:
            if san in self._firsts:
                continue
            if not _begins(san):
                self._families[_family(san)].append(san)
            elif _ends(san):
                colour = self._player(san)
                mate = self._station(san, colour)
                self._set(san, colour, Tour(mate.san, (mate.uci,), (mate.san,)))

    def _is_first(self, san: str) -> bool:
        """Whether a game begins with it: a pawn's, a castling, a check without quiet replies."""
        if _ends(san) or _begins(san):
            return not _ends(san)
        played = self._played[san, self._player(san)]
        if not san.endswith("+"):
            return False
        board = chess.Board(played.before_fen)
        board.push_uci(played.moves[-1])
        return not quiet_replies(board)

    def _player(self, san: str) -> str:
        return next(colour for colour in COLOURS if (san, colour) in self._played)

    def missing(self) -> list[str]:
        """The strings that no game shows."""
        return [s for s in self._strings if not _ends(s) and not self._shown[s]]

    def parts(self) -> list[Part]:
        """What is to be done next; nothing if every string is played, or after many rounds."""
        missing = self.missing()
        while self._round < MOST_ROUNDS:
            self._round += 1
            parts = self._parts(missing)
            if parts or (self._round > ROUNDS and not missing):
                return parts
        return []

    def _parts(self, missing: list[str]) -> list[Part]:
        if self._round <= FIRST_ROUNDS:
            firsts = [san for san in missing if san in self._firsts]
            return self._first_parts(list(filter(_begins, firsts)) if self._round == 1 else firsts)
        if self._round <= ROUNDS:
            return [p for family in self._families for p in self._round_parts(family, missing)]
        return self._repair_parts(missing)

    def take(self, parts: Sequence[Part], tours: Iterable[Sequence[Tour]]) -> None:
        """Take in what came out of the parts, unless it shows fewer strings than before."""
        for part, found in zip(parts, tours, strict=True):
            colour = part.name.split(" ", 1)[0]
            mates = [_seen(tour.mate, colour) for tour in found]
            before = {mate: self._tours[mate] for mate in mates if mate in self._tours}
            shown = self._number_shown
            for mate, tour in zip(mates, found, strict=True):
                self._set(mate, colour, tour)
            if self._number_shown < shown:
                for mate, old in before.items():
                    self._set(mate, *old)

    def _set(self, mate: str, colour: str, tour: Tour) -> None:
        if mate in self._tours:
            self._count(mate, -1)
        self._tours[mate] = (colour, tour)
        self._count(mate, 1)

    def _count(self, mate: str, by: int) -> None:
        """Count what the game of a mate shows, in or out."""
        for san in set(self._game(mate).sans):
            before = self._shown[san]
            self._shown[san] = before + by
            self._number_shown += bool(before + by) - bool(before)

    def games(self) -> list[ProofGame]:
        """The games, each shown as the proof game of its mate, in the list order of the mates."""
        found = []
        for mate in sorted(self._tours, key=list_order):
            moves, _ = self._game(mate)
            ply = len(moves) - 1
            found.append(ProofGame(mate, COLOURS[ply % 2], ply, moves))
        return found

    def _game(self, mate: str) -> SuiteGame:
        colour, tour = self._tours[mate]
        moves, sans = tour.moves, tour.sans
        if colour == BLACK:
            moves = tuple(map(exchange_move, moves))
            sans = tuple(str(exchanged_san(parse_san(san))) for san in sans)
        begin = self._begin(tour.start, colour)
        return SuiteGame((*begin.moves, *moves), (*begin.sans, *sans))

    def _begin(self, start: str, colour: str) -> SuiteGame:
        """The moves before a tour."""
        if start in self._lines[colour]:
            return self._lines[colour][start]
        played = self._played[_seen(start, colour), colour]
        return SuiteGame(played.moves[:-1], played.sans[:-1])

    def _first_parts(self, firsts: list[str]) -> list[Part]:
        """Strings to begin with, each player's with half of the mates that are still alone.

        In the first round these are the pawns' and castlings, and of the mates those that need few
        men.
        """
        mates = [s for s in self._strings if _is_plain_mate(s)]
        if self._round > 1:
            mates = [s for s in self._strings if _ends(s) and self._is_alone(s)]
        random.Random(self._round).shuffle(mates)
        halves = (mates[::2], mates[1::2])
        # After a pawn that stays a pawn the fewest mates can follow: it chooses first.
        firsts = sorted(firsts, key=lambda san: PROMOTIONS.index(parse_san(san).promotion))
        return [
            part
            for colour, half in zip(COLOURS, halves, strict=True)
            for part in self._cut_firsts(
                colour,
                [s for s in firsts if self._player(s) == colour],
                [m for m in mates if self._player(m) == colour and _begins(m)]
                + [m for m in half if not _begins(m)],
            )
        ]

    def _cut_firsts(self, colour: str, firsts: list[str], mates: list[str]) -> list[Part]:
        number = -(-len(firsts) // FIRSTS_IN_A_PART)
        return [
            self._part(f"{colour} firsts", i, firsts[i::number], [], mates[i::number])
            for i in range(number)
        ]

    def _round_parts(self, family: str, missing: Collection[str]) -> list[Part]:
        """A share of the mates, with a share of the strings: those least often met by chance.

        Of the captures the share is larger, for chance shows few of them, and no game many.
        """
        rounds_left = ROUNDS - self._round + 1
        free = [s for s in self._families[family] if _ends(s) and s not in self._tours]
        random.Random(f"{family} {self._round}").shuffle(free)
        left = sorted((s for s in self._families[family] if s in missing), key=_rarity)
        captures = [s for s in left if "x" in s]
        quiet = [s for s in left if "x" not in s]
        strings = captures[: ceil(MORE_CAPTURES * len(captures) / rounds_left)]
        strings += quiet[: ceil(len(quiet) / rounds_left)]
        mates = free[: -(-len(free) // rounds_left)]
        number = -(-len(mates) // MATES_IN_A_PART)
        return [
            self._part(f"white {family}", i, [], strings[i::number], mates[i::number])
            for i in range(number)
        ]

    def _repair_parts(self, missing: list[str]) -> list[Part]:
        """For each missing string some games, taken at random, to be made anew.

        A string that must begin a game, and one of few that are left in every other round, gets
        the mates whose games show least alone, from round to round more of them, and one of these
        is enough. That may be another such string's, which then looks for another mate.
        """
        mates = list(self._tours)
        random.Random(self._round).shuffle(mates)
        pools: dict[str, list[str]] = defaultdict(list)
        for mate in mates:
            if not _begins(mate) and self._is_free(mate):
                pools[_family(mate)].append(mate)
        idle = sorted(mates, key=lambda mate: -len(self._alone(mate)))
        few = self._round % 2 and len(missing) <= FEW
        beginning = [san for san in missing if few or san in self._firsts]
        used: set[str] = set()
        parts = []
        for i, san in enumerate(missing):
            colour = self._player(san)
            begins = san in beginning
            if begins:
                unused = [mate for mate in idle if mate not in used]
                offered = self._following(san, unused, len(beginning))
            else:
                pool = reversed(pools[_family(san)])
                free = (m for m in pool if m not in used and (m, colour) in self._played)
                offered = list(islice(free, REPAIRED))
            used.update(offered)
            if begins and offered:
                parts.append(self._part(f"{colour} firsts", i, [san], [], offered))
            elif offered:
                parts.append(self._repair_part(san, i, offered))
        return parts

    def _following(self, first: str, mates: list[str], sharers: int) -> list[str]:
        """The last of these mates that a game may end with which begins with a string."""
        colour = self._player(first)
        men = men_after(self._station(first, colour))
        possible = [
            mate
            for mate in mates
            if (mate, colour) in self._played and can_follow(_seen(mate, colour), men)
        ]
        number = min(len(possible) // sharers, IDLE_MATES * (self._round - ROUNDS))
        return possible[::-1][:number]

    def _repair_part(self, san: str, number: int, mates: list[str]) -> Part:
        family = _family(san)
        others = set(self._families[family])
        alone = [s for mate in mates for s in self._alone(mate) if s in others]
        return self._part(f"{WHITE} {family}", number, [], [san, *alone], mates)

    def _is_alone(self, mate: str) -> bool:
        """Whether it has no game yet, or only its own proof game."""
        if mate not in self._tours:
            return True
        colour, tour = self._tours[mate]
        return _begins(mate) and tour.start == _seen(mate, colour)

    def _is_free(self, mate: str) -> bool:
        """Whether its game begins with no string other than itself."""
        colour, tour = self._tours[mate]
        return tour.start in self._lines[colour] or tour.start == _seen(mate, colour)

    def _alone(self, mate: str) -> list[str]:
        """The strings that only the game of this mate shows."""
        sans = dict.fromkeys(self._game(mate).sans)
        return [san for san in sans if self._shown[san] == 1 and not _ends(san)]

    def _part(
        self, name: str, number: int, firsts: list[str], strings: list[str], mates: list[str]
    ) -> Part:
        colour, family = name.split(" ", 1)

        def stations(sans: list[str]) -> tuple[Station, ...]:
            return tuple(self._station(san, colour) for san in sans)

        lines = self._lines[colour]
        starts = tuple(
            Start(start.name, start.fen, _as_white(lines[start.name].sans, colour))
            for start in tour_starts()
            if start.family in HUBS.get(family, ()) and start.name in lines
        )
        name = f"{name} {self._round} {number}"
        return Part(name, stations(firsts), stations(strings), stations(mates), starts)

    def _station(self, san: str, colour: str) -> Station:
        """The string as White plays it; for Black's, the one with the colours exchanged."""
        played = self._played[_seen(san, colour), WHITE]
        return Station(played.san, played.before_fen, played.moves[-1], played.sans[:-1])


def _lines(colour: str) -> Iterator[tuple[str, SuiteGame]]:
    """For the name of each position where tours begin, the moves that lead there."""
    for start in tour_starts():
        line = start.line if colour == WHITE else lose_a_move(start.line)
        if line is not None:
            board = chess.Board()
            sans = tuple(board.san_and_push(chess.Move.from_uci(uci)) for uci in line)
            yield start.name, SuiteGame(line, sans)


def _as_white(sans: Iterable[str], colour: str) -> tuple[str, ...]:
    return tuple(_seen(san, colour) for san in sans)


def _seen(san: str, colour: str) -> str:
    """A player's string as White would write it, and the other way round."""
    return san if colour == WHITE else str(exchanged_san(parse_san(san)))


def _begins(san: str) -> bool:
    """Whether its witness has men that no tour brings there: pawns, and a king still at home."""
    return parse_san(san).piece in {"", *CASTLING}


def _is_plain_mate(san: str) -> bool:
    """Whether few men are enough for it: a mate by a pawn, or by a piece told from no other."""
    piece, file, rank, *_ = parse_san(san)
    return _ends(san) and piece not in CASTLING and not (piece and (file or rank))


def _ends(san: str) -> bool:
    return san.endswith("#")


def _family(text: str) -> str:
    """Which strings are put together: those whose witnesses have alike men."""
    san = parse_san(text)
    if san.piece == "B":
        square = parse_square(san.destination)
        return "B light" if (file_of(square) + rank_of(square)) % 2 else "B dark"
    return san.piece if san.piece in {"Q", "N"} else "R"


def _rarity(san: str) -> tuple[int, str]:
    """Sorts first what is seldom played by chance: what tells most of where a piece comes from."""
    return (-len(san.translate(_PLAIN)), san)
