"""The tests' own chess and SAN: a rule a line, no library, and no code of the product.

Tests ask it where python-chess shall not answer alone; tests/conformance/mutants makes it wrong.

Squares are numbers from 0 (a1) to 63 (h8). A man is a letter as in FEN, an empty square is a dot.
The code is spread out where programs of chess go apart: attacks have a table and a purpose of
their own, and so have moves, twins and replies. The names ``kind``, ``colour``, ``line``, ``side``,
``captures``, ``in_check``, ``along``, ``purpose`` and ``reading`` in a function's scope are what
the mutants narrow its conditions to. Conditions have no side effects.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

EMPTY = "."
FILES = "abcdefgh"
RANKS = "12345678"

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
OBLIQUE = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

MOVES = {
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "B": [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    "R": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "Q": [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
    "K": [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
}
"""The moves of pieces."""
CAPTURES = {"w": [(-1, 1), (1, 1)], "b": [(-1, -1), (1, -1)]}
"""The captures of pawns."""
ATTACKS = {
    "wP": [(-1, -1), (1, -1)],
    "bP": [(-1, 1), (1, 1)],
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "B": [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    "R": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "Q": [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
    "K": [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
}
"""From where men attack a square: the steps from it to them."""
REACH = {"P": 1, "N": 1, "B": 7, "R": 7, "Q": 7, "K": 1}
"""The number of steps that men go in a direction."""
FORWARD = {"w": 8, "b": -8}
PAWNS = {"w": 1, "b": 6}
"""The rank of each player's pawns at the start."""
LAST = {"w": 7, "b": 0}
PROMOTIONS = ["Q", "R", "B", "N"]
RIGHTS = {"wK": "K", "wQ": "Q", "bK": "k", "bQ": "q"}
BETWEEN = {"wK": [5, 6], "wQ": [1, 2, 3], "bK": [61, 62], "bQ": [57, 58, 59]}
CROSSED = {"wK": 5, "wQ": 3, "bK": 61, "bQ": 59}
GOALS = {"wK": 6, "wQ": 2, "bK": 62, "bQ": 58}
ROOKS = {6: (7, 5), 2: (0, 3), 62: (63, 61), 58: (56, 59)}
"""For each square to which a king castles: from where to where its rook goes."""
ENDED = {4: ["K", "Q"], 0: ["Q"], 7: ["K"], 60: ["k", "q"], 56: ["q"], 63: ["k"]}
"""The rights that end when a man leaves or reaches a square."""
SIDES = {"O-O": "K", "O-O-O": "Q"}
LETTERS = ["K", "Q", "R", "B", "N"]
OTHER = {"w": "b", "b": "w"}


def _ray(square: int, step: tuple[int, int]) -> tuple[int, ...]:
    found = []
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(rank * 8 + file)
        file, rank = file + step[0], rank + step[1]
    return tuple(found)


STEPS = (*STRAIGHT, *OBLIQUE, *LEAPS)
RAYS = {(square, step): _ray(square, step) for square in range(64) for step in STEPS}
LINES = {
    step: "file"
    if step[0] == 0
    else "rank"
    if step[1] == 0
    else "diagonal"
    if step in OBLIQUE
    else "leap"
    for step in STEPS
}
LINE = {
    (origin, target): LINES[step]
    for (origin, step), ray in RAYS.items()
    if step not in LEAPS
    for target in ray
}
"""On which line two squares stand."""


class Refused(ValueError):
    """A text denotes no move, or several, or is no SAN."""


class Move(NamedTuple):
    """A move; the promotion is a capital, or empty."""

    origin: int
    target: int
    promotion: str = ""


@dataclass(frozen=True)
class Position:
    """A position as a FEN has it; ``passed`` is the en passant square."""

    board: tuple[str, ...]
    colour: str
    rights: frozenset[str]
    passed: int | None
    clock: int
    number: int

    @cached_property
    def king(self) -> int:
        """The square of the king of the player to move."""
        return self.board.index("K" if self.colour == "w" else "k")

    @cached_property
    def in_check(self) -> bool:
        """Check whether the player to move is in check, as far as the search for moves knows."""
        return attacked(self.board, self.king, OTHER[self.colour], "others", "moving")


def position_of(fen: str) -> Position:
    """Return the position of a FEN."""
    placement, colour, rights, passed, clock, number = fen.split()
    for digit in "12345678":
        placement = placement.replace(digit, EMPTY * int(digit))
    board = tuple(man for rank in reversed(placement.split("/")) for man in rank)
    square = None if passed == "-" else square_of(passed)
    return Position(board, colour, frozenset(rights), square, int(clock), int(number))


def fen_of(position: Position) -> str:
    """Return the FEN of a position; the en passant square is named after every double push."""
    ranks = ["".join(position.board[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1)]
    placement = "/".join(ranks)
    for count in range(8, 0, -1):
        placement = placement.replace(EMPTY * count, str(count))
    rights = "".join(right for right in "KQkq" if right in position.rights) or "-"
    passed = "-" if position.passed is None else name_of(position.passed)
    return f"{placement} {position.colour} {rights} {passed} {position.clock} {position.number}"


def square_of(name: str) -> int:
    """Return the number of a square."""
    return RANKS.index(name[1]) * 8 + FILES.index(name[0])


def name_of(square: int) -> str:
    """Return the name of a square."""
    return FILES[square % 8] + RANKS[square // 8]


def uci_of(move: Move) -> str:
    """Return a move in UCI."""
    return name_of(move.origin) + name_of(move.target) + move.promotion.lower()


def move_of(uci: str) -> Move:
    """Return the move of a text in UCI."""
    return Move(square_of(uci[:2]), square_of(uci[2:4]), uci[4:].upper())


def owner(man: str) -> str:
    """Return whose man it is; empty for an empty square."""
    if man == EMPTY:
        return ""
    return "w" if man.isupper() else "b"


def man_of(kind: str, colour: str) -> str:
    """Return a man of a kind as it stands on the board."""
    return kind if colour == "w" else kind.lower()


# Attacks


def attacked(board: tuple[str, ...], square: int, colour: str, purpose: str, reading: str) -> bool:
    """Check whether a player's men attack a square.

    The purpose is why it is asked: ``out``, ``through`` and ``into`` (castling), ``king`` (its own
    move), ``others`` (a man other than the king moves) or ``sign`` (is it check?).
    """
    for kind in "PNBRQK":
        man = man_of(kind, colour)
        for step in ATTACKS[colour + kind if kind == "P" else kind]:
            line = LINES[step]
            for origin in RAYS[square, step][: REACH[kind]]:
                if board[origin] == man:
                    return True
                if board[origin] != EMPTY:
                    break
    return False


# Moves


def reaching(position: Position, origin: int, reading: str) -> Iterator[Move]:
    """Yield the moves of the man on a square, though they may leave its king attacked."""
    board, colour = position.board, position.colour
    kind = board[origin].upper()
    if kind == "P":
        yield from pushes(position, origin, reading)
        yield from pawn_captures(position, origin, reading)
        return
    for step in MOVES[kind]:
        line = LINES[step]
        for target in RAYS[origin, step][: REACH[kind]]:
            captures = board[target] != EMPTY
            if owner(board[target]) == colour:
                break
            yield Move(origin, target)
            if captures:
                break
    if kind == "K":
        yield from castlings(position, origin, reading)


def pushes(position: Position, origin: int, reading: str) -> Iterator[Move]:
    """Yield the steps of a pawn forward."""
    board, colour = position.board, position.colour
    one = origin + FORWARD[colour]
    if board[one] == EMPTY:
        yield from promotions(position, origin, one, reading)
        two = one + FORWARD[colour]
        if origin // 8 == PAWNS[colour] and board[two] == EMPTY:
            yield Move(origin, two)


def pawn_captures(position: Position, origin: int, reading: str) -> Iterator[Move]:
    """Yield the captures of a pawn."""
    board, colour = position.board, position.colour
    for step in CAPTURES[colour]:
        side = "Q" if step[0] < 0 else "K"
        for target in RAYS[origin, step][:1]:
            if owner(board[target]) == OTHER[colour]:
                yield from promotions(position, origin, target, reading)
            if target == position.passed:
                yield Move(origin, target)


def promotions(position: Position, origin: int, target: int, reading: str) -> Iterator[Move]:
    """Yield a pawn's move to a square: four on the last rank."""
    colour = position.colour
    captures = origin % 8 != target % 8
    if target // 8 != LAST[colour]:
        yield Move(origin, target)
        return
    for kind in PROMOTIONS:
        yield Move(origin, target, kind)


def castlings(position: Position, origin: int, reading: str) -> Iterator[Move]:
    """Yield the castlings of the king on a square."""
    board, colour = position.board, position.colour
    them = OTHER[colour]
    for side in "KQ":
        name = colour + side
        if RIGHTS[name] not in position.rights:
            continue
        if any(board[square] != EMPTY for square in BETWEEN[name]):
            continue
        if attacked(board, origin, them, "out", reading):
            continue
        if attacked(board, CROSSED[name], them, "through", reading):
            continue
        if attacked(board, GOALS[name], them, "into", reading):
            continue
        yield Move(origin, GOALS[name])


def is_castling(position: Position, move: Move) -> bool:
    """Check whether a king's move is castling."""
    return position.board[move.origin] in "Kk" and abs(move.origin - move.target) == 2


def is_in_passing(position: Position, move: Move) -> bool:
    """Check whether a pawn captures in passing."""
    is_pawn = position.board[move.origin] in "Pp"
    return is_pawn and move.origin % 8 != move.target % 8 and move.target == position.passed


def is_capture(position: Position, move: Move) -> bool:
    """Check whether a move captures."""
    return position.board[move.target] != EMPTY or is_in_passing(position, move)


def board_after(position: Position, move: Move) -> tuple[str, ...]:
    """Return the men after a move."""
    board, colour = list(position.board), position.colour
    kind = board[move.origin].upper()
    captures = board[move.target] != EMPTY
    board[move.target] = board[move.origin]
    if move.promotion:
        board[move.target] = man_of(move.promotion, colour)
    board[move.origin] = EMPTY
    if is_in_passing(position, move):
        board[move.target - FORWARD[colour]] = EMPTY
    if is_castling(position, move):
        side = "K" if move.target % 8 == 6 else "Q"
        rook, to = ROOKS[move.target]
        board[to] = man_of("R", colour)
        board[rook] = EMPTY
    return tuple(board)


def is_legal(position: Position, move: Move, reading: str) -> bool:
    """Check whether a move leaves its king unattacked.

    ``reading`` is why it is asked: ``moving``, ``twin`` (may it go there too?) or ``reply``.
    """
    colour, in_check = position.colour, position.in_check
    kind = position.board[move.origin].upper()
    captures = is_capture(position, move)
    line = LINE.get((position.king, move.origin), "none")
    along = LINE.get((position.king, move.target), "none") == line
    after = board_after(position, move)
    if kind == "K":
        return not attacked(after, move.target, OTHER[colour], "king", reading)
    return not attacked(after, position.king, OTHER[colour], "others", reading)


def legal_moves(position: Position, reading: str = "moving") -> Iterator[Move]:
    """Yield all legal moves."""
    for origin in range(64):
        if owner(position.board[origin]) == position.colour:
            for move in reaching(position, origin, reading):
                if is_legal(position, move, reading):
                    yield move


# Writing


def write(position: Position, move: Move) -> str:
    """Return a legal move in SAN."""
    kind, colour = position.board[move.origin].upper(), position.colour
    in_check = position.in_check
    captures = is_capture(position, move)
    if is_castling(position, move):
        side = "K" if move.target % 8 == 6 else "Q"
        text = "O-O" if side == "K" else "O-O-O"
        return text + sign(position, move)
    text = name_of(move.target)
    if captures:
        text = "x" + text
    if kind == "P":
        if captures:
            text = FILES[move.origin % 8] + text
    elif kind == "K":
        text = kind + text
    else:
        text = kind + discriminator(position, move) + text
    if move.promotion:
        text = text + "=" + move.promotion
    return text + sign(position, move)


def twins(position: Position, move: Move) -> list[int]:
    """Return the origins of the other pieces of the kind that can go to the square too."""
    man, colour, in_check = position.board[move.origin], position.colour, position.in_check
    kind = man.upper()
    captures = is_capture(position, move)
    found = []
    for origin in range(64):
        line = LINE.get((origin, move.target), "leap")
        if position.board[origin] == man and origin != move.origin:
            other = Move(origin, move.target)
            if other in reaching(position, origin, "twin"):
                if is_legal(position, other, "twin"):
                    found.append(origin)
    return found


def discriminator(position: Position, move: Move) -> str:
    """Return what is written of a piece's origin: the file, else the rank, else both."""
    kind, colour = position.board[move.origin].upper(), position.colour
    in_check = position.in_check
    captures = is_capture(position, move)
    others = twins(position, move)
    if not others:
        return ""
    file, rank = move.origin % 8, move.origin // 8
    if all(other % 8 != file for other in others):
        return FILES[file]
    if all(other // 8 != rank for other in others):
        return RANKS[rank]
    return name_of(move.origin)


def sign(position: Position, move: Move) -> str:
    """Return the sign of check or mate that a move has."""
    colour, in_check = position.colour, position.in_check
    kind = position.board[move.origin].upper()
    captures = is_capture(position, move)
    after = play(position, move)
    material = "few" if is_few(after) else "late" if after.clock >= 100 else "enough"
    if not gives_check(position, move, after):
        return ""
    if any(True for _ in replies(after)):
        return "+"
    return "#"


def gives_check(position: Position, move: Move, after: Position) -> bool:
    """Check whether a move gives check."""
    colour = position.colour
    kind = position.board[move.origin].upper()
    captures = is_capture(position, move)
    line = LINE.get((after.king, move.origin), "none")
    return attacked(after.board, after.king, colour, "sign", "moving")


def replies(position: Position) -> Iterator[Move]:
    """Yield the replies to a check."""
    board, colour = position.board, position.colour
    for origin in range(64):
        if owner(board[origin]) != colour:
            continue
        kind = board[origin].upper()
        line = LINE.get((position.king, origin), "none")
        for move in reaching(position, origin, "reply"):
            captures = is_capture(position, move)
            if is_legal(position, move, "reply"):
                yield move


def is_few(position: Position) -> bool:
    """Check whether no more than a bishop or a knight is left beside the kings."""
    men = [man.upper() for man in position.board if man not in ".Kk"]
    return not men or men in (["B"], ["N"])


# Reading


def read(position: Position, text: str) -> Move:
    """Return the move that a text denotes; Refused unless there is exactly one."""
    body = text
    if body[-1:] in ("+", "#"):
        body = body[:-1]
    if body in SIDES:
        return castling_of(position, SIDES[body])
    kind = "P"
    if body[:1] in LETTERS:
        kind, body = body[0], body[1:]
    promotion = ""
    if body[-2:-1] == "=":
        promotion, body = body[-1], body[:-2]
        if promotion not in PROMOTIONS:
            raise Refused("nothing becomes that")
    target, body = body[-2:], body[:-2]
    if len(target) != 2 or target[0] not in FILES or target[1] not in RANKS:
        raise Refused("no square")
    if body[-1:] == "x":
        body = body[:-1]
    file = rank = ""
    if body[:1] and body[0] in FILES:
        file, body = body[0], body[1:]
    if body[:1] and body[0] in RANKS:
        rank, body = body[0], body[1:]
    if body:
        raise Refused("no SAN")
    return only(candidates(position, kind, file + rank, square_of(target), promotion))


def castling_of(position: Position, side: str) -> Move:
    """Return the castling to a side."""
    colour, in_check = position.colour, position.in_check
    goal = GOALS[colour + side]
    return only(
        [move for move in castlings(position, position.king, "moving") if move.target == goal]
    )


def candidates(
    position: Position, kind: str, given: str, target: int, promotion: str
) -> list[Move]:
    """Return the legal moves that agree with the parts of a text."""
    colour, in_check = position.colour, position.in_check
    man = man_of(kind, colour)
    found = []
    for origin in range(64):
        if position.board[origin] == man and all(part in name_of(origin) for part in given):
            for move in reaching(position, origin, "moving"):
                captures = is_capture(position, move)
                line = LINE.get((origin, target), "leap")
                if move.target != target or move.promotion != promotion:
                    continue
                if is_castling(position, move):
                    continue
                if kind == "P" and captures and not given:
                    continue
                if is_legal(position, move, "moving"):
                    found.append(move)
    return found


def only(found: list[Move]) -> Move:
    """Return the only one; Refused unless there is exactly one."""
    if not found:
        raise Refused("no legal move")
    if len(found) > 1:
        raise Refused("several moves")
    return found[0]


# Playing


def play(position: Position, move: Move) -> Position:
    """Return the position after a move."""
    colour = position.colour
    kind = position.board[move.origin].upper()
    captures = is_capture(position, move)
    rights = set(position.rights)
    for right in ENDED.get(move.origin, ()):
        rights.discard(right)
    for right in ENDED.get(move.target, ()):
        rights.discard(right)
    passed = None
    if kind == "P" and abs(move.target - move.origin) == 16:
        passed = (move.origin + move.target) // 2
    clock = position.clock + 1
    if kind == "P" or captures:
        clock = 0
    number = position.number
    if colour == "b":
        number = number + 1
    board = board_after(position, move)
    return Position(board, OTHER[colour], frozenset(rights), passed, clock, number)
