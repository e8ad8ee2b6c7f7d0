"""Questions are read from words; what the search finds is so, what it refutes is checked."""

import contextlib
import csv
import fnmatch
import os
import re
import time
from collections.abc import Iterator
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from random import Random

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.find import refuted
from sanproof.proofs.find.asking import QuestionVerdict, SearchDied, TimeUp, find, within
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import (
    Criterion,
    CriterionError,
    Pattern,
    matching_cubes,
    squares_of,
)
from sanproof.proofs.find.refuted import check_certificates
from sanproof.proofs.find.terms import TERMS, holds, read_criteria, read_question
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, all_cubes
from sanproof.proofs.search import Disagreement
from tests.proofs.find.adequacy import CRITERIA
from tests.strings import strings_of

# Words

WRITTEN = [*map(str, CRITERIA)]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(WRITTEN)), max_size=6))
def test_what_is_read_is_written_the_same(words: list[tuple[bool, str]]) -> None:
    text = [part for negated, word in words for part in ["not"] * negated + [word]]
    criteria = read_criteria(text)
    assert " ".join(map(str, criteria)).split() == text
    assert [c.negated for c in criteria] == [negated for negated, _ in words]
    assert read_criteria(["not-" * negated + word for negated, word in words]) == criteria
    assert tuple(c.exchanged().exchanged() for c in criteria) == criteria


@pytest.mark.parametrize(
    ("words", "pattern", "rest"),
    [
        (["Q*d4#", "mate"], "Q*d4#", ["mate"]),
        (["e8=Q", "e8=Q"], "e8=Q", ["e8=Q"]),
        (["mate", "e8=Q"], "*", ["mate", "e8=Q"]),
        (["a*=R"], "a*=R", []),
        (["a*=r"], "*", ["a*=r"]),
        (["not", "mate"], "*", ["not mate"]),
        (["not", "d5=P"], "*", ["not d5=P"]),
        ([], "*", []),
    ],
)
def test_the_first_word_is_the_string_if_it_can_be(
    words: list[str], pattern: str, rest: list[str]
) -> None:
    question = read_question(words)
    assert (question.pattern, [*map(str, question.criteria)]) == (pattern, rest)


BAD = {
    "not": "'not' is last",
    "not not mate": "'not' is repeated",
    "chekc": "Did you mean 'check'?",
    "Nf9": "no SAN string",
    "": "not a criterion",
    "mate=1": "takes no value",
    "d9=P": "not a criterion",
    "Nf3": "is a SAN string",
    "d5=X": "takes a piece",
    "men=..": "takes a number",
    "men=-1": "takes a number",
    "men=7..3": "from 2 to 32",
    "men=\u0667": "takes a number",
    "men=33": "from 2 to 32",
    "men=..1": "from 2 to 32",
    "white-men=17..": "from 1 to 16",
    "replies=3": "no larger number",
    "white=KX": "takes the side's pieces",
    "black=QKP": "its king first",
    "rights=KK": "castling rights",
    "rights=": "castling rights",
    "moves=X": "takes P, N",
    "only-reply=castling": "takes king",
}


@pytest.mark.parametrize(("word", "said"), BAD.items())
def test_bad_words(word: str, said: str) -> None:
    with pytest.raises(CriterionError, match=said) as error:
        read_question(["mate", *word.split(" ")] if word != "Nf9" else [word])
    assert "\n" not in str(error.value)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(CriterionError):
        read_question([text])


def test_ranges_and_squares() -> None:
    for value, numbers in (("3..", [3, 4]), ("1..3", [1, 2, 3]), ("..1", [0, 1]), ("2", [2])):
        asked = Criterion("men", "", value).range
        assert [n for n in range(5) if n in asked] == numbers
    assert squares_of("h*") == [7, 15, 23, 31, 39, 47, 55, 63]
    assert len(squares_of("**")) == 64


# Patterns


@cache
def sample() -> dict[Cube, list[str]]:
    """Return the strings of some cubes: castling, and all that go to a few squares."""
    some = [cube for cube in all_cubes() if cube.destination in {"", "d4", "a4", "c3", "b8"}]
    return {cube: [*map(str, strings_of(cube))] for cube in some}


@given(st.text("*?QNxad14#+=[]!-O", max_size=10))
@example("[]Q]*")
@example("[!]Q]*")
@example("[4-1]*")
@example("[Q-]*")
def test_patterns_match_as_those_of_a_shell(pattern: str) -> None:
    ours = Pattern(pattern)
    texts = Random(1).sample([*chain.from_iterable(sample().values())], 1000)
    for text in [*texts, pattern, pattern.replace("[", ""), pattern.replace("*", "]")]:
        assert ours.takes(text) == fnmatch.fnmatchcase(text, pattern), text
    for cube, texts in sample().items():
        assert ours.matches(cube) == any(fnmatch.filter(texts, pattern)), cube


@pytest.mark.parametrize(
    "pattern",
    ["Q*d4#", "?a?4", "N[ab]x[a-c][!3]", "N[!a-ce-h1-8]xc3", "[!N]*[!4]+", "*=N+", "O-O*", "Nc3"],
)
def test_strings_and_cubes_of_a_pattern(pattern: str) -> None:
    matching = {cube: fnmatch.filter(texts, pattern) for cube, texts in sample().items()}
    for cube, expected in matching.items():
        assert sorted(map(str, Pattern(pattern).strings(cube))) == sorted(expected)
    found = [cube for cube in matching_cubes(pattern) if cube in matching]
    assert found == [cube for cube, expected in matching.items() if expected]


# The search

WHITE_KING, BLACK_KING = map(chess.Piece.from_symbol, "Kk")
TABLE = Path(__file__).parents[3] / "docs" / "tables" / "questions.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
FOUND = [row for row in ROWS if row["verdict"] == "found"]


@pytest.mark.parametrize("row", FOUND, ids=lambda row: row["question"])
def test_answers_of_the_table_are_answers(row: dict[str, str]) -> None:
    """python-chess says so; what asks of castling, passing or promoting is answered again."""
    words, board = row["question"].replace("'", "").split(), chess.Board(None)
    question = read_question(words)
    cases = [(board, board.set_epd(row["answer (EPD)"])["sm"])]
    if re.search("exd|castl", row["question"]):
        (hit,) = find(*words).answers
        cases.append((hit.board, chess.Move.from_uci(hit.uci)))
    for board, move in cases:
        assert isinstance(move, chess.Move)
        assert board.is_valid()
        assert Pattern(question.pattern).takes(board.san(move))
        assert all(holds(c, PlayedMove(board, move)) for c in question.criteria)


REFUTED = [row["question"].replace("'", "") for row in ROWS if row["verdict"] == "refuted"]


@pytest.mark.parametrize("words", REFUTED)
def test_refutations_of_the_table_are_checked_without_a_solver(words: str) -> None:
    outcome = find(*words.split())
    assert outcome.verdict is QuestionVerdict.REFUTED
    if words in REFUTED[::2]:  # the others in the same way
        assert check_certificates("".join(outcome.certificates)) == outcome.question


def test_seeds_draw_the_same_and_others() -> None:
    asked = "O-O+", "white-to-move"
    first, again, other = (find(*asked, count=2, seed=seed).answers for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_few_answers_are_all_there_are() -> None:
    outcome = find("Kb6", "white-to-move", "men=2", "a6=K", count=1000)
    assert outcome.complete
    boards = []
    for square in set(chess.SQUARES) - {chess.A6}:
        board = chess.Board(None)
        board.set_piece_map({chess.A6: WHITE_KING, square: BLACK_KING})
        if board.is_valid() and chess.Move(chess.A6, chess.B6) in board.legal_moves:
            boards.append(board.board_fen())
    assert sorted(fen.split(" ")[0] for fen, *_ in outcome.answers) == sorted(boards)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("Qd4# men=2", marks=pytest.mark.slow),
        *("Qd4 e4=white e4=q", "Qd4+ stalemate", "exd6 d6=. not-en-passant-square"),
        *("d4 black=KPPPPPPPPP", "mate not check white=KN", "h*=k g*=k not mate"),
        *("O-O* mate check not-en-passant-square", "Qd4* stalemate not check not mate"),
    ],
)
def test_contradictions_alone_are_refuted(words: str) -> None:
    verdict = "found" if words.startswith(("O-O* ", "Qd4* ")) else "refuted"
    assert find(*words.split(), "white-to-move").verdict.value == verdict


def damaged(text: str) -> Iterator[str]:
    first, rest = text.split("\n\n", 1)
    lines = first.split("\n")
    at = 2 + next(i for i, line in enumerate(lines) if line.startswith("p cnf"))
    yield ""
    for old, new in ((" direct", " check"), ("cube Kd4", "cube Ke4"), ("colour white\n", "")):
        yield text.replace(old, new)
    for changed in (
        [*lines[:at], "2 0", *lines[at:]],
        [*lines[:at], *lines[at + 1 :]],
        [*lines[:at], "2 0", *lines[at + 1 :]],
        lines[:-1],
    ):
        yield "\n".join([*changed, "", rest])


@pytest.fixture(scope="module")
def certificate() -> str:
    return "".join(find("Kd4?", "white-to-move", "direct").certificates)


def test_damaged_certificates_are_refused(certificate: str) -> None:
    for text in damaged(certificate):
        assert text != certificate
        with pytest.raises(EvidenceError):
            check_certificates(text)


def test_the_program_checks_a_file(certificate: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.txt"
    path.write_text(certificate)
    assert refuted.main([str(path)]) == 0
    path.write_text(certificate[:-1])
    assert refuted.main([str(path)]) == 1
    assert refuted.main([str(path) + "x"]) == 2


def test_the_time_limit_says_undecided() -> None:
    outcome = find("mate", "men=3", "white=KN", timeout_seconds=0.1)
    assert outcome.verdict is QuestionVerdict.UNDECIDED
    assert outcome.certificates == ()


def test_a_wrong_predicate_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = TERMS["discovered"]._replace(clause=TERMS["check"].clause)
    monkeypatch.setitem(TERMS, "discovered", wrong)
    with pytest.raises(Disagreement, match="not so: discovered"):
        find("Qd4+", "discovered", "white-to-move", "white=KQ", "black=K")


def test_an_invalid_position_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.proofs.find.formulas.encode_possible", lambda _: None)
    with pytest.raises(Disagreement, match="not valid"):
        find("Nd4", "white-to-move", "white=K" + "N" * 17, "black=K")


def test_a_game_leads_to_the_answer() -> None:
    (answer,) = find("Q*d4#", "twins=1..", count=1, game=True).answers
    board, fens = chess.Board(), []
    for san in answer.game:
        fens.append((board.fen(), san))
        board.push_san(san)
    assert (answer.fen, answer.san) in fens
    (answer,) = find("Qd4#", "white-to-move", "black=KQQ", game=True).answers
    assert answer.game == ()  # that none is found is not that there is no answer


def planned(end: str) -> Iterator[int]:
    yield 1
    if end == "fail":
        raise Disagreement("as planned")
    if end == "die":
        os._exit(9)
    time.sleep(60)


@pytest.mark.parametrize(
    ("end", "error", "seconds"),
    [("sleep", TimeUp, 0.1), ("fail", Disagreement, 60), ("die", SearchDied, 60)],
)
def test_a_search_within_a_time(end: str, error: type[Exception], seconds: float) -> None:
    assert list(islice(within(60, count), 3)) == [0, 1, 2]
    started = time.monotonic()
    with pytest.raises(error):
        list(within(seconds, planned, end))
    assert time.monotonic() - started < 30
