"""Makes CaDiCaL's LRAT the certificate's: numbers of the formula, and only what is needed.

Untrusted: the kernel follows every line of it.

CaDiCaL numbers the clauses of the formula and those that it derives as they come to it. A clause
that it shortens while it reads the formula takes the next number at once, and all later clauses
of the formula move up. So the numbers that no derived clause has are the formula's, in order.
"""

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sanproof.proofs.encoding.cnf import Clause


class ForeignStep(Exception):
    """A step of CaDiCaL's that the kernel does not follow: not by propagation alone."""


def translate_refutation(lines: Sequence[str], formula: Sequence[Clause]) -> list[str]:
    """CaDiCaL's lines with the formula's numbers, trimmed from the back.

    Returns:
        Lines in the form of :mod:`proofs.kernel.refutation`, the last one the empty clause.

    Raises:
        ForeignStep: A clause that is needed does not follow by propagation.
    """
    derived = {line.split(" ", 1)[0]: line for line in lines if " d " not in line}
    needed = _needed(derived)
    numbers = _Numbers(map(int, derived))
    numbers |= {step.number: str(len(formula) + i) for i, step in enumerate(needed, 1)}
    return [_write(step, numbers) for step in needed]


class _Numbers(dict[str, str]):
    """The numbers of a certificate by CaDiCaL's, both as they are written.

    Those of the formula's clauses are found when they are first asked for.
    """

    def __init__(self, derived: Iterable[int]) -> None:
        super().__init__()
        self._derived = sorted(derived)

    def __missing__(self, theirs: str) -> str:
        number = int(theirs)
        ours = self[theirs] = str(number - bisect(self._derived, number))
        return ours


class _Step(NamedTuple):
    """A derived clause: its number, its literals, and its hints, as CaDiCaL writes them."""

    number: str
    literals: list[str]
    hints: list[str]


def _needed(derived: Mapping[str, str]) -> list[_Step]:
    """The derived clauses from which the last one follows, and that one, in order."""
    in_order = sorted(derived, key=int)
    marked = {*in_order[-1:]}
    needed = []
    for number in reversed(in_order):
        if number in marked:
            step = _read(derived[number])
            needed.append(step)
            marked.update(step.hints)
    return needed[::-1]


def _read(line: str) -> _Step:
    number, *rest = line.split()
    zero = rest.index("0")
    hints = rest[zero + 1 : -1]
    if "-" in "".join(hints):
        raise ForeignStep(line)
    return _Step(number, rest[:zero], hints)


def _write(step: _Step, numbers: _Numbers) -> str:
    hints = map(numbers.__getitem__, step.hints)
    return " ".join([numbers[step.number], *step.literals, "0", *hints, "0"])
