"""One string proved now: a game that can be replayed, or a refutation and its reason."""

import chess
import pytest

from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.games.search import GameFound
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.decide import search_witness
from sanproof.proofs.verdicts.reasons import Reason, Verdict
from sanproof.proofs.verdicts.witness import Witness
from sanproof.verify.errors import Undecided
from sanproof.verify.explain.afresh import decide, prove

REACHABLE = {
    "e5": chess.WHITE,
    "a8=Q#": chess.WHITE,
    "hxg1=N+": chess.BLACK,
    "O-O-O#": chess.WHITE,
    "Qb6e3#": chess.WHITE,
}
"""Strings, and who plays them: White if White can."""

IMPOSSIBLE = {
    "Kd4=Q": Reason.PROMOTION_OF_A_PIECE,
    "e1": Reason.PROMOTION_MISSING,
    "Kae1": Reason.KING_WITH_DISCRIMINATOR,
    "N2b1": Reason.NO_TWINS,
    "Ba1b2+": Reason.NO_CHECK,
}


@pytest.mark.parametrize(("san", "colour"), REACHABLE.items())
def test_a_reachable_string_comes_with_what_can_be_replayed(san: str, colour: chess.Color) -> None:
    answer = prove(san)
    assert (answer.san, answer.verdict, answer.proved) == (san, Verdict.REACHABLE, True)
    assert answer.witness is not None
    assert answer.game is not None
    assert answer.game.colour == chess.COLOR_NAMES[colour]
    board = chess.Board()
    for played in answer.game.sans[: answer.game.ply - 1]:
        board.push_san(played)
    assert board.fen() == answer.witness.before_fen
    move = board.parse_san(san)
    assert (board.san(move), move.uci()) == (san, answer.witness.uci)
    board.push(move)
    assert board.fen() == answer.witness.after_fen
    for played in answer.game.sans[answer.game.ply :]:
        board.push_san(played)
    assert board.is_checkmate()
    assert board.result() == answer.game.result


@pytest.mark.parametrize(
    ("san", "colour"), [("O-O", "black"), ("a1=Q#", "black"), ("a8=Q", "white")]
)
def test_blacks_game_is_shown_where_there_is_one(san: str, colour: str) -> None:
    answer = prove(san, black=True)
    assert answer.game is not None
    assert answer.game.colour == colour
    assert answer.game.sans[answer.game.ply - 1] == san


@pytest.mark.parametrize(("san", "why"), IMPOSSIBLE.items())
def test_an_impossible_string_comes_with_its_reason(san: str, why: Reason) -> None:
    answer = prove(san)
    assert (answer.san, answer.verdict, answer.proved) == (san, Verdict.IMPOSSIBLE, True)
    assert (answer.reason, answer.witness, answer.game) == (why.value, None, None)
    assert answer.sentence is not None
    assert san.rstrip("+#") in answer.sentence
    assert answer.sentence.endswith(".")


def test_a_string_without_witness_or_refutation_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", lambda _: None)
    assert "no game was found, and no refutation either" in undecided("O-O")
    monkeypatch.undo()
    found = GameFound("O-O", (), (), 0.0)
    monkeypatch.setattr("sanproof.proofs.games.search.solve_games", lambda _: [found])
    assert "no game was found" in undecided("O-O")


def undecided(san: str) -> str:
    """The sentence about a string that stays undecided; for those who need its game, an error."""
    answer = prove(san)
    assert (answer.verdict, answer.proved) == (Verdict.UNDECIDED, True)
    assert (answer.reason, answer.witness, answer.game) == (None, None, None)
    assert answer.sentence is not None
    assert answer.sentence.startswith(f"{san} is undecided: ")
    with pytest.raises(Undecided) as caught:
        decide(parse_san(san))
    assert (str(caught.value), caught.value.exit_code) == (answer.sentence, 3)
    return answer.sentence


def test_a_solver_that_gives_up_leaves_a_string_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(_: San) -> None:
        raise SolverGaveUp("Z3 gave up: timeout")

    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", gives_up)
    assert undecided("O-O") == "O-O is undecided: Z3 gave up: timeout."


@pytest.mark.parametrize(("text", "expected"), [("N2b1+", []), ("Ba1b2+", ["Ba1b2"])])
def test_for_a_refuted_string_no_game_is_looked_for(
    text: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take long; but that it can be played without the suffix is shown by a game."""
    looked_for = []

    def searched(san: San) -> Witness | None:
        looked_for.append(str(san))
        return search_witness(san)

    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", searched)
    assert prove(text).verdict is Verdict.IMPOSSIBLE
    assert looked_for == expected


def test_for_a_player_who_is_refuted_no_game_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """a1=Q is Black's; seen from White it is a8=Q."""
    looked_for = []

    def searched(san: San) -> None:
        looked_for.append(str(san))

    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", searched)
    assert prove("a1=Q").verdict is Verdict.UNDECIDED
    assert looked_for == ["a8=Q"]


def test_a_wrong_game_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ProofGame("O-O", "white", 2, ("f2f3", "e7e5", "g2g4", "d8h4"))
    found = GameFound("O-O", (wrong,), (), 0.0)
    monkeypatch.setattr("sanproof.proofs.games.search.solve_games", lambda _: [found])
    assert "game of O-O: python-chess writes its move as g4" in undecided("O-O")
