"""A short way from a witness to checkmate, both players helping. Untrusted.

It shows that no position of the game was dead (FIDE 5.2.2): mate could follow, for it does.
"""

from itertools import islice
from typing import Final, NamedTuple

from proofs.games.men import KING, PAWN, REACH, Step, distances
from proofs.games.scenes import Scene, attacked, attacks, can_move, moved, moves, occupied_by
from proofs.rules.squares import SQUARES, file_of, rank_of

NEARNESS: Final = 0.1


class Breadth(NamedTuple):
    """How widely to search: positions kept after Black's moves, White's moves for each, moves."""

    kept: int
    branches: int
    moves: int


BREADTHS: Final = (Breadth(1, 8, 3), Breadth(3, 8, 3))
DISTANCE: Final = [distances(KING, s) for s in SQUARES]
EDGE: Final = [min(file_of(s), 7 - file_of(s)) + min(rank_of(s), 7 - rank_of(s)) for s in SQUARES]
"""How far a square is from the edges."""


def search_mate(scene: Scene) -> list[Step] | None:
    """Moves, Black first, that end with White giving mate; None if none was found."""
    if not can_move(scene.black, scene.white):
        return None
    attempts = (_search(scene, breadth) for breadth in BREADTHS)
    return next((line for line in attempts if line is not None), None)


def _search(scene: Scene, breadth: Breadth) -> list[Step] | None:
    level: list[tuple[Scene, list[Step]]] = [(scene, [])]
    for _ in range(breadth.moves):
        following = []
        for current, line in level:
            for i, step in moves(current.black, current.white):
                black, white = moved(current.black, current.white, i, step.destination)
                cover = _Cover(Scene(white, black))
                mate = cover.mating_step()
                if mate is not None:
                    return [*line, step, mate]
                following.append((cover, [*line, step]))
        following.sort(key=lambda item: item[0].freedom())
        level = _tightest(following[: breadth.kept], breadth.branches)
    return None


def _tightest(
    chosen: list[tuple["_Cover", list[Step]]], branches: int
) -> list[tuple[Scene, list[Step]]]:
    """After a few of White's moves each, the positions in which Black's king has least freedom."""
    level = []
    for between, line in chosen:
        white, black = between.scene
        ranked = []
        for i, step in moves(white, black):
            after = Scene(*moved(white, black, i, step.destination))
            ranked.append((_Cover(after).freedom(), after, [*line, step]))
        ranked.sort(key=lambda item: item[0])
        open_ = ((after, line) for _, after, line in ranked if can_move(after.black, after.white))
        level += list(islice(open_, branches))
    return level


class _Cover:
    """Which squares around Black's king are attacked, and by which of White's men.

    Attributes:
        scene: The men, White to move.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._king = king = scene.black[0][1]
        self._theirs = theirs = occupied_by(scene.black)
        # What Black's king hides is attacked: the king may not go there.
        self._occupied = occupied = (occupied_by(scene.white) | theirs) & ~(1 << king)
        self._attacks = [attacks(kind, s, occupied) for kind, s in scene.white]
        self._flights = attacks(KING, king, 0) & ~theirs

    def freedom(self) -> float:
        """The flights that are not attacked, and a little for distances to edges and pursuers."""
        free = self._flights
        for attacked_squares in self._attacks:
            free &= ~attacked_squares
        near = DISTANCE[self._king]
        away = sum([near[s] for _, s in self.scene.white])
        return free.bit_count() + 0.3 * EDGE[self._king] + NEARNESS * away

    def mating_step(self) -> Step | None:
        """A move of White's that gives mate by the moved man's own check."""
        once = twice = 0
        for attacked_squares in self._attacks:
            twice |= once & attacked_squares
            once |= attacked_squares
        for i, (kind, s) in enumerate(self.scene.white):
            checking = self._checking(kind, s)
            if checking:
                flights = self._flights & ~twice & ~(once & ~self._attacks[i])
                for t in REACH[kind][s]:
                    if (
                        checking >> t & 1
                        and not flights & ~attacks(kind, t, self._occupied)
                        and self._is_mate(i, t)
                    ):
                        return Step(s, t)
        return None

    def _checking(self, kind: int, square: int) -> int:
        """Where a man can go to give check; nowhere for the king and pawns."""
        if kind in {KING, PAWN}:
            return 0
        king = 1 << self._king
        own = self._occupied & ~self._theirs
        from_king = attacks(kind, self._king, self._occupied & ~(1 << square))
        return from_king & attacks(kind, square, self._occupied | king) & ~own & ~king

    def _is_mate(self, i: int, destination: int) -> bool:
        white, black = moved(*self.scene, i, destination)
        occupied = occupied_by(white) | occupied_by(black)
        return not attacked(white[0][1], black, occupied) and not can_move(black, white)
