"""One string proved now: a game that can be replayed, or a refutation and its reason."""

from collections.abc import Callable

import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.decide import search_witness
from sanproof.proofs.theory.reasons import Reason, Verdict
from sanproof.verify.explain.prove import prove
from tests.verify.explain.evidence import expect_evidence


@pytest.mark.parametrize(
    ("san", "black", "player"),
    [
        ("e5", False, "white"),
        ("a8=Q#", True, "white"),
        ("hxg1=N+", False, "black"),
        ("O-O-O#", False, "white"),
        ("Qb6e3#", False, "white"),
        ("O-O", True, "black"),
    ],
)
def test_a_reachable_string_comes_with_what_can_be_replayed(
    san: str, black: bool, player: str
) -> None:
    """By White if White can play it, unless Black is asked for."""
    answer = prove(san, black=black)
    assert (answer.san, answer.proved) == (san, True)
    assert answer.game is not None
    assert answer.game.colour == player
    expect_evidence(answer)


@pytest.mark.parametrize(
    ("san", "why"),
    [
        ("Kd4=Q", Reason.PROMOTION_OF_A_PIECE),
        ("e1", Reason.PROMOTION_MISSING),
        ("Kae1", Reason.KING_WITH_DISCRIMINATOR),
        ("N2b1", Reason.NO_TWINS),
        ("Ba1b2+", Reason.NO_CHECK),
    ],
)
def test_an_impossible_string_comes_with_its_reason(san: str, why: Reason) -> None:
    answer = prove(san)
    assert (answer.san, answer.verdict, answer.proved) == (san, Verdict.IMPOSSIBLE, True)
    assert (answer.reason, answer.found, answer.game) == (why.value, None, None)
    assert answer.sentence is not None
    assert san.rstrip("+#") in answer.sentence


def gives_up(_: San) -> None:
    raise SolverGaveUp("Z3 gave up: timeout")


WITNESS, GAMES = "search.decide.search_witness", "games.search.solve_games"
WRONG = ProofGame("O-O", 2, ("f2f3", "e7e5", "g2g4", "d8h4"))


@pytest.mark.parametrize(
    ("place", "found", "words"),
    [
        (WITNESS, lambda _: None, "no game was found, and no refutation either"),
        (WITNESS, gives_up, "O-O is undecided: Z3 gave up: timeout."),
        (GAMES, lambda _: ((), 0), "no game was found"),
        (GAMES, lambda _: ((WRONG,), 0), "writes its move as g4"),
    ],
)
def test_what_is_not_shown_is_undecided(
    place: str,
    found: Callable[[object], object],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"sanproof.proofs.{place}", found)
    answer = prove("O-O")
    assert (answer.verdict, answer.proved) == (Verdict.UNDECIDED, True)
    assert (answer.reason, answer.found, answer.game) == (None, None, None)
    assert answer.sentence is not None
    assert words in answer.sentence


@pytest.mark.parametrize(
    ("text", "expected"), [("N2b1+", []), ("Ba1b2+", ["Ba1b2"]), ("a1=Q", ["a8=Q"])]
)
def test_for_what_is_refuted_no_game_is_looked_for(
    text: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take long; but that it can be played without the suffix is shown by a game.

    a1=Q is Black's; seen from White it is a8=Q.
    """
    looked_for = []

    def searched(san: San) -> Witness | None:
        looked_for.append(str(san))
        return search_witness(san)

    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", searched)
    prove(text)
    assert looked_for == expected
