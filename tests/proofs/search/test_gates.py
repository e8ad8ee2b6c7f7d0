from hypothesis import example, given
from hypothesis import strategies as st
from pysat.formula import CNF

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.search.gates import dimacs
from sanproof.proofs.search.material import at_least, at_most
from tests.proofs.encoding.assignments import assert_allows, literal, literals, value, with_inputs


@given(st.lists(st.lists(literal, min_size=1, max_size=4), max_size=8))
def test_dimacs_is_read_back_by_pysat(clauses: list[list[Literal]]) -> None:
    cnf = with_inputs()
    for clause in clauses:
        cnf.add(*clause)
    text = dimacs(cnf)
    assert text.startswith(f"p cnf {cnf.variables} {len(cnf.clauses)}\n")
    read = CNF(from_string=text)
    assert list(map(tuple, read.clauses)) == cnf.clauses


def test_dimacs_is_written_to_the_byte() -> None:
    cnf = Cnf()
    a, b = cnf.new(), cnf.new()
    cnf.add(a, FALSE, -b)
    cnf.add(TRUE, b)
    cnf.add(FALSE)
    assert dimacs(cnf) == "p cnf 3 3\n1 0\n2 -3 0\n-1 0\n"


@given(st.integers(0, 7), literals)
@example(0, [TRUE])
@example(2, [2, 3, 4, 5])
def test_at_most_allows_up_to_the_limit(limit: int, counted: list[Literal]) -> None:
    cnf = with_inputs()
    at_most(cnf, limit, iter(counted))
    assert_allows(cnf, lambda a: sum(value(x, a) for x in counted) <= limit)


@given(st.integers(0, 5), literals)
@example(0, [])
@example(1, [FALSE])
@example(2, [2, 3, 4, 5])
@example(3, [2, 2, 3, TRUE])
def test_at_least_demands_the_limit(limit: int, counted: list[Literal]) -> None:
    cnf = with_inputs()
    at_least(cnf, limit, iter(counted))
    assert_allows(cnf, lambda a: sum(value(x, a) for x in counted) >= limit)
