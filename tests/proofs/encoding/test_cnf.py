"""Gates against truth tables: each is asked about every assignment of its inputs."""

from collections.abc import Callable, Sequence
from itertools import chain, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.solvers import CadicalSession
from tests.proofs.encoding.assignments import (
    INPUTS,
    assert_allows,
    assumptions,
    literal,
    literals,
    value,
    with_inputs,
)

Truth = Callable[[Sequence[bool]], bool]
each_kind = pytest.mark.parametrize("kind", [Cnf, Gates])


@each_kind
def test_variables_are_numbered_and_counted(kind: type[Cnf]) -> None:
    """The constant is the first."""
    cnf = kind()
    assert cnf.variables == abs(TRUE) == abs(FALSE) == 1
    assert [cnf.new() for _ in range(3)] == [2, 3, 4]
    assert cnf.either(2, 3) == cnf.variables == 5
    assert (cnf.either(), cnf.either(FALSE), cnf.both()) == (FALSE, FALSE, TRUE)
    assert (cnf.either(2, TRUE), cnf.both(2, FALSE), cnf.both(2, 2)) == (TRUE, FALSE, 2)
    assert cnf.variables == 5


@each_kind
@given(operands=literals, others=literals)
@example(operands=[], others=[])
@example(operands=[TRUE], others=[FALSE, FALSE])
@example(operands=[2, -2], others=[TRUE, FALSE])
def test_gates_and_clauses_mean_what_they_say(
    kind: type[Cnf], operands: list[Literal], others: list[Literal]
) -> None:
    """No clause but the first has a constant, unless it is the one that cannot hold."""

    def holding(a: Sequence[bool]) -> int:
        return sum(value(x, a) for x in operands)

    cnf = with_inputs(kind)
    both, either = cnf.both(*operands), cnf.either(*operands)
    cnf.add(*others)
    assert_allows(cnf, lambda a: any(value(x, a) for x in others))
    for gate, truth in (
        (both, lambda a: holding(a) == len(operands)),
        (either, lambda a: holding(a) > 0),
    ):
        assert_defines(cnf, gate, truth)
    assert cnf.clauses[0] == (TRUE,)
    clauses = cnf.clauses[1:]
    asserted: list[tuple[Callable[[Gates], object], Truth]] = [
        (lambda cnf: cnf.exactly_one(iter(operands)), lambda a: holding(a) == 1),
        (lambda cnf: cnf.forbid(*operands), lambda a: holding(a) < len(operands)),
        (lambda cnf: cnf.at_most_one(operands), lambda a: holding(a) <= 1),
    ]
    for assert_in, truth in asserted:
        gates = with_inputs(Gates)
        assert_in(gates)
        assert_allows(gates, truth)
        clauses += gates.clauses[1:]
    for clause in clauses:
        assert clause == (FALSE,) or (clause and {TRUE, FALSE}.isdisjoint(clause))


def assert_defines(cnf: Cnf, gate: Literal, truth: Truth) -> None:
    """Check that the gate has this value in all models, of which some assignments may have none."""
    session = CadicalSession(cnf)
    for assignment in product((False, True), repeat=INPUTS):
        wrong = -gate if truth(assignment) else gate
        assert not session.solve([*assumptions(assignment), wrong])


Operands = tuple[Literal, Literal, Literal]


TRUTHS: tuple[Callable[[bool, bool, bool], bool], ...] = (
    lambda a, b, c: a or (b and c),
    lambda a, b, c: a or b or c,
    lambda a, b, c: a and b and c,
)


def gates_of(cnf: Gates, asked: Sequence[Operands]) -> list[Literal]:
    """Return for all operands a gate with each of these values."""
    gates = ((cnf.onward(a, b, c), cnf.either(c, a, b), cnf.both(b, c, a)) for a, b, c in asked)
    return list(chain.from_iterable(gates))


triples = st.lists(st.tuples(literal, literal, literal), min_size=1, max_size=3)


@given(triples, st.lists(literals, max_size=4))
@example([(2, 3, 4), (2, 3, 5), (2, 5, 4)], [])
@example([(2, 3, 4), (5, 3, 4), (-2, 3, 4)], [[2, -3, 4]])
@example([(2, 3, 2)], [[3, 2]])
@example([(2, 3, 3), (2, 2, 2)], [[2, 3, 4], [2, TRUE]])
def test_the_search_defines_once_and_not_what_is_forbidden(
    asked: list[Operands], forbidden: list[list[Literal]]
) -> None:
    """Gates mean what they say, whether made before or after something was forbidden."""
    cnf = with_inputs(Gates)
    gates = gates_of(cnf, asked)
    for together in forbidden:
        cnf.forbid(*together)
    gates += gates_of(cnf, asked)
    size = (cnf.variables, len(cnf.clauses))
    assert gates_of(cnf, asked) == gates[len(gates) // 2 :]
    assert all(cnf.both(*reversed(together)) == FALSE for together in forbidden)
    assert (cnf.variables, len(cnf.clauses)) == size
    assert_allows(cnf, lambda v: not any(all(value(x, v) for x in f) for f in forbidden))
    for gate, (operands, truth) in zip(gates, [*product(asked, TRUTHS)] * 2, strict=True):
        assert_defines(cnf, gate, lambda v: truth(*(value(x, v) for x in operands)))  # noqa: B023
    for some in (*asked, *forbidden):
        if cnf.is_forbidden(*some):
            assert_defines(cnf, FALSE, lambda v: all(value(x, v) for x in some))  # noqa: B023
