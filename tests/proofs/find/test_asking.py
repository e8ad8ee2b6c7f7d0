"""The search: what it finds is so, what it refutes is checked, and the rest is undecided."""

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from sanproof.proofs.find import refuted
from sanproof.proofs.find.asking import QuestionVerdict, find
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.limited import SearchDied, TimeUp, within
from sanproof.proofs.find.refuted import check_certificates
from sanproof.proofs.find.terms import TERMS, holds
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.search import Disagreement

WHITE_KING, BLACK_KING = map(chess.Piece.from_symbol, "Kk")
QUESTIONS = [
    ["Q*d4#", "pinned-twin", "men=7"],
    ["N*f3+", "black-to-move", "discovered"],
    ["O-O*", "castling-rook-attacked", "not", "check"],
    ["exd6+", "en-passant-two", "white-castles", "men=..8"],
    ["Qd4", "stalemate", "black=Kp"],
    ["a8=N*", "h*=r", "not", "check", "rights=-"],
]


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_answers_are_so(words: list[str]) -> None:
    outcome = find(*words, count=2)
    assert outcome.verdict is QuestionVerdict.FOUND
    assert len(outcome.answers) == 2
    for answer in outcome.answers:
        board, move = chess.Board(answer.fen), chess.Move.from_uci(answer.uci)
        assert board.is_valid()
        assert board.san(move) == answer.san
        assert all(holds(c, PlayedMove(board, move)) for c in outcome.question.criteria)


def test_seeds_draw_the_same_and_others() -> None:
    first, again, other = (find("Qd4+", count=3, seed=seed).answers for seed in (1, 1, 2))
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


REFUTED = [
    ["Nbxd5#", "white-to-move", "black-castles"],
    ["O-O-O*", "discovered"],
    pytest.param(["Qd4#", "men=2"], marks=pytest.mark.slow),
    ["Kd4?", "direct"],
    ["Qd4", "e1=K", "d2=K"],
    ["Qd4", "e4=white", "e4=q"],
    ["white=KK"],
    ["Qd4", "black=PPPPPPPPPK"],
    ["Qd4+", "stalemate"],
]


@pytest.mark.parametrize("words", REFUTED, ids=" ".join)
def test_refutations_are_checked_without_a_solver(words: list[str]) -> None:
    outcome = find(*words)
    assert outcome.verdict is QuestionVerdict.REFUTED
    assert outcome.answers == ()
    assert check_certificates("".join(outcome.certificates)) == outcome.question


def damaged(text: str) -> Iterator[str]:
    first, rest = text.split("\n\n", 1)
    lines = first.split("\n")
    at = 2 + next(i for i, line in enumerate(lines) if line.startswith("p cnf"))
    yield from (rest, "", text[:-1])
    for old, new in (
        ("question Kd4?", "question Kd5?"),
        (" direct", " check"),
        ("cube Kd4", "cube Ke4"),
        ("colour white\n", ""),
    ):
        yield text.replace(old, new)
        yield text.replace(old, new, 1)
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
    assert check_certificates(certificate)
    for text in damaged(certificate):
        assert text != certificate
        with pytest.raises(EvidenceError):
            check_certificates(text)


def test_the_program_checks_a_file(
    certificate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "certificate.txt"
    path.write_text(certificate)
    assert refuted.main([str(path)]) == 0
    assert capsys.readouterr().out == "refuted: Kd4? white-to-move direct\n"
    path.write_text(certificate[:-1])
    assert refuted.main([str(path)]) == 1
    assert refuted.main([str(path) + "x"]) == 2


def test_the_time_limit_says_undecided() -> None:
    outcome = find("mate", "men=3", "white=KN", timeout_seconds=0.3)
    assert outcome.verdict is QuestionVerdict.UNDECIDED
    assert outcome.certificates == ()


def test_a_wrong_predicate_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = TERMS["discovered"]._replace(clause=TERMS["check"].clause)
    monkeypatch.setitem(TERMS, "discovered", wrong)
    with pytest.raises(Disagreement, match="not so: discovered"):
        find("Qd4+", "discovered", "white=KQ", "black=K")


def test_a_game_leads_to_the_answer() -> None:
    (answer,) = find("Q*d4#", "twins=1..", count=1, game=True).answers
    board, fens = chess.Board(), []
    for san in answer.game:
        fens.append((board.fen(), san))
        board.push_san(san)
    assert (answer.fen, answer.san) in fens
    (answer,) = find("Qd4#", "black=KQQ", game=True).answers
    assert answer.game == ()  # that none is found is not that there is no answer


def sleepy() -> Iterator[int]:
    yield 1
    time.sleep(60)


def failing() -> Iterator[int]:
    yield 1
    raise Disagreement("as planned")


def dying() -> Iterator[int]:
    yield 1
    os._exit(9)


def test_a_search_within_a_time() -> None:
    assert list(itertools.islice(within(60, itertools.count), 3)) == [0, 1, 2]
    for search, error, seconds in (
        (sleepy, TimeUp, 0.5),
        (failing, Disagreement, 60),
        (dying, SearchDied, 60),
    ):
        started = time.monotonic()
        with pytest.raises(error):
            list(within(seconds, search))
        assert time.monotonic() - started < 30
