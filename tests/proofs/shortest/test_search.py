"""The search for shorter games: nothing gets longer, and the table is of legal games to a mate."""

from functools import cache

import chess

from sanproof.proofs.shortest.checks import check_rows
from sanproof.proofs.shortest.search import ShortestGames, finish
from sanproof.proofs.shortest.states import read_uci, write_uci
from sanproof.proofs.shortest.table import ShortestRow
from sanproof.reports.archive.door import open_archive
from sanproof.verify.work.executors import Inline

GAME = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5 e4d5 f6d5 g5f7 e8f7 d1f3 f7e6 b1c3 c6b4"
ITALIAN = GAME.split(" ")
STALEMATE = "e2e3a7a5d1h5a8a6h5a5h7h5h2h4a6h6a5c7f7f6c7d7e8f7d7b7d8d3b7b8d3h7b8c8f7g6c8e6"

strings = cache(open_archive().strings)


def searched(rounds: int, plies: int) -> ShortestGames:
    """Return a search that began with so much of one game."""
    search = ShortestGames(strings(), (), 7)
    search.add(ITALIAN[:plies])
    for _ in range(rounds):
        search.make_round(Inline().submit, 300)
    return search


def test_a_search_finds_more_and_none_gets_longer() -> None:
    before, search = searched(0, 10).known.plies, searched(2, 10)
    known = search.known.plies
    assert (known[before > 0] <= before[before > 0]).all()
    assert (known > 0).sum() > (before > 0).sum()
    assert (known[before > 0] < before[before > 0]).any()
    assert (known == searched(2, 10).known.plies).all()
    rows = list(search.rows())
    check_rows(rows[::29])
    assert len(rows) == (known > 0).sum()
    for row in rows:
        assert row.ply == known[int(row.player == "black"), strings().index(row.san)]


def test_a_shorter_game_replaces_one_and_never_the_other_way_round() -> None:
    search = searched(0, 16)
    goal = 0, search.strings.index("Qf3+")
    assert search.known.plies[goal] == 13
    shorter = ["e2e4", "f7f5", "g2g4", "f5g4", "a2a3", "e8f7", "d1f3"]
    assert search.add(shorter) > 0
    assert search.add(ITALIAN) == 0
    assert list(map(write_uci, search.known.game(*goal))) == shorter


def test_a_game_is_finished_with_a_mate_or_left_alone() -> None:
    board = chess.Board()
    for move in finish([read_uci(move) for move in ITALIAN]) or ():
        board.push(chess.Move.from_uci(write_uci(move)))
    assert board.is_checkmate()
    mated = [read_uci(move) for move in ("f2f4", "e7e5", "g2g4", "d8h4")]
    assert finish(mated) == mated
    search = searched(0, 0)
    search.add(ShortestRow("Qe6", 19, 1, STALEMATE).moves)
    known = {san: search.known.plies[0, strings().index(san)] for san in ("Qxc8", "Qe6")}
    assert known == {"Qxc8": 11, "Qe6": 0}  # for no game can go on from there
