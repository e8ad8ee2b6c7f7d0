"""Cases and suites go to a file and come back."""

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.asking import customs, judge
from sanproof.verify.conformance.files import (
    MOST_COMMAS,
    MOST_OF_A_SUITE,
    MOST_OF_RESULTS,
    MOST_PARTS,
    read_limited,
)
from sanproof.verify.conformance.outcome import Outcome
from sanproof.verify.conformance.suite import (
    ASKED,
    Case,
    Demand,
    Level,
    Operation,
    Suite,
    case_as_json,
    question,
    read_suite,
    suite_lines,
    suite_of,
)
from sanproof.verify.errors import Failure

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
    with pytest.raises(Failure, match="id names a game that is not there"):
        suite_of(suite)


def test_a_question_gives_nothing_away() -> None:
    case = Case("id", Operation.READ, Demand.MUST, "m", "white", "Why.", "FEN", "e4", "e2e4", 1, 2)
    assert question(case) == {"operation": "read", "fen": "FEN", "san": "e4"}
    moves = Case("id", Operation.MOVES, Demand.MUST, "m", "white", "Why.", "FEN")
    assert question(moves) == {"operation": "moves", "fen": "FEN"}
    game = Case("id", Operation.GAME, Demand.MUST, "m", "white", "Why.", asked="1. e4 *")
    assert question(game) == {"operation": "game", "pgn": "1. e4 *"}
    left_out = {"game", "plies", "expected", "reports", "san"}
    assert left_out.isdisjoint(case_as_json(moves))


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
        (json.dumps(HEAD), "is not a conformance suite: an entry 'games' is missing.$"),
        (json.dumps(HEAD | {"games": [], "cases": [7]}), "is not a conformance suite"),
        (json.dumps(HEAD | {"games": [], "cases": [CASE]}), "an entry 'why' is missing.$"),
        (json.dumps(HEAD | {"games": [], "cases": [CASE | {"operation": "fly"}]}), "fly"),
        (json.dumps(HEAD | {"games": [], "cases": [], "level": "huge"}), "huge"),
    ],
)
def test_what_is_no_suite_is_refused(content: str, why: str) -> None:
    with pytest.raises(Failure, match=why):
        read_suite(content.encode(), "suite.json")


@pytest.mark.parametrize("name", ["a.json", "a.json.xz"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[" + b"0" * MOST_OF_RESULTS + b"]", "more than 16 MiB"),
        (b"[" + b"[]," * MOST_PARTS + b"0]", "objects"),
        (b"[" + b"1," * (MOST_COMMAS + 1) + b"1]", "values"),
    ],
    ids=["large", "parts", "values"],
)
def test_what_would_take_much_memory_is_refused(
    name: str, content: bytes, says: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(lzma.compress(content, preset=0) if name.endswith(".xz") else content)
    assert len(read_limited(Path(__file__), len(Path(__file__).read_bytes()))) > 1000
    with pytest.raises(Failure, match=says):
        read_limited(path, MOST_OF_RESULTS if says != "values" else MOST_OF_A_SUITE)


ALWAYS, LEGAL = "8/8 w - e3 0 1", "8/8 w - - 0 1"
FENS = {"always": ALWAYS, "pseudo-legal": LEGAL, "legal": LEGAL}
GAME = {"moves": ["e4"], "fen": FENS}


def case(operation: Operation, demand: Demand, expected: object) -> Case:
    return Case("x", operation, demand, "x", "white", "Why.", "8/8", "e4", expected)


READ, MOVES, PLAY, PGN = Operation.READ, Operation.MOVES, Operation.PLAY, Operation.GAME
MUST, MUST_NOT, MAY = Demand.MUST, Demand.MUST_NOT, Demand.MAY


@pytest.mark.parametrize(
    ("operation", "demand", "expected", "answer", "outcome"),
    [
        (READ, MUST, "e2e4", {"result": "e2e4"}, Outcome.PASSED),
        (READ, MUST, "e2e4", {"result": "e2e3"}, Outcome.FAILED),
        (READ, MUST, "e2e4", {"rejected": "no"}, Outcome.FAILED),
        (READ, MUST, "e2e4", {"result": None}, Outcome.GARBLED),
        (READ, MUST, "e2e4", {"skip": "cannot"}, Outcome.SKIPPED),
        (READ, MUST_NOT, None, {"result": "e2e4"}, Outcome.FAILED),
        (READ, MUST_NOT, None, {"rejected": "no"}, Outcome.PASSED),
        (READ, MUST_NOT, None, {"result": 7}, Outcome.GARBLED),
        (READ, MAY, "e2e4", {"result": "e2e4"}, Outcome.ACCEPTED),
        (READ, MAY, "e2e4", {"result": "e2e3"}, Outcome.FAILED),
        (READ, MAY, "e2e4", {"rejected": "no"}, Outcome.REJECTED),
        (READ, MAY, None, {"result": "e2e4"}, Outcome.ACCEPTED),
        (MOVES, MUST, ["a", "b"], {"result": ["b", "a"]}, Outcome.PASSED),
        (MOVES, MUST, ["a", "b"], {"result": ["a", "b", "b"]}, Outcome.FAILED),
        (MOVES, MUST, ["a", "b"], {"result": "ab"}, Outcome.GARBLED),
        (MOVES, MUST, ["a", "b"], {"result": [1]}, Outcome.GARBLED),
        (PLAY, MUST, FENS, {"result": LEGAL}, Outcome.PASSED),
        (PLAY, MUST, FENS, {"result": "8/8 w"}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"], "fen": ALWAYS}}, Outcome.PASSED),
        (PGN, MUST, GAME, {"result": {"moves": ["e3"], "fen": ALWAYS}}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"], "fen": "8/8"}}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"]}}, Outcome.GARBLED),
    ],
)
def test_outcome(
    operation: Operation,
    demand: Demand,
    expected: object,
    answer: dict[str, object],
    outcome: Outcome,
) -> None:
    assert judge(case(operation, demand, expected), answer) is outcome


@pytest.mark.parametrize(
    ("operation", "expected", "value", "found"),
    [
        (PLAY, FENS, ALWAYS, ("always",)),
        (PLAY, FENS, LEGAL, ("pseudo-legal", "legal")),
        (PLAY, FENS, "8/8", ()),
        (PLAY, dict.fromkeys(FENS, LEGAL), LEGAL, ()),
        (PGN, GAME, {"moves": [], "fen": ALWAYS}, ("always",)),
        (PGN, GAME, {"moves": []}, ()),
        (READ, "e2e4", "e2e4", ()),
        (PLAY, FENS, None, ()),
    ],
)
def test_customs(
    operation: Operation, expected: object, value: object, found: tuple[str, ...]
) -> None:
    assert customs(case(operation, MUST, expected), value) == found
