"""Every refutation, by a checker whose soundness is proved: ACL2's checker of LRAT.

The book ``projects/sat/lrat/stobj-based`` (Heule, Hunt and Kaufmann) has a checker and, in
``soundness.lisp``, ACL2's proof that a formula with an accepted refutation has no model. Debian has
both: ``apt-get install acl2 acl2-books acl2-books-certs acl2-books-source``.

As a program (``nox -s acl2``) it writes the formula and the refutation of each cube
of a run, as ``sanproof export --what certificates`` does, and has ACL2 check them
all. Between them stand wrong ones, made with a seed, each of which ACL2 must refuse:

- the formula without the clause that excludes one open string, which then has a model: a game shows
  the string;
- the refutation without one of its steps, without a hint, or with a clause negated, as far as the
  kernel refuses it too: some such changes make another right refutation.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Cnf
from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import (
    CUBES_BY_NAME,
    closing_formula,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, read_bytes, text_of
from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.gates import dimacs
from tests.proofs.kernel.evidence import Paragraph, Step, read_paragraph, write_steps
from tests.verify.command import ROOT

RIGHT: Final = "right"
PROGRAM: Final = """\
(include-book "projects/sat/lrat/stobj-based/run" :dir :system)
(set-ld-error-action :continue state)
(defun ask (name state)
  (declare (xargs :mode :program :stobjs state))
  (pprogn
   (princ$ "ASKED " *standard-co* state) (princ$ name *standard-co* state)
   (newline *standard-co* state)
   (mv-let (erp val state)
     (lrat::verify-lrat-proof-fn (concatenate 'string name ".cnf")
                                 (concatenate 'string name ".lrat") nil state)
     (pprogn
      (princ$ (if (and (null erp) (eq val t)) "ACCEPTED " "REFUSED ") *standard-co* state)
      (princ$ name *standard-co* state) (newline *standard-co* state)
      (mv nil :invisible state)))))
"""
LONGEST_SECONDS: Final = 3600


class Question(NamedTuple):
    """A formula in DIMACS and a refutation of it: right, or what is wrong with it."""

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
    found = list(map(read_paragraph, split_certificates(text)))
    chosen = set(random.sample(range(len(found)), min(sample, len(found))))
    for i, paragraph in enumerate(found):
        cube, scope = CUBES_BY_NAME[paragraph.cube], Scope(paragraph.scope)
        formula = closing_formula(cube, scope, paragraph.open)
        yield Question(str(cube), RIGHT, dimacs(formula), paragraph.lines)
        if i in chosen:
            if paragraph.open:
                fewer = paragraph.without_open(random.choice(paragraph.open))
                admitting = dimacs(closing_formula(cube, scope, fewer.open))
                yield Question(str(cube), "a formula with a model", admitting, fewer.lines)
            yield from wrong(paragraph, formula, random)


def wrong(paragraph: Paragraph, formula: Cnf, random: Random) -> Iterator[Question]:
    """Yield changed refutations that the kernel refuses."""
    first = len(formula.clauses) + 1
    for kind, change in CHANGES.items():
        steps = list(paragraph.steps)
        at = random.randrange(len(steps))
        lines = write_steps([*steps[:at], *change(steps[at], random), *steps[at + 1 :]], first)
        try:
            check_refutation(formula.clauses, lines)
        except RefutationError:
            yield Question(paragraph.cube, kind, dimacs(formula), lines)


def without_hint(step: Step, random: Random) -> list[Step]:
    """Leave a hint out."""
    gone = random.randrange(len(step[1])) if step[1] else 0
    return [(step[0], step[1][:gone] + step[1][gone + 1 :])]


CHANGES: Final[dict[str, Callable[[Step, Random], list[Step]]]] = {
    "a step left out": lambda *_: [],
    "a hint left out": without_hint,
    "literals negated": lambda step, _: [(tuple(-x for x in step[0]), step[1])],
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
