from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.search.gates import dimacs
from tests.proofs.encoding.test_cnf import literal, with_inputs


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
