from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.encoding.cnf import Cnf, Literal
from sanproof.proofs.search.solvers import CadicalSession, z3_refutes

VARIABLES = 6

literal = st.sampled_from([sign * (2 + i) for i in range(VARIABLES) for sign in (1, -1)])
clause = st.lists(literal, max_size=3)
formula = st.lists(clause, max_size=30)
assumed = st.lists(literal, max_size=3)


def as_cnf(clauses: list[list[Literal]]) -> Cnf:
    cnf = Cnf()
    for _ in range(VARIABLES):
        cnf.new()
    for literals in clauses:
        cnf.add(*literals)
    return cnf


def holds(literal: Literal, model: dict[int, bool]) -> bool:
    return model[abs(literal)] == (literal > 0)


def is_satisfiable(clauses: list[list[Literal]]) -> bool:
    """Check by trying every assignment whether the clauses have a model."""
    variables = range(2, VARIABLES + 2)
    models = (
        dict(zip(variables, bits, strict=True)) for bits in product((False, True), repeat=VARIABLES)
    )
    return any(
        all(any(holds(x, model) for x in literals) for literals in clauses) for model in models
    )


@given(formula, clause, assumed)
@example([], [], [])
@example([[2]], [-2], [])
@example([[2, 3]], [3], [-3])
@example([[2, 3]], [3], [-2, -3])
def test_a_session_answers_as_a_truth_table_does(
    clauses: list[list[Literal]],
    added: list[Literal],
    assumptions: list[Literal],
) -> None:
    """Before a clause is added and after, under assumptions and without them again."""
    wanted = [x for i in range(VARIABLES) for x in (2 + i, -2 - i)]
    session = CadicalSession(as_cnf(clauses))
    for now in (clauses, [*clauses, added]):
        if now is not clauses:
            session.add(added)
        for given_ in (assumptions, []):
            conditions = [*now, *([x] for x in given_)]
            satisfiable = is_satisfiable(conditions)
            assert session.solve(given_) == satisfiable
            if satisfiable:
                values = {x: session.holds(x) for x in wanted}
                assert all(values[x] != values[-x] for x in wanted)
                assert all(any(values[x] for x in literals) for literals in conditions)


@given(formula)
@example([])
@example([[]])
def test_z3_refutes_what_has_no_model(clauses: list[list[Literal]]) -> None:
    """One formula after the other, all in one context."""
    assert z3_refutes(as_cnf(clauses)) == (not is_satisfiable(clauses))
