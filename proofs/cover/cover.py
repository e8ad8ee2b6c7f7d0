"""The cover as far as it is there: a tour for each mate, and what their games show. Untrusted."""

from collections import Counter

from sanproof.proofs.cover.parts import Tour, as_white, begins, ends
from sanproof.proofs.cover.sources import Sources
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order


class Cover:
    """The cover as far as it is there."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._tours: dict[str, tuple[str, Tour]] = {}
        self._shown: dict[str, tuple[str, ...]] = {}
        self._games: Counter[str] = Counter()  # in how many games each string is shown
        self._on_the_way = [san for san in sources.strings if not ends(san)]

    def put(self, mate: str, colour: str, tour: Tour) -> None:
        """Give a mate a tour, as White plays it, in a game where this player plays it."""
        for san in self._shown.get(mate, ()):
            self._games[san] -= 1
            if not self._games[san]:
                del self._games[san]
        self._tours[mate] = (colour, tour)
        self._shown[mate] = tuple(dict.fromkeys(self.sources.game(colour, tour).sans))
        self._games.update(self._shown[mate])

    def tour(self, mate: str) -> tuple[str, Tour] | None:
        """The tour of a mate, and who plays it."""
        return self._tours.get(mate)

    def mates(self) -> list[str]:
        """The mates that have a tour, in the order in which they got their first."""
        return list(self._tours)

    @property
    def number_shown(self) -> int:
        """The number of strings that are shown."""
        return len(self._games)

    def missing(self) -> list[str]:
        """The strings that no game shows, but for mates."""
        return [san for san in self._on_the_way if san not in self._games]

    def only_in(self, mate: str) -> list[str]:
        """The strings that only the game of this mate shows."""
        return [s for s in self._shown[mate] if self._games[s] == 1 and not ends(s)]

    def number_only_in(self, mate: str) -> int:
        """Count the strings that only the game of this mate shows, the mate among them."""
        return sum(self._games[san] == 1 for san in self._shown[mate])

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
