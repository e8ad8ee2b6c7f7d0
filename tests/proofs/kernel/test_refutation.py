"""The checker of refutations against truth tables, a naive checker, dratify and a solver."""

import re
from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import dratify
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.refute import translate_refutation
from sanproof.proofs.search.solvers import search_refutation
from tests.examples import examples

Clause = tuple[int, ...]
Step = tuple[Clause, tuple[int, ...]]
"""A derived clause with its hints."""

MOST_VARIABLES = 4


def write(formula: Sequence[Clause], steps: Sequence[Step]) -> list[str]:
    """The lines of a refutation, numbered as they must be."""
    return [
        " ".join(map(str, (number, *lemma, 0, *hints, 0)))
        for number, (lemma, hints) in enumerate(steps, len(formula) + 1)
    ]


def accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    try:
        count = check_refutation(formula, write(formula, steps))
    except RefutationError:
        return False
    assert count == len(steps)
    return True


def satisfiable(formula: Sequence[Clause]) -> bool:
    """By the truth table."""
    variables = sorted({abs(x) for clause in formula for x in clause})
    models = product(*((v, -v) for v in variables))
    return any(all(not set(m).isdisjoint(clause) for clause in formula) for m in models)


def naively_accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    """The definition: each hint, in its turn, is unit or false under what is assumed."""
    known = list(formula)
    for lemma, hints in steps:
        if not naively_follows(known, lemma, hints):
            return False
        known.append(tuple(dict.fromkeys(lemma)))  # a clause is a set of literals
    return bool(steps) and not steps[-1][0]


def naively_follows(known: Sequence[Clause], lemma: Clause, hints: Sequence[int]) -> bool:
    false = dict.fromkeys(lemma, True)
    for hint in hints:
        clause = known[hint - 1]
        rest = [x for x in clause if x not in false]
        if rest == []:
            return True
        if len(rest) != 1:
            return False
        false[-rest[0]] = True
    return False


def dratify_accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    """What another author's checker says of the clauses without their hints."""
    variables = max((abs(x) for c in (*formula, *(s[0] for s in steps)) for x in c), default=0)
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf = dratify.parse_dimacs("\n".join([f"p cnf {variables} {len(lines)}", *lines, ""]))
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    return bool(dratify.check_proof(cnf, proof, check_rat=False).ok)


def refute(formula: Sequence[Clause]) -> list[Step]:
    """CaDiCaL's refutation, with its hints."""
    lines = search_refutation(formula)
    assert lines is not None
    steps = []
    for line in translate_refutation(lines, formula):
        _, *numbers = map(int, line.split(" "))
        zero = numbers.index(0)
        steps.append((tuple(numbers[:zero]), tuple(numbers[zero + 1 : -1])))
    return steps


literals = st.sampled_from([x for v in range(1, MOST_VARIABLES + 1) for x in (v, -v)])


def clauses(longest: int = 4) -> st.SearchStrategy[Clause]:
    """Any clause: literals may be repeated, and stand beside their negations."""
    return st.lists(literals, max_size=longest).map(tuple)


@st.composite
def refutations(draw: st.DrawFn, most_clauses: int = 10) -> tuple[list[Clause], list[Step]]:
    """A formula, and steps that may or may not refute it; hints to whatever stands before."""
    formula = draw(st.lists(clauses(), max_size=most_clauses))
    lemmas = [*draw(st.lists(clauses(2), max_size=4)), ()]
    steps = []
    for number, lemma in enumerate(lemmas, len(formula) + 1):
        hints = st.lists(st.integers(1, number - 1), max_size=8) if number > 1 else st.just([])
        steps.append((lemma, tuple(draw(hints))))
    return formula, steps


@st.composite
def unsatisfiable(draw: st.DrawFn) -> list[Clause]:
    """A formula without a model: as long as there is one, a clause is added that excludes it."""
    random = Random(draw(st.integers(0, 2**32)))
    formula: list[Clause] = []
    for model in product(*((v, -v) for v in range(1, MOST_VARIABLES + 1))):
        if all(not set(model).isdisjoint(clause) for clause in formula):
            formula.append(tuple(-x for x in random.sample(model, random.choice((2, 3)))))
    random.shuffle(formula)
    return formula


# --- Sound: what has a model is never refuted ---


@example(([(), (), (), ()], [((1, 1), (1,)), ((), (5, 1))]))
@settings(max_examples=examples(500))
@given(refutations())
def test_what_is_accepted_has_no_model(case: tuple[list[Clause], list[Step]]) -> None:
    formula, steps = case
    assert accepts(formula, steps) == naively_accepts(formula, steps)
    assert not (accepts(formula, steps) and satisfiable(formula))


def test_of_many_refutations_none_is_of_a_formula_with_a_model() -> None:
    """Both answers happen often, and each is the definition's."""
    random = Random(11)
    every = [x for v in range(1, 4) for x in (v, -v)]
    accepted = 0
    for _ in range(20_000):
        formula = [tuple(random.choices(every, k=random.randint(1, 2))) for _ in range(8)]
        lemmas = [*(tuple(random.choices(every, k=1)) for _ in range(random.randint(0, 2))), ()]
        steps = [
            (lemma, tuple(random.choices(range(1, number), k=random.randint(3, 9))))
            for number, lemma in enumerate(lemmas, len(formula) + 1)
        ]
        holds = accepts(formula, steps)
        accepted += holds
        assert holds == naively_accepts(formula, steps), (formula, steps)
        assert not (holds and satisfiable(formula)), (formula, steps)
    assert 1000 < accepted < 19_000


@settings(max_examples=examples(150))
@given(st.data(), unsatisfiable())
def test_a_refutation_of_more_is_none_of_less(data: st.DataObject, formula: list[Clause]) -> None:
    """A clause becomes a tautology: the numbers stay as they are, and a model may appear."""
    steps = refute(formula)
    at = data.draw(st.integers(0, len(formula) - 1))
    less = [*formula[:at], (1, -1), *formula[at + 1 :]]
    assert not (accepts(less, steps) and satisfiable(less))
    assert accepts(less, steps) == naively_accepts(less, steps)


@settings(max_examples=examples(150))
@given(st.data(), unsatisfiable())
def test_all_agree_on_a_changed_refutation(data: st.DataObject, formula: list[Clause]) -> None:
    """With hints and literals left out, repeated, flipped or exchanged."""
    steps = refute(formula)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(steps) - 1))
        lemma, hints = steps[at]
        changes = [
            (lemma[1:], hints),
            (tuple(-x for x in lemma), hints),
            (lemma, hints[1:]),
            (lemma, hints[:-1]),
            (lemma, hints[::-1]),
            (lemma, (*hints, 1)),
        ]
        steps[at] = data.draw(st.sampled_from(changes))
    assert accepts(formula, steps) == naively_accepts(formula, steps)
    if accepts(formula, steps):
        assert dratify_accepts(formula, steps)


@given(refutations())
def test_nothing_is_changed_by_checking(case: tuple[list[Clause], list[Step]]) -> None:
    formula, steps = case
    before = [list(clause) for clause in formula]
    lines = write(formula, steps)
    try:
        check_refutation(before, lines)
    except RefutationError:
        assert not accepts(formula, steps)
    assert before == [list(clause) for clause in formula]
    assert lines == write(formula, steps)


# --- Complete: what a solver finds is accepted ---


@settings(max_examples=examples(100))
@given(unsatisfiable())
def test_what_a_solver_refutes_is_refuted(formula: list[Clause]) -> None:
    steps = refute(formula)
    assert accepts(formula, steps)
    assert dratify_accepts(formula, steps)


@pytest.mark.parametrize("holes", [1, 2, 3, 4])
def test_pigeons(holes: int) -> None:
    """One pigeon more than holes, each in a hole of its own."""
    pigeons = range(holes + 1)
    formula = [tuple(p * holes + h + 1 for h in range(holes)) for p in pigeons]
    for a, b in combinations(pigeons, 2):
        formula += [(-a * holes - h - 1, -b * holes - h - 1) for h in range(holes)]
    assert accepts(formula, refute(formula))


# --- One by one ---

SQUARE: list[Clause] = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
"""All four clauses of two variables: no model, and no unit clause."""

HOLDS: dict[str, tuple[list[Clause], list[Step]]] = {
    "one step": (SQUARE, [((2,), (1, 2)), ((), (5, 3, 4))]),
    "hints in another order": (SQUARE, [((2,), (2, 1)), ((), (5, 4, 3))]),
    "a hint after the conflict": (SQUARE, [((2,), (1, 2, 3)), ((), (5, 3, 4, 1))]),
    "a hint twice": (SQUARE, [((2,), (1, 1, 2)), ((), (5, 5, 3, 3, 4))]),
    "a hint that holds already": ([(1,), (1, 2), (-1,)], [((), (1, 1, 3))]),
    "the empty clause twice": ([(1,), (-1,)], [((), (1, 2)), ((), (3,))]),
    "a clause of the formula as a step": (
        SQUARE,
        [((1, 2), (1,)), ((2,), (5, 2)), ((), (6, 3, 4))],
    ),
    "a weaker clause": (SQUARE, [((1, 2, 7), (1,)), ((2,), (1, 2)), ((), (6, 3, 4))]),
    "literals repeated in a step": (SQUARE, [((2, 2), (1, 2)), ((2,), (5,)), ((), (6, 3, 4))]),
    "a tautology as a step": ([(1,), (-1,)], [((1, -1), (1,)), ((), (1, 2))]),
    "the empty clause in the formula": ([(1,), ()], [((), (2,))]),
    "units that contradict": ([(1,), (-1,)], [((), (1, 2))]),
    "a chain of units": ([(1,), (-1, 2), (-2, 3), (-3,)], [((), (1, 2, 3, 4))]),
    "a variable of no clause": ([(1,), (-1,)], [((9,), (1, 2)), ((), (1, 2))]),
}
FAILS: dict[str, tuple[list[Clause], list[Step]]] = {
    "no step": (SQUARE, []),
    "no step though the formula has the empty clause": ([()], []),
    "no hints": (SQUARE, [((), ())]),
    "too few hints": (SQUARE, [((2,), (1,)), ((), (5, 3, 4))]),
    "hints in an order that does not propagate": (SQUARE, [((2,), (1, 2)), ((), (3, 4, 5))]),
    "no conflict": ([(1,), (-1, 2)], [((), (1, 2))]),
    "the last clause not empty": (SQUARE, [((2,), (1, 2))]),
    "a step after the empty clause": ([(1,), (-1,)], [((), (1, 2)), ((5,), (3,))]),
    "the opposite of what follows": (SQUARE, [((-2,), (1, 2)), ((), (5, 3, 4))]),
    "a tautology helps nobody": ([(1, -1)], [((), (1,))]),
    "a repeated literal is one literal more": ([(1, 1), (-1,)], [((), (1, 2))]),
    "the empty formula": ([], [((), ())]),
}


@pytest.mark.parametrize(("formula", "steps"), HOLDS.values(), ids=HOLDS)
def test_it_holds(formula: list[Clause], steps: list[Step]) -> None:
    assert check_refutation(formula, write(formula, steps)) == len(steps)
    assert not satisfiable(formula)


@pytest.mark.parametrize(("formula", "steps"), FAILS.values(), ids=FAILS)
def test_it_does_not_hold(formula: list[Clause], steps: list[Step]) -> None:
    with pytest.raises(RefutationError):
        check_refutation(formula, write(formula, steps))


FORMULA: list[Clause] = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
GOOD = ["5 2 0 1 2 0", "6 0 5 3 4 0"]
SATISFIABLE: list[Clause] = [(1, 2), (-1, 2)]
BAD_FILES: dict[str, tuple[list[Clause], list[str]]] = {
    "bad hint": (FORMULA, ["5 2 0 1 3 0", "6 0 5 3 4 0"]),
    "no empty clause": (FORMULA, ["5 2 0 1 2 0"]),
    "bare": (FORMULA, ["5 0 0"]),
    "bare, satisfiable": (SATISFIABLE, ["3 0 0"]),
    "unit, satisfiable": (SATISFIABLE, ["3 2 0 1 2 0", "4 0 3 0"]),
    "rubbish": (FORMULA, ["it is so"]),
    "nothing": (FORMULA, []),
}
"""Some checkers that people use accept one or the other of these."""


def test_the_order_and_number_of_a_clause_s_literals_do_not_matter() -> None:
    """A clause is a set; one that repeats a literal takes no more room than one that does not."""
    formula = [(2, 1), (-1, 2), (1, -2), (-2, -1)]
    assert check_refutation(formula, ["5 2 2 2 0 1 2 0", "6 0 5 3 4 0"]) == 2


def test_the_good_file_is_accepted() -> None:
    assert check_refutation(FORMULA, GOOD) == 2


@pytest.mark.parametrize(("formula", "lines"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_refused(formula: list[Clause], lines: list[str]) -> None:
    with pytest.raises(RefutationError):
        check_refutation(formula, lines)


def changed(at: int, old: str, new: str) -> list[str]:
    assert old in GOOD[at]
    return [line.replace(old, new, 1) if i == at else line for i, line in enumerate(GOOD)]


BAD_FORM: dict[str, list[str]] = {
    "a hint to itself": changed(0, "1 2 0", "1 5 0"),
    "a hint to the next line": changed(0, "1 2 0", "1 6 0"),
    "a hint to a line of the formula beyond it": changed(1, "3 4 0", "3 7 0"),
    "a huge hint": changed(0, "1 2 0", f"1 {10**30} 0"),
    "a negative hint": changed(0, "1 2 0", "1 -2 0"),
    "a hint of minus one": changed(1, "5 3 4", "-1 3 4"),
    "zero for a hint": changed(0, "1 2 0", "0 1 2 0"),
    "no zero at the end": changed(0, "1 2 0", "1 2"),
    "no zero between": changed(1, "6 0 5", "6 5"),
    "another number at the end": changed(1, "4 0", "4 1"),
    "a number less": changed(0, "5 ", "4 "),
    "a number more": changed(1, "6 ", "7 "),
    "a negative number": changed(0, "5 ", "-5 "),
    "a deletion": [GOOD[0], "5 d 1 0", GOOD[1]],
    "a comment": ["c by hand", *GOOD],
    "an empty line": [GOOD[0], "", GOOD[1]],
    "an empty line at the end": [*GOOD, ""],
    "a space at the end": changed(0, "2 0", "2 0 "),
    "two spaces": changed(0, "5 ", "5  "),
    "a word": changed(0, "1", "one"),
    "a number alone": ["5"],
    "a number and a zero": ["5 0"],
    "a number too long to read": changed(0, "1 2 0", f"1 {'9' * 5000} 0"),
}
BAD_NUMBERS: dict[str, list[str]] = {
    "an underscore": changed(0, "5 ", "0_5 "),
    "a plus sign": changed(0, "5 ", "+5 "),
    "a leading zero": changed(0, "5 ", "005 "),
    "a plus sign in a literal": changed(0, "2 0", "+2 0"),
    "a leading zero in a hint": changed(1, "3 4", "03 4"),
    "minus zero for the end": changed(1, "4 0", "4 -0"),
    "minus zero between": changed(1, "6 0", "6 -0"),
    "another alphabet's digit": changed(0, "5 ", "\u0665 "),
    "a tab": changed(0, "5 ", "5\t "),
    "a line end": changed(0, "5 2", "5 \n2"),
}
"""What Python reads as a number, and LRAT does not write."""


@pytest.mark.parametrize("lines", BAD_FORM.values(), ids=BAD_FORM)
def test_no_other_form_is_read(lines: list[str]) -> None:
    with pytest.raises(RefutationError, match=r"is not a? ?line") as caught:
        check_refutation(FORMULA, lines)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("lines", BAD_NUMBERS.values(), ids=BAD_NUMBERS)
def test_numbers_are_read_as_lrat_writes_them(lines: list[str]) -> None:
    with pytest.raises(RefutationError, match=r"not written as in LRAT|is not a line") as caught:
        check_refutation(FORMULA, lines)
    assert str(caught.value).isprintable()


# --- The limit on steps ---


@settings(max_examples=examples(200))
@given(refutations(), st.integers(-1, 1))
def test_the_hints_name_no_more_literals_than_allowed(
    case: tuple[list[Clause], list[Step]], more: int
) -> None:
    """With as many allowed as are named, all is as without a limit; with fewer, it is refused."""
    formula, steps = case
    known = [*formula, *(tuple(set(lemma)) for lemma, _ in steps)]
    named = sum(len(known[hint - 1]) for _, hints in steps for hint in hints)
    lines = write(formula, steps)
    try:
        count = check_refutation(formula, lines, named + more)
    except RefutationError as error:
        is_limit = str(error).endswith(": the hints name more than any run's do")
        assert is_limit <= (more < 0)
        assert is_limit or not accepts(formula, steps)
    else:
        assert more >= 0
        assert count == len(steps)


def test_the_clause_that_takes_too_many_steps_is_named() -> None:
    """Of the good file, the first clause takes four, and the second five."""
    assert check_refutation(FORMULA, GOOD, 9) == 2
    for most, clause in ((8, 6), (4, 6), (3, 5), (0, 5)):
        with pytest.raises(RefutationError) as caught:
            check_refutation(FORMULA, GOOD, most)
        assert str(caught.value) == f"clause {clause}: the hints name more than any run's do"


def test_so_many_steps_are_allowed_by_default() -> None:
    """The hints name a clause of one literal again and again."""
    most = 256 * 1024
    formula = [(1,), (-1,)]
    assert check_refutation(formula, [f"3 0{' 1' * (most - 1)} 2 0"]) == 1
    with pytest.raises(RefutationError, match=r"more than any run's do$"):
        check_refutation(formula, [f"3 0{' 1' * most} 2 0"])


# --- What is said ---


def test_the_offending_clause_is_named() -> None:
    with pytest.raises(
        RefutationError, match=r"^clause 6, \[-3\], does not follow from its hints$"
    ):
        check_refutation(FORMULA, [GOOD[0], "6 -3 0 5 0"])


def test_the_offending_line_is_named() -> None:
    told = "'5 0 0 0' is not line 6 with hints to lines before"
    with pytest.raises(RefutationError, match=rf"^{re.escape(told)}$"):
        check_refutation(FORMULA, [GOOD[0], "5 0 0 0"])


@pytest.mark.parametrize("end", [[], ["5 2 0 1 2 0"]])
def test_a_missing_end_is_told(end: list[str]) -> None:
    with pytest.raises(RefutationError, match=r"^the refutation does not end in the empty clause$"):
        check_refutation(FORMULA, end)
