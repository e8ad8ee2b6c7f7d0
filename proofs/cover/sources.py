"""The sources of the cover: proof games, and the lines of hubs. Untrusted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Final, NamedTuple

import chess

from sanproof.proofs.cover.parts import Start, Station, Tour, as_white, begins, ends, family_of
from sanproof.proofs.games.game import has_quiet_reply, push_san
from sanproof.proofs.games.hubs import Hub, load_hubs, lose_a_move
from sanproof.proofs.rules.cubes import COLOURS, WHITE, exchanged_ranks
from sanproof.proofs.rules.san import list_order

HUBS: Final = {
    "Q": ("Q",),
    "R": ("R", "O-O", "O-O-O"),
    "N": ("N",),
    "B light": ("L",),
    "B dark": ("D",),
}
"""The hubs from which the tours of a family's strings begin: they have the men for it."""


class TourStart(NamedTuple):
    """A position on a hub's line from which tours begin: the hub, or one before, White to move.

    ``line`` are the moves that lead there (UCI).
    """

    family: str
    name: str
    fen: str
    line: tuple[str, ...]


class CoverGame(NamedTuple):
    """A game of the cover in UCI and SAN, to its mate; or the beginning of one."""

    moves: tuple[str, ...]
    sans: tuple[str, ...]


@cache
def tour_starts() -> tuple[TourStart, ...]:
    """The hubs; and where Black still has one man more, so that two can be captured before mate."""
    return tuple(
        start
        for hubs in load_hubs().values()
        for number, hub in enumerate(hubs)
        for start in _starts_on(hub, f"{hub.family} {number}")
    )


def starts_of(family: str) -> list[TourStart]:
    """The starts for the strings of a family."""
    return [start for start in tour_starts() if start.family in HUBS.get(family, ())]


@cache
def lines(colour: str) -> Mapping[str, CoverGame]:
    """For the name of each start the moves that lead there, of a game in which this player tours.

    A start is left out if its line does not lead to the position with the colours exchanged.
    """
    found = {
        start.name: start.line if colour == WHITE else lose_a_move(start.line)
        for start in tour_starts()
    }
    return {name: CoverGame(line, _sans(line)) for name, line in found.items() if line is not None}


def _sans(line: Iterable[str]) -> tuple[str, ...]:
    board = chess.Board()
    return tuple(push_san(board, chess.Move.from_uci(uci)) for uci in line)


def _starts_on(hub: Hub, name: str) -> list[TourStart]:
    want = _men_of(hub.placement)
    board, deep = chess.Board(), []
    for ply, uci in enumerate(hub.line):
        if board.turn and not board.is_check() and _has_one_more(_men_of(board.board_fen()), want):
            deep = [TourStart(hub.family, f"{name} before", board.fen(), hub.line[:ply])]
        board.push_uci(uci)
    return [*deep, TourStart(hub.family, name, board.fen(), hub.line)]


def _has_one_more(have: Counter[str], want: Counter[str]) -> bool:
    """Whether the men are the wanted ones and one piece of Black's."""
    extra = have - want
    return not want - have and extra.total() == 1 and next(iter(extra)) in "qrbn"


def _men_of(placement: str) -> Counter[str]:
    return Counter(filter(str.isalpha, placement))


class SourceGame(NamedTuple):
    """A proof game, up to and with the move that is written ``san``, in UCI and SAN.

    ``before_fen`` is the position before that move.
    """

    san: str
    colour: str
    before_fen: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]


class Sources:
    """The sources of the cover: proof games, and the lines of hubs.

    Args:
        played: For each string and player, the proof game.
    """

    def __init__(self, played: Mapping[tuple[str, str], SourceGame]) -> None:
        self._played = played
        self._lines = {colour: lines(colour) for colour in COLOURS}
        self.strings = sorted({san for san, _ in played}, key=list_order)

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The strings, other than mates, with which a game begins.

        They are the pawns', castlings, and checks to which there is no quiet reply.
        """
        return frozenset(san for san in self.strings if self._is_first(san))

    def _is_first(self, san: str) -> bool:
        if ends(san) or begins(san):
            return not ends(san)
        if not san.endswith("+"):
            return False
        played = self._played[san, self.player(san)]
        board = chess.Board(played.before_fen)
        board.push(chess.Move.from_uci(played.moves[-1]))
        return not has_quiet_reply(board)

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """By family, the strings with which no game begins."""
        families: dict[str, list[str]] = {}
        for san in self.strings:
            if san not in self.firsts and not begins(san):
                families.setdefault(family_of(san), []).append(san)
        return families

    def player(self, san: str) -> str:
        """The player of a string in the cover: White, if White can."""
        return next(colour for colour in COLOURS if self.can_play(san, colour))

    def can_play(self, san: str, colour: str) -> bool:
        """Whether there is a player's proof game of a string."""
        return (san, colour) in self._played

    def station(self, san: str, colour: str) -> Station:
        """The string as White plays it; for Black's, the one with the colours exchanged."""
        played = self._played[as_white(san, colour), WHITE]
        return Station(played.san, played.before_fen, played.moves[-1], played.sans[:-1])

    def starts(self, family: str, colour: str) -> tuple[Start, ...]:
        """Where the tours of a family begin."""
        known = self._lines[colour]
        return tuple(
            Start(start.name, start.fen, tuple(as_white(s, colour) for s in known[start.name].sans))
            for start in starts_of(family)
            if start.name in known
        )

    def is_start(self, name: str, colour: str) -> bool:
        """Whether it names a position on a hub's line, and not a string."""
        return name in self._lines[colour]

    def game(self, colour: str, tour: Tour) -> CoverGame:
        """The whole game of a tour."""
        before = self._before(tour.start, colour)
        moves, sans = tour.moves, tour.sans
        if colour != WHITE:
            moves = tuple(map(exchanged_ranks, moves))
            sans = tuple([as_white(san, colour) for san in sans])
        return CoverGame(before.moves + moves, before.sans + sans)

    def _before(self, start: str, colour: str) -> CoverGame:
        """The moves before a tour."""
        if self.is_start(start, colour):
            return self._lines[colour][start]
        played = self._played[as_white(start, colour), colour]
        return CoverGame(played.moves[:-1], played.sans[:-1])
