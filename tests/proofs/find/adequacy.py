"""Do the criteria's clauses say what python-chess says? Both directions, at any scale.

*From chess to the formula* (:meth:`Checker.check`): a position with one of its legal moves is a
model of the exact formula, and every criterion has in every such model the value that
:func:`proofs.find.terms.holds` finds with python-chess.

*From the formula to chess* (:func:`check_answers`): what the search finds for random criteria is
confirmed by the judge, or the search raises.

Run as a program, it says how many positions it checked, and which criteria held in none::

    python -m tests.proofs.find.adequacy --cases 20000
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from random import Random
from typing import Final

import chess

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.formulas import encode_possible, parts_of, seen_by
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import Criterion, Question
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.search import answers
from sanproof.proofs.find.terms import TERMS, holds, is_open_to, literal, read_criteria
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube, all_cubes
from sanproof.proofs.search import Disagreement
from tests.proofs.encoding.adequacy import Formula, Report, View, case_of, cube_in, moves_to_try
from tests.proofs.encoding.positions import FAMILIES, Source, is_plausible

SIDES: Final = ("white-to-move", "black-to-move")
SAMPLES: Final = (
    *("d4=Q", "e4=.", "h*=r", "*7=p", "a1=white", "e*=any", "g8=k", "f3=black", "*2=P"),
    *("Q=1", "p=..2", "n=0", "B=2..", "R=1..2", "K=1", "b=3..", "q=1.."),
    *("men=5", "men=..7", "men=20..", "white-men=3", "white-men=..8", "black-men=2..4"),
    *("black-men=1", "twins=0", "twins=1", "twins=2", "twins=2..4", "twins=1.."),
    *("replies=0", "replies=1", "replies=..1", "replies=1..", "replies=2.."),
    *("white=K", "white=KR", "white=KQ", "white=KP", "white=KRR"),
    *("black=K", "black=KR", "black=KP", "black=KN", "black=KQ"),
    *("rights=KQkq", "rights=-", "rights=K", "rights=KQ", "rights=kq", "rights=Q"),
)
CRITERIA: Final = read_criteria(
    [
        f"{name}={value}".rstrip("=")
        for name, term in TERMS.items()
        for value in term.values.words
        if name not in SIDES
    ]
    + [*SAMPLES]
)
"""Every criterion, those with a free value by samples."""
SPECIAL: Final = ("O-O", "O-O-O", "xb6", "xd6", "xh6", "a4", "e4", "g8", "xb8", "Na1", "Qxe4")


def cube_of(case: PlayedMove) -> Cube:
    """Return the cube of a case's move, seen from White's side."""
    return cube_in(view_of(case), case.board, case.move)


def view_of(case: PlayedMove) -> View:
    """Return the view from White's side: left and right stay, for castling rights know them."""
    return View(by_rank=not case.us, by_file=False)


class Loaded(Formula):
    """A cube's formula in a solver, with literals that say which criteria differ from given values.

    With ``of_game`` only what a game can have is a model.
    """

    def __init__(self, cube: Cube, criteria: Sequence[Criterion], *, of_game: bool = False) -> None:
        scene = Scene(cube)
        super().__init__(scene.encoding)
        self.wanted = [literal(scene, criterion) for criterion in criteria]
        self._rights, self._passed = scene.rights, scene.passed
        if of_game:
            encode_possible(scene)
        cnf = scene.cnf
        self._given = [cnf.new() for _ in criteria]
        self._differing, differing = cnf.new(), []
        for clause, given in zip(self.wanted, self._given, strict=True):
            differing.append(differs := cnf.new())
            cnf.add(-differs, clause, given)
            cnf.add(-differs, -clause, -given)
        cnf.add(-self._differing, *differing)

    def position(self, case: PlayedMove) -> list[Literal]:
        """Return the literals that fix a case's position and move, seen from White's side."""
        literals = self.case_literals(case_of(case.board, case.move, "", view_of(case)))
        board = case.board if case.us else case.board.mirror()
        rights = board.castling_xfen()
        literals += [x if letter in rights else -x for letter, x in self._rights.items()]
        file = None if board.ep_square is None else chess.square_file(board.ep_square)
        return literals + [x if f == file else -x for f, x in self._passed.items()]

    def differing(self, position: Sequence[Literal], values: Sequence[bool]) -> list[int]:
        """Return the criteria with another value in some model of the position; [] if none has."""
        given = [x if value else -x for x, value in zip(self._given, values, strict=True)]
        if not self.admits([*position, self._differing, *given]):
            return []
        found = map(self.session.holds, self.wanted)
        return [i for i, (a, b) in enumerate(zip(found, values, strict=True)) if a != b]


class Checker:
    """Checks cases, and keeps the formulas that it used last loaded."""

    def __init__(self, criteria: Sequence[Criterion] = CRITERIA, capacity: int = 20) -> None:
        self.criteria = criteria
        self._loaded = lru_cache(capacity)(partial(Loaded, criteria=criteria))
        self.held: Counter[str] = Counter()

    def check(self, case: PlayedMove) -> str | None:
        """Return what is wrong with the clauses in this case; None if they are right."""
        criteria = seen_by(WHITE if case.us else BLACK, self.criteria)
        values = [holds(criterion, case) for criterion in criteria]
        self.held.update(str(c) for c, v in zip(self.criteria, values, strict=True) if v)
        cube = cube_of(case)
        loaded = self._loaded(cube)
        position = loaded.position(case)
        said = f"{case.move.uci()} in {case.board.fen(en_passant='fen')}"
        if not loaded.admits(position):
            return f"no model: {said}"
        met = (c._replace(negated=not v) for c, v in zip(self.criteria, values, strict=True))
        closed = [str(criterion) for criterion in met if not is_open_to(cube, criterion)]
        if closed:
            return f"{closed} are said not to be in cube {cube}: {said}"
        wrong = [str(self.criteria[i]) for i in loaded.differing(position, values)]
        return f"{wrong} differ: {said}" if wrong else None


def draw_cases(rng: Random, source: Source, cubes: frozenset[Cube]) -> Iterator[PlayedMove]:
    """Yield legal moves of some cubes, in positions of a source; some name a passed square too."""
    ends = [chess.parse_square(cube.destination) for cube in cubes if cube.destination]
    squares = int(chess.SquareSet(s for end in ends for s in (end, end ^ 56)))
    for board in filter(is_plausible, source(rng)):
        for before, move in moves_to_try(board, rng, 12, squares):
            view = View(by_rank=not before.turn, by_file=False)
            if before.is_legal(move) and cube_in(view, before, move) in cubes:
                yield PlayedMove(before.copy(stack=False), move)


def check_answers(rng: Random, count: int, report: Report) -> None:
    """Ask random questions in random cubes: confirm each answer, or count it as a failure."""
    cubes = all_cubes()
    while report.cases["answers"] + report.cases["questions without answer"] < count:
        chosen = rng.sample(CRITERIA, rng.randint(1, 2))
        criteria = [c._replace(negated=rng.random() < 0.3) for c in chosen]
        criteria += read_criteria([rng.choice(SIDES)])
        cube = rng.choice(cubes)
        question = Question(f"{cube.piece}*{cube.capture}{cube.destination}*", tuple(criteria))
        parts = [part for part in parts_of(question) if part.cube and not part.cube.castling]
        if not parts:
            continue
        hits = answers(question, [rng.choice(parts)], rng.randrange(1000))
        try:
            found = len(list(islice(hits, 2)))
        except Disagreement as error:
            report.count("answers", f"{question}: {error}")
        else:
            report.cases["answers"] += found
            report.cases["questions without answer"] += not found


def main() -> int:
    """Check as many cases as asked for, as many of each source; 1 if any of them fails."""
    parser = argparse.ArgumentParser(description="Check that the criteria model chess.")
    parser.add_argument("--cases", type=int, default=4_000, help="positions with a move")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random")
    options = parser.parse_args()
    rng, report = Random(options.seed), Report()
    special = [cube for cube in all_cubes() if str(cube) in SPECIAL]
    chosen, checker = frozenset([*special, *rng.sample(all_cubes(), 90)]), Checker(capacity=1)
    drawn: list[tuple[str, PlayedMove]] = []
    for name, source in FAMILIES.items():
        cases = draw_cases(Random(f"{options.seed} {name}"), source, chosen)
        drawn += [(name, case) for case in islice(cases, -(-options.cases // len(FAMILIES)))]
    for name, case in sorted(drawn, key=lambda pair: cube_of(pair[1])):
        report.count(name, checker.check(case))
    check_answers(rng, options.cases // 100, report)
    never = [str(c) for c in CRITERIA if not checker.held[str(c)]]
    sys.stdout.write(f"{report}\nnever held: {', '.join(never) or 'none'}\n")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
