"""Makes CaDiCaL's LRAT the certificate's: numbers of the formula, and only what is needed.

Untrusted: the kernel follows every line of it.

CaDiCaL numbers the clauses of the formula and those that it derives as they come to it. A clause
that it shortens while it reads the formula takes the next number at once, and all later clauses
of the formula move up. So the numbers that no derived clause has are the formula's, in order.
"""

from collections.abc import Sequence
from itertools import count, islice

from proofs.encoding.cnf import Clause


class ForeignStep(Exception):
    """A step of CaDiCaL's that the kernel does not follow: not by propagation alone."""


def translate_refutation(lines: Sequence[str], formula: Sequence[Clause]) -> list[str]:
    """CaDiCaL's lines with the formula's numbers, trimmed from the back.

    Args:
        lines: What CaDiCaL wrote; nothing if the formula has the empty clause.
        formula: The clauses of the formula.

    Returns:
        Lines in the form of :mod:`proofs.kernel.refutation`, the last one the empty clause.

    Raises:
        ForeignStep: A derived clause does not follow by propagation.
    """
    if () in formula:
        return [f"{len(formula) + 1} 0 {formula.index(()) + 1} 0"]
    added = (line.split() for line in lines if " d " not in line)
    steps = {int(number): _read(rest) for number, *rest in added}
    needed = _needed(steps)
    given = islice((i for i in count(1) if i not in steps), len(formula))
    numbers = {theirs: ours for ours, theirs in enumerate([*given, *needed], 1)}
    return [_write(numbers, number, *steps[number]) for number in needed]


def _read(rest: Sequence[str]) -> tuple[str, list[int]]:
    """The literals, as they are written, and the hints of a line, without its number."""
    zero = rest.index("0")
    hints = [int(hint) for hint in rest[zero + 1 : -1]]
    if any(hint < 0 for hint in hints):
        raise ForeignStep(" ".join(rest))
    return " ".join(rest[:zero]), hints


def _needed(steps: dict[int, tuple[str, list[int]]]) -> list[int]:
    """The derived clauses from which the last one follows, and that one, in order."""
    last = max(steps, default=0)
    marked = {last}
    needed = []
    for number in sorted(steps, reverse=True):
        if number in marked:
            needed.append(number)
            marked.update(steps[number][1])
    return needed[::-1]


def _write(numbers: dict[int, int], number: int, literals: str, hints: list[int]) -> str:
    parts = [str(numbers[number]), literals, "0", *(str(numbers[hint]) for hint in hints), "0"]
    return " ".join(filter(None, parts))
