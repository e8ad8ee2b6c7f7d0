"""Sources are read as they stand, and a wrong one is an error."""

import pytest

from conformance.suite.build import cases_of
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.sources import position, read_sources, sources
from sanproof.reports.tables.rows import RowError
from sanproof.verify.conformance.suite import Demand, Operation

RIGHT = 'core | disambiguation.file | "Nbd7" | g1f3 g8f6 d2d4 d7d6 e2e3'


def built(line: str) -> list[tuple[Operation, Demand, object]]:
    (source,) = read_sources([line])
    cases = cases_of(source, position(source), "black", 1)
    return [(case.operation, case.demand, case.expected) for case in cases]


def test_a_source_is_read_and_written() -> None:
    assert built(RIGHT) == [
        (Operation.READ, Demand.MUST, "b8d7"),
        (Operation.WRITE, Demand.MUST, "Nbd7"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("core", "most"),
        (" | ", " "),
        ('"Nbd7"', "Nbd7"),
        ("e2e3", "e2e5"),
        ("disambiguation.file", "disambiguation.rank"),
        ("disambiguation.file", "disambiguation.pinned-twin"),
        ("disambiguation.file", "check.direct"),
        ("disambiguation.file", "wrong.pinned"),
        ("disambiguation.file", "text.missing-x"),
        ("disambiguation.file", "no-such"),
        ("Nbd7", "Nd7"),
        ("Nbd7", "Nb8d7"),
    ],
)
def test_a_wrong_source_is_an_error(old: str, new: str) -> None:
    assert old in RIGHT
    with pytest.raises(RowError):
        built(RIGHT.replace(old, new))


def test_every_mechanism_has_a_source() -> None:
    assert set(MECHANISMS) <= {source.mechanism for source in sources()}


def test_no_position_stands_twice_in_a_mechanism() -> None:
    seen = [(source.mechanism, source.text, source.moves) for source in sources()]
    assert len(set(seen)) == len(seen)
