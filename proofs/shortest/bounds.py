"""Proves a lower bound for the ply of each string: in no legal game does it occur earlier.

The string is taken as White's; Black's is turned upside down. A *case* is one way in which SAN can
write the string: an arrangement (a mover and its twins), and for ``+`` and ``#`` the square of the
king and perhaps a piece behind the mover that gives the check. In each case some moves are
necessary, and the bound is the least number over all cases. No game has to do anything else, so the
bound is never too high. No machine checks this argument, as Coq checks the theorem. Its clauses:

``walks``
    A piece that the case needs is an original one or a promoted one. An original piece needs as
    many moves as on an empty board. Different places are filled by different pieces.
``promotions``
    A promoted piece needs five moves of a pawn, the first of them a double step, and then the moves
    of such a piece from some square of the last rank.
``lines``
    The squares between a piece and the destination are empty, and so are those between the checker
    and the king. One's own pieces that began there have left, each by a move or by being captured.
``ways out``
    Rooks, bishops, queen and king are shut in at first. If one of them moves, one of its neighbours
    has left before. A pawn that promotes is such a neighbour at no extra cost.
``captured``
    The piece that is captured on the destination needed some moves to come there.
``king``
    The king in check needed some moves to its square; castling makes two or three steps at once.
``castling``
    It is a move of the king and of a rook. If a player needs a move of each, one move may do. After
    it the rook has left its home, and the king may go there.
``king's way``
    The squares of the king's way, and those of the other lines, were the homes of its own pieces.
    Each of them has left by a move of its own, unless the player of the string captured it, with a
    move that ended on the seventh or eighth rank.
``three moves``
    A piece that has not moved is captured by the third move of a player at the earliest: a knight
    needs three moves to the opponent's second rank; a bishop and the queen need two, and a move of
    a pawn; a rook needs three; a pawn needs four. That holds as long as nothing that stood at home
    was captured. So it holds for the first such capture, and later ones come later: a side that
    captures ``n`` such pieces, before or after the other side does, makes ``n + 2`` moves. Each of
    them may serve another purpose too: while White clears a file, Black's king may walk.

A move can do two things at once. So one's own moves count as captures too wherever they may end on
the last two ranks, and the opponent's wherever they may end on the first two.

The players move in turn. If a string needs ``a`` moves of its player before it, and ``b`` of the
opponent, White's occurs at ply ``2 max(a, b) + 1`` at the earliest, and Black's at ``2 max(a, b -
1) + 2``, because White begins.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import accumulate, combinations, product
from operator import itemgetter
from typing import Final, NamedTuple

from sanproof.proofs.games.pieces import FAR, LETTERS, distances
from sanproof.proofs.rules.moves import pawn_origins
from sanproof.proofs.rules.san import CASTLINGS, San, parse_san
from sanproof.proofs.rules.squares import KING, SQUARES, parse_square, rank_of, square_name, steps
from sanproof.proofs.theory.arrangements import arrangements, between, reaches
from sanproof.proofs.theory.reasons import NAMES

WHITE, BLACK = "white", "black"
HOME: Final = {"R": (0, 7), "N": (1, 6), "B": (2, 5), "Q": (3,), "K": (4,)}
"""The initial squares of White's pieces."""
ARMY: Final = {square: kind for kind, squares in HOME.items() for square in squares}
EXITS: Final[dict[int, tuple[int, ...]]] = {
    0: (1, 8),
    2: (9, 11),
    3: (2, 4, 10, 11, 12),
    4: (3, 5, 11, 12, 13),
    5: (12, 14),
    7: (6, 15),
}
"""The neighbours of each piece that is shut in, one of which has to leave before it.

A rook that castles passes its neighbour's square too.
"""
THEIR_KING: Final = 60
PAWN_MOVES: Final = 5
"""The moves of a pawn from the second rank to the eighth."""


class Journey(NamedTuple):
    """A piece that a case needs, and the least number of moves that bring it to its square.

    ``origin`` is the square where it began, or None for a pawn or a promoted piece, whose moves
    include those of its pawn. At most ``landings`` of the moves end on the last two ranks.
    """

    kind: str
    origin: int | None
    square: int
    moves: int
    landings: int


class Scenario(NamedTuple):
    """A case: a way in which the string can be written.

    ``needs`` has kind and square of the mover, of its twins, and perhaps of a piece behind it; one
    of the kinds stands on the square. ``empty`` are squares that are empty before the move.
    ``king`` is the square of the king in check, or None without check.
    """

    needs: tuple[tuple[str, int], ...]
    empty: frozenset[int]
    destination: int
    captures: bool
    king: int | None = None

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares of the mover, of its twins and of a piece behind it."""
        return tuple(square for _, square in self.needs)


class Argument(NamedTuple):
    """The argument for a string's lower bound: the case that needs the fewest moves.

    The squares of Black's string have the ranks turned, as if White had played it. There are
    ``moves`` full moves before the string. Besides the moves of the ``parts``, ``leaving`` moves
    take one's own pieces away; ``captured`` such pieces are captured by the opponent where they
    began; and ``extra`` moves capture on the last two ranks. ``own`` and ``theirs`` are each
    player's moves in all.
    """

    san: str
    player: str
    moves: int
    case: Scenario
    parts: tuple[Journey, ...]
    leaving: int
    captured: int
    extra: int
    own: int
    theirs: int

    @property
    def ply(self) -> int:
        """The least ply, from 1."""
        return 2 * self.moves + 1 + (self.player == BLACK)

    def sentences(self) -> Iterator[str]:
        """Yield the lines of the argument in words."""
        turned = 56 if self.player == BLACK else 0
        yield f"{self.san} by {self.player}: not before ply {self.ply}."
        own, theirs = _times(self.own), _times(self.theirs)
        yield f"Before it, {self.player.title()} needs {own}, and the opponent needs {theirs}."
        for part in self.parts:
            whence = "promoted" if part.origin is None else f"from {_name(part.origin, turned)}"
            if part.kind == "P":
                whence = "from its second rank"
            square = _name(part.square, turned)
            kind = NAMES[part.kind.removeprefix("P")]
            yield f"  {kind} {whence} to {square}: {_times(part.moves)}"
        if self.leaving:
            yield f"  others that have to leave: {_times(self.leaving)}"
        if self.extra:
            yield f"  captures on the last two ranks: {_times(self.extra)}"
        if self.captured:
            yield f"  one's own pieces that the opponent captured at home: {self.captured}"
        if self.case.captures:
            yield f"  captured in the end: a piece on {_name(self.case.destination, turned)}"
        if self.case.king is not None:
            steps = _times(_their_steps(self.case.king))
            yield f"  the king in check on {_name(self.case.king, turned)}: {steps} from home"


def _name(square: int, turned: int) -> str:
    return square_name(square ^ turned)


def _times(moves: int) -> str:
    return "1 move" if moves == 1 else f"{moves} moves"


# The ways in which a string can be written


def mirrored(san: San) -> San:
    """Return the string with the ranks turned, which changes White's move into Black's and back."""
    rank = san.rank and str(9 - int(san.rank))
    destination = san.destination and san.destination[0] + str(9 - int(san.destination[1]))
    return san._replace(rank=rank, destination=destination)


def plain_cases(san: San) -> Iterator[Scenario]:
    """Yield a case for each mover and its twins, without regard to check."""
    if san.piece in CASTLINGS:
        king, between_them = (6, (5, 6)) if san.piece == "O-O" else (2, (1, 2, 3))
        yield Scenario((("K", 4),), frozenset(between_them), king, captures=False)
        return
    destination = parse_square(san.destination)
    kind = san.piece or "P"
    for pieces, passed in _placed(san, destination):
        empty = passed if san.capture else passed | {destination}
        if not empty.intersection(pieces):
            needs = tuple((kind, square) for square in pieces)
            yield Scenario(needs, empty, destination, bool(san.capture))


def _placed(san: San, destination: int) -> Iterator[tuple[tuple[int, ...], frozenset[int]]]:
    """Yield a mover and its twins, and the squares that they pass."""
    if not san.piece:
        for mover in pawn_origins(bool(san.capture), destination):
            last_rank = rank_of(destination) == 7
            named = san.file in ("", square_name(mover)[0])
            if named and rank_of(mover) and last_rank == bool(san.promotion):
                yield (mover,), between(mover, destination)
    elif san.piece == "K":
        for mover in KING[destination]:
            yield (mover,), frozenset()
    else:
        yield from _arranged(san._replace(capture="", suffix=""))


@cache
def _arranged(san: San) -> list[tuple[tuple[int, ...], frozenset[int]]]:
    destination = parse_square(san.destination)
    return [
        (found.pieces, frozenset().union(*(between(s, destination) for s in found.pieces)))
        for found in arrangements(san)
    ]


def checking_cases(san: San, plain: Scenario) -> Iterator[Scenario]:
    """Yield the cases of ``plain`` with a king that is in check after the move and was not before.

    Kings near their home come first, and checks by the piece that moves.
    """
    if san.piece in CASTLINGS:
        yield from _castlings(san, plain)
        return
    if not san.piece and san.capture and rank_of(plain.destination) == 5:
        yield plain  # in passing, which can uncover any square
    yield from _direct(san, plain)
    yield from _discovered(san, plain)


def _direct(san: San, plain: Scenario) -> Iterator[Scenario]:
    """Yield the cases in which the piece that moves gives the check."""
    pieces, destination = plain.squares, plain.destination
    for king in _attacked(san.promotion or san.piece, destination):
        empty = plain.empty | (between(destination, king) - {pieces[0]})
        if king not in pieces and _calm(san.piece, pieces, empty, king):
            yield plain._replace(empty=empty, king=king)


def _discovered(san: San, plain: Scenario) -> Iterator[Scenario]:
    """Yield the cases in which a piece behind the mover gives the check."""
    pieces, destination = plain.squares, plain.destination
    mover = pieces[0]
    for king, behind, kinds in _uncovered(mover):
        line = between(behind, king)
        if destination in line or destination in (king, behind) or king in pieces:
            continue
        if san.piece == "K" and king in KING[mover] + KING[destination]:
            continue
        empty = plain.empty | (line - {mover})
        if behind in empty or not _calm(san.piece, pieces, empty, king):
            continue
        if behind not in pieces:
            needs = (*plain.needs, (kinds, behind))
            yield plain._replace(needs=needs, empty=empty, king=king)
        elif san.piece in kinds:
            yield plain._replace(empty=empty, king=king)


@cache
def _attacked(piece: str, square: int) -> tuple[int, ...]:
    """Return the squares that a piece attacks on an empty board, those of a near king first."""
    if not piece:
        return steps(square, ((-1, 1), (1, 1)))
    found = () if piece == "K" else (king for king in SQUARES if reaches(piece, square, king))
    return tuple(sorted(found, key=_their_steps))


@cache
def _uncovered(mover: int) -> tuple[tuple[int, int, str], ...]:
    """Return each king and piece behind the mover, and which kinds it can be of."""
    found = (
        (king, behind, "RQ" if reaches("R", behind, king) else "BQ")
        for king in SQUARES
        for behind in SQUARES
        if mover in between(behind, king)
    )
    return tuple(sorted(found, key=lambda pair: _their_steps(pair[0])))


def _their_steps(king: int) -> int:
    return KING_STEPS[king ^ 56]


def _calm(piece: str, pieces: tuple[int, ...], empty: frozenset[int], king: int) -> bool:
    """Check whether the empty squares leave room, and no piece gives check before the move."""
    if king in empty or empty.intersection(pieces):
        return False
    return not (
        piece in ("N", "B", "R", "Q")
        and any(reaches(piece, s, king) and between(s, king) <= empty for s in pieces)
    )


def _castlings(san: San, plain: Scenario) -> Iterator[Scenario]:
    """Yield the cases of castling: the rook checks along its file, or past where the king was."""
    rook = 5 if san.piece == "O-O" else 3
    for king in _attacked("R", rook):
        line = between(rook, king) - {4}
        if king not in {4, *plain.empty} and plain.destination not in line:
            yield plain._replace(empty=plain.empty | line, king=king)


# How many moves a case needs


def distance(kind: str, start: int, end: int) -> int:
    """Return the number of moves that a piece needs on an empty board.

    >>> distance("Q", 3, 58), distance("B", 2, 3) == FAR
    (2, True)
    """
    return distances(LETTERS.index(kind), start)[end]


@cache
def from_last_rank(kind: str, square: int) -> int:
    """Return the least number of moves of a promoted piece from any square of the last rank."""
    return min(distance(kind, start, square) for start in range(56, 64))


class KingWay(NamedTuple):
    """The moves that bring White's king to each square, with those that clear its way.

    ``moves`` includes a move of each own piece in the way. ``shut`` also includes the move of a
    pawn that has to come before that of a rook, a bishop or the queen.
    """

    moves: tuple[int, ...]
    shut: tuple[int, ...]


@cache
def king_way(gone: frozenset[int]) -> KingWay:
    """Return the king's way if the pieces on these squares of the first two ranks have left."""
    free, shut = [FAR] * 64, [FAR] * 64
    not_castled: frozenset[int] = frozenset()
    heap, done = [(0, 4, bool(gone), False, not_castled)], set()
    while heap and heap[0][0] < max(shut):  # what comes later is no better
        moves, square, pawn, piece, castled = state = heappop(heap)
        if state[1:] in done:
            continue
        done.add(state[1:])
        free[square] = min(free[square], moves)
        shut[square] = min(shut[square], moves + (piece and not pawn))
        at_home = _AT_HOME - gone - castled
        for end in KING[square]:
            left = end in at_home
            after = end, pawn or (left and end > 7), piece or left, castled
            if after not in done:
                heappush(heap, (moves + 1 + left, *after))
        if square == 4 and not moves:
            for end, passed, rook in _CASTLINGS:
                others = passed - gone
                heappush(heap, (1 + len(others), end, pawn, bool(others), passed | {rook}))
    return KingWay(tuple(free), tuple(shut))


_AT_HOME: Final = frozenset(range(16)) - {4}
_CASTLINGS: Final = ((6, frozenset((5, 6)), 7), (2, frozenset((1, 2, 3)), 0))
"""Where the king goes, the squares that are empty for it, and the rook's home."""
_ROOKS: Final = frozenset(HOME["R"])
KING_STEPS: Final = king_way(_AT_HOME).moves
"""The number of moves of White's king alone to each square."""


class Filling(NamedTuple):
    """A way to fill the places of a case: which piece comes from where, and at what cost.

    ``moved`` are the initial squares of the original pieces that have moved, and ``pawns`` is the
    number of pawns used. At most ``landings`` of the moves end on the last two ranks.
    """

    moves: int
    parts: tuple[Journey, ...]
    moved: frozenset[int]
    pawns: int
    landings: int


class TheirMoves(NamedTuple):
    """A way in which the opponent does what a case needs.

    Attributes:
        moves: The least number of moves, by the number of pieces that the player has lost at home.
        landings: The most of these moves that end on the first two ranks.
    """

    moves: tuple[int, ...]
    landings: int

    def needed(self, lost: int, captured: int) -> int:
        """Return the opponent's moves, if it has lost and captured so many pieces at home."""
        moves = self.moves[lost] + max(0, captured - self.landings)
        return max(moves, captured + 2) if captured else moves


class OwnMoves(NamedTuple):
    """The moves of the string's player in a case whose places are filled.

    Attributes:
        moves: The moves of the pieces that the case needs, and of the king if it has to leave.
        leaving: The moves of others that leave, by the number that the opponent captures at home.
        landings: The most of all these moves that end on the last two ranks.
    """

    moves: int
    leaving: tuple[int, ...]
    landings: int

    def needed(self, lost: int, captured: int) -> int:
        """Return the player's moves, if the opponent lost and captured so many pieces at home."""
        left = self.leaving[min(captured, len(self.leaving) - 1)]
        moves = self.moves + left + max(0, lost - self.landings)
        return max(moves, lost + 2) if lost else moves


MOST_LOST: Final = 8
"""The number of lost pieces beyond which nothing changes."""


def argument(text: str, player: str, before: int | None = None) -> Argument | None:
    """Return why a string cannot occur at an earlier ply, or None if the player never plays it.

    With ``before``, only an argument for an earlier ply than this is searched.
    """
    san, black = parse_san(text), player == BLACK
    # A mate is a check; nothing more is asked of it.
    asked = (mirrored(san) if black else san)._replace(suffix=san.suffix and "+")
    found = _search(asked, player, FAR if before is None else (before - black) // 2)
    return found and found._replace(san=text)


def least_ply(text: str, player: str) -> int | None:
    """Return the lower bound on the string's ply, from 1, or None if the player never plays it."""
    found = argument(text, player)
    return found and found.ply


@cache
def _search(san: San, player: str, most: int) -> Argument | None:
    """Return the cheapest case of fewer moves, trying first those whose pieces need the fewest."""
    best = None
    for case in sorted(plain_cases(san), key=lambda case: fillings(case.needs)[0].moves):
        found = _least(case, player, most)
        if found is not None and not san.suffix:
            best, most = found, found.moves
        elif found is not None:  # without the check it needs fewer than the best so far
            for checking in checking_cases(san, case):
                better = _least(checking, player, most)
                if better is not None:
                    best, most = better, better.moves
                if most <= found.moves:
                    break
    return best


# One case


def _least(case: Scenario, player: str, most: int) -> Argument | None:
    """Return the argument by a case, if it has fewer full moves before the string."""
    lead = int(player == BLACK)
    found = None
    answers = replies(case)
    if min(reply.moves[-1] for reply in answers) - lead >= most:
        return None
    for filling in fillings(case.needs):
        if filling.moves - 1 >= most:  # less a move if castling is two of them
            break
        mine = own_moves(case, filling)
        least = [mine.needed(lost, len(mine.leaving)) for lost in range(MOST_LOST + 1)]
        for reply, lost in product(answers, range(bisect_left(least, most))):
            for captured, left in enumerate(mine.leaving):
                own, theirs = mine.needed(lost, captured), reply.needed(lost, captured)
                if max(own, theirs - lead) < most:
                    most = max(own, theirs - lead)
                    extra = max(0, lost - mine.landings)
                    parts = filling.parts
                    found = Argument(
                        "", player, most, case, parts, left, captured, extra, own, theirs
                    )
    return found


def own_moves(case: Scenario, filling: Filling) -> OwnMoves:
    """Return the moves of the string's player when the places are filled in this way."""
    at_home = _at_home(case)
    walks = [square for kinds, square in case.needs if kinds == "K" and square != 4]
    gone, moved = at_home - filling.moved, filling.moved | at_home & {4}
    leaving = _leaving(gone - {4}, moved, walks[0] if walks else 4, filling.pawns)
    # Pieces in the way of one's own king may leave with a capture.
    homes = (at_home | _AT_HOME if walks else at_home) & {0, 3, 7}
    return OwnMoves(filling.moves + int(4 in gone), leaving, filling.landings + len(homes))


@lru_cache(maxsize=1)
def _at_home(case: Scenario) -> frozenset[int]:
    """Return the initial squares of one's own pieces that have left."""
    others = {s for kinds, s in case.needs if s < 16 and ARMY.get(s, "P") not in kinds}
    return frozenset(others.union(square for square in case.empty if square < 16))


@cache
def _leaving(gone: frozenset[int], moved: frozenset[int], way: int, pawns: int) -> tuple[int, ...]:
    """Return the moves by which pieces leave, by the number captured; some pawns do anyway."""
    found = [FAR] * (len(gone) + len(_AT_HOME))
    outside = gone | moved
    walked = 0 if way == 4 else king_way(outside - {4}).shut[way] - KING_STEPS[way]
    for count in range(len(gone) + 1):
        for taken in combinations(sorted(gone), count):
            stay = gone.difference(taken)
            left = moved | stay
            rook = not left.isdisjoint(_ROOKS)
            # With a rook that moves anyway the king castles, which opens the queen's way too.
            opened = outside | {4} if rook else outside
            if way != 4:  # what lets the king out is in his way
                left -= {4}
            shut = [EXITS[s] for s in left if s in EXITS and opened.isdisjoint(EXITS[s])]
            out = max(_hitting(shut), walked)
            pieces = sum(square < 8 for square in stay) - int(rook and 4 in moved)
            pawns_left = sum(square > 7 for square in stay)
            for more in range(out + 1):
                moves = pieces + max(0, pawns_left + out - more - pawns)
                found[count + more] = min(found[count + more], moves)
    least = tuple(accumulate(found, min))
    return least[: least.index(least[-1]) + 1]


def _hitting(sets: list[tuple[int, ...]]) -> int:
    """Return the size of the smallest set that meets all of these."""
    if not sets:
        return 0
    return 1 + min(_hitting([s for s in sets[1:] if square not in s]) for square in sets[0])


# The player's pieces


def fillings(needs: tuple[tuple[str, int], ...]) -> list[Filling]:
    """Return the ways to fill the places, with the fewest moves first."""
    return _fillings(tuple(sorted(needs)))


@cache
def _fillings(needs: tuple[tuple[str, int], ...]) -> list[Filling]:
    return sorted(_filled(needs, ()), key=itemgetter(0))


def _filled(needs: tuple[tuple[str, int], ...], parts: tuple[Journey, ...]) -> Iterator[Filling]:
    """Yield the ways to fill the places that are left, in each by a piece of its own."""
    if not needs:
        moves = sum(part.moves for part in parts)
        moved = frozenset([p.origin for p in parts if p.origin not in (None, p.square)])
        pawns = sum(part.origin is None for part in parts)
        yield Filling(moves, parts, moved, pawns, sum(part.landings for part in parts))
        return
    for part in _coming(*needs[0]):
        if part.origin is None or all(part.origin != other.origin for other in parts):
            yield from _filled(needs[1:], (*parts, part))


@cache
def _coming(kinds: str, square: int) -> list[Journey]:
    """Return the pieces of these kinds that can come to a square."""
    if kinds == "P":
        ranks = rank_of(square) - 1
        return [Journey("P", None, square, ranks - (ranks > 1), int(ranks == 5))]
    if kinds == "K":
        moves = KING_STEPS[square]
        return [Journey("K", 4, square, moves, max(0, moves - 5))]
    found = []
    far = int(rank_of(square) > 5)
    for kind in kinds:
        for origin in HOME[kind]:
            moves = distance(kind, origin, square)
            if moves < FAR:
                landings = max(0, moves + far - (3 if kind == "N" else 1))
                found.append(Journey(kind, origin, square, moves, landings))
        moves = from_last_rank(kind, square)
        found.append(Journey(kind, None, square, PAWN_MOVES + moves, moves + 2))
    return found


# The opponent's pieces


def replies(case: Scenario) -> list[TheirMoves]:
    """Return the ways in which the opponent can do what the case needs."""
    empty = case.empty | {square for _, square in case.needs}
    leaves = THEIR_KING in empty or case.destination == THEIR_KING
    king = case.king if case.king is not None else None if leaves else THEIR_KING
    gone = frozenset(square for square in case.empty if square > 47 and square != THEIR_KING)
    return _replies(king, gone, case.destination if case.captures else None)


@cache
def _replies(king: int | None, gone: frozenset[int], captured: int | None) -> list[TheirMoves]:
    """Return them for the king on a square; for None, anywhere but at home."""
    if king is None:
        away = (square for square in SQUARES if square != THEIR_KING)
        return [reply for square in away for reply in _replies(square, gone, captured)]
    turned = frozenset(square ^ 56 for square in gone)
    steps = KING_STEPS[king ^ 56]
    way, left = king_way(turned), len(turned)
    # Of the squares in the king's way, the queen and a rook may have left with a capture.
    landings = int(steps > 0) * (1 + int(rank_of(king) > 5)) + len(gone & {56, 59, 63})
    landings += max(0, steps - 5) if rank_of(king) < 2 else 0
    found = []
    for kind, moves in _captured(captured):
        came = int(moves > 0)
        # Castling moves the king, and the rook that is captured in the end or has left.
        with_king = int(steps > 0 and kind == "R")
        castled = int(with_king or (steps > 0 and not turned.isdisjoint(_ROOKS)))
        let_out = int(kind in ("B", "R", "Q"))
        others = left - came - castled
        first = moves + max(steps - with_king + let_out, way.shut[king ^ 56] + others)
        later = (
            moves + max(steps - with_king, way.moves[king ^ 56] + others - lost)
            for lost in range(1, MOST_LOST + 1)
        )
        arrivals = 0
        if captured is not None:
            arrivals = moves if rank_of(captured) < 2 else max(0, moves - 1)
        found.append(TheirMoves((first, *later), landings + arrivals))
    return found


def _captured(square: int | None) -> Iterator[tuple[str, int]]:
    """Yield the pieces that may be captured on a square, each with the moves to it."""
    if square is None:
        yield "", 0
        return
    square ^= 56
    if square < 16 and square != 4:
        yield "", 0
    ranks = rank_of(square) - 1
    if ranks > 0:
        yield "P", ranks - (ranks > 1)
    for kind in "NBRQ":
        yield kind, min(distance(kind, origin, square) for origin in HOME[kind])


def main(arguments: Sequence[str]) -> int:
    """Print the argument of each string, and return the exit code."""
    if not arguments:
        sys.stderr.write("Name strings, such as Qb6e3#.\n")
        return 2
    for san, player in product(arguments, (WHITE, BLACK)):
        if found := argument(san, player):
            sys.stdout.write("\n".join(found.sentences()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
