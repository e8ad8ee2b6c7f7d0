"""Gates against truth tables: each is asked about every assignment of its inputs."""

from collections.abc import Callable, Sequence
from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
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

Operands = tuple[Literal, Literal, Literal]


def assert_defines(cnf: Gates, gate: Literal, truth: Callable[[Sequence[bool]], bool]) -> None:
    """Check that each assignment has a model, and the gate has this value in all of them."""
    session = CadicalSession(cnf)
    for assignment in product((False, True), repeat=INPUTS):
        right = gate if truth(assignment) else -gate
        assert session.solve([*assumptions(assignment), right])
        assert not session.solve([*assumptions(assignment), -right])


def test_variables_are_numbered_and_counted() -> None:
    """The constant is the first."""
    cnf = Gates()
    assert cnf.variables == abs(TRUE) == abs(FALSE) == 1
    assert [cnf.new() for _ in range(3)] == [2, 3, 4]
    assert cnf.either(2, 3) == cnf.variables == 5
    assert (cnf.either(), cnf.either(FALSE), cnf.both()) == (FALSE, FALSE, TRUE)
    assert cnf.variables == 5


@given(st.lists(literals), st.lists(literals), literals, st.tuples(literal, literal, literal))
@example([], [[2, FALSE]], [], (2, 3, 4))
def test_no_clause_but_the_first_has_a_constant(
    added: list[list[Literal]],
    forbidden: list[list[Literal]],
    operands: list[Literal],
    onward: Operands,
) -> None:
    cnf = with_inputs()
    for clause in added:
        cnf.add(*clause)
    for together in forbidden:
        cnf.forbid(*together)
    cnf.either(*operands)
    cnf.both(*operands)
    cnf.onward(*onward)
    first, *others = cnf.clauses
    assert first == (TRUE,)
    assert all(clause == (FALSE,) or {TRUE, FALSE}.isdisjoint(clause) for clause in others)
    assert () not in others


@given(literals)
@example([])
@example([TRUE])
@example([FALSE, FALSE])
@example([2, -2])
@example([TRUE, FALSE])
def test_gates_and_clauses_mean_what_they_say(operands: list[Literal]) -> None:
    def holding(a: Sequence[bool]) -> int:
        return sum(value(x, a) for x in operands)

    cnf = with_inputs()
    assert_defines(cnf, cnf.both(*operands), lambda a: holding(a) == len(operands))
    assert_defines(cnf, cnf.either(*operands), lambda a: holding(a) > 0)
    asserted: dict[Callable[[Gates], object], Callable[[Sequence[bool]], bool]] = {
        lambda cnf: cnf.add(*operands): lambda a: holding(a) > 0,
        lambda cnf: cnf.forbid(*operands): lambda a: holding(a) < len(operands),
        lambda cnf: cnf.at_most_one(operands): lambda a: holding(a) <= 1,
        lambda cnf: cnf.exactly_one(iter(operands)): lambda a: holding(a) == 1,
    }
    for assert_in, truth in asserted.items():
        cnf = with_inputs()
        assert_in(cnf)
        assert_allows(cnf, truth)


@given(st.lists(literals, max_size=4), literals)
@example([[2, 3]], [3, 2])
@example([[2, 3, 4]], [2, 3])
@example([[2, 3]], [2, 3, 4])
@example([[2, TRUE]], [2, 2])
def test_what_is_known_of_the_forbidden_is_true(
    forbidden: list[list[Literal]], operands: list[Literal]
) -> None:
    """Gates mean what they say, whether made before or after something was forbidden."""
    cnf = with_inputs()
    before = cnf.both(*operands), cnf.either(*operands)
    for together in forbidden:
        cnf.forbid(*together)
    after = cnf.both(*operands), cnf.either(*operands)
    known = cnf.is_forbidden(*operands)
    session = CadicalSession(cnf)
    for assignment in product((False, True), repeat=INPUTS):
        given = [value(x, assignment) for x in operands]
        if any(all(value(x, assignment) for x in together) for together in forbidden):
            assert not session.solve(assumptions(assignment))
            continue
        assert not (known and all(given))
        for both, either in (before, after):
            right = [both if all(given) else -both, either if any(given) else -either]
            assert session.solve([*assumptions(assignment), *right])
            for wrong in right:
                question = [*assumptions(assignment), -wrong]
                assert not session.solve(question)


def test_what_is_forbidden_is_not_defined() -> None:
    cnf = with_inputs()
    cnf.forbid(2, -3, 4)
    size = (cnf.variables, len(cnf.clauses))
    assert cnf.both(4, 2, -3) == FALSE
    assert cnf.either(-2, 3, -4) == TRUE
    assert cnf.is_forbidden(-3, 4, 2)
    assert not cnf.is_forbidden(-3, 4)
    assert (cnf.variables, len(cnf.clauses)) == size


@given(st.lists(st.tuples(literal, literal, literal), min_size=1, max_size=4))
@example([(2, 3, 4)])
@example([(2, 3, 4), (2, 3, 5)])
@example([(2, 3, 4), (2, 5, 4)])
@example([(2, 3, 4), (5, 3, 4)])
@example([(2, 3, 4), (-2, 3, 4)])
def test_gates_of_one_formula_are_told_apart_and_defined_once(asked: list[Operands]) -> None:
    cnf = with_inputs()
    gates = [(cnf.onward(*o), cnf.either(*o), cnf.both(*o)) for o in asked]
    size = (cnf.variables, len(cnf.clauses))
    assert [(cnf.onward(*o), cnf.either(*o[::-1]), cnf.both(*o)) for o in asked] == gates
    assert (cnf.variables, len(cnf.clauses)) == size
    for (a, b, c), (onward, either, both) in zip(asked, gates, strict=True):
        assert_defines(cnf, onward, lambda v: value(a, v) or (value(b, v) and value(c, v)))  # noqa: B023
        assert_defines(cnf, either, lambda v: any(value(x, v) for x in (a, b, c)))  # noqa: B023
        assert_defines(cnf, both, lambda v: all(value(x, v) for x in (a, b, c)))  # noqa: B023
