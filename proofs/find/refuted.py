"""Certificates that a question has no answer, similar to those of a run's cubes.

A file has one paragraph for each part of the question. Before the refutation a paragraph has the
formula, because it depends on the criteria as well as on the rules::

    cube Qd4                        the cube, written like its shortest string; * for all cubes
    colour white                    the player; for black the formula has the colours exchanged
    question Q*d4# men=3            the string or pattern, and the criteria
    open                            no string is left open
    p cnf 5637 24326                the formula (DIMACS), then the refutation (LRAT)
    ...
                                    (an empty line ends the paragraph)

They are checked without a solver::

    python -m sanproof.proofs.find.refuted FILE
"""

import sys
from collections.abc import Iterable
from math import inf
from pathlib import Path

from sanproof.proofs.find.formulas import ANY_CUBE, QuestionPart, boards_of, encode_part, parts_of
from sanproof.proofs.find.questions import CriterionError, Question
from sanproof.proofs.find.terms import read_criteria
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.gates import Gates, dimacs


def search_part_refutation(question: Question, part: QuestionPart) -> str | None:
    """Return a checked certificate that a part has no answer, or None if it has one.

    Raises:
        EvidenceError: The kernel's checker does not accept the refutation.
    """
    from sanproof.proofs.search.solvers import (  # noqa: PLC0415 - a check needs no solver
        search_refutation,
        translate_refutation,
    )

    cnf, beginning = _begin(question, part)
    found = search_refutation(cnf.clauses)
    if found is None:
        return None
    try:
        lines = translate_refutation(found, cnf.clauses)
        check_refutation(cnf.clauses, lines, most_steps=inf)
    except RefutationError as error:
        raise EvidenceError(f"the refutation of {part.name} does not hold: {error}") from error
    return "\n".join([*beginning, *lines]) + "\n\n"


def _begin(question: Question, part: QuestionPart) -> tuple[Gates, list[str]]:
    """Return the formula of a part, and the lines of its certificate before the refutation."""
    cnf = encode_part(part).cnf
    header = [f"cube {part.name}", f"colour {part.colour}", f"question {question}", "open"]
    return cnf, [*header, *dimacs(cnf).splitlines()]


def check_certificates(text: str) -> Question:
    """Check the certificates of a file, and return the question that they prove to have no answer.

    Raises:
        EvidenceError: A certificate is missing, has another formula, or its refutation is wrong.
    """
    paragraphs = text.split("\n\n")
    if len(paragraphs) < 2 or paragraphs.pop():
        raise EvidenceError("the file holds no complete certificate")
    question = _read_question(paragraphs[0])
    parts = parts_of(question)
    known = {(part.name, part.colour): part for part in (*boards_of(question), *parts)}
    refuted = {_check(paragraph, question, known) for paragraph in paragraphs}
    for part in parts:
        if not refuted & {(part.name, part.colour), (ANY_CUBE, part.colour)}:
            raise EvidenceError(f"cube {part.name} for {part.colour} has no certificate")
    return question


def _read_question(paragraph: str) -> Question:
    lines = [line for line in paragraph.split("\n")[:4] if line.startswith("question ")]
    if len(lines) != 1:
        raise EvidenceError(f"{paragraph[:40]!a} begins no certificate")
    pattern, *words = lines[0].removeprefix("question ").split(" ")
    try:
        return Question(pattern, read_criteria(words))
    except CriterionError as error:
        raise EvidenceError(str(error)) from error


def _check(
    paragraph: str, question: Question, known: dict[tuple[str, str], QuestionPart]
) -> tuple[str, str]:
    """Check one certificate of the question; return the name and the colour of its part."""
    lines = paragraph.split("\n")
    name, colour = (line.partition(" ")[2] for line in [*lines, ""][:2])
    if (part := known.get((name, colour))) is None:
        raise EvidenceError(f"{paragraph[:40]!a} begins no certificate of the question")
    cnf, expected = _begin(question, part)
    if lines[: len(expected)] != expected:
        raise EvidenceError(f"cube {part.name}: header or formula is not that of the question")
    try:
        check_refutation(cnf.clauses, lines[len(expected) :], most_steps=inf)
    except RefutationError as error:
        raise EvidenceError(f"cube {part.name}: {error}") from error
    return name, colour


def main(arguments: Iterable[str]) -> int:
    """Check a file. Return 0 if it refutes its question, 1 if not, or 2 if it cannot be read."""
    try:
        (name,) = arguments
        question = check_certificates(Path(name).read_text(encoding="ascii"))
    except EvidenceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except (OSError, ValueError) as error:
        sys.stderr.write(f"name one file of certificates: {error}\n")
        return 2
    sys.stdout.write(f"refuted: {question}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
