r"""Each criterion as a literal over the exact formula's variables. Untrusted.

White is to move: for Black the question is asked with the colours exchanged. What each function
says is what :mod:`proofs.find.judge` asks of python-chess; the test of adequacy compares the
two, both ways.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.counting import at_least, how_many
from sanproof.proofs.find.criteria import CHOICES, MEN, WORDS, Criterion, squares_of
from sanproof.proofs.find.replies import Replies, Reply, Way
from sanproof.proofs.find.scene import SIDEWAYS, CubeScene
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    KING,
    RAY,
    SQUARES,
    file_of,
    parse_square,
    rank_of,
)
from sanproof.proofs.search.attacks import on_line, sight_of
from sanproof.proofs.search.board import CASTLING, Board, Castling
from sanproof.proofs.search.moves import EN_PASSANT_RANK

Predicate = Callable[["Predicates", Criterion], Literal]

_FIFTH_RANK: Final = EN_PASSANT_RANK - 1
_B1: Final = parse_square("b1")
_AT_THE_START: Final = {"Q": 1, "R": 2, "N": 2, "B": 1}
"""How many pieces of a kind can meet on a square without a promotion: bishops of one colour of
square are one (FIDE 2.2)."""
_UPRIGHT: Final = ((0, 1), (0, -1))
_SLIDERS: Final = frozenset("BRQ")


def _literal(value: bool) -> Literal:
    return TRUE if value else FALSE


class Predicates:
    """The criteria in a scene; each is defined once, when it is first asked for."""

    def __init__(self, scene: CubeScene) -> None:
        self.scene = scene
        self._cnf = scene.cnf

    def literal(self, criterion: Criterion) -> Literal:
        """Whether a criterion holds, its ``not`` included.

        Raises:
            NoMove: It speaks of the move, and the scene has none.
        """
        holds = PREDICATES[criterion.name](self, criterion)
        return -holds if criterion.negated else holds

    @cached_property
    def replies(self) -> Replies:
        """Black's replies."""
        return Replies(self.scene)

    # Men on the board

    def man_on_square(self, criterion: Criterion) -> Literal:
        """A man (or none, or any of a side) stands on one of the squares: ``d5=P``, ``h*=any``."""
        squares = squares_of(criterion.key)
        return self._cnf.either(*[self._content(criterion.value, s) for s in squares])

    def _content(self, value: str, square: int) -> Literal:
        board = self.scene.board
        named = {".": board.empty, "white": board.white, "black": board.black}
        if value == "any":
            return -board.empty[square]
        return named[value][square] if value in named else self.scene.man(value, square)

    def count_of_men(self, criterion: Criterion) -> Literal:
        """So many men are on the board, of both sides or of one."""
        board = self.scene.board
        men = {
            "men": [-empty for empty in board.empty],
            "white-men": board.white,
            "black-men": board.black,
        }
        return how_many(self._cnf, criterion.range, men[criterion.name])

    def material(self, criterion: Criterion) -> Literal:
        """A side has exactly these men: ``white=KRP``."""
        is_white = criterion.name == WHITE
        letters = [letter for letter in MEN if letter.isupper() == is_white]
        parts = []
        for letter in letters:
            count = criterion.value.count(letter.upper())
            literals = self.scene.men(letter)
            counts = at_least(self._cnf, count + 1, literals)
            parts += [counts[count], -counts[count + 1]]
        return self._cnf.both(*parts)

    # The state besides the board

    def rights(self, criterion: Criterion) -> Literal:
        """Exactly these castling rights are left."""
        return self._cnf.both(
            *[
                right if letter in criterion.value else -right
                for letter, right in self.scene.rights.items()
            ]
        )

    def castles(self, criterion: Criterion) -> Literal:
        """This side has a castling right left."""
        letters = "KQ" if criterion.name == "white-castles" else "kq"
        return self._cnf.either(*[self.scene.rights[letter] for letter in letters])

    # Kinds of moves, which are kinds of cubes

    def promotion(self, criterion: Criterion) -> Literal:
        """The move promotes a pawn, to any piece or to this one (FIDE 3.7.3.3)."""
        promotion = self.scene.encoding.fields["promotion"]
        return promotion[criterion.value] if criterion.value else -promotion[""]

    def disambiguation(self, criterion: Criterion) -> Literal:
        """What a piece's move says of its origin: nothing, file, rank, or both (PGN 8.2.3.4)."""
        if self.scene.piece == "P":
            return _literal(criterion.value == "none")
        fields = self.scene.encoding.fields
        file, rank = -fields["file"][""], -fields["rank"][""]
        parts = {"none": (-file, -rank), "file": (file, -rank), "rank": (-file, rank)}
        return self._cnf.both(*parts.get(criterion.value, (file, rank)))

    # Twins

    def pinned_twin(self, _: Criterion) -> Literal:
        """Another piece reaches the square, but is pinned on a line that does not lead there.

        ::

            K . N . r      this knight reaches what its twin reaches, and may not go
        """
        rivals = self.scene.rivals.items()
        both = self._cnf.both
        return self._cnf.either(*[both(x, self.scene.pinned(s, along=False)) for s, x in rivals])

    def pinned_twin_may_move(self, _: Criterion) -> Literal:
        """A twin is pinned, and the line of its pin leads to the square.

        ::

            K . x R . r    the rook goes to x, as its twin on another line does
        """
        twins = self.scene.twins.items()
        both = self._cnf.both
        return self._cnf.either(*[both(x, self.scene.pinned(s, along=True)) for s, x in twins])

    def twin_leaves_check(self, _: Criterion) -> Literal:
        """White is in check, and a man of the kind on the square would leave a checker attacking.

        Whatever comes to the square answers a check in the same way, so there is no such twin.
        """
        scene, d = self.scene, self.scene.move.destination
        arrived = scene.board.changed(
            {"empty": {d: FALSE}, "black": {d: FALSE}, "white": {d: TRUE}}
        )
        left = [
            self._cnf.both(before, after)
            for before, after in zip(
                scene.white_checkers, scene.white_attacked(arrived), strict=True
            )
        ]
        rival = self._cnf.either(*scene.rivals.values())
        return self._cnf.both(rival, self._cnf.either(*left))

    def promoted_twin(self, _: Criterion) -> Literal:
        """The mover and its twins are more than the initial position has (FIDE 2.2)."""
        if self.scene.piece not in _AT_THE_START:
            return FALSE
        least = _AT_THE_START[self.scene.piece]
        return at_least(self._cnf, least, self.scene.twins.values())[least]

    def twin_on(self, line_of: Callable[[int], int]) -> Literal:
        """A twin stands on the mover's line of this sort."""
        pairs = [
            self._cnf.both(here, there)
            for a, here in self.scene.move.origins.items()
            for b, there in self.scene.twins.items()
            if a != b and line_of(a) == line_of(b)
        ]
        return self._cnf.either(*pairs)

    def twin_behind(self, _: Criterion) -> Literal:
        """A piece of the kind stands behind the mover, the line between them free.

        ::

            Q . Q . x      the left queen is hidden behind the one that goes to x
        """
        scene, kind = self.scene, self.scene.piece
        if kind not in _SLIDERS:
            return FALSE
        found: list[Literal] = []
        for d in DIRECTIONS:
            ray = RAY[d][scene.move.destination]
            for i, s in enumerate(ray):
                if s in scene.move.origins:
                    found += self._behind(kind, s, ray[i + 1 :])
        return self._cnf.either(*found)

    def _behind(self, kind: str, origin: int, squares: tuple[int, ...]) -> Iterator[Literal]:
        free = self.scene.move.origins[origin]
        for s in squares:
            yield self._cnf.both(free, self.scene.man(kind, s))
            free = self._cnf.both(free, self.scene.board.empty[s])

    def other_colour_too(self, _: Criterion) -> Literal:
        """An enemy piece of the mover's kind attacks the square before the move."""
        if self.scene.castled is not None:
            return FALSE
        return self.scene.attacks(
            BLACK, self.scene.board, self.scene.move.destination, self.scene.piece
        )

    def other_kind_too(self, _: Criterion) -> Literal:
        """A man of White's, of another kind than the mover, attacks the square before the move."""
        if self.scene.castled is not None:
            return FALSE
        others = "PNBRQK".replace(self.scene.piece, "")
        return self.scene.attacks(WHITE, self.scene.board, self.scene.move.destination, others)

    # Check

    def discovered(self, _: Criterion) -> Literal:
        """A man gives check that has not moved: the mover opened its line.

        ::

            R . N . k      the knight moves away
        """
        moved = {self.scene.move.destination}
        if self.scene.castled is not None:
            moved.add(self.scene.castled.rook_to)
        return self._cnf.either(*[x for s, x in enumerate(self.scene.checkers) if s not in moved])

    def discovered_by(self, criterion: Criterion) -> Literal:
        """A discovered check, uncovered by a piece, a pawn, the king or castling."""
        movers = {"P": "pawn", "K": "castling" if self.scene.castled is not None else "king"}
        if movers.get(self.scene.piece, "piece") != criterion.value:
            return FALSE
        return self.discovered(criterion)

    def checker(self, criterion: Criterion) -> Literal:
        """A man of this kind gives check, as it stands after the move."""
        men = self.scene.men(criterion.value, self.scene.move.after)
        checkers = zip(self.scene.checkers, men, strict=True)
        return self._cnf.either(*[self._cnf.both(check, man) for check, man in checkers])

    def promotion_check(self, _: Criterion) -> Literal:
        """The piece that the pawn became gives check."""
        arrived = self.scene.checkers[self.scene.move.destination]
        return self._cnf.both(-self.scene.encoding.fields["promotion"][""], arrived)

    def castling_check(self, _: Criterion) -> Literal:
        """The castled rook gives check."""
        castled = self.scene.castled
        return FALSE if castled is None else self.scene.checkers[castled.rook_to]

    def en_passant_check(self, criterion: Criterion) -> Literal:
        """A capture in passing gives check: by the pawn, or on lines that it opened.

        ::

            R . P p . k    both squares are left: the line over both is open
        """
        move, both = self.scene.move, self._cnf.both
        if move.en_passant == FALSE:
            return FALSE
        left = self._cnf.either(*[both(x, self.scene.between(s)) for s, x in move.origins.items()])
        captured = self.scene.between(move.destination - 8)
        if criterion.value == "pawn":
            return both(move.en_passant, self.scene.checkers[move.destination])
        parts = {"left": (left,), "captured": (captured,), "both": (left, captured)}
        return both(move.en_passant, *parts[criterion.value])

    # Mate, stalemate and replies

    def count_of_replies(self, criterion: Criterion) -> Literal:
        """So many replies are legal: 0, 1, or 2 and more; a promotion counts once."""
        wanted = criterion.range
        counts = [TRUE, self.replies.some, self.replies.several, FALSE]
        return self._cnf.both(counts[wanted.least], -counts[min(wanted.highest, 2) + 1])

    def only_reply(self, criterion: Criterion) -> Literal:
        """Check, and one reply alone, of this sort."""
        replies = self.replies
        one = self._cnf.both(self.scene.check, replies.some, -replies.several)
        return self._cnf.both(one, self._cnf.either(*self._of_sort(criterion.value)))

    def _of_sort(self, sort: str) -> Iterator[Literal]:
        takes, both = self.scene.move.after.white, self._cnf.both
        for reply in self.replies.all:
            if sort == "king":
                yield reply.legal if reply.way is Way.KING else FALSE
            elif sort == "promotion":
                yield reply.legal if reply.promotes else FALSE
            elif sort in {"double-push", "en-passant"}:
                yield reply.legal if reply.way.value == sort.replace("-", " ") else FALSE
            elif reply.way is not Way.KING:
                is_capture = TRUE if reply.way is Way.EN_PASSANT else takes[reply.destination]
                yield both(reply.legal, is_capture if sort == "capture" else -is_capture)

    def smothered(self, _: Criterion) -> Literal:
        """Mate by a knight, Black's own men on every square around the king.

        ::

            r k
            p p      N gives check from further on
        """
        after, king = self.scene.move.after, self.scene.black_king
        shut_in = [self._cnf.both(king[s], *[after.black[t] for t in KING[s]]) for s in SQUARES]
        knight = self.checker(Criterion("checker", "", "N"))
        return self._cnf.both(self.scene.mate, knight, self._cnf.either(*shut_in))

    def pinned_capturer(self, _: Criterion) -> Literal:
        """Mate by one checker, which a man other than the king could take if no pin held it."""
        return self._mate_but_for(self._takes_checker)

    def pinned_blocker(self, _: Criterion) -> Literal:
        """Mate by one checker, where a man could step between if no pin held it."""
        return self._mate_but_for(lambda reply: self.replies.blocks[reply.destination])

    def _takes_checker(self, reply: Reply) -> Literal:
        return self.scene.checkers[reply.destination]

    def _mate_but_for(self, answers: Callable[[Reply], Literal]) -> Literal:
        able = [
            self._cnf.both(reply.able, answers(reply))
            for reply in self.replies.all
            if reply.way not in {Way.KING, Way.EN_PASSANT}
        ]
        mate_by_one = self._cnf.both(self.scene.mate, self.replies.single_check)
        return self._cnf.both(mate_by_one, self._cnf.either(*able))

    def xray_flight(self, _: Criterion) -> Literal:
        """Mate, and a free square beside the king is attacked only through the king.

        ::

            R . k x        the king on its way to x would still stand in the rook's line
        """
        steps = [reply for reply in self.replies.all if reply.way is Way.KING]
        attacked = self.replies.attacked()
        free = [self._cnf.both(step.able, -attacked[step.destination]) for step in steps]
        return self._cnf.both(self.scene.mate, self._cnf.either(*free))

    # Capture in passing

    def en_passant_square(self, _: Criterion) -> Literal:
        """The FEN names the square that a pawn has just passed (PGN 16.1.3.4)."""
        return self._cnf.either(*self.scene.passed.values())

    def en_passant_possible(self, _: Criterion) -> Literal:
        """A pawn may capture in passing."""
        return self._cnf.either(*[legal for _, legal in self.scene.lawful_takers])

    def en_passant_idle(self, criterion: Criterion) -> Literal:
        """The square is named, and no pawn may capture in passing."""
        possible = self.en_passant_possible(criterion)
        return self._cnf.both(self.en_passant_square(criterion), -possible)

    def en_passant_two(self, _: Criterion) -> Literal:
        """Two pawns stand beside the one that has passed."""
        return at_least(self._cnf, 2, [ready for _, _, ready in self.scene.takers()])[2]

    def en_passant_one_pinned(self, criterion: Criterion) -> Literal:
        """Two stand ready, and just one of them may capture: the other is pinned."""
        counts = at_least(self._cnf, 2, [legal for _, legal in self.scene.lawful_takers])
        return self._cnf.both(self.en_passant_two(criterion), counts[1], -counts[2])

    def en_passant_rank(self, _: Criterion) -> Literal:
        """The king's rank would lose both pawns, and a rook or queen looks along it.

        ::

            K . P p . r    (FIDE 3.9.2)
        """
        rank = [s for s in SQUARES if rank_of(s) == _FIFTH_RANK]
        found = []
        for taker, passed, ready in self.scene.takers():
            after = self.scene.after_passing(taker, passed)
            opened = [self._sees_king_along_rank(after, s) for s in rank]
            before = [self._sees_king_along_rank(self.scene.board, s) for s in rank]
            lines = [self._cnf.both(a, -b) for a, b in zip(opened, before, strict=True)]
            found.append(self._cnf.both(ready, self._cnf.either(*lines)))
        return self._cnf.either(*found)

    def _sees_king_along_rank(self, board: Board, square: int) -> Literal:
        """Whether a black rook or queen on a square of White's fifth rank looks at its king."""
        sight = sight_of(self._cnf, board, self.scene.white_king)
        slider = self._cnf.both(board.black[square], board.orthogonal[square])
        seen = self._cnf.either(*[sight(d, square) for d in SIDEWAYS])
        return self._cnf.both(slider, seen)

    def en_passant_line(self, _: Criterion) -> Literal:
        """A pawn stands ready that is pinned on a file, or on a diagonal that it would leave."""
        found = []
        for taker, passed, ready in self.scene.takers():
            lines = [d for d in (*_UPRIGHT, *DIAGONAL) if not on_line(taker, passed, d)]
            pins = self.scene.pins(taker, lines)
            found.append(self._cnf.both(ready, self._cnf.either(*pins)))
        return self._cnf.either(*found)

    # Castling that is not legal, and what does not forbid it

    def cannot_castle(self, criterion: Criterion) -> Literal:
        """What forbids White a castling, on one side or the other (FIDE 3.8.2.1, 3.8.2.2)."""
        rights = {"K": CASTLING["O-O"], "Q": CASTLING["O-O-O"]}
        return self._cnf.either(
            *[self._forbids(criterion.value, letter, rights[letter]) for letter in rights]
        )

    def _forbids(self, why: str, letter: str, squares: Castling) -> Literal:
        scene, both = self.scene, self._cnf.both
        right = scene.rights[letter]
        clear = both(*[scene.board.empty[s] for s in squares.between])
        if why == "blocked":
            return both(right, -clear)
        if why == "no-right":
            path = (squares.king_from, squares.rook_to, squares.king_to)
            safe = [-scene.attacks(BLACK, scene.board, s) for s in path]
            return both(-right, clear, *scene.placed(WHITE, squares), *safe)
        square = {"out": squares.king_from, "through": squares.rook_to, "into": squares.king_to}
        return both(right, clear, scene.attacks(BLACK, scene.board, square[why]))

    def castling_rook_attacked(self, _: Criterion) -> Literal:
        """The move is castling, and the rook was attacked, which does not matter."""
        castled = self.scene.castled
        if castled is None:
            return FALSE
        return self.scene.attacks(BLACK, self.scene.board, castled.rook_from)

    def castling_b_attacked(self, _: Criterion) -> Literal:
        """The move is castling to the queen's side, and b1 was attacked: only the rook passes."""
        if self.scene.castled != CASTLING["O-O-O"]:
            return FALSE
        return self.scene.attacks(BLACK, self.scene.board, _B1)


_OTHERS: Final[dict[str, Predicate]] = {
    "white-to-move": lambda *_: TRUE,  # in every formula; for Black the question is exchanged
    "black-to-move": lambda *_: FALSE,
    "white-castles": Predicates.castles,
    "black-castles": Predicates.castles,
    "in-check": lambda p, _: p.scene.in_check,  # FIDE 3.9.1
    "capture": lambda p, _: _literal(bool(p.scene.encoding.cube.capture)),
    "check": lambda p, _: p.scene.check,  # PGN 8.2.3.5
    "mate": lambda p, _: p.scene.mate,  # FIDE 1.4.1
    "stalemate": lambda p, _: p.scene.cnf.both(-p.scene.check, -p.replies.some),  # FIDE 5.2.1
    "direct": lambda p, _: p.scene.checkers[p.scene.move.destination],
    "double-check": lambda p, _: at_least(p.scene.cnf, 2, p.scene.checkers)[2],  # never three
    "twin-on-file": lambda p, _: p.twin_on(file_of),
    "twin-on-rank": lambda p, _: p.twin_on(rank_of),
    "castling": lambda p, _: _literal(p.scene.castled is not None),
    "en-passant": lambda p, _: p.scene.move.en_passant,  # FIDE 3.7.3.1
    "moves": lambda p, asked: _literal(p.scene.piece == asked.value),
    "men": Predicates.count_of_men,
    "white-men": Predicates.count_of_men,
    "black-men": Predicates.count_of_men,
    "twins": lambda p, asked: how_many(p.scene.cnf, asked.range, p.scene.twins.values()),
    "replies": Predicates.count_of_replies,
    "white": Predicates.material,
    "black": Predicates.material,
    "rights": Predicates.rights,
    "square": Predicates.man_on_square,
    "kind": lambda p, asked: how_many(p.scene.cnf, asked.range, p.scene.men(asked.key)),
}
PREDICATES: Final[dict[str, Predicate]] = _OTHERS | {
    name: getattr(Predicates, name.replace("-", "_"))
    for name in (*WORDS, *CHOICES)
    if name not in _OTHERS
}
"""What each criterion's name means: mostly the method of this name."""
