"""Each position of a mechanism finds the fault of its name: without its rule it is answered wrong.

So no position stands under a rule that makes no difference to it.
"""

from typing import Final

import pytest

from conformance.suite.build import further_suite
from sanproof.verify.conformance.suite import Case
from tests import oracle
from tests.conformance.mutants.measure import asked, fails
from tests.conformance.mutants.pitfalls import Fault, faults, planted

LEAST: Final = 40


def positions(names: tuple[str, ...]) -> dict[str, list[Case]]:
    """Return the cases of mechanisms by position: it is read, and written."""
    found: dict[str, list[Case]] = {}
    for case in asked(further_suite()):
        if case["mechanism"] in names:
            stem = case["id"].removesuffix(".read").removesuffix(".write")
            found.setdefault(stem, []).append(case)
    return found


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.mechanisms[0])
def test_each_position_of_a_mechanism_finds_its_fault(fault: Fault) -> None:
    found = positions(fault.mechanisms)
    assert {cases[0]["mechanism"] for cases in found.values()} == set(fault.mechanisms)
    assert not any(fails(case) for cases in found.values() for case in cases)
    with planted(fault):
        assert [stem for stem, cases in found.items() if not any(map(fails, cases))] == []


def test_a_fault_is_there_only_for_a_while_and_fits_one_place() -> None:
    names = [name for fault in faults() for name in fault.mechanisms]
    assert len(set(names)) == len(names) >= LEAST
    whole = dict(vars(oracle))
    with planted(faults()[0]):
        assert oracle.pushes is not whole["pushes"]
    assert vars(oracle) == whole
    for old in ("no such code", "colour"):
        with pytest.raises(ValueError, match="not one place"), planted(Fault(("x",), ((old, ""),))):
            pass
