"""The search in rounds: nothing gets longer, and stopping it changes nothing."""

from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.shortest.finish import finish
from sanproof.proofs.shortest.rounds import ShortestGames, make_round
from sanproof.proofs.shortest.states import new_scratch, read_uci, write_uci
from sanproof.reports.archive.door import open_archive
from sanproof.verify.work.executors import Inline

GAME = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5 e4d5 f6d5 g5f7 e8f7 d1f3 f7e6 b1c3 c6b4"
ITALIAN = GAME.split(" ")
FOOLS = ["f2f4", "e7e5", "g2g4", "d8h4"]


strings = cache(open_archive().strings)


def started() -> ShortestGames:
    """Return a search that knows one game."""
    search = ShortestGames(strings(), 7)
    search.add(ITALIAN)
    return search


def go_on(search: ShortestGames, times: int) -> ShortestGames:
    for _ in range(times):
        make_round(search, 300, Inline().submit)
    return search


def test_every_game_shows_its_string_at_its_ply_and_none_gets_longer() -> None:
    search = started()
    before = search.known.plies.copy()
    go_on(search, 2)
    known = search.known.plies
    assert (known[before > 0] <= before[before > 0]).all()
    assert (known > 0).sum() > (before > 0).sum()
    assert (known[before > 0] < before[before > 0]).any()
    for side, number in np.argwhere(known)[::7]:
        *moves, last = map(write_uci, search.game(side, number))
        board = chess.Board()
        for move in moves:
            board.push(chess.Move.from_uci(move))
        assert (len(moves) % 2, len(moves) + 1) == (side, known[side, number])
        assert board.san(chess.Move.from_uci(last)) == search.strings[number]


def test_a_stopped_search_goes_on_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    through = go_on(started(), 2)
    go_on(started(), 1).save(tmp_path / "archive")
    again = ShortestGames(through.strings, 7)
    again.load(tmp_path / "archive")
    assert again.rounds == 1
    go_on(again, 1)
    assert str(again) == str(through)
    assert (again.known.plies == through.known.plies).all()
    assert (again.known.games == through.known.games).all()


def test_a_shorter_game_replaces_one_and_never_the_other_way_round() -> None:
    search = started()
    number = search.strings.index("Qf3+")
    assert search.known.plies[0, number] == 13
    assert search.add(["e2e4", "f7f5", "g2g4", "f5g4", "a2a3", "e8f7", "d1f3"]) > 0
    assert search.known.plies[0, number] == 7
    game = search.game(0, number)
    assert search.add(ITALIAN) == 0
    assert search.game(0, number) == game


def test_an_archive_of_another_search_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    started().save(path)
    with pytest.raises(EvidenceError, match="is of another seed, or of other strings"):
        ShortestGames(strings(), 8).load(path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(EvidenceError, match="is damaged"):
        ShortestGames(strings(), 7).load(path)


def test_a_game_is_finished_with_a_mate_or_left_alone() -> None:
    scratch = new_scratch()
    board = chess.Board()
    whole = finish([read_uci(move) for move in ITALIAN], scratch)
    assert whole is not None
    for move in whole:
        board.push(chess.Move.from_uci(write_uci(move)))
    assert board.is_checkmate()
    mated = [read_uci(move) for move in FOOLS]
    assert finish(mated, scratch) == tuple(mated)
