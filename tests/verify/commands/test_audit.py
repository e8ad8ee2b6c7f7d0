"""The sentence with which an audit ends."""

from collections import Counter

import pytest

from proofs.verdicts.rulings import Verdict
from reports.tables.survey import Kind, Survey
from verify.audit.session import sentence
from verify.audit.whole import Audited

COUNTS = {Verdict.REACHABLE: 3, Verdict.IMPOSSIBLE: 4}
FOUND = Survey(
    Counter({Kind("Q", "", "", verdict, None): number for verdict, number in COUNTS.items()}),
    ["Qd4", "Qd4#", "Qd5#"],
    [],
    [],
)
TOGETHER = "that together show every string"
PROVED = "and the other 4 for no legal move in any position."


@pytest.mark.parametrize(
    ("games", "suite", "said"),
    [
        (None, None, "and 3 witnesses.\n"),
        (6, None, "and 6 games.\n"),
        (6, 2, f"and 6 games; and 2 games {TOGETHER}, no more than there are mates (2).\n"),
        (6, 3, f"and 6 games; and 3 games {TOGETHER}.\n"),
    ],
)
def test_it_says_what_was_checked(games: int | None, suite: int | None, said: str) -> None:
    told = sentence(Audited(None, FOUND, 770, 1000, games, suite))
    assert said in told
    assert "of the 7 strings of the SAN grammar, 3 are written for a" in told
    assert told.endswith(PROVED)


def test_a_part_is_named() -> None:
    assert "strings that match Q*d4, 3" in sentence(Audited("Q*d4", FOUND, 1, 1, None, None))
