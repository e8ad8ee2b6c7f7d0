"""Solvers, and what is written for them, against truth tables and by the byte."""

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st
from pysat.formula import CNF

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.search.gates import Gates, dimacs
from sanproof.proofs.search.material import at_least, at_most
from sanproof.proofs.search.solvers import CadicalSession, z3_refutes
from tests.proofs.encoding.assignments import (
    INPUTS,
    assert_allows,
    literal,
    literals,
    value,
    with_inputs,
)

Clauses = list[list[Literal]]
clause = st.lists(literal, max_size=3)
formula = st.lists(clause, max_size=30)


def formula_of(clauses: Clauses) -> Cnf:
    cnf = with_inputs(Cnf)
    for clause in clauses:
        cnf.add(*clause)
    return cnf


def is_satisfiable(clauses: Clauses) -> bool:
    """Check by trying every assignment whether the clauses have a model."""
    return any(
        all(any(value(x, bits) for x in clause) for clause in clauses)
        for bits in product((False, True), repeat=INPUTS)
    )


@given(formula, clause, clause)
@example([], [], [])
@example([[2]], [-2], [])
@example([[2, 3]], [3], [-3])
@example([[2, 3]], [3], [-2, -3])
def test_a_session_answers_as_a_truth_table_does(
    clauses: Clauses, added: list[Literal], assumed: list[Literal]
) -> None:
    """Before a clause is added and after, under assumptions and without them again."""
    session = CadicalSession(formula_of(clauses))
    for now in (clauses, [*clauses, added]):
        if now is not clauses:
            session.add(added)
        for given_ in (assumed, []):
            conditions = [*now, *([x] for x in given_)]
            assert session.solve(given_) == is_satisfiable(conditions)
            if session.solve(given_):
                model = [session.holds(x) for x in range(2, 2 + INPUTS)]
                assert all(any(value(x, model) for x in clause) for clause in conditions)
                assert [session.holds(-x) for x in range(2, 2 + INPUTS)] == [not x for x in model]


@given(formula)
@example([])
@example([[]])
def test_z3_refutes_what_has_no_model(clauses: Clauses) -> None:
    """One formula after the other, all in one context."""
    assert z3_refutes(formula_of(clauses)) == (not is_satisfiable(clauses))


@given(formula)
def test_dimacs_is_read_back_by_pysat(clauses: Clauses) -> None:
    cnf = formula_of([*clauses, [2]])
    text = dimacs(cnf)
    assert text.startswith(f"p cnf {cnf.variables} {len(cnf.clauses)}\n1 0\n")
    assert list(map(tuple, CNF(from_string=text).clauses)) == cnf.clauses


@given(st.integers(0, 7), literals)
@example(0, [TRUE])
@example(1, [FALSE])
@example(2, [2, 3, 4, 5])
@example(3, [2, 2, 3, TRUE])
def test_counters_allow_as_many_as_they_say(limit: int, counted: list[Literal]) -> None:
    for count in (at_most, at_least):
        cnf = with_inputs(Gates)
        count(cnf, limit, iter(counted))
        right = int.__le__ if count is at_most else int.__ge__
        assert_allows(cnf, lambda a: right(sum(value(x, a) for x in counted), limit))  # noqa: B023
