"""One string explained: a position that can be replayed, or a reason."""

from io import StringIO

import chess
import chess.pgn
import pytest

from generator.strings import suffixed_strings
from proofs.games.game import ProofGame
from proofs.games.search import Found
from proofs.rules.san import San
from proofs.search.decide import search_witness
from proofs.verdicts.reasons import Reason
from proofs.verdicts.witness import Witness
from tests.verify.command import expect_sentence, sanproof
from verify.errors import Failure, NegativeAnswer
from verify.explain.afresh import explain

REACHABLE = {
    "e5": chess.WHITE,
    "a8=Q#": chess.WHITE,
    "a1=Q#": chess.BLACK,
    "hxg1=N+": chess.BLACK,
    "dxe6": chess.WHITE,
    "O-O": chess.WHITE,
    "O-O-O#": chess.WHITE,
    "Qb6e3#": chess.WHITE,
    "Nf6+": chess.WHITE,
}
"""Strings, and who plays them: White if White can."""

IMPOSSIBLE = {
    "Kd4=Q": Reason.PROMOTION_OF_A_PIECE,
    "e8=K": Reason.PROMOTION_TO_KING,
    "e4=Q": Reason.PROMOTION_TOO_EARLY,
    "e1": Reason.PROMOTION_MISSING,
    "e4e5": Reason.PAWN_RANK_WRITTEN,
    "axh8=Q": Reason.PAWN_CAPTURE_NOT_ADJACENT,
    "Kae1": Reason.KING_WITH_DISCRIMINATOR,
    "Nb2a1": Reason.NO_ORIGIN,
    "N2b1": Reason.NO_TWINS,
    "Ba1b2+": Reason.NO_CHECK,
}


def field(text: str, name: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.removeprefix(name).strip()


@pytest.mark.parametrize(("san", "colour"), REACHABLE.items())
def test_a_reachable_string_is_shown_with_what_can_be_replayed(
    san: str, colour: chess.Color
) -> None:
    explanation = explain(san)
    assert explanation.reachable
    headline = explanation.text.splitlines()[0]
    board = chess.Board(field(explanation.text, "before"))
    assert board.is_valid()
    assert board.turn == colour
    move = board.parse_san(san)
    assert board.san(move) == san
    player = "White" if colour else "Black"
    assert headline == f"{san} is reachable: {player} plays {move.uci()} here."
    board.push(move)
    assert board.fen() == field(explanation.text, "after")


def test_the_board_is_drawn_as_it_stands() -> None:
    """Read back square by square, from the coordinates that are drawn."""
    text = explain("O-O").text
    board = chess.Board(field(text, "before"))
    (files,) = [line.split() for line in text.splitlines() if line.split() == list("abcdefgh")]
    drawn: dict[str, str] = {}
    for line in text.splitlines():
        rank, *letters = line.split() or [""]
        if rank in tuple("12345678") and len(letters) == 8:
            drawn |= {f + rank: letter for f, letter in zip(files, letters, strict=True)}
    assert len(drawn) == 64
    for name, letter in drawn.items():
        piece = board.piece_at(chess.parse_square(name))
        assert letter == (piece.symbol() if piece else ".")


@pytest.mark.parametrize(("san", "why"), IMPOSSIBLE.items())
def test_an_impossible_string_is_shown_with_its_reason(san: str, why: Reason) -> None:
    explanation = explain(san)
    assert not explanation.reachable
    headline, sentence = explanation.text.split("\n")
    assert headline == f"{san} is impossible ({why.value})."
    assert san.rstrip("+#") in sentence
    assert sentence.endswith(".")


def test_explain_agrees_with_the_generator() -> None:
    claimed = set(suffixed_strings())
    assert claimed.issuperset(REACHABLE)
    assert claimed.isdisjoint(IMPOSSIBLE)


def test_a_malformed_string_is_a_failure_that_names_the_offence() -> None:
    with pytest.raises(Failure, match=r"'Nz3' is not a SAN string: at 'z', character 2") as caught:
        explain("Nz3")
    assert caught.value.exit_code == 2


def test_a_string_without_witness_or_refutation_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("proofs.search.decide.search_witness", lambda _: None)
    with pytest.raises(NegativeAnswer, match="O-O is undecided") as caught:
        explain("O-O")
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(("text", "expected"), [("N2b1+", []), ("Ba1b2+", ["Ba1b2"])])
def test_for_a_refuted_string_no_game_is_looked_for(
    text: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take long; but that it can be played without the suffix is shown by a game."""
    looked_for = []

    def searched(san: San) -> Witness | None:
        looked_for.append(str(san))
        return search_witness(san)

    monkeypatch.setattr("proofs.search.decide.search_witness", searched)
    assert not explain(text).reachable
    assert looked_for == expected


def test_for_a_player_who_is_refuted_no_game_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """a1=Q is Black's; seen from White it is a8=Q."""
    looked_for = []

    def searched(san: San) -> None:
        looked_for.append(str(san))

    monkeypatch.setattr("proofs.search.decide.search_witness", searched)
    with pytest.raises(NegativeAnswer, match="a1=Q is undecided"):
        explain("a1=Q")
    assert looked_for == ["a8=Q"]


def test_a_wrong_game_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ProofGame("O-O", "white", 2, ("f2f3", "e7e5", "g2g4", "d8h4"))
    found = Found("O-O", (wrong,), (), 0.0)
    monkeypatch.setattr("proofs.games.search.solve_games", lambda _: [found])
    with pytest.raises(NegativeAnswer, match=r"white's O-O, ply 3: .* as g4"):
        explain("O-O")


def test_a_string_without_a_game_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Found("O-O", (), (), 0.0)
    monkeypatch.setattr("proofs.games.search.solve_games", lambda _: [found])
    with pytest.raises(NegativeAnswer, match="O-O is undecided: no game was found"):
        explain("O-O")


def test_the_game_shown_can_be_replayed() -> None:
    text = explain("exd1=N+").text
    game = chess.pgn.read_game(StringIO(text.partition("checkmate:\n")[2]))
    assert game is not None
    assert not game.errors
    assert "exd1=N+" in [node.san() for node in game.mainline()]
    assert game.end().board().is_checkmate()


def test_the_exit_codes_of_the_command() -> None:
    assert sanproof("explain", "a1=Q#").returncode == 0
    assert sanproof("explain", "Kae1").returncode == 1
    expect_sentence(sanproof("explain", "e9"), 2, "at '9', character 2")
