"""The checker of refutations against truth tables, a naive checker, dratify and two solvers."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import dratify
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from proofs.kernel.refutation import RefutationError, check_refutation

Clause = tuple[int, ...]
MOST_VARIABLES = 5
SOLVERS = ("cadical195", "glucose4")


def clauses(variables: int, shortest: int = 0, longest: int = 4) -> st.SearchStrategy[Clause]:
    """Any clause: literals may be repeated, and stand beside their negations."""
    literal = st.sampled_from([x for v in range(1, variables + 1) for x in (v, -v)])
    return st.lists(literal, min_size=shortest, max_size=longest).map(tuple)


@st.composite
def refutations(draw: st.DrawFn, most_clauses: int = 12) -> tuple[int, list[Clause], list[Clause]]:
    """A formula, and lemmas that may or may not refute it."""
    variables = draw(st.integers(1, MOST_VARIABLES))
    formula = draw(st.lists(clauses(variables), max_size=most_clauses))
    lemmas = draw(st.lists(clauses(variables, longest=3), max_size=6))
    return variables, formula, [*lemmas, ()]


@st.composite
def satisfied(draw: st.DrawFn) -> tuple[int, list[Clause], list[Clause]]:
    """A formula with a model, and lemmas that do not care."""
    variables, formula, lemmas = draw(refutations(most_clauses=30))
    model = [draw(st.sampled_from((v, -v))) for v in range(1, variables + 1)]
    return variables, [c for c in formula if not set(model).isdisjoint(c)], lemmas


@st.composite
def unsatisfiable(draw: st.DrawFn) -> tuple[int, list[Clause]]:
    """A formula without a model: as long as there is one, a clause is added that excludes it."""
    variables = draw(st.integers(3, MOST_VARIABLES))
    random = Random(draw(st.integers(0, 2**32)))
    formula: list[Clause] = []
    while model := find_model(variables, formula):
        excluded = random.sample(model, random.choice((2, 3)))
        formula.append(tuple(-x for x in excluded))
    return variables, formula


def find_model(variables: int, formula: Sequence[Clause]) -> Clause | None:
    """The first line of the truth table that makes the formula true, as literals."""
    for model in product(*((v, -v) for v in range(1, variables + 1))):
        if not any(set(model).isdisjoint(clause) for clause in formula):
            return model
    return None


def satisfiable(variables: int, formula: Sequence[Clause]) -> bool:
    return find_model(variables, formula) is not None


def accepts(variables: int, formula: Sequence[Clause], lemmas: Sequence[Clause]) -> bool:
    try:
        check_refutation(variables, formula, lemmas)
    except RefutationError:
        return False
    return True


def naively_accepts(formula: Sequence[Clause], lemmas: Sequence[Clause]) -> bool:
    """The definition of reverse unit propagation, and nothing besides."""
    known = list(formula)
    for lemma in lemmas:
        if not naively_conflicting(known, {-x for x in lemma}):
            return False
        known.append(lemma)
    return not lemmas[-1]


def naively_conflicting(known: Sequence[Clause], true: set[int]) -> bool:
    while not any(-x in true for x in true):
        false = {-x for x in true}
        remaining = [set(clause) - false for clause in known if true.isdisjoint(clause)]
        if not all(remaining):
            return True
        units = {x for clause in remaining if len(clause) == 1 for x in clause}
        if not units:
            return False
        true |= units
    return True


def dratify_accepts(
    variables: int, formula: Sequence[Clause], lemmas: Sequence[Clause], *, rat: bool
) -> bool:
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf = dratify.parse_dimacs("\n".join([f"p cnf {variables} {len(lines)}", *lines, ""]))
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma in lemmas)
    return bool(dratify.check_proof(cnf, proof, check_rat=rat).ok)


def refuted_by(solver: str, formula: Sequence[Clause]) -> list[Clause]:
    with Solver(name=solver, bootstrap_with=formula, with_proof=True) as session:
        assert not session.solve()
        lines = [line.split() for line in session.get_proof()]
    lemmas = [tuple(map(int, line[:-1])) for line in lines if line[0] != "d"]
    return [lemma for lemma in lemmas if lemma] + [()]


def pigeonhole(holes: int) -> tuple[int, list[Clause]]:
    """One pigeon more than holes, each in a hole of its own."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    pigeons = range(holes + 1)
    formula: list[Clause] = [tuple(sits(p, h) for h in range(holes)) for p in pigeons]
    pairs = [(a, b, h) for a, b in combinations(pigeons, 2) for h in range(holes)]
    return len(pigeons) * holes, formula + [(-sits(a, h), -sits(b, h)) for a, b, h in pairs]


# --- Sound: what has a model is never refuted ---


def random_clause(random: Random, variables: int, longest: int) -> Clause:
    literals = [x for v in range(1, variables + 1) for x in (v, -v)]
    return tuple(random.choices(literals, k=random.randint(0, longest)))


def test_of_many_formulas_none_that_has_a_model_is_refuted() -> None:
    """And what is accepted is what the definition accepts; both happen often enough."""
    random = Random(2024)
    refuted = 0
    for _ in range(10_000):
        variables = random.randint(1, MOST_VARIABLES)
        some = random.randint(0, 6 * variables)
        formula = [random_clause(random, variables, 3) or (1,) for _ in range(some)]
        lemmas = [random_clause(random, variables, 2) for _ in range(random.randint(0, 4))]
        accepted = accepts(variables, formula, [*lemmas, ()])
        refuted += accepted
        assert accepted == naively_accepts(formula, [*lemmas, ()]), (formula, lemmas)
        assert not (accepted and satisfiable(variables, formula)), (formula, lemmas)
    assert 1000 < refuted < 9000


@settings(max_examples=200)
@given(satisfied())
def test_what_has_a_model_is_never_refuted(case: tuple[int, list[Clause], list[Clause]]) -> None:
    variables, formula, lemmas = case
    assert satisfiable(variables, formula)
    assert not accepts(variables, formula, lemmas)


@settings(max_examples=200)
@given(refutations())
def test_what_is_refuted_has_no_model(case: tuple[int, list[Clause], list[Clause]]) -> None:
    variables, formula, lemmas = case
    assert not (accepts(variables, formula, lemmas) and satisfiable(variables, formula))


@settings(max_examples=100)
@given(st.data(), unsatisfiable())
def test_a_refutation_of_more_is_not_one(
    data: st.DataObject, case: tuple[int, list[Clause]]
) -> None:
    """The steps are those that refute a formula, of which a clause is then left out."""
    variables, formula = case
    lemmas = refuted_by("cadical195", formula)
    at = data.draw(st.integers(0, len(formula) - 1))
    less = formula[:at] + formula[at + 1 :]
    accepted = accepts(variables, less, lemmas)
    assert accepted == naively_accepts(less, lemmas)
    assert not (accepted and satisfiable(variables, less))


# --- Complete: what follows by unit propagation is accepted ---


@settings(max_examples=60)
@pytest.mark.parametrize("solver", SOLVERS)
@given(case=unsatisfiable())
def test_what_a_solver_refutes_is_refuted(solver: str, case: tuple[int, list[Clause]]) -> None:
    variables, formula = case
    lemmas = refuted_by(solver, formula)
    check_refutation(variables, formula, lemmas)
    assert dratify_accepts(variables, formula, lemmas, rat=False)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("holes", [1, 2, 3, 4, 5])
def test_pigeons(solver: str, holes: int) -> None:
    variables, formula = pigeonhole(holes)
    lemmas = refuted_by(solver, formula)
    check_refutation(variables, formula, lemmas)
    if holes > 2:  # nothing less: no unit clause, so no step follows from none
        assert not accepts(variables, formula, [()])
        assert not accepts(variables, formula[1:], lemmas)


@settings(max_examples=200)
@given(refutations())
def test_it_accepts_what_the_definition_does(case: tuple[int, list[Clause], list[Clause]]) -> None:
    variables, formula, lemmas = case
    assert accepts(variables, formula, lemmas) == naively_accepts(formula, lemmas)


@settings(max_examples=150)
@given(refutations())
def test_dratify_agrees(case: tuple[int, list[Clause], list[Clause]]) -> None:
    """Without its second rule (RAT) it accepts the same; with it no less."""
    variables, formula, lemmas = case
    accepted = accepts(variables, formula, lemmas)
    assert accepted == dratify_accepts(variables, formula, lemmas, rat=False)
    assert dratify_accepts(variables, formula, lemmas, rat=True) >= accepted


@settings(max_examples=100)
@given(st.data(), unsatisfiable())
def test_all_agree_on_a_mutated_refutation(
    data: st.DataObject, case: tuple[int, list[Clause]]
) -> None:
    """Steps left out, repeated, exchanged, or with literals left out or negated."""
    variables, formula = case
    lemmas = refuted_by(data.draw(st.sampled_from(SOLVERS)), formula)[:-1]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lemmas)))
        lemma = lemmas[at] if at < len(lemmas) else ()
        replacements: list[list[Clause]] = [
            [],
            [lemma[1:]],
            [tuple(-x for x in lemma)],
            [lemma[::-1], lemma],
        ]
        lemmas[at : at + 1] = data.draw(st.sampled_from(replacements))
    lemmas.append(())
    accepted = accepts(variables, formula, lemmas)
    assert accepted == naively_accepts(formula, lemmas)
    assert accepted == dratify_accepts(variables, formula, lemmas, rat=False)


@given(refutations())
def test_nothing_is_changed_by_checking(case: tuple[int, list[Clause], list[Clause]]) -> None:
    variables, formula, lemmas = case
    mutable = [list(clause) for clause in formula], [list(lemma) for lemma in lemmas]
    try:
        check_refutation(variables, *mutable)
    except RefutationError:
        assert not accepts(variables, formula, lemmas)
    assert mutable == ([list(clause) for clause in formula], [list(lemma) for lemma in lemmas])


# --- One by one ---

SQUARE: list[Clause] = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
"""All four clauses of two variables: no model, and no unit clause."""

HOLDS: dict[str, tuple[int, list[Clause], list[Clause]]] = {
    "one step": (2, SQUARE, [(1,), ()]),
    "another": (2, SQUARE, [(-2,), ()]),
    "a step twice": (2, SQUARE, [(1,), (1,), (), ()]),
    "a clause of the formula as a step": (2, SQUARE, [(1, 2), (1,), ()]),
    "literals repeated in the formula": (2, [(1, 1, 2, 2), *SQUARE[1:]], [(1,), ()]),
    "literals repeated in a step": (2, SQUARE, [(1, 1, 1), ()]),
    "a tautology as a step": (2, SQUARE, [(2, 1, -2), (1,), ()]),
    "a tautology in the formula": (2, [(1, -1), (2, -2, 2), *SQUARE], [(1,), ()]),
    "the empty clause in the formula": (2, [()], [()]),
    "the empty clause behind others": (2, [(1,), (2, -1), ()], [(-1,), ()]),
    "the empty clause and no variables": (0, [()], [()]),
    "units that contradict": (1, [(1,), (-1,)], [()]),
    "a chain of units": (3, [(1,), (-1, 2), (-2, 3), (-3,)], [()]),
    "a chain, units last": (3, [(-2, 3), (-1, 2), (-3, -2), (1,)], [()]),
    "units repeated": (1, [(1, 1), (-1, -1)], [()]),
    "steps after the empty clause": (2, SQUARE, [(1,), (), (2,), ()]),
}
FAILS: dict[str, tuple[int, list[Clause], list[Clause]]] = {
    "no step": (2, SQUARE, []),
    "the empty clause at once": (2, SQUARE, [()]),
    "no empty clause": (2, SQUARE, [(1,)]),
    "the empty clause not last": (2, SQUARE, [(1,), (), (2,)]),
    "the empty formula": (0, [], [()]),
    "the empty formula with variables": (3, [], [(1,), ()]),
    "only tautologies": (2, [(1, -1), (2, -2)], [()]),
    "a tautology helps nobody": (2, [(1, -1, 2), (1, -2)], [(1,), ()]),
    "a step that contradicts another": (1, [], [(1,), (-1,), ()]),
    "one clause too few": (2, SQUARE[:3], [(1,), ()]),
    "a repeated literal is one": (2, [(1, 1), (-1, 2, 2)], [()]),
    "units without a contradiction": (3, [(1,), (-1, 2), (-2, 3)], [()]),
    "a step from the future": (3, [(1, 2, 3), *SQUARE[1:]], [(1,), ()]),
}
FOREIGN: dict[str, tuple[int, list[Clause], list[Clause]]] = {
    "zero": (2, SQUARE, [(1, 0), ()]),
    "zero alone": (2, SQUARE, [(1,), (0,), ()]),
    "zero in a tautology": (2, SQUARE, [(1, -1, 0), (1,), ()]),
    "too large": (2, SQUARE, [(1, 3), (1,), ()]),
    "too small": (2, SQUARE, [(1, -3), (1,), ()]),
    "too large by an index's length": (2, SQUARE, [(1, 5), (1,), ()]),
    "too small by an index's length": (2, SQUARE, [(1, -5), (1,), ()]),
    "huge": (2, SQUARE, [(1, 10**30), (1,), ()]),
    "in a step after the refutation": (2, SQUARE, [(1,), (), (3,), ()]),
    "no variables": (0, [()], [(1,), ()]),
}


@pytest.mark.parametrize(("variables", "formula", "lemmas"), HOLDS.values(), ids=HOLDS)
def test_it_holds(variables: int, formula: list[Clause], lemmas: list[Clause]) -> None:
    check_refutation(variables, formula, lemmas)
    assert not satisfiable(variables, formula)


@pytest.mark.parametrize(("variables", "formula", "lemmas"), FAILS.values(), ids=FAILS)
def test_it_does_not_hold(variables: int, formula: list[Clause], lemmas: list[Clause]) -> None:
    with pytest.raises(RefutationError):
        check_refutation(variables, formula, lemmas)


@pytest.mark.parametrize(("variables", "formula", "lemmas"), FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_literal(variables: int, formula: list[Clause], lemmas: list[Clause]) -> None:
    with pytest.raises(RefutationError, match="not the formula's"):
        check_refutation(variables, formula, lemmas)


def test_the_offending_step_is_named() -> None:
    formula = [(1, 2), (1, -2), (3, -4), (4, -3)]
    with pytest.raises(RefutationError, match=r"^clause 2, \[-3\], does not follow$"):
        check_refutation(4, formula, [(1,), (-3,), ()])


def test_a_missing_last_step_is_told() -> None:
    with pytest.raises(RefutationError, match="does not end in the empty clause"):
        check_refutation(2, SQUARE, [(1,)])


def test_a_step_that_does_not_follow_does_not_count() -> None:
    """That the next one follows from it does not help."""
    assert accepts(3, [*SQUARE[:3], (3,)], [(1,), (2,), (3,), ()]) is False
    assert accepts(2, SQUARE, [(1, 2), (1,), ()]) is True
