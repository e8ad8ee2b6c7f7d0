"""The cover as far as it is there: a tour for each mate, and what their games show. Untrusted."""

from collections import Counter
from collections.abc import Iterable

from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.cover.sources import Sources
from sanproof.proofs.cover.strings import as_white, begins, ends
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order


class ShownTally:
    """Counts in how many games each string is shown.

    Attributes:
        shown: The strings that are shown.
        once: Those that one game shows.
    """

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self.shown: set[str] = set()
        self.once: set[str] = set()

    def count(self, sans: Iterable[str], by: int = 1) -> None:
        """Count a game, given by its strings, each once; no longer if ``by`` is -1."""
        for san in sans:
            before, after = self._games[san], self._games[san] + by
            self._games[san] = after
            if not before:
                self.shown.add(san)
            elif not after:
                self.shown.remove(san)
            if after == 1:
                self.once.add(san)
            elif before == 1:
                self.once.remove(san)


class Cover:
    """The cover as far as it is there."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._tours: dict[str, tuple[str, Tour]] = {}
        self._shown: dict[str, tuple[str, ...]] = {}
        self._tally = ShownTally()
        self._on_the_way = [san for san in sources.strings if not ends(san)]

    def put(self, mate: str, colour: str, tour: Tour) -> None:
        """Give a mate a tour, as White plays it, in a game where this player plays it."""
        self._tally.count(self._shown.get(mate, ()), -1)
        self._tours[mate] = (colour, tour)
        self._shown[mate] = tuple(dict.fromkeys(self.sources.game(colour, tour).sans))
        self._tally.count(self._shown[mate])

    def tour(self, mate: str) -> tuple[str, Tour] | None:
        """The tour of a mate, and who plays it."""
        return self._tours.get(mate)

    def mates(self) -> list[str]:
        """The mates that have a tour, in the order in which they got their first."""
        return list(self._tours)

    @property
    def number_shown(self) -> int:
        """The number of strings that are shown."""
        return len(self._tally.shown)

    def missing(self) -> list[str]:
        """The strings that no game shows, but for mates."""
        return [san for san in self._on_the_way if san not in self._tally.shown]

    def only_in(self, mate: str) -> list[str]:
        """The strings that only the game of this mate shows."""
        return [s for s in self._shown[mate] if s in self._tally.once and not ends(s)]

    def number_only_in(self, mate: str) -> int:
        """How many strings only the game of this mate shows, the mate among them."""
        return len(self._tally.once.intersection(self._shown[mate]))

    def is_idle(self, mate: str) -> bool:
        """Whether it has no game yet, or only its own proof game."""
        found = self.tour(mate)
        return found is None or (begins(mate) and found[1].start == as_white(mate, found[0]))

    def is_free(self, mate: str) -> bool:
        """Whether its game begins with no string other than itself."""
        colour, tour = self._tours[mate]
        return self.sources.is_start(tour.start, colour) or tour.start == as_white(mate, colour)

    def games(self) -> list[ProofGame]:
        """The games, each shown as the proof game of its mate, in the list order of the mates."""
        found = []
        for mate in sorted(self._tours, key=list_order):
            moves, _ = self.sources.game(*self._tours[mate])
            ply = len(moves) - 1
            found.append(ProofGame(mate, COLOURS[ply % 2], ply, moves))
        return found
