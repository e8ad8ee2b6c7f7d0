"""Strings looked up in a finished run: what is found is what the run's tables and games hold."""

import lzma
from pathlib import Path

import pytest

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from sanproof.verify.explain.answers import look_up
from tests.reports.archive.archives import (
    SANS,
    SHORTEST,
    TIMES,
    files,
    write_observed,
    write_run,
    write_shortest,
)
from tests.verify.explain.evidence import expect_evidence

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
