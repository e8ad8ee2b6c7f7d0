"""The numberings as programs import them."""

import doctest

import sanproof.positions


def test_the_examples_run() -> None:
    results = doctest.testmod(sanproof.positions)
    assert results.attempted > 3
    assert results.failed == 0
