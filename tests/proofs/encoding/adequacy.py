"""Does the formula model chess? Both directions, against python-chess, at any scale.

*From chess to the formula* (:func:`draw_cases`, :func:`check_case`): a position with one
of its legal moves must be a model of the exact formula with exactly python-chess's string, and a
model of each relaxation with that string; a position with a move that is not legal must be no model
of the exact formula.

*From the formula to chess* (:func:`check_models`): what a solver finds must be a position
with a legal move that python-chess writes in the same way. Here the solver looks for the holes.

Everything is seen from White's side and, as the cubes are, with the destination on files a to d:
python-chess judges the move as it was played, and the string is reflected. ``nox -s adequacy``
checks as many cases as asked for.
"""

import argparse
import atexit
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
from random import Random
from typing import Final, NamedTuple

import chess

from sanproof.proofs.encoding.cnf import FALSE, Literal
from sanproof.proofs.encoding.relaxation import Encoding, Scope, encode_relaxation
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube, exchanged_san
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.rules.squares import SQUARES, parse_square, square_name
from sanproof.proofs.search.board import ROLES, ROLES_OF
from sanproof.proofs.search.derived import solved_cubes
from sanproof.proofs.search.exact import ExactEncoding, Holds, encode_exact, read_model, read_string
from sanproof.proofs.search.solvers import CadicalSession
from tests.proofs.encoding.positions import FAMILIES, Source, is_plausible
from tests.strings import mirrored_san

NOBODY: Final = "."
PER_SESSION: Final = 20
"""The models that are asked for while a cube's formula is loaded."""


class Case(NamedTuple):
    """A position in the view of a cube, a move of that cube, and what python-chess says of it.

    ``pieces`` has for each square a letter as in a FEN, or ``.``. A move that is not legal has no
    string. ``source`` is for a person to look it up.
    """

    cube: Cube
    pieces: str
    origin: int
    promotion: str
    en_passant: bool
    san: San | None
    source: str


class View(NamedTuple):
    """The reflection of a position before a cube is asked about it."""

    by_rank: bool
    by_file: bool

    def square(self, square: int) -> int:
        """Return the reflection of a square; it is its own inverse."""
        square = square ^ 56 if self.by_rank else square
        return square ^ 7 if self.by_file else square

    def san(self, san: San) -> San:
        """Return what the reflection makes of a move's string."""
        san = exchanged_san(san) if self.by_rank else san
        return mirrored_san(san) if self.by_file else san

    def pieces(self, board: chess.Board) -> str:
        """Return the reflected position, the colours exchanged if the ranks are."""
        letters = [NOBODY] * 64
        for s, piece in board.piece_map().items():
            letters[self.square(s)] = piece.symbol().swapcase() if self.by_rank else piece.symbol()
        return "".join(letters)


def cube_in(view: View, board: chess.Board, move: chess.Move) -> Cube:
    """Return the cube to which a move, legal or not, belongs in a view."""
    if board.is_castling(move):
        return Cube("O-O" if board.is_kingside_castling(move) else "O-O-O", "", "")
    piece = board.piece_at(move.from_square)
    assert piece is not None
    letter = piece.symbol().upper().replace("P", "")
    capture = "x" if board.is_capture(move) else ""
    return Cube(letter, capture, square_name(view.square(move.to_square)))


def case_of(board: chess.Board, move: chess.Move, family: str, view: View | None = None) -> Case:
    """Return the case of a move that some piece on this board could make, legal or not.

    It is seen so, or else in the view of a cube that is solved.
    """
    mirrored = chess.square_file(move.to_square) > 3 and not board.is_castling(move)
    view = view or View(board.turn == chess.BLACK, mirrored)
    san = view.san(parse_san(board.san(move))) if board.is_legal(move) else None
    return Case(
        cube=cube_in(view, board, move),
        pieces=view.pieces(board),
        origin=view.square(move.from_square),
        promotion=chess.piece_symbol(move.promotion).upper() if move.promotion else "",
        en_passant=board.is_en_passant(move),
        san=san,
        source=f"{family}: {move.uci()} in {board.fen()}",
    )


def castlings(board: chess.Board) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Yield each castling with at most one piece in its way, on the board with the right to it."""
    first = chess.A1 if board.turn else chess.A8
    king = first + chess.E1
    for end, corner in ((first + chess.G1, first + chess.H1), (first + chess.C1, first)):
        standing = map(board.piece_at, (king, corner))
        due = [chess.Piece(kind, board.turn) for kind in (chess.KING, chess.ROOK)]
        between = chess.SquareSet.between(king, corner)
        if list(standing) == due and len(between & board.occupied) <= 1:
            entitled = board.copy(stack=False)
            entitled.castling_rights |= chess.BB_SQUARES[corner]
            yield entitled, chess.Move(king, end)


def moves_to_try(
    board: chess.Board, rng: Random, quiet_moves: int, squares: chess.Bitboard = chess.BB_ALL
) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Yield the moves that are rare and easily got wrong, some quiet, some illegal, and castling.

    Those that castle apart, all go to the given squares.
    """
    yield from castlings(board)
    legal = list(board.generate_legal_moves(to_mask=squares))
    illegal = [m for m in board.generate_pseudo_legal_moves(to_mask=squares) if m not in legal]
    rare = [m for m in legal if m.promotion or board.is_en_passant(m) or board.gives_check(m)]
    quiet = [m for m in legal if m not in rare]
    some = [rng.sample(moves, min(quiet_moves, len(moves))) for moves in (quiet, illegal)]
    for move in chain(rare, *some):
        if not board.is_castling(move):
            yield board, move


def draw_cases(
    rng: Random, family: str, source: Source, cubes: Collection[Cube], quiet_moves: int = 4
) -> Iterator[Case]:
    """Draw cases of some cubes from the positions of a source.

    Of a position it takes so many moves at most that are legal and not remarkable, and so many that
    are not legal.
    """
    views = [View(by_rank, by_file) for by_rank in (False, True) for by_file in (False, True)]
    ends = {parse_square(cube.destination) for cube in cubes if not cube.castling}
    squares = int(chess.SquareSet(view.square(s) for view in views for s in ends))
    for board in filter(is_plausible, source(rng)):
        for position, move in moves_to_try(board, rng, quiet_moves, squares):
            case = case_of(position, move, family)
            if case.cube in cubes:
                yield case


class Formula:
    """The exact formula of a cube, loaded into a solver, to be asked about positions."""

    def __init__(self, encoding: ExactEncoding) -> None:
        self.encoding = encoding

    @cached_property
    def session(self) -> CadicalSession:
        """The solver; what was added to the formula before it is first asked counts."""
        return CadicalSession(self.encoding.cnf)

    def contents(self, square: int, letter: str) -> list[Literal]:
        """Return the literals that together say what stands on a square."""
        if letter == NOBODY:
            true = set()
        else:
            true = {WHITE if letter.isupper() else BLACK, *ROLES_OF[letter.upper()]}
        columns = {name: getattr(self.encoding.board, name) for name in (WHITE, BLACK, *ROLES)}
        return [x[square] if name in true else -x[square] for name, x in columns.items()]

    def case_literals(self, case: Case) -> list[Literal]:
        """Return the literals that fix a case's position and move, and leave the string open."""
        move = self.encoding.move
        literals = [x for s in SQUARES for x in self.contents(s, case.pieces[s])]
        literals.append(move.en_passant if case.en_passant else -move.en_passant)
        literals.append(move.origins.get(case.origin, FALSE))
        return [*literals, self.encoding.fields["promotion"][case.promotion]]

    def admits(self, literals: Sequence[Literal]) -> bool:
        """Check whether there is a model with these literals."""
        return self.session.solve(literals)

    def wrong(self, case: Case) -> str:
        """Return what it says of a case that is not so; nothing if it is right."""
        literals = self.case_literals(case)
        string = [] if case.san is None else self.encoding.literals(case.san)
        if case.san is not None and not self.admits([*literals, *string]):
            return "the exact formula excludes it"
        others = [[-x] for x in string] or [[]]
        if any(self.admits([*literals, *other]) for other in others):
            return (
                f"the exact formula admits it as {read_string(self.encoding, self.session.holds)}"
            )
        return ""


def excludes(encoding: Encoding, session: CadicalSession, case: Case) -> bool:
    """Check whether a relaxation excludes a case, with all that its variables mean in it."""
    assert case.san is not None
    question = encoding.literals(case.san)
    if encoding.origins:
        question.append(encoding.origins.get(case.origin, FALSE))
    able = able_squares(case) if encoding.able else set()
    question += [FALSE for _ in able - set(encoding.able)]
    nobody, king = ({s for s in SQUARES if case.pieces[s] == letter} for letter in (NOBODY, "k"))
    columns = (
        *((encoding.origins, {case.origin}), (encoding.able, able)),
        *((encoding.empty, nobody), (encoding.king, king)),
    )
    for literals, true in columns:
        question += [x if s in true else -x for s, x in literals.items()]
    return not session.solve(question)


def able_squares(case: Case) -> set[int]:
    """Return the squares of White's pieces of the cube's kind that attack its destination."""
    board = chess.BaseBoard.empty()
    for s, letter in enumerate(case.pieces):
        if letter != NOBODY:
            board.set_piece_at(s, chess.Piece.from_symbol(letter))
    reaching = board.attackers(chess.WHITE, parse_square(case.cube.destination))
    return {s for s in reaching if case.pieces[s] == case.cube.piece}


@lru_cache(48)
def formulas(cube: Cube) -> tuple[Formula, list[tuple[Encoding, CadicalSession]]]:
    """Return the exact formula of a cube, and its relaxations, in solvers; 10 MB for each."""
    weaker = [encode_relaxation(cube, scope) for scope in Scope]
    return Formula(encode_exact(cube)), [(one, CadicalSession(one.cnf)) for one in weaker]


atexit.register(formulas.cache_clear)  # while the solvers' module is still there


def check_case(case: Case) -> str:
    """Return what is wrong with the formulas in this case; nothing if they are right."""
    exact, relaxations = formulas(case.cube)
    wrong = exact.wrong(case)
    if case.san and not wrong and any(excludes(*weaker, case) for weaker in relaxations):
        wrong = "a relaxation excludes it"
    return wrong and f"{case.cube}, {case.san or 'not legal'}: {wrong}; {case.source}"


def check_models(cube: Cube, rng: Random, count: int) -> Iterator[str]:
    """Yield what is wrong with each of some models of a cube's exact formula, mostly nothing.

    They have random preferences. A cube without moves has none.
    """
    exact, _ = formulas(cube)
    for _ in range(count if exact.admits([]) else 0):
        exact.admits(grant(exact, random_preferences(exact, rng)))
        yield check_model(exact.encoding, exact.session.holds)


@dataclass
class Report:
    """The number of cases that were checked, by kind, and what was wrong."""

    cases: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def count(self, kind: str, failure: str | None) -> None:
        """Take up one case."""
        self.cases[kind] += 1
        self.failures += [failure] if failure else []

    def __str__(self) -> str:
        counts = [*sorted(self.cases.items()), ("failures", len(self.failures))]
        return "\n".join([*(f"{n:9,} {kind}" for kind, n in counts), *self.failures[:20]])


def random_preferences(formula: Formula, rng: Random) -> list[list[Literal]]:
    """Draw literals that a model should have if it can, in groups, the most urgent first.

    Preferences are for the string and for squares: as in a position of some family, or at random.
    """
    encoding = formula.encoding
    preferences = [[rng.choice(list(values.values()))] for values in encoding.fields.values()]
    preferences.append([rng.choice((1, -1)) * encoding.move.en_passant])
    rng.shuffle(preferences)
    if rng.random() < 0.5:
        board = next(FAMILIES[rng.choice(list(FAMILIES))](rng))
        letters = View(board.turn == chess.BLACK, by_file=False).pieces(board)
    else:
        letters = "".join(rng.choices(NOBODY * rng.randint(1, 40) + "PNBRQpnbrq", k=64))
    squares = rng.sample(SQUARES, rng.randint(0, 64))
    return preferences + [formula.contents(s, letters[s]) for s in squares]


def grant(formula: Formula, preferences: Sequence[list[Literal]]) -> list[Literal]:
    """Return as many preferences as there is a model for, the earlier ones first."""
    granted: list[Literal] = []
    pending = [preferences]
    while pending:
        part = pending.pop()
        if formula.admits([*granted, *(x for one in part for x in one)]):
            granted += [x for one in part for x in one]
        elif len(part) > 1:
            half = len(part) // 2
            pending += [part[half:], part[:half]]
    return granted


def check_model(encoding: ExactEncoding, holds: Holds) -> str:
    """Return what is wrong with a model of an exact formula; nothing if python-chess agrees."""
    san, fen, uci = read_model(encoding, holds)
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    wrong = ""
    if not is_plausible(board):
        wrong = f"is not plausible ({board.status()!r})"
    elif not board.is_legal(move):
        wrong = "is not legal"
    elif (written := board.san(move)) != san:
        wrong = f"is written {written}"
    return wrong and f"{encoding.cube}, model of {san}: {uci} {wrong} in {fen}"


def main() -> int:
    """Check as many cases as asked for, and models of random cubes; 1 if any of them fails."""
    parser = argparse.ArgumentParser(description="Check that the formulas model chess.")
    parser.add_argument("--cases", type=int, default=20_000, help="positions with a move")
    parser.add_argument("--models", type=int, default=2_000, help="models of random cubes")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random")
    options = parser.parse_args()
    rng, report, cubes, drawn = Random(options.seed), Report(), solved_cubes(), list[Case]()
    for name, source in FAMILIES.items():
        drawn += islice(draw_cases(rng, name, source, cubes), -(-options.cases // len(FAMILIES)))
    for case in sorted(drawn, key=lambda case: case.cube):
        report.count(case.source.partition(":")[0], check_case(case))
    for _ in range(-(-options.models // PER_SESSION)):
        for wrong in check_models(rng.choice(cubes), rng, PER_SESSION):
            report.count("models", wrong)
    sys.stdout.write(f"{report}\n")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
