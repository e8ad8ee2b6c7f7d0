"""CaDiCaL and Z3, asked the same questions: which of them finds what sooner.

    nox -s harden -- solvers              24 cubes, and some questions of `sanproof find`
    nox -s harden -- solvers --cubes 770  all cubes

A row has the questions of one kind, and the processor seconds that each solver took to open the
formulas and to answer. A question is asked once of each, in the order in which a run asks. Both
must give the same answers; it ends with exit code 1 if they do not.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Cnf, Literal
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.find.formulas import Rules, encode_part, parts_of
from sanproof.proofs.find.questions import read_question
from sanproof.proofs.kernel.certificates import closing_formula, read_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, text_of
from sanproof.proofs.rules.cubes import all_cubes
from sanproof.proofs.rules.san import SUFFIXES, parse_san
from sanproof.proofs.search.decide import likely_strings, preferences
from sanproof.proofs.search.exact import encode_witness, witness_literals
from sanproof.proofs.search.solvers import CadicalSession, SolverAnswer, Z3Context, Z3Session
from sanproof.reports.archive.door import open_archive

QUESTIONS: Final = (
    "Qd4# men=4",
    "Qd4# men=9",
    "Nxf7+ double-check",
    "O-O-O#",
    "exd6 pinned-twin",
    "Rd8# men=3",
    "Qb6e3# men=6",
    "e8=N# men=5",
)
"""Of `sanproof find`: of some an answer is found, some have none."""


class SolverQuery(NamedTuple):
    """A formula, and the questions that are asked of it: assumptions, or none.

    ``wanted`` are the literals whose values are read from each model.
    """

    kind: str
    cnf: Cnf
    wanted: list[Literal]
    questions: list[list[Literal]]


def of_cubes(names: Sequence[str]) -> Iterator[SolverQuery]:
    """Yield what a run asks of these cubes, and more: positions under each preference."""
    text = text_of(CERTIFICATES, open_archive().content(CERTIFICATES))
    closing = {p.partition("\n")[0][5:]: f"{p}\n\n" for p in text.split("\n\n") if p}
    for cube in (cube for cube in all_cubes() if str(cube) in names):
        _, scope, left_open, _ = read_certificate(closing[str(cube)])
        yield SolverQuery("refute a formula", closing_formula(cube, scope, left_open), [], [[]])
        geometry = encode_relaxation(cube, Scope.GEOMETRY)
        literals = [geometry.literals(parse_san(san)) for san in left_open]
        yield SolverQuery("is a string admitted", geometry.cnf, [], literals)
        given, *_, few, anything = preferences(cube)
        kinds = (("given pieces", given), ("few pieces", few), ("any pieces", anything))
        for kind, preference in kinds:
            exact = encode_witness(cube, preference)
            sans = product(likely_strings(cube), reversed(SUFFIXES))
            strings = [exact.literals(bare._replace(suffix=suffix)) for bare, suffix in sans]
            yield SolverQuery(
                f"a position with {kind}", exact.cnf, witness_literals(exact), strings
            )


def of_find() -> Iterator[SolverQuery]:
    """Yield the parts of questions, by both sets of rules."""
    for words in QUESTIONS:
        for part, rules in product(parts_of(read_question(words.split())), Rules):
            scene = encode_part(part, rules)
            wanted = witness_literals(scene.encoding)
            yield SolverQuery(f"find, rules of a {rules.value}", scene.cnf, wanted, [[]])


def answers(session: CadicalSession | Z3Session, asked: SolverQuery) -> list[SolverAnswer]:
    """Return the answers of a solver; each model is read."""
    found = []
    for assumptions in asked.questions:
        found.append(session.solve(assumptions))
        if found[-1] is SolverAnswer.SATISFIABLE and asked.wanted:
            session.values()
    return found


def compare(every: Iterator[SolverQuery]) -> bool:
    """Ask both, print the table; whether they agree."""
    rows: dict[str, list[float]] = {}
    agree = True
    context = Z3Context()
    for asked in every:
        row = rows.setdefault(asked.kind, [0, 0, 0, 0.0, 0.0])
        started = time.process_time()
        cadical = answers(CadicalSession(asked.cnf, asked.wanted), asked)
        between = time.process_time()
        z3 = answers(Z3Session(asked.cnf, asked.wanted, context), asked)
        ended = time.process_time()
        agree = agree and cadical == z3
        satisfiable = cadical.count(SolverAnswer.SATISFIABLE)
        more = (1, len(cadical), satisfiable, between - started, ended - between)
        rows[asked.kind] = [a + b for a, b in zip(row, more, strict=True)]
    say(f"{'':28}formulas  questions  with a model  CaDiCaL s    Z3 s")
    for kind, (formulas, questions, models, ours, theirs) in rows.items():
        say(f"{kind:28}{formulas:8}{questions:11}{models:14}{ours:11.2f}{theirs:8.2f}")
    return agree


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """1 if the solvers disagree."""
    parser = argparse.ArgumentParser(description="Compare the solvers.")
    parser.add_argument("--cubes", type=int, default=24, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which of them are taken")
    options = parser.parse_args()
    names = list(map(str, all_cubes()))
    chosen = Random(options.seed).sample(names, min(options.cubes, len(names)))
    of_runs = compare(of_cubes(chosen))
    return 0 if compare(of_find()) and of_runs else 1


if __name__ == "__main__":
    sys.exit(main())
