"""The searches: what they draw, and that they see what costs too much, keeps us or ends badly."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.campaigns.forging.model import NotCaught
from tests.campaigns.searching import answers, costs
from tests.campaigns.searching.__main__ import PLANTED, searches
from tests.campaigns.searching.costs import Pattern, Target

SOME = Pattern("repeated", (b"e4 ", b"-- "), (b"[", b"]"))


def target(read: Callable[[bytes], object]) -> Target:
    return Target(read, (b"x",), ((b"", b""),), 1 << 21)


def test_what_costs_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "MAX_MEMORY", costs.cost(len, b"").memory + (1 << 28))
    assert costs.breach(target(len), SOME, 1 << 16) == ""
    large = target(lambda text: [bytes(300) for _ in text])
    assert "MB of memory" in costs.breach(large, SOME, 1 << 16)
    with pytest.raises(NotCaught, match="ends with"):
        costs.cost(lambda text: text[0] / 0, b"x")


def test_a_pattern_has_any_size_and_every_breach_its_search(tmp_path: Path) -> None:
    for seed in range(20):
        pattern = costs.drawn(costs.TARGETS["games, 1"], Random(seed))
        small, large = (len(pattern.text(size)) for size in (1 << 14, 1 << 15))
        assert 1.7 < large / small < 2.3
    assert {name for name, *_ in PLANTED} <= searches(tmp_path).keys()


def test_an_answer_that_keeps_us_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    answers.search(Random(1))
    monkeypatch.setattr(answers, "MAX_SECONDS", -1)
    with pytest.raises(NotCaught, match="keeps us"):
        answers.search(Random(1))
