"""Paths, legal as python-chess says, and the tables of pieces that they are searched with.

That the search takes the way that it always took, the published games say (``test_search``).
"""

import random
from itertools import permutations

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.cover.tours import board_of
from sanproof.proofs.games import pieces
from sanproof.proofs.games.hubs import load_hubs
from sanproof.proofs.games.paths import least_steps, match_homes, plies_left, search_path
from sanproof.proofs.games.pieces import Setting, read_setting

PLACEMENTS = [hub for found in load_hubs().values() for hub in found.values()]


@given(st.permutations(range(64)), st.integers(1, 4), st.integers(1, 4))
def test_equal_pieces_are_matched_with_the_least_way(
    order: list[int], rooks: int, knights: int
) -> None:
    kinds = [pieces.ROOK] * rooks + [pieces.KNIGHT] * knights

    def setting(places: list[int]) -> Setting:
        placed = sorted(zip(kinds, places, strict=True))
        sorted_kinds, squares = zip(*placed, (pieces.KING, 63), strict=True)
        return Setting(sorted_kinds, len(kinds), squares)

    now, hub = setting(order[: len(kinds)]), setting(order[20 : 20 + len(kinds)])
    least = 0
    for kind, part in ((pieces.ROOK, slice(rooks)), (pieces.KNIGHT, slice(rooks, len(kinds)))):
        ways = [
            [pieces.distances(kind, h)[s] for s in now.squares[part]] for h in hub.squares[part]
        ]
        least += min(sum(map(list.__getitem__, ways, p)) for p in permutations(range(len(ways))))
    homes = match_homes(now, hub)
    assert sorted(homes) == sorted(hub.squares)
    far = (pieces.distances(k, h)[s] for k, h, s in zip(now.kinds, homes, now.squares, strict=True))
    assert sum(far) == least
    assert least_steps(now, hub) == (least, 0)


def after_random_moves(placement: str, seed: int) -> tuple[Setting, tuple[int, ...]]:
    """Put pieces where legal moves without captures led; return too where each of them came from.

    Black mostly stays, so that the two sides need different numbers of steps.
    """
    rng = random.Random(seed)
    board = chess.Board(f"{placement} b - - 0 1")
    homes = {s: s for s in chess.scan_forward(board.occupied)}
    for _ in range(rng.choice([5, 9, 15])):
        quiet = [move for move in board.legal_moves if not board.is_capture(move)]
        if not quiet:
            break
        if not board.turn and not board.is_check() and rng.random() < 0.7:
            board.push(chess.Move.null())
            continue
        move = rng.choice(quiet)
        homes[move.to_square] = homes.pop(move.from_square)
        board.push(move)
    setting = read_setting(board.board_fen())
    return setting, tuple(homes[s] for s in setting.squares)


@settings(deadline=None)
@given(
    st.sampled_from(PLACEMENTS),
    st.integers(),
    st.sets(st.integers(0, 6), max_size=1),
    st.booleans(),
)
def test_a_path_leads_from_the_hub_to_the_setting(
    placement: str, seed: int, stays: set[int], black_begins: bool
) -> None:
    setting, homes = after_random_moves(placement, seed)
    found = search_path(setting, homes, frozenset(stays), 400, black_begins=black_begins)
    if found is None or board_of(setting).was_into_check():
        return
    board = board_of(setting._replace(squares=homes))
    board.turn = not black_begins
    for uci in found:
        move = chess.Move.from_uci(uci)
        assert board.is_legal(move)
        assert not board.is_capture(move)
        assert move.from_square not in {homes[i] for i in stays}
        board.push(move)
    assert board.turn
    assert read_setting(board.board_fen()) == setting


@pytest.mark.parametrize("black_begins", [False, True])
def test_a_path_is_found_if_there_are_nodes_enough(black_begins: bool) -> None:
    setting = read_setting("8/8/3R4/1n2k3/8/2K4R/5n2/Q7")
    homes = match_homes(setting, read_setting("6k1/8/8/8/8/8/8/QRR1K1nn"))
    asked = setting, homes, frozenset[int]()
    assert search_path(*asked, 5000, black_begins=black_begins)
    assert search_path(*asked, 3, black_begins=black_begins) is None


@given(st.integers(0, 9), st.integers(0, 9), st.booleans(), st.booleans())
def test_the_fewest_plies_give_both_players_enough_moves(
    white: int, black: int, black_first: bool, black_last: bool
) -> None:
    turns = (n for n in range(30) if (n % 2 == 0) == (black_first != black_last))
    needed = (black, white) if black_first else (white, black)
    least = next(n for n in turns if n - n // 2 >= needed[0] and n // 2 >= needed[1])
    assert plies_left(white, black, black_first, black_last) == least
