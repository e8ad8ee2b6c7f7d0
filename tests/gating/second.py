"""A second generator, written on its own: it walks over squares, without sets of bits.

For each move it looks for men that make a discriminator necessary, and for a black king that is
checked by the move and need not have been in check before it. Run as a program it prints its list.
"""

import sys
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

Square = tuple[int, int]

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
AROUND = STRAIGHT + SLANTED
STEPS: dict[str, tuple[Square, ...]] = {
    "P": ((-1, 1), (1, 1)),
    "N": JUMPS,
    "B": SLANTED,
    "R": STRAIGHT,
    "Q": AROUND,
    "K": AROUND,
}
BOARD = [(file, rank) for file in range(8) for rank in range(8)]
LEFT = [(file, rank) for file, rank in BOARD if file < 4]
"""The destinations that are looked at; the others are their mirror images."""


class Play(NamedTuple):
    """A move of a man, what it is on arrival, and the twins that its string needs."""

    man: str
    arrives: str
    origin: Square
    destination: Square
    twins: tuple[Square, ...]
    capture: bool


def name(square: Square) -> str:
    """The square's name."""
    return "abcdefgh"[square[0]] + "12345678"[square[1]]


def walks(man: str, start: Square) -> Iterator[list[Square]]:
    """The squares that a man meets in each direction."""
    file, rank = start
    most = 1 if man in "PKN" else 7
    for right, up in STEPS[man]:
        met = []
        for count in range(1, most + 1):
            square = (file + right * count, rank + up * count)
            if square not in BOARD_SET:
                break
            met.append(square)
        yield met


BOARD_SET = set(BOARD)
WALKS = {(man, start): list(walks(man, start)) for man in "PNBRQK" for start in BOARD}
WAY = {
    (man, start, square): frozenset(met[:place])
    for (man, start), directions in WALKS.items()
    for met in directions
    for place, square in enumerate(met)
}
"""What lies between a man and a square that it attacks on the empty board."""

BEHIND: dict[tuple[str, Square, Square], list[tuple[Square, frozenset[Square]]]] = {}
"""By kind, square left and king: the sliders that the square hid, and what else is between."""
for (kind, start, end), between in WAY.items():
    if kind in "BR":
        for hidden in between:
            BEHIND.setdefault((kind, hidden, end), []).append((start, between - {hidden}))


def can_arrive(man: str, squares: tuple[Square, ...], destination: Square) -> bool:
    """Whether men of a kind on these squares can all go to the destination."""
    return all(not WAY[man, square, destination].intersection(squares) for square in squares)


def discriminators(
    man: str, origin: Square, destination: Square
) -> Iterator[tuple[str, tuple[Square, ...]]]:
    """Each discriminator that the move can need, with fewest twins."""
    yield "", ()
    if man == "K":
        return
    others = [
        square
        for square in BOARD
        if square != origin
        and (man, square, destination) in WAY
        and can_arrive(man, (origin, square), destination)
    ]
    letters = name(origin)
    for twin in others:
        yield (letters[1] if twin[0] == origin[0] else letters[0]), (twin,)
    on_file = [twin for twin in others if twin[0] == origin[0]]
    on_rank = [twin for twin in others if twin[1] == origin[1]]
    for twins in product(on_file, on_rank):
        if can_arrive(man, (origin, *twins), destination):
            yield letters, twins


def plays() -> Iterator[tuple[str, Play]]:
    """Every bare string to the left half with every way in which White can come to write it."""
    for man, destination in product("NBRQK", LEFT):
        for origin in BOARD:
            if (man, origin, destination) not in WAY:
                continue
            for discriminator, twins in discriminators(man, origin, destination):
                for cross in ("", "x"):
                    text = man + discriminator + cross + name(destination)
                    yield text, Play(man, man, origin, destination, twins, bool(cross))
    yield from pawn_plays()
    yield "O-O", Play("R", "R", (7, 0), (5, 0), (), False)
    yield "O-O-O", Play("R", "R", (0, 0), (3, 0), (), False)


def pawn_plays() -> Iterator[tuple[str, Play]]:
    """The same for pawns."""
    for (file, rank), step in product(BOARD, (-1, 0, 1)):
        target = (file + step, rank + 1)
        if rank in (0, 7) or target not in LEFT:
            continue
        text = (f"{name((file, rank))[0]}x" if step else "") + name(target)
        for becomes in "NBRQ" if target[1] == 7 else "P":
            promoted = f"={becomes}" if target[1] == 7 else ""
            yield text + promoted, Play("P", becomes, (file, rank), target, (), step != 0)


def gives_check(play: Play) -> bool:
    """Whether some black king is checked by the move and need not have been before."""
    man, _, origin, destination, twins, capture = play
    men = (origin, *twins)
    clear = set() if capture else {destination}
    for square in men if man != "P" else ():
        clear |= WAY[man, square, destination]
    for king in BOARD:
        if king in men or king == destination or king in clear:
            continue
        for slider, way in lines_to(play, king):
            if way.intersection(men) or (slider in clear) or destination in way - clear:
                continue
            if not attacked(play, king, clear | way):
                return True
    return False


def lines_to(play: Play, king: Square) -> Iterator[tuple[Square | None, frozenset[Square]]]:
    """How the king may be checked: by the man that arrives, or by a slider behind the origin."""
    man, arrives, origin, destination, twins, _ = play
    if man != "K" and (arrives, destination, king) in WAY:
        yield None, WAY[arrives, destination, king] - {origin}
    for kind in "BR":
        if man in (kind, "Q"):
            continue
        for slider, way in BEHIND.get((kind, origin, king), ()):
            if slider not in (destination, *twins):
                yield slider, way


def attacked(play: Play, king: Square, clear: set[Square]) -> bool:
    """Whether White attacks the king before the move, whatever else stands on the board."""
    men = [(play.man, square) for square in (play.origin, *play.twins)]
    if play.man == "K":
        men.append(("K", play.destination))  # it may not go there either
    return any(WAY.get((kind, at, king), {None}) <= clear for kind, at in men)


FLIPS = (str.maketrans("abcdefgh", "hgfedcba"), str.maketrans("12345678", "87654321"))
"""From left to right; and from White's side to Black's."""


def all_strings() -> list[str]:
    """The list: White's strings and Black's."""
    bare, checking = set(), set()
    for text, play in plays():
        bare.add(text)
        if text not in checking and gives_check(play):
            checking.add(text)
    strings = bare | {text + suffix for text in checking for suffix in "+#"}
    for flip in FLIPS:
        strings |= {text.translate(flip) for text in strings}
    return sorted(strings, key=lambda text: (len(text), text))


if __name__ == "__main__":
    sys.stdout.write("\n".join(all_strings()))
