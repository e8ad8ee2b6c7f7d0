"""The cases of the strings, in some of the published games."""

import json
import random
from functools import cache

import chess
import pytest
from jsonschema import Draft202012Validator

from sanproof.verify.conformance.strings import (
    MECHANISMS,
    NEAR_MISSES,
    Line,
    published_lines,
    read_line,
    string_cases,
)
from sanproof.verify.conformance.suite import asked_of, suite_lines
from sanproof.verify.errors import Failure
from sanproof.verify.notation.reading import ReadingVerdict, judge
from tests.verify.command import ROOT


@cache
def lines() -> list[str]:
    return published_lines(ROOT / "data")


@pytest.fixture(scope="module")
def some() -> list[tuple[Line, int]]:
    chosen = sorted(random.Random(14).sample(range(len(lines())), 400))
    return [(read_line(lines()[number]), index) for index, number in enumerate(chosen)]


@pytest.mark.slow
def test_every_string_is_there_for_each_player() -> None:
    """The lines are those of the proven list, twice but for what one player alone can play."""
    shown = [(line.san, len(line.moves) % 2) for line in map(read_line, lines())]
    assert len(set(shown)) == len(shown)
    strings = (ROOT / "data" / "san_strings_with_symbols.txt").read_text().split("\n")
    assert {san for san, _ in shown} == set(strings)


def test_each_string_is_read_and_written_and_has_near_misses(some: list[tuple[Line, int]]) -> None:
    for (line, game), cases in zip(some, string_cases(some), strict=True):
        board = chess.Board()
        for uci in line.moves:
            board.push_uci(uci)
        demands = [case["class"] for case in cases]
        assert demands.count("must not") == 2
        assert [case["operation"] for case in cases if case["class"] == "must"] == [
            "read",
            "write",
        ]
        for case in cases:
            assert (case["fen"], case["game"], case["plies"]) == (
                board.fen(),
                game,
                len(line.moves),
            )
            if case["operation"] == "write":
                assert case["expected"] == line.san == board.san(chess.Move.from_uci(case["uci"]))
                continue
            reading = judge(asked_of(case), board)
            assert reading.uci == case.get("expected")
            if case["class"] == "must":
                assert reading.verdict is ReadingVerdict.CANONICAL
            elif case["mechanism"] in NEAR_MISSES:
                assert reading.verdict is ReadingVerdict.ILLEGAL
            else:
                sort, words, _ = MECHANISMS[case["mechanism"]]
                spelled = [deviation.value for deviation in reading.deviations]
                assert spelled == (words if sort == "spelling" else [])


@pytest.mark.slow
def test_they_keep_the_schema(some: list[tuple[Line, int]]) -> None:
    games = dict.fromkeys(" ".join(line.moves) for line, _ in some)
    cases = [case for cases in string_cases(some) for case in cases]
    content = json.loads("".join(suite_lines("1.0.0", "full", games, cases)))
    schema = json.loads((ROOT / "data" / "conformance" / "schema.json").read_bytes())
    assert Draft202012Validator(schema).is_valid(content)
    assert content["cases"] == cases
    assert len({case["id"] for case in cases}) == len(cases)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Line(("e2e4",), "e2e4", "e4"), "illegal"),
        (Line(("e2e5",), "e7e5", "e5"), "illegal"),
        (Line(("e2e4",), "e7e5", "e6"), "is not written e6"),
        (Line(("e2e4",), "e7e5", "e5+"), "is not written"),
    ],
)
def test_a_wrong_game_is_an_error(line: Line, why: str) -> None:
    with pytest.raises(Failure, match=why):
        list(string_cases([(line, 0)]))
    for text in ("e2e4 1", "e2e4 2 e4", "e2e4 0 e4", "e2e4 x e4"):
        with pytest.raises(Failure, match="no line of the published games"):
            read_line(text)
