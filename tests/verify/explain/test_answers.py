"""Strings looked up in a finished run, or proved now: games that can be replayed, and reasons."""

import lzma
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.decide import search_witness
from sanproof.proofs.theory.reasons import Reason, Verdict
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.explain.prove import prove
from tests.reports.archive.archives import (
    SANS,
    SHORTEST,
    TIMES,
    files,
    write_observed,
    write_run,
    write_shortest,
)


def expect_evidence(answer: Answer) -> None:
    """Check that the game is legal and mates, and passes the witness at the string's ply."""
    assert answer.verdict is Verdict.REACHABLE
    assert answer.game is not None
    shown, board = answer.shown, chess.Board()
    for ply, san in enumerate(answer.game.sans, 1):
        if ply == answer.game.ply:
            assert san == answer.san
            assert board.fen() == shown.before_fen
            assert board.parse_san(san).uci() == shown.uci
            assert chess.COLOR_NAMES[board.turn] == answer.game.colour
        board.push_san(san)
        if ply == answer.game.ply:
            assert board.fen() == shown.after_fen
    assert board.is_checkmate()
    assert board.result() == answer.game.result


ARCHIVE = open_archive()
REACHABLE = ARCHIVE.strings()
BOTH, ONLY_WHITE, ONLY_BLACK = ("white", "black"), ("white",), ("black",)


@pytest.mark.parametrize("san", [REACHABLE[0], *REACHABLE[1000::5000], REACHABLE[-1]])
@pytest.mark.parametrize("player", [None, "white", "black"])
def test_a_reachable_string_comes_with_the_shortest_game(san: str, player: str | None) -> None:
    answer = look_up(ARCHIVE, san, player=player)
    assert not answer.proved
    assert answer.players == look_up(ARCHIVE, san).players
    expect_evidence(answer)
    assert answer.game is not None
    assert answer.game.colour in answer.players
    assert player is None or answer.game.colour == player or player not in answer.players


@pytest.mark.parametrize(
    ("san", "players"),
    [("e4", BOTH), ("Nf6", BOTH), ("a8=Q", ONLY_WHITE), ("a1=Q", ONLY_BLACK), ("a2", ONLY_BLACK)],
)
def test_who_can_play_a_string_is_known(san: str, players: tuple[str, ...]) -> None:
    """And where it is played earliest is shown first."""
    for player in (None, "white", "black"):
        answer = look_up(ARCHIVE, san, player=player)
        assert answer.players == players
        expect_evidence(answer)
        if player is None and players == BOTH:
            assert answer.game is not None
            assert answer.game.ply == {"e4": 1, "Nf6": 2}[san]


def test_the_shortest_game_is_there_beside_the_witness() -> None:
    answer = look_up(ARCHIVE, "Qh4#")
    found = answer.earliest
    assert found is not None
    assert (found.ply, found.bound, found.exact) == (4, 4, True)
    assert found.game.sans == ("f4", "e5", "g4", "Qh4#")
    assert answer.witness == ARCHIVE.witness_of("Qh4#")
    assert answer.game == found.game
    white = look_up(ARCHIVE, "Qh4#", player="white").earliest
    assert white is not None
    assert (white.player, white.bound, white.game.sans[white.ply - 1]) == ("white", 9, "Qh4#")
    assert look_up(ARCHIVE, "Kae1").earliest is None


def test_without_a_shortest_game_the_run_s_is_shown(tmp_path: Path) -> None:
    run = write_run(tmp_path, files())
    for archive in (open_archive(run), open_archive(write_shortest(run, SHORTEST[:1]))):
        game = look_up(archive, "g4").game
        assert game is not None
        assert game.number
        assert game.sans[game.ply - 1] == "g4"


@pytest.mark.parametrize("text", ["f2f3e7e4g2g4", "f2f3e7e5a2a3"])
def test_a_shortest_game_that_is_damaged(tmp_path: Path, text: str) -> None:
    run = write_shortest(write_run(tmp_path, files()), [SHORTEST[3]._replace(text=text)])
    with pytest.raises(ArchiveError, match="damaged"):
        _ = look_up(open_archive(run), "g4").shown


def test_a_run_without_games_gives_positions(tmp_path: Path) -> None:
    answer = look_up(open_archive(write_run(tmp_path, files(games=False))), "Qh4#")
    assert answer.verdict is Verdict.REACHABLE
    assert answer.witness is not None
    assert (answer.game, answer.players) == (None, ())


def test_how_often_a_string_was_played_is_looked_up_beside_the_run(tmp_path: Path) -> None:
    run = write_run(tmp_path, files())
    assert look_up(open_archive(run), "Qh4#").observed is None
    archive = open_archive(write_observed(run))
    for san in SANS:
        seen = look_up(archive, san).observed
        assert seen is not None
        assert (seen.times, seen.moves) == (TIMES.get(san, 0), sum(TIMES.values()))
    assert look_up(archive, "e4e5").observed is None


def _with_games(*games: PgnGame) -> dict[str, bytes]:
    return {"games.pgn.xz": lzma.compress("".join(map(write_pgn, games)).encode())}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (_with_games(PgnGame(1, "f3", 0, ("f3", "e6", "g4", "Qh4#"))), "e5 is not in game 1"),
        (_with_games(PgnGame(1, "f3", 0, ("f3",))), "e5 is not in game 1"),
    ],
)
def test_files_that_contradict_each_other(
    changes: dict[str, bytes], words: str, tmp_path: Path
) -> None:
    archive = open_archive(write_run(tmp_path, files() | changes))
    with pytest.raises(ArchiveError, match=f"is damaged: .*{words}"):
        look_up(archive, "e5")


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
