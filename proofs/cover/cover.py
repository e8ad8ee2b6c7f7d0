"""The cover as far as it is there, with what it is made of: proof games and hubs. Untrusted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Final

import chess

from sanproof.proofs.board.strict import written
from sanproof.proofs.cover.parts import (
    MatesPart,
    Start,
    Station,
    Tour,
    as_white,
    begins,
    ends,
    family_of,
)
from sanproof.proofs.games.game import CheckedGame, ProofGame, quiet_replies
from sanproof.proofs.games.hubs import Hub, load_hubs, with_tempo_loss
from sanproof.proofs.rules.cubes import COLOURS, WHITE
from sanproof.proofs.rules.san import list_order

HUBS: Final = {
    "Q": ("Q",),
    "R": ("R", "O-O", "O-O-O"),
    "N": ("N",),
    "B light": ("L",),
    "B dark": ("D",),
}
"""The hubs from which the tours of a family's strings begin: they have the pieces for it."""


@cache
def starts(colour: str) -> Mapping[str, Start]:
    """Return a player's starts by name: hubs, and positions where Black has one more piece.

    From there two can be captured before mate. A start is left out if its line does not lead to the
    position with the colours exchanged.
    """
    found = {}
    for hubs in load_hubs().values():
        for number, hub in enumerate(hubs):
            for start in _starts_on(hub, f"{hub.family} {number}"):
                moves = start.moves if colour == WHITE else with_tempo_loss(start.moves)
                if moves is not None:
                    sans = tuple([as_white(san, colour) for san in _sans(moves)])
                    found[start.name] = start._replace(moves=moves, sans=sans)
    return found


def _starts_on(hub: Hub, name: str) -> list[Start]:
    """Return the starts on White's line to a hub, whose strings are not yet written."""
    want = _pieces_of(hub.placement)
    board, deep = chess.Board(), []
    for ply, uci in enumerate(hub.line):
        if (
            board.turn
            and not board.is_check()
            and _has_one_more(_pieces_of(board.board_fen()), want)
        ):
            deep = [Start(f"{name} before", hub.family, board.fen(), hub.line[:ply], ())]
        board.push_uci(uci)
    return [*deep, Start(name, hub.family, board.fen(), hub.line, ())]


def _has_one_more(have: Counter[str], want: Counter[str]) -> bool:
    """Check whether the pieces are the wanted ones and one piece of Black's."""
    extra = have - want
    return not want - have and extra.total() == 1 and next(iter(extra)) in "qrbn"


def _pieces_of(placement: str) -> Counter[str]:
    return Counter(filter(str.isalpha, placement))


def _sans(moves: tuple[str, ...]) -> Iterator[str]:
    board = chess.Board()
    for move in map(chess.Move.from_uci, moves):
        yield written(move, board)
        board.push(move)


class Cover:
    """The cover as far as it is there: a tour for each mate, and what their games show.

    A mate that no tour leads to, for it begins a game, is there from the beginning.

    Args:
        played: For each string and player, the proof game.

    Attributes:
        strings: All strings, in list order.
        tours: For each mate the player of its tour, and the tour, as White plays it; in the order
            in which mates got their first.
        games_with: In how many games each string is shown that any shows.
    """

    def __init__(self, played: Mapping[tuple[str, str], CheckedGame]) -> None:
        self._played = played
        self.strings = sorted({san for san, _ in played}, key=list_order)
        self.tours: dict[str, tuple[str, Tour]] = {}
        self.games_with: Counter[str] = Counter()
        self._shown: dict[str, tuple[str, ...]] = {}
        for san in self.strings:
            if ends(san) and begins(san):
                colour = self.player(san)
                mate = self.station(san, colour)
                self.put(san, colour, Tour(mate.san, (mate.uci,), (mate.san,)))

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
        after = chess.Board(self._played[san, self.player(san)].after_fen)
        return not any(quiet_replies(after))

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """By family, the strings with which no game begins."""
        families: dict[str, list[str]] = {}
        for san in self.strings:
            if san not in self.firsts and not begins(san):
                families.setdefault(family_of(san), []).append(san)
        return families

    def player(self, san: str) -> str:
        """Return the player of a string in the cover: White, if White can."""
        return next(colour for colour in COLOURS if self.can_play(san, colour))

    def can_play(self, san: str, colour: str) -> bool:
        """Check whether there is a player's proof game of a string."""
        return (san, colour) in self._played

    def station(self, san: str, colour: str) -> Station:
        """Return the string as White plays it; for Black's, the one with the colours exchanged."""
        played = self._played[as_white(san, colour), WHITE]
        shown = played.witness
        return Station(shown.san, shown.fen, shown.uci, played.sans[: played.game.ply])

    def put(self, mate: str, colour: str, tour: Tour) -> None:
        """Give a mate a tour, as White plays it, in a game where this player plays it."""
        for san in self._shown.get(mate, ()):
            self.games_with[san] -= 1
            if not self.games_with[san]:
                del self.games_with[san]
        self.tours[mate] = (colour, tour)
        _, sans = self.game(colour, tour)
        self._shown[mate] = tuple(dict.fromkeys(sans))
        self.games_with.update(self._shown[mate])

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

    def missing(self) -> list[str]:
        """Return the strings that no game shows, but for mates."""
        return [san for san in self.strings if san not in self.games_with and not ends(san)]

    def only_in(self, mate: str) -> list[str]:
        """Return the strings that only the game of this mate shows, the mate among them."""
        return [san for san in self._shown[mate] if self.games_with[san] == 1]

    def is_idle(self, mate: str) -> bool:
        """Check whether it has no game yet, or only its own proof game."""
        colour, tour = self.tours.get(mate, (WHITE, None))
        return tour is None or (begins(mate) and tour.start == as_white(mate, colour))

    def is_free(self, mate: str) -> bool:
        """Check whether its game begins with no string other than itself."""
        colour, tour = self.tours[mate]
        return tour.start in starts(colour) or tour.start == as_white(mate, colour)

    def game(self, colour: str, tour: Tour) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the whole game of a tour, in UCI and SAN."""
        start = starts(colour).get(tour.start)
        if start:
            moves, sans = start.moves, [as_white(san, colour) for san in start.sans]
        else:
            played = self._played[as_white(tour.start, colour), colour]
            ply = played.game.ply
            moves, sans = played.game.moves[:ply], list(played.sans[:ply])
        moves += tuple([as_white(move, colour) for move in tour.moves])
        return moves, (*sans, *[as_white(san, colour) for san in tour.sans])

    def games(self) -> list[ProofGame]:
        """Return the games, each shown as its mate's proof game, in the list order of the mates."""
        found = []
        for mate in sorted(self.tours, key=list_order):
            moves, _ = self.game(*self.tours[mate])
            found.append(ProofGame(mate, len(moves) - 1, moves))
        return found
