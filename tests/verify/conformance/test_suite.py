"""Cases and suites go to a file and come back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.suite import (
    ASKED,
    Case,
    Demand,
    Level,
    Operation,
    Suite,
    SuiteError,
    case_as_json,
    question,
    read_suite,
    suite_lines,
    suite_of,
)

texts = st.text(max_size=12)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    operation = draw(st.sampled_from(Operation))
    played = draw(st.booleans())
    return Case(
        id=draw(texts),
        operation=operation,
        demand=draw(st.sampled_from(Demand)),
        mechanism=draw(texts),
        colour=draw(st.sampled_from(["white", "black"])),
        why=draw(texts),
        fen=draw(st.none() | texts),
        asked=None if ASKED[operation] is None else draw(texts),
        expected=draw(st.none() | texts | st.lists(texts) | st.dictionaries(texts, texts)),
        game=draw(st.integers(0, 9)) if played else None,
        plies=draw(st.integers(0, 9)) if played else None,
        reports=tuple(draw(st.lists(texts, max_size=2))),
    )


GAMES = st.lists(texts, min_size=10, max_size=10)


@given(st.lists(cases(), max_size=3), GAMES, st.sampled_from(Level))
def test_a_suite_comes_back(entries: list[Case], games: list[str], level: Level) -> None:
    text = "".join(suite_lines("1.2.3", level, games, entries))
    assert text.isascii()
    assert suite_of(json.loads(text)) == Suite("1.2.3", level, tuple(games), tuple(entries))


@pytest.mark.parametrize(
    ("game", "plies"), [(1, 2), (-1, 2), ("0", 2), (True, 2), (0, "2"), (0, None)]
)
def test_a_case_names_a_game_of_its_suite(game: object, plies: object) -> None:
    case = Case("id", Operation.READ, Demand.MUST, "m", "white", "Why.", "FEN", "e4", "e2e4", 0, 2)
    suite = json.loads("".join(suite_lines("1.2.3", Level.CORE, ["e2e4"], [case])))
    assert suite_of(suite).cases == (case,)
    suite["cases"][0] |= {"game": game, "plies": plies}
    with pytest.raises(SuiteError, match="id names a game that is not there"):
        suite_of(suite)


def test_a_question_gives_nothing_away() -> None:
    case = Case("id", Operation.READ, Demand.MUST, "m", "white", "Why.", "FEN", "e4", "e2e4", 1, 2)
    assert question(case) == {"operation": "read", "fen": "FEN", "san": "e4"}
    moves = Case("id", Operation.MOVES, Demand.MUST, "m", "white", "Why.", "FEN")
    assert question(moves) == {"operation": "moves", "fen": "FEN"}
    game = Case("id", Operation.GAME, Demand.MUST, "m", "white", "Why.", asked="1. e4 *")
    assert question(game) == {"operation": "game", "pgn": "1. e4 *"}


def test_what_does_not_apply_is_left_out() -> None:
    case = Case("id", Operation.MOVES, Demand.MUST, "m", "white", "Why.", "FEN")
    assert set(case_as_json(case)) == {
        "id",
        "operation",
        "class",
        "mechanism",
        "colour",
        "fen",
        "why",
    }


HEAD = {"format": 1, "suite": "sanproof conformance", "version": "1", "level": "core"}
CASE = {"id": "x", "operation": "read", "class": "must", "mechanism": "m", "colour": "white"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a conformance suite"),
        ('{"suite": "another"}', "is not a conformance suite"),
        (json.dumps(HEAD | {"format": 2}), "has format 2"),
        (json.dumps(HEAD), "is not a conformance suite: an entry 'games' is missing$"),
        (json.dumps(HEAD | {"games": [], "cases": [7]}), "is not a conformance suite"),
        (json.dumps(HEAD | {"games": [], "cases": [CASE]}), "an entry 'why' is missing$"),
        (json.dumps(HEAD | {"games": [], "cases": [CASE | {"operation": "fly"}]}), "fly"),
        (json.dumps(HEAD | {"games": [], "cases": [], "level": "huge"}), "huge"),
    ],
)
def test_what_is_no_suite_is_refused(content: str, why: str) -> None:
    with pytest.raises(SuiteError, match=why):
        read_suite(content.encode(), "suite.json")
