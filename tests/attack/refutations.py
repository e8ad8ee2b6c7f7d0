"""Forged refutations: clauses and hints that lie."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tests.attack.forgery import Forgeries, Forgery, Paragraph, Scene, change_paragraph
from tests.proofs.kernel.evidence import Evidence


class _Line(list[int]):
    """The numbers of a line; the parts that a forger changes."""

    @property
    def zero(self) -> int:
        return self.index(0)

    def with_literals(self, literals: Sequence[int]) -> "_Line":
        return _Line([self[0], *literals, *self[self.zero :]])

    def with_hints(self, hints: Sequence[int]) -> "_Line":
        return _Line([*self[: self.zero + 1], *hints, 0])

    @property
    def literals(self) -> list[int]:
        return self[1 : self.zero]

    @property
    def hints(self) -> list[int]:
        return self[self.zero + 1 : -1]


def _read(lines: Sequence[str]) -> list[_Line]:
    return [_Line(map(int, line.split(" "))) for line in lines]


def _write(lines: Sequence[Sequence[int]]) -> list[str]:
    return [" ".join(map(str, line)) for line in lines]


def refutation(
    change: Callable[[list[_Line], Random], Sequence[Sequence[int]]], least: int = 1
) -> Callable[[Scene], Evidence]:
    """Change the refutation of some cube, given as numbers.

    Args:
        change: The change.
        least: How many lines the refutation must have.
    """
    return change_paragraph(
        lambda p, random: p._replace(lines=_write(change(_read(p.lines), random))),
        lambda p: len(p.lines) >= least,
    )


def line(
    change: Callable[[_Line, Random], Sequence[int]],
    fits: Callable[[_Line], bool] = lambda _: True,
) -> Callable[[Scene], Evidence]:
    """Change one line of a refutation."""

    def of(lines: list[_Line], random: Random) -> list[Sequence[int]]:
        at = random.choice([i for i, found in enumerate(lines) if fits(found)])
        return [*lines[:at], change(lines[at], random), *lines[at + 1 :]]

    return refutation(of, least=6)


def text(change: Callable[[str, Random], str]) -> Callable[[Scene], Evidence]:
    """Change the text of one line of a refutation."""

    def of(p: Paragraph, random: Random) -> Paragraph:
        at = random.randrange(len(p.lines))
        return p._replace(lines=[*p.lines[:at], change(p.lines[at], random), *p.lines[at + 1 :]])

    return change_paragraph(of)


def number(change: Callable[[str], str]) -> Callable[[Scene], Evidence]:
    """Change how one number of a line is written."""

    def of(found: str, random: Random) -> str:
        numbers = found.split(" ")
        at = random.choice([i for i, n in enumerate(numbers) if n != "0"])
        return " ".join([*numbers[:at], change(numbers[at]), *numbers[at + 1 :]])

    return text(of)


def _renumbered(lines: Sequence[_Line], gone: int) -> list[_Line]:
    """Without a line, the numbers of those after it moved up."""
    missing = lines[gone][0]
    kept = [*lines[:gone], *lines[gone + 1 :]]
    return [
        _Line([found[0] - (found[0] > missing), *found[1 : found.zero + 1]]
              + [hint - (hint > missing) for hint in found.hints] + [0])
        for found in kept
    ]  # fmt: skip


def _hint(change: Callable[[int, _Line, Random], int]) -> Callable[[Scene], Evidence]:
    def of(found: _Line, random: Random) -> _Line:
        hints = found.hints
        at = random.randrange(len(hints))
        hints[at] = change(hints[at], found, random)
        return found.with_hints(hints)

    return line(of)


def _swapped(found: _Line, random: Random) -> _Line:
    hints = found.hints
    at = random.randrange(len(hints) - 1)
    hints[at], hints[at + 1] = hints[at + 1], hints[at]
    return found.with_hints(hints)


def _without_a_hint(found: _Line, random: Random) -> _Line:
    hints = found.hints
    del hints[random.randrange(len(hints))]
    return found.with_hints(hints)


def _flipped(found: _Line, random: Random) -> _Line:
    literals = found.literals
    at = random.randrange(len(literals))
    literals[at] = -literals[at]
    return found.with_literals(literals)


def _without_a_literal(found: _Line, random: Random) -> _Line:
    literals = found.literals
    del literals[random.randrange(len(literals))]
    return found.with_literals(literals)


def _without_a_clause(lines: list[_Line], random: Random) -> list[_Line]:
    at = random.randrange(len(lines))
    return [*lines[:at], *lines[at + 1 :]]


def _exchanged(lines: list[_Line], random: Random) -> list[_Line]:
    at = random.randrange(len(lines) - 1)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def _bare(lines: list[_Line], _: Random) -> list[list[int]]:
    """Only the empty clause, without a reason."""
    return [[lines[0][0], 0, 0]]


def _by_itself(lines: list[_Line], _: Random) -> list[list[int]]:
    first = lines[0][0]
    return [[first, 0, first, 0]]


def _by_each_other(lines: list[_Line], _: Random) -> list[list[int]]:
    """Two clauses, each of which follows from the other."""
    first = lines[0][0]
    return [[first, 0, first + 1, 0], [first + 1, 0, first, 0]]


def _by_tautology(lines: list[_Line], random: Random) -> list[list[int]]:
    """A clause that always holds, and the empty clause from it."""
    first, x = lines[0][0], random.randint(2, 500)
    return [[first, x, -x, 0, 1, 0], [first + 1, 0, first, 0]]


def _by_a_fact(lines: list[_Line], _: Random) -> list[list[int]]:
    """The clause that says that true is true, and the empty clause from it."""
    first = lines[0][0]
    return [[first, 1, 0, 1, 0], [first + 1, 0, first, 0]]


def _every_hint(lines: list[_Line], _: Random) -> list[list[int]]:
    """The empty clause, with all clauses of the formula for hints."""
    first = lines[0][0]
    return [[first, 0, *range(1, first), 0]]


def _a_step_more(lines: list[_Line], _: Random) -> list[Sequence[int]]:
    last = lines[-1]
    return [*lines, [last[0] + 1, 2, 0, last[0], 0]]


def _empty_twice(lines: list[_Line], _: Random) -> list[Sequence[int]]:
    last = lines[-1]
    return [*lines, [last[0] + 1, 0, last[0], 0]]


def has_literals(found: _Line) -> bool:
    """Whether a line adds a clause that is not empty."""
    return bool(found.literals)


HINTS: Final[Forgeries] = [
    Forgery("two hints swapped", line(_swapped, lambda x: len(x.hints) > 1), harmless=True),
    Forgery("a hint dropped", line(_without_a_hint), harmless=True),
    Forgery("the last hint dropped", line(lambda x, _: x.with_hints(x.hints[:-1])), harmless=True),
    Forgery("all hints dropped", line(lambda x, _: x.with_hints([]))),
    Forgery("hints from back to front", line(lambda x, _: x.with_hints(x.hints[::-1])),
            harmless=True),
    Forgery("a hint replaced", _hint(lambda _h, x, r: r.randrange(1, x[0])), harmless=True),
    Forgery("a hint one less", _hint(lambda h, _x, _r: h - 1 or 2), harmless=True),
    Forgery("a superfluous hint at the end", line(lambda x, r: x.with_hints(
        [*x.hints, r.randrange(1, x[0])])), harmless=True),
    Forgery("all hints twice", line(lambda x, _: x.with_hints(x.hints * 2)), harmless=True),
    Forgery("a hint to its own line", _hint(lambda _h, x, _r: x[0])),
    Forgery("a hint to the next line", _hint(lambda _h, x, _r: x[0] + 1)),
    Forgery("a hint to a line far off", _hint(lambda _h, x, _r: x[0] + 10**6)),
    Forgery("a huge hint", _hint(lambda _h, _x, _r: 10**30)),
    Forgery("a hint that is too long to read", line(lambda x, _: x.with_hints([10**4000]))),
    Forgery("a negative hint", _hint(lambda h, _x, _r: -h)),
    Forgery("a hint to the last clause, by minus one", _hint(lambda _h, _x, _r: -1)),
    Forgery("zero for a hint", _hint(lambda _h, _x, _r: 0)),
    Forgery("a zero among the hints at the end", line(lambda x, _: [*x, 0])),
    Forgery("no zero at the end", line(lambda x, _: x[:-1])),
    Forgery("another number at the end", line(lambda x, _: [*x[:-1], 1])),
    Forgery("no zero between", line(lambda x, _: [*x[: x.zero], *x[x.zero + 1 :]])),
]  # fmt: skip
CLAUSES: Final[Forgeries] = [
    Forgery("a literal flipped", line(_flipped, has_literals), harmless=True),
    Forgery("a literal left out", line(_without_a_literal, has_literals), harmless=True),
    Forgery("a literal added", line(lambda x, r: x.with_literals(
        [*x.literals, r.randint(2, 900)]), has_literals), harmless=True),
    Forgery("a literal twice", line(lambda x, _: x.with_literals(
        [*x.literals, x.literals[0]]), has_literals), harmless=True),
    Forgery("a literal of no variable", line(lambda x, _: x.with_literals(
        [*x.literals, 10**9]), has_literals), harmless=True),
    Forgery("a clause replaced by the empty one", line(lambda x, _: x.with_literals([]),
            has_literals), harmless=True),
    Forgery("the empty clause replaced", line(lambda x, r: x.with_literals([r.choice((2, -5))]),
            lambda x: not has_literals(x))),
    Forgery("the last clause missing", refutation(lambda lines, _: lines[:-1])),
    Forgery("the first clause missing", refutation(lambda lines, _: lines[1:])),
    Forgery("the first clause missing, renumbered", refutation(
        lambda lines, _: _renumbered(lines, 0), least=2), harmless=True),
    Forgery("a clause missing", refutation(_without_a_clause)),
    Forgery("a clause missing, renumbered", refutation(
        lambda lines, r: _renumbered(lines, r.randrange(len(lines) - 1)), least=2), harmless=True),
    Forgery("a clause twice", refutation(lambda lines, r: sorted(
        [*lines, r.choice(lines)]))),
    Forgery("clauses from back to front", refutation(lambda lines, _: lines[::-1], least=2)),
    Forgery("two clauses exchanged", refutation(_exchanged, least=2)),
    Forgery("a clause after the empty one", refutation(_a_step_more)),
    Forgery("the empty clause twice", refutation(_empty_twice), harmless=True),
    Forgery("numbers from one", refutation(lambda lines, _: [
        [i, *x[1:]] for i, x in enumerate(lines, 1)])),
    Forgery("numbers that skip one", refutation(
        lambda lines, _: [[x[0] + 1, *x[1:]] for x in lines])),
    Forgery("a negative number of a line", line(lambda x, _: [-x[0], *x[1:]])),
    Forgery("nothing but the empty clause", refutation(_bare)),
    Forgery("the empty clause by itself", refutation(_by_itself)),
    Forgery("two empty clauses by each other", refutation(_by_each_other)),
    Forgery("the empty clause by a tautology", refutation(_by_tautology)),
    Forgery("the empty clause by a fact", refutation(_by_a_fact)),
    Forgery("the empty clause by all clauses", refutation(_every_hint, least=2)),
]  # fmt: skip
TEXT: Final[Forgeries] = [
    Forgery("a deletion", text(lambda x, _: f"{x}\n{x.split(' ')[0]} d 1 0")),
    Forgery("a deletion in place of a clause", text(lambda x, _: f"{x.split(' ')[0]} d 1 0")),
    Forgery("a comment", text(lambda x, _: f"c here\n{x}")),
    Forgery("a header of DIMACS", text(lambda x, _: f"p cnf 9 9\n{x}")),
    Forgery("a space at the end of a line", text(lambda x, _: f"{x} ")),
    Forgery("a space before a line", text(lambda x, _: f" {x}")),
    Forgery("two spaces in a line", text(lambda x, _: x.replace(" ", "  ", 1))),
    Forgery("a tab in a line", text(lambda x, _: x.replace(" ", "\t", 1))),
    Forgery("a form feed for a line end", text(lambda x, _: f"{x}\f{x}")),
    Forgery("a line of words", text(lambda _x, _: "it is so")),
    Forgery("a lone zero", text(lambda _x, _: "0")),
    Forgery("a lone number", text(lambda x, _: x.split(" ")[0])),
    Forgery("a letter for a number", number(lambda _: "x")),
    Forgery("a fraction", number(lambda n: f"{n}.0")),
    Forgery("a hexadecimal number", number(lambda n: f"0x{n}")),
    Forgery("an exponent", number(lambda n: f"{n}e0")),
    Forgery("infinity", number(lambda _: "inf")),
    Forgery("a minus and nothing", number(lambda _: "-")),
    Forgery("two minus signs", number(lambda n: f"--{n}")),
    Forgery("a number too long to read", number(lambda _: "7" * 5000)),
    Forgery("a plus sign", number(lambda n: f"+{n.lstrip('-')}")),
    Forgery("a leading zero", number(lambda n: f"-0{n[1:]}" if n[0] == "-" else f"0{n}")),
    Forgery("an underscore", number(lambda n: f"{n[:-1]}_{n[-1]}" if len(n) > 2 else f"0_{n[-1]}")),
    Forgery("minus zero", text(lambda x, _: f"{x[:-1]}-0")),
]  # fmt: skip
REFUTATIONS: Final[Forgeries] = [*HINTS, *CLAUSES, *TEXT]
