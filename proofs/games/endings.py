"""A short way from a witness to checkmate, both players helping. Untrusted.

It shows that no position of the game was dead (FIDE 5.2.2): mate could follow, for it does.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from proofs.games.men import ATTACK, KING, NEVER, PAWN, REACH, Step, distances
from proofs.rules.squares import SQUARES, file_of, rank_of

Men = tuple[tuple[int, int], ...]

NEARNESS: Final = 0.1


class Breadth(NamedTuple):
    """How widely to search: positions kept after Black's moves, White's moves for each, moves."""

    kept: int
    branches: int
    moves: int


BREADTHS: Final = (Breadth(1, 8, 3), Breadth(3, 8, 3))
DISTANCE: Final = [distances(KING, s) for s in SQUARES]


class Scene(NamedTuple):
    """White's and Black's men, each a kind and a square, the king first. Black is to move."""

    white: Men
    black: Men


def search_mate(scene: Scene) -> list[Step] | None:
    """Moves, Black first, that end with White giving mate; None if none was found."""
    if not _can_move(scene):
        return None
    attempts = (_search(scene, breadth) for breadth in BREADTHS)
    return next((line for line in attempts if line is not None), None)


def _search(scene: Scene, breadth: Breadth) -> list[Step] | None:
    level: list[tuple[Scene, list[Step]]] = [(scene, [])]
    for _ in range(breadth.moves):
        following = []
        for current, line in level:
            for step, between in _moves_of_black(current):
                cover = _Cover(between)
                mate = cover.mating_step()
                if mate is not None:
                    return [*line, step, mate]
                following.append((cover.freedom(), between, [*line, step]))
        following.sort(key=lambda item: item[0])
        level = _tightest(following[: breadth.kept], breadth.branches)
    return None


def _tightest(
    chosen: list[tuple[float, Scene, list[Step]]], branches: int
) -> list[tuple[Scene, list[Step]]]:
    """After a few of White's moves each, the positions in which Black's king has least freedom."""
    level = []
    for _, between, line in chosen:
        ranked = [
            (_Cover(after).freedom(), after, [*line, step])
            for step, after in _moves_of_white(between)
        ]
        ranked.sort(key=lambda item: item[0])
        open_ = ((after, line) for _, after, line in ranked if _can_move(after))
        level += list(islice(open_, branches))
    return level


class _Cover:
    """Which squares around Black's king are attacked, and by which of White's men."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        own, other = scene.white, scene.black
        self._king = king = other[0][1]
        self._theirs = occupied_by(other)
        self._occupied = occupied = (occupied_by(own) | self._theirs) & ~(1 << king)
        self._flights = []
        for t in REACH[KING][king]:
            if self._theirs >> t & 1:
                continue
            by = 0
            for i, (kind, s) in enumerate(own):
                way = ATTACK[kind][s][t]
                if way != NEVER and not way & occupied:
                    by |= 1 << i
            self._flights.append((t, by))

    def freedom(self) -> float:
        """The flights that are not attacked, and a little for distances to edges and pursuers."""
        free = sum(1 for _, by in self._flights if not by)
        near = DISTANCE[self._king]
        away = sum([near[s] for _, s in self._scene.white])
        return free + 0.3 * _edge(self._scene) + NEARNESS * away

    def mating_step(self) -> Step | None:
        """A move of White's that gives mate by the moved man's own check."""
        own = self._scene.white
        occupied, king = self._occupied, self._king
        mine = occupied & ~self._theirs
        for i, (kind, s) in enumerate(own):
            if kind in {KING, PAWN}:
                continue
            others = ~(1 << i)
            attack = ATTACK[kind]
            for t, between in REACH[kind][s].items():
                row = attack[t]
                line = row[king]
                if line == NEVER or between & occupied or mine >> t & 1 or between >> king & 1:
                    continue
                if line & occupied & ~(1 << s) or t == king:
                    continue
                for flight, by in self._flights:
                    if not by & others:
                        way = row[flight]
                        if way == NEVER or way & occupied:
                            break
                else:
                    if self._is_mate(i, t):
                        return Step(s, t)
        return None

    def _is_mate(self, i: int, destination: int) -> bool:
        own, other = self._scene
        moved = (*own[:i], (own[i][0], destination), *own[i + 1 :])
        left = tuple(m for m in other if m[1] != destination)
        occupied = occupied_by(moved) | occupied_by(left)
        if attacked(moved[0][1], left, occupied):
            return False
        return not any(True for _ in _moves(left, moved))


def _can_move(scene: Scene) -> bool:
    return any(True for _ in _moves(scene.black, scene.white))


def _edge(scene: Scene) -> int:
    """How far Black's king is from the edges."""
    king = scene.black[0][1]
    return min(file_of(king), 7 - file_of(king)) + min(rank_of(king), 7 - rank_of(king))


def attacked(square: int, men: Men, occupied: int) -> bool:
    """Whether one of these men attacks the square."""
    for kind, s in men:
        way = ATTACK[kind][s][square]
        if way != NEVER and not way & occupied:
            return True
    return False


def occupied_by(men: Men) -> int:
    """The mask of the squares where men stand."""
    occupied = 0
    for _, s in men:
        occupied |= 1 << s
    return occupied


def _moves(own: Men, other: Men) -> Iterator[tuple[Step, Men, Men]]:
    """The legal moves of a side, but for the pawns, with the men of both sides after them."""
    mine, theirs = occupied_by(own), occupied_by(other)
    for i, (kind, s) in enumerate(own):
        if kind == PAWN:
            continue
        for t, between in REACH[kind][s].items():
            if between & (mine | theirs) or mine >> t & 1 or t == other[0][1]:
                continue
            moved = (*own[:i], (kind, t), *own[i + 1 :])
            left = tuple(m for m in other if m[1] != t) if theirs >> t & 1 else other
            occupied = (mine | theirs) & ~(1 << s) | 1 << t
            if not attacked(moved[0][1], left, occupied):
                yield Step(s, t), moved, left


def _moves_of_black(scene: Scene) -> Iterator[tuple[Step, Scene]]:
    for step, black, white in _moves(scene.black, scene.white):
        yield step, Scene(white, black)


def _moves_of_white(scene: Scene) -> Iterator[tuple[Step, Scene]]:
    for step, white, black in _moves(scene.white, scene.black):
        yield step, Scene(white, black)
