"""The formula of a part of a question, by the rules of the move alone and by those of a game."""

from collections.abc import Sequence

import chess
import pytest

from sanproof.proofs.find.criteria import read_criteria, read_question
from sanproof.proofs.find.formulas import QuestionPart, Rules, encode_part, parts_of
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.rules.cubes import WHITE
from sanproof.proofs.rules.squares import SQUARES
from sanproof.proofs.search.solvers import CadicalSession, SolverAnswer
from tests.proofs.find.adequacy import cube_of
from tests.proofs.find.test_predicates import IMPOSSIBLE

KNIGHT = "7k/8/8/8/8/8/8/1N2K3 w - - 0 1"


def admits(part: QuestionPart, rules: Rules, fen: str) -> bool:
    """Whether a position, with some move of the part, is an answer."""
    board = chess.Board(fen)
    scene = encode_part(part, rules)
    men = [board.piece_at(square) for square in SQUARES]
    letters = ["." if man is None else man.symbol() for man in men]
    position = [x for square in SQUARES for x in scene.content(letters[square], square)]
    return CadicalSession(scene.cnf, []).solve(position) is SolverAnswer.SATISFIABLE


def part_of(*words: str) -> QuestionPart:
    """White's part of a question that has one."""
    (part,) = (part for part in parts_of(read_question(list(words))) if part.colour == WHITE)
    return part


@pytest.mark.parametrize(
    "fen",
    [fen for fen in IMPOSSIBLE.values() if " - - " in fen],
    ids=[name for name, fen in IMPOSSIBLE.items() if " - - " in fen],
)
def test_only_by_the_rules_of_a_game_is_a_position_too_much(fen: str) -> None:
    board = chess.Board(fen)
    cube = cube_of(PlayedMove(board, next(iter(board.legal_moves))))
    part = QuestionPart(WHITE, cube, "*", ())
    assert admits(part, Rules.MOVE, fen)
    assert not admits(part, Rules.GAME, fen)


def test_without_a_game_s_rules_there_are_fewer_clauses() -> None:
    part = part_of("Nc3")
    by_move, by_game = (encode_part(part, rules).cnf.clauses for rules in (Rules.MOVE, Rules.GAME))
    assert by_game[: len(by_move)] == by_move
    assert len(by_game) > len(by_move)


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Nc3"], True),
        (["Nc3", "white=KN"], True),
        (["Nc3", "men=3"], True),
        (["Nbc3"], False),
        (["Nc3+"], False),
        (["Nc3", "men=4"], False),
        (["Nc3", "in-check"], False),
        (["Nc3", "not", "white=KN"], False),
    ],
)
def test_both_have_the_strings_and_the_criteria(
    words: Sequence[str], rules: Rules, *, expected: bool
) -> None:
    assert admits(part_of(*words), rules, KNIGHT) == expected


def test_who_moves_is_said_by_the_part() -> None:
    part = part_of("Nc3")
    named = part._replace(criteria=(*part.criteria, *read_criteria(["white-to-move"])))
    assert encode_part(named, Rules.MOVE).cnf.clauses == encode_part(part, Rules.MOVE).cnf.clauses
