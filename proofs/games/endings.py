"""A short way from a witness to checkmate, both players helping. Untrusted.

It shows that no position of the game was dead (FIDE 5.2.2): mate could follow, for it does.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from sanproof.proofs.games.pieces import (
    KINDS,
    KING,
    PAWN,
    REACH,
    ManStep,
    Scene,
    attacked,
    attacks,
    can_move,
    distances,
    moved,
    moves,
    occupied_by,
)
from sanproof.proofs.rules.squares import SQUARES, file_of, rank_of
from sanproof.proofs.search.symmetry import mirror_file, mirror_rank, transpose

NEARNESS: Final = 0.1
MAX_KEPT: Final = 1000
"""Results that are kept: more than a work unit has scenes, counting mirror images once."""


class Breadth(NamedTuple):
    """The width of a search: positions kept after Black's moves, White's moves for each, moves."""

    kept: int
    branches: int
    moves: int


BREADTHS: Final = (Breadth(1, 8, 3), Breadth(3, 8, 3))
DISTANCE: Final = [distances(KING, s) for s in SQUARES]
EDGE: Final = [min(file_of(s), 7 - file_of(s)) + min(rank_of(s), 7 - rank_of(s)) for s in SQUARES]
"""The distance of each square from the edges."""


def _most_covered(kind: int) -> int:
    """The most squares around a king that a man covers who gives check; none for those who do not.

    Kings give no check, and pawns are left where they are.
    """
    if kind in {KING, PAWN}:
        return -1
    return max(
        (attacks(kind, s, 0) & attacks(KING, king, 0)).bit_count()
        for king in SQUARES
        for s in REACH[kind][king]
    )


MOST_COVERED: Final = [_most_covered(kind) for kind in KINDS]


def _images() -> list[list[int]]:
    images = [list(SQUARES)]
    for mirror in (mirror_file, mirror_rank, transpose):
        images += [list(map(mirror, image)) for image in images]
    return images


IMAGES: Final = _images()
"""For each symmetry of the board where the squares go; the first two keep pawns on their way."""


def search_mate(scene: Scene) -> list[ManStep] | None:
    """Moves, Black first, that end with White giving mate; None if none was found.

    One image of the scene is searched for all of them: a work unit has witnesses that are images of
    each other, and captures that leave the men of quiet moves.
    """
    images = IMAGES[:2] if any(kind == PAWN for kind, _ in scene.white) else IMAGES
    searched, image = min((_image(scene, image), image) for image in images)
    steps = _search_mate(searched)
    return [ManStep(image.index(s), image.index(t)) for s, t in steps] or None


def _image(scene: Scene, image: Sequence[int]) -> Scene:
    """The scene with the men on the squares' images, and sorted: the king comes first."""
    white, black = (tuple(sorted([(kind, image[s]) for kind, s in men])) for men in scene)
    return Scene(white, black)


@lru_cache(MAX_KEPT)
def _search_mate(scene: Scene) -> tuple[ManStep, ...]:
    if not can_move(scene.black, scene.white):
        return ()
    attempts = (_search(scene, breadth) for breadth in BREADTHS)
    return next((tuple(line) for line in attempts if line is not None), ())


_Reached = tuple["_Cover", list[ManStep]]


def _search(scene: Scene, breadth: Breadth) -> list[ManStep] | None:
    level: list[_Reached] = [(_cover(scene), [])]
    for _ in range(breadth.moves):
        following = []
        for cover, line in level:
            for i, step in moves(cover.scene.black, cover.scene.white):
                between = cover.after_black(i, step)
                mate = between.mating_step()
                if mate is not None:
                    return [*line, step, mate]
                following.append((between, [*line, step]))
        following.sort(key=lambda item: item[0].freedom())
        level = _tightest(following[: breadth.kept], breadth.branches)
    return None


def _tightest(chosen: list[_Reached], branches: int) -> list[_Reached]:
    """After a few of White's moves each, the positions in which Black's king has least freedom."""
    level = []
    for between, line in chosen:
        after = [
            (between.after_white(i, step), step)
            for i, step in moves(between.scene.white, between.scene.black)
        ]
        after.sort(key=lambda item: item[0].freedom())
        open_ = (
            (cover, [*line, step])
            for cover, step in after
            if can_move(cover.scene.black, cover.scene.white)
        )
        level += list(islice(open_, branches))
    return level


class _Cover:
    """Which squares around Black's king are attacked, and by which of White's men.

    ``occupied`` is the mask of the men's squares but for Black's king: what it hides counts as
    attacked, for it may not go there. ``attacked_by`` has for each of White's men the mask of the
    squares that he attacks.
    """

    def __init__(self, scene: Scene, occupied: int, attacked_by: list[int]) -> None:
        self.scene = scene
        self._occupied = occupied
        self._attacked_by = attacked_by
        self._king = scene.black[0][1]
        self._flights = attacks(KING, self._king, 0) & ~occupied_by(scene.black)

    def after_black(self, i: int, step: ManStep) -> "_Cover":
        """Return the cover after a move of Black's."""
        black, white = moved(self.scene.black, self.scene.white, i, step.destination)
        scene = Scene(white, black)
        if len(white) < len(self.scene.white):
            return _cover(scene)
        if i == 0:
            return _Cover(scene, self._occupied, self._attacked_by)
        occupied = self._occupied & ~(1 << step.origin) | 1 << step.destination
        return self._after(scene, occupied, step)

    def after_white(self, i: int, step: ManStep) -> "_Cover":
        """Return the cover after a move of White's."""
        white, black = moved(self.scene.white, self.scene.black, i, step.destination)
        occupied = self._occupied & ~(1 << step.origin) | 1 << step.destination
        return self._after(Scene(white, black), occupied, step)

    def _after(self, scene: Scene, occupied: int, step: ManStep) -> "_Cover":
        """Look again only where the man who moved is, or where the squares of his step are seen."""
        origin, destination = step
        changed = 1 << origin | 1 << destination
        attacked_by = [
            attacks(man[0], man[1], occupied) if mask & changed or man[1] == destination else mask
            for man, mask in zip(scene.white, self._attacked_by, strict=True)
        ]
        return _Cover(scene, occupied, attacked_by)

    def freedom(self) -> float:
        """The flights that are not attacked, and a little for distances to edges and pursuers."""
        free = self._flights
        for mask in self._attacked_by:
            free &= ~mask
        near = DISTANCE[self._king]
        away = sum([near[s] for _, s in self.scene.white])
        return free.bit_count() + 0.3 * EDGE[self._king] + NEARNESS * away

    def mating_step(self) -> ManStep | None:
        """A move of White's that gives mate by the moved man's own check; Black has just moved."""
        once = twice = 0
        for mask in self._attacked_by:
            twice |= once & mask
            once |= mask
        for i, (kind, s) in enumerate(self.scene.white):
            flights = self._flights & ~twice & ~(once & ~self._attacked_by[i])
            if flights.bit_count() <= MOST_COVERED[kind]:
                checking = self._checking(i)
                for t in REACH[kind][s] if checking else ():
                    if (
                        checking >> t & 1
                        and not flights & ~attacks(kind, t, self._occupied)
                        and self._is_mate(i, t)
                    ):
                        return ManStep(s, t)
        return None

    def _checking(self, i: int) -> int:
        """Where a man can go to give check."""
        kind, square = self.scene.white[i]
        own = occupied_by(self.scene.white)
        from_king = attacks(kind, self._king, self._occupied & ~(1 << square))
        return from_king & self._attacked_by[i] & ~own

    def _is_mate(self, i: int, destination: int) -> bool:
        white, black = moved(*self.scene, i, destination)
        occupied = occupied_by(white) | occupied_by(black)
        return not attacked(white[0][1], black, occupied) and not can_move(black, white)


def _cover(scene: Scene) -> _Cover:
    occupied = occupied_by(scene.white) | occupied_by(scene.black[1:])
    return _Cover(scene, occupied, [attacks(kind, s, occupied) for kind, s in scene.white])
