"""The checker of refutations against truth tables, a naive checker, dratify and a solver."""

import re
from collections.abc import Sequence
from itertools import product
from random import Random

import dratify
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.refute import translate_refutation
from sanproof.proofs.search.solvers import search_refutation
from tests.examples import examples
from tests.proofs.kernel.evidence import Clause, Step, refutes, write_steps

MOST_VARIABLES = 4


def write(formula: Sequence[Clause], steps: Sequence[Step]) -> list[str]:
    """Return the lines of a refutation, numbered as they must be."""
    return write_steps(steps, len(formula) + 1)


def checked(formula: Sequence[Clause], lines: list[str]) -> int | None:
    """Count the refutation's clauses; None if it does not hold. Nothing is changed by that."""
    before = [[*clause] for clause in formula], [*lines]
    try:
        return check_refutation(formula, lines)
    except RefutationError:
        return None
    finally:
        assert before == ([[*clause] for clause in formula], lines)


def accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    count = checked(formula, write(formula, steps))
    assert count in {None, len(steps)}
    return count is not None


def satisfiable(formula: Sequence[Clause]) -> bool:
    """Check by the truth table whether a formula has a model."""
    variables = sorted({abs(x) for clause in formula for x in clause})
    models = product(*((v, -v) for v in variables))
    return any(all(not set(m).isdisjoint(clause) for clause in formula) for m in models)


def dratify_accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    """Return what another author's checker says of the clauses without their hints."""
    variables = max((abs(x) for c in (*formula, *(s[0] for s in steps)) for x in c), default=0)
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf = dratify.parse_dimacs("\n".join([f"p cnf {variables} {len(lines)}", *lines, ""]))
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    return bool(dratify.check_proof(cnf, proof, check_rat=False).ok)


def refute(formula: Sequence[Clause]) -> list[Step]:
    """Return CaDiCaL's refutation, with its hints."""
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
    """Draw any clause: literals may be repeated, and stand beside their negations."""
    return st.lists(literals, max_size=longest).map(tuple)


@st.composite
def refutations(draw: st.DrawFn, most_clauses: int = 10) -> tuple[list[Clause], list[Step]]:
    """Draw a formula, and steps that may or may not refute it; hints to whatever stands before."""
    formula = draw(st.lists(clauses(), max_size=most_clauses))
    lemmas = [*draw(st.lists(clauses(2), max_size=4)), ()]
    steps = []
    for number, lemma in enumerate(lemmas, len(formula) + 1):
        hints = st.lists(st.integers(1, number - 1), max_size=8) if number > 1 else st.just([])
        steps.append((lemma, tuple(draw(hints))))
    return formula, steps


@st.composite
def unsatisfiable(draw: st.DrawFn) -> list[Clause]:
    """Draw a formula without a model: as long as there is one, add a clause that excludes it."""
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
    assert accepts(formula, steps) == refutes(formula, steps)
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
        assert holds == refutes(formula, steps), (formula, steps)
        assert not (holds and satisfiable(formula)), (formula, steps)
    assert 1000 < accepted < 19_000


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
    assert accepts(formula, steps) == refutes(formula, steps)
    if accepts(formula, steps):
        assert dratify_accepts(formula, steps)


# --- Complete: what a solver finds is accepted ---


@settings(max_examples=examples(100))
@given(unsatisfiable())
def test_what_a_solver_refutes_is_refuted(formula: list[Clause]) -> None:
    steps = refute(formula)
    assert accepts(formula, steps)
    assert dratify_accepts(formula, steps)


# --- One by one ---

FORMULA: list[Clause] = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
"""All four clauses of two variables: no model, and no unit clause."""
GOOD = ["5 2 0 1 2 0", "6 0 5 3 4 0"]

HOLDS: list[tuple[list[Clause], list[Step]]] = [
    (FORMULA, [((1, 2, 7), (1,)), ((2, 2), (1, 1, 2, 3)), ((), (6, 3, 3, 4, 1))]),
    ([(1,), (-1,)], [((1, -1), (1,)), ((9,), (1, 2)), ((), (1, 2)), ((), (5,))]),
    ([(1,), ()], [((), (2,))]),
]
FAILS: list[tuple[list[Clause], list[Step]]] = [
    (FORMULA, []),
    ([()], []),  # no step, though the formula has the empty clause
    ([], [((), ())]),
    (FORMULA, [((), ())]),
    (FORMULA, [((2,), (1, 2)), ((), (3, 4, 5))]),  # in an order that does not propagate
    ([(1,), (-1,)], [((), (1, 2)), ((5,), (3,))]),
    ([(1,), (-1, 2)], [((), (1, 2))]),
    ([(1, -1)], [((), (1,))]),
    ([(1, 1), (-1,)], [((), (1, 2))]),  # a repeated literal is one literal more
    ([(1, 2), (-1, 2)], [((2,), (1, 2)), ((), (3,))]),
]


def test_known_refutations() -> None:
    for expected, cases in ((True, HOLDS), (False, FAILS)):
        for formula, steps in cases:
            assert accepts(formula, steps) == refutes(formula, steps) == expected, steps
    assert check_refutation(FORMULA, GOOD) == 2
    reordered = [(2, 1), (-1, 2), (1, -2), (-2, -1)]  # a clause is a set
    assert check_refutation(reordered, ["5 2 2 2 0 1 2 0", GOOD[1]]) == 2


NUMBER = r"(?:0|-?[1-9][0-9]*)"


def strictly_read(lines: Sequence[str]) -> list[Step] | None:
    """Return the steps if the lines are as described: whole numbers, single spaces, two zeros."""
    steps = []
    for expected, line in enumerate(lines, len(FORMULA) + 1):
        if not re.fullmatch(f"{NUMBER}( {NUMBER})*", line):
            return None
        number, *numbers = (int(text) if len(text) < 99 else 10**99 for text in line.split(" "))
        if number != expected or numbers[-1:] != [0] or 0 not in numbers[:-1]:
            return None
        zero = numbers.index(0)
        steps.append((tuple(numbers[:zero]), tuple(numbers[zero + 1 : -1])))
        if not all(0 < hint < number for hint in steps[-1][1]):
            return None
    return steps


PIECES = ["", " ", "0", "-", "+", "_", "\t", "\n", "d ", "c ", "5 ", "1 0", "6", "-0", "one", "."]
PIECES += ["\u0665", "\xb2", " 0 ", "9" * 30, "9" * 5000, "3 4 0", "-1 ", "7"]


@settings(max_examples=examples(600))
@given(st.integers(0, 1), st.integers(0, 12), st.integers(0, 4), st.sampled_from(PIECES))
@example(0, 0, 0, "0")
@example(1, 10, 1, "-0")
@example(0, 4, 2, "1 5")
@example(0, 10, 1, "1")
def test_lines_are_read_as_lrat_writes_them(line: int, at: int, cut: int, put: str) -> None:
    """A deletion, another number, another spelling of a number, a hint to itself: all refused."""
    lines = [*GOOD]
    lines[line] = lines[line][:at] + put + lines[line][at + cut :]
    steps = strictly_read(lines)
    holds = steps is not None and refutes(FORMULA, steps)
    assert (checked(FORMULA, lines) is not None) == holds


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["it is so"], "'it is so' is not a line of a refutation"),
        (["5"], "'5' is not a line of a refutation"),
        (["5 0"], "'5 0' is not a line of a refutation"),
        ([GOOD[0], "", GOOD[1]], "'' is not a line of a refutation"),
        ([GOOD[0], "5 d 1 0", GOOD[1]], "'5 d 1 0' is not a line of a refutation"),
        ([f"5 2 0 1 {'9' * 5000} 0"], f"'5 2 0 1 {'9' * 52}' is not a line of a refutation"),
        (["05 2 0 1 2 0"], "'05 2 0 1 2 0' has numbers that are not written as in LRAT"),
        ([GOOD[0], "5 0 0 0"], "'5 0 0 0' is not line 6 with hints to lines before"),
        ([GOOD[0], "6 0 -1 3 4 0"], "'6 0 -1 3 4 0' is not line 6 with hints to lines before"),
        ([GOOD[0], "6 -3 0 5 0"], "clause 6, [-3], does not follow from its hints"),
        ([], "the refutation does not end in the empty clause"),
        ([GOOD[0]], "the refutation does not end in the empty clause"),
    ],
)
def test_the_offending_line_is_named(lines: list[str], said: str) -> None:
    with pytest.raises(RefutationError) as caught:
        check_refutation(FORMULA, lines)
    assert str(caught.value) == said


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
