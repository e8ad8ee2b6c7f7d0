"""Every refutation, by a checker whose soundness is proved: ACL2's checker of LRAT.

The book ``projects/sat/lrat/stobj-based`` (Heule, Hunt and Kaufmann) has a checker and, in
``soundness.lisp``, ACL2's proof that a formula with an accepted refutation has no model. Debian has
both: ``apt-get install acl2 acl2-books acl2-books-certs acl2-books-source``.

As a program (``nox -s acl2``) it writes the formula and the refutation of each cube
of a run, as ``sanproof export --what certificates`` does, and has ACL2 check them
all. Between them stand wrong ones, made with a seed, each of which ACL2 must refuse:

- the formula without the clause that excludes one open string, which then has a model: a game shows
  the string;
- the refutation without its last line, without one hint, or with one literal negated, as far as the
  kernel refuses it too: some such changes make another right refutation.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Cnf
from sanproof.proofs.kernel.certificates import (
    closing_formula,
    read_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, read_bytes, text_of
from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.gates import dimacs
from tests.campaigns.forging.parts import Step, without_number
from tests.campaigns.forging.trees import ANY, OF_NUMBERS, OF_SETS, Change, changed
from tests.campaigns.forging.trees import Path as Place
from tests.verify.command import ROOT

RIGHT: Final = "right"
PROGRAM: Final = Path(__file__).with_suffix(".lisp").read_text(encoding="ascii")
LONGEST_SECONDS: Final = 3600


class Question(NamedTuple):
    """A formula and a refutation of it, right or wrong.

    Attributes:
        cube: The cube's name.
        kind: What is wrong with it, or that it is right.
        formula: The formula in DIMACS.
        lines: The lines of the refutation.
    """

    cube: str
    kind: str
    formula: str
    lines: Sequence[str]


def questions(text: str, sample: int, random: Random) -> Iterator[Question]:
    """Yield each certificate of a file, and wrong ones made of some of them.

    Args:
        text: The file.
        sample: Of how many certificates wrong ones are made.
        random: Which ones, and how.
    """
    paragraphs = list(split_certificates(text))
    chosen = set(random.sample(range(len(paragraphs)), min(sample, len(paragraphs))))
    for i, paragraph in enumerate(paragraphs):
        cube, scope, left_open, lines = read_certificate(paragraph)
        formula = closing_formula(cube, scope, left_open)
        yield Question(str(cube), RIGHT, dimacs(formula), lines)
        if i in chosen:
            if left_open:
                yield with_a_model(str(cube), formula, len(left_open), lines, random)
            yield from wrong(str(cube), formula, lines, random)


def with_a_model(
    cube: str, formula: Cnf, left_open: int, lines: Sequence[str], random: Random
) -> Question:
    """Return the formula without one of its last clauses, which exclude an open string each."""
    gone = len(formula.clauses) - random.randrange(left_open)
    fewer = Cnf()
    fewer.variables = formula.variables
    fewer.clauses = [c for number, c in enumerate(formula.clauses, 1) if number != gone]
    moved = map(str, without_number(map(Step.read, lines), gone))
    return Question(cube, "a formula with a model", dimacs(fewer), list(moved))


def wrong(cube: str, formula: Cnf, lines: Sequence[str], random: Random) -> Iterator[Question]:
    """Yield changed refutations that the kernel refuses."""
    for kind, (place, change) in CHANGES.items():
        steps = tuple(map(Step.read, lines))
        if kind != NEGATED or any(step.literals for step in steps):
            steps = changed(steps, place, change, random)[1]
        other = list(map(str, steps))
        try:
            check_refutation(formula.clauses, other)
        except RefutationError:
            yield Question(cube, kind, dimacs(formula), other)


NEGATED: Final = "a literal negated"
CHANGES: Final[dict[str, tuple[Place, Change]]] = {
    "no last line": ((), lambda steps, *_: steps[:-1]),
    "a hint left out": ((ANY, "hints"), OF_SETS["one missing"]),
    NEGATED: ((ANY, "literals", ANY), OF_NUMBERS["the opposite"]),
}


class Acl2Error(Exception):
    """ACL2 did not answer every question."""


def ask(asked: Sequence[Question], folder: Path) -> list[bool]:
    """Check with ACL2 whether it accepts each of the refutations.

    A file that it cannot read stops a question with an error message, which is a refusal; so each
    question is announced, and the end as well.

    Raises:
        Acl2Error: It ended early, or a question was not asked.
    """
    names = [str(folder / str(i)) for i in range(len(asked))]
    for name, question in zip(names, asked, strict=True):
        Path(f"{name}.cnf").write_text(question.formula, encoding="ascii")
        lines = "".join(f"{line}\n" for line in question.lines)
        Path(f"{name}.lrat").write_text(lines, encoding="ascii")
    forms = "".join(f'(ask "{name}" state)\n' for name in names)
    done = subprocess.run(
        ["acl2"],
        input=f'{PROGRAM}{forms}(cw "ALL ASKED~%")\n(good-bye 0)\n',
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    said = re.findall(r"(ASKED|ACCEPTED|REFUSED) (\S+)\n", done.stdout)
    missing = set(names) - {name for word, name in said if word == "ASKED"}
    if done.returncode or missing or "\nALL ASKED\n" not in done.stdout.replace(">", "\n"):
        raise Acl2Error(f"ACL2 ended with {done.returncode}, {len(missing)} questions unasked")
    accepted = {name for word, name in said if word == "ACCEPTED"}
    return [name in accepted for name in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if ACL2 accepts every refutation and none that is wrong, 1 if not."""
    parser = argparse.ArgumentParser(description="Have ACL2 check every refutation of a run.")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="the run")
    parser.add_argument("--sample", type=int, default=100, help="cubes with wrong refutations")
    parser.add_argument("--seed", type=int, default=1, help="of the wrong ones")
    options = parser.parse_args(arguments)
    text = text_of(CERTIFICATES, read_bytes(options.data / CERTIFICATES))
    asked = list(questions(text, options.sample, Random(options.seed)))
    with TemporaryDirectory() as folder:
        accepted = ask(asked, Path(folder))
    counts = Counter(zip((question.kind for question in asked), accepted, strict=True))
    for kind in dict.fromkeys(question.kind for question in asked):
        yes, no = counts[kind, True], counts[kind, False]
        sys.stdout.write(f"{kind}: {yes} accepted, {no} refused\n")
    mistaken = [q for q, yes in zip(asked, accepted, strict=True) if yes != (q.kind == RIGHT)]
    for question in mistaken:
        sys.stdout.write(f"Not as it should be: cube {question.cube}, {question.kind}\n")
    return 1 if mistaken or not counts[RIGHT, True] else 0


if __name__ == "__main__":
    sys.exit(main())
