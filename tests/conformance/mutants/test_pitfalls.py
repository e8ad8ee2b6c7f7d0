"""The core finds the faults that people make, but for some that are named."""

import pytest

from tests import oracle
from tests.conformance.mutants.measure import asked, core_suite, fails
from tests.conformance.mutants.pitfalls import Fault, faults, planted

LEAST = 40
MISSED = {
    "castling.past-rook",
    "mate.no-castling",
}
"""What no feature asks for: whose piece stands in castling's way, and castling but for a check."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.mechanisms[0])
def test_the_core_finds_each_fault(fault: Fault) -> None:
    with planted(fault):
        found = any(map(fails, asked(core_suite())))
    assert found == (fault.mechanisms[0] not in MISSED)


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
