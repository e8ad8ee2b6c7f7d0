"""The plan of the cover: what is to be searched next, and what of it is kept. Untrusted.

The work is done in rounds, so that what was played by chance in one need not be played on purpose
in the next.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sanproof.proofs.cover.cover import Cover
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.cover.rounds import ROUNDS, parts_of_round
from sanproof.proofs.cover.sources import SourceGame, Sources
from sanproof.proofs.cover.starts import lines
from sanproof.proofs.cover.strings import as_white, begins, ends
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.cubes import COLOURS

MOST_ROUNDS: Final = 100


def prepare() -> None:
    """Work out what every plan needs, before there are games."""
    for colour in COLOURS:
        lines(colour)


class CoverPlan:
    """The rounds of the work, and the cover as far as it is there.

    Games that begin with a pawn's string, a castling, or a check without quiet replies, from the
    witness of its own proof game, come first. The other games are White's. ``played`` has the proof
    game of each string and player.
    """

    def __init__(self, played: Mapping[tuple[str, str], SourceGame]) -> None:
        sources = Sources(played)
        self._cover = Cover(sources)
        self._round = 0
        for san in sources.strings:
            if ends(san) and begins(san):
                colour = sources.player(san)
                mate = sources.station(san, colour)
                self._cover.put(san, colour, Tour(mate.san, (mate.uci,), (mate.san,)))

    def missing(self) -> list[str]:
        """The strings that no game shows, but for mates."""
        return self._cover.missing()

    def games(self) -> list[ProofGame]:
        """The games, each shown as the proof game of its mate, in the list order of the mates."""
        return self._cover.games()

    def look_ahead(self) -> None:
        """Work out what the second round needs, while the first is searched."""
        _ = self._cover.sources.firsts

    def parts(self) -> list[MatesPart]:
        """What is to be done next; nothing if every string is played, or after many rounds."""
        missing = self.missing()
        while self._round < MOST_ROUNDS:
            self._round += 1
            parts = parts_of_round(self._cover, self._round, missing)
            if parts or (self._round > ROUNDS and not missing):
                return parts
        return []

    def take(self, parts: Sequence[MatesPart], tours: Iterable[Sequence[Tour]]) -> None:
        """Take in what came out of the parts, unless it shows fewer strings than before."""
        for part, found in zip(parts, tours, strict=True):
            self._take_part(part.colour, found)

    def _take_part(self, colour: str, found: Sequence[Tour]) -> None:
        cover = self._cover
        shown = cover.number_shown
        mates = [as_white(tour.mate, colour) for tour in found]
        before = {mate: old for mate in mates if (old := cover.tour(mate)) is not None}
        for mate, tour in zip(mates, found, strict=True):
            cover.put(mate, colour, tour)
        if cover.number_shown < shown:
            for mate, old in before.items():
                cover.put(mate, *old)
