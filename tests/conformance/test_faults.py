"""The core finds every planted fault, and nothing in an adapter that is right."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest

import pytest

from sanproof.verify.conformance.judge import Outcome, judge
from sanproof.verify.conformance.suite import Case
from tests.conformance.faults import FAULTS
from tests.conformance.reference import Reference
from tests.conformance.suites import core


@cache
def mixed() -> list[Case]:
    """The cases of the core, one of each mechanism after the other: so faults show early."""
    alike = defaultdict[str, list[Case]](list)
    for case in core().cases:
        alike[case.mechanism].append(case)
    return [case for row in zip_longest(*alike.values()) for case in row if case]


def failed(adapter: Reference) -> Iterator[Case]:
    """The cases that an adapter fails, one after the other."""
    return (case for case in mixed() if judge(case, adapter.answer(case)) is Outcome.FAILED)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """python-chess logs the errors of the games that must be rejected."""
    caplog.set_level("CRITICAL", "chess.pgn")


def test_the_reference_is_right() -> None:
    assert sorted(case.id for case in mixed()) == sorted(case.id for case in core().cases)
    assert not [case.id for case in failed(Reference())]


def test_there_are_enough_faults() -> None:
    assert len(FAULTS) == len(set(FAULTS)) >= 40


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.usually(30)
def test_the_core_finds(fault: type[Reference]) -> None:
    assert next(failed(fault()), None)
