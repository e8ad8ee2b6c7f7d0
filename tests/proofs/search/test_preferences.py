"""Counters against truth tables."""

from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.search.preferences import at_least, at_most
from tests.proofs.encoding.test_cnf import assert_allows, literals, value, with_inputs


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
