"""Paths, and the tables of men that they are searched with.

The search is compared with one in plain Python, on tuples, a dict and a heap: far slower, it says
the same, and shares with the compiled one the tables of men, the fewest plies and the weights only.
"""

import random
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, permutations

import chess
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.games import hubs, paths, pieces
from sanproof.proofs.games.paths import least_steps, match_homes, plies_left, search_path
from sanproof.proofs.games.pieces import ManStep, Setting, read_setting
from sanproof.proofs.games.player import position_of

ALL_HUBS = [hub for found in hubs.load_hubs().values() for hub in found]
Node = tuple[tuple[int, ...], list[ManStep]]
"""The men's squares, and the moves from there on to the setting."""


class Oracle:
    """A search that takes the same arguments as :func:`proofs.games.paths.search_path`."""

    def __init__(
        self,
        setting: Setting,
        homes: tuple[int, ...],
        unmoved: frozenset[int],
        *,
        black_begins: bool = False,
    ) -> None:
        self.setting, self.unmoved, self.black_begins = setting, unmoved, black_begins
        kinds = setting.kinds
        self.far = [pieces.distances(kind, home) for kind, home in zip(kinds, homes, strict=True)]
        self.white = range(setting.whites)
        self.black = range(setting.whites, len(kinds))

    def search(self, most_nodes: int) -> list[ManStep] | None:
        """The path, the first of least rank; of one rank the newest."""
        heap = [(0, 0, False, (self.setting.squares, list[ManStep]()))]
        fewest: dict[tuple[bool, tuple[int, ...]], int] = {(True, self.setting.squares): 0}
        heap[0] = (self.rank(self.setting.squares, 0), 0, False, heap[0][3])
        newest = count(-1, -1)
        for _ in range(most_nodes):
            if not heap:
                return None
            rank, _, again, (squares, steps) = heappop(heap)
            black_is_next = len(steps) % 2 == 0
            if self.steps_left(squares) == (0, 0) and black_is_next != self.black_begins:
                return steps
            for before, step, king_change in self.unmoves(squares, again=again, depth=len(steps)):
                key = (not black_is_next, before)
                if fewest.get(key, pieces.FAR) > len(steps) + 1:
                    fewest[key] = len(steps) + 1
                    new_rank = self.rank(before, len(steps) + 1, squares) + king_change
                    heappush(heap, (new_rank, next(newest), False, (before, [step, *steps])))
            if not again:
                heappush(heap, (rank + paths.AGAIN, next(newest), True, (squares, steps)))
        return None

    def steps_left(self, squares: tuple[int, ...]) -> tuple[int, int]:
        """The steps that White's and Black's men need."""
        white, black = (sum(self.far[i][squares[i]] for i in s) for s in (self.white, self.black))
        return white, black

    def rank(
        self, squares: tuple[int, ...], depth: int, kings: tuple[int, ...] | None = None
    ) -> int:
        """The rank; the kings count where they stood after the un-move."""
        white, black = self.steps_left(squares)
        first = depth % 2 == 0
        left = plies_left(white, black, first, self.black_begins)
        rank = paths.EAGER * left + paths.PLY * (white + black + depth)
        for i, weight in ((0, paths.WHITE_KING), (self.setting.whites, paths.BLACK_KING)):
            rank += weight * self.far[i][(kings or squares)[i]]
        return rank

    def unmoves(
        self, squares: tuple[int, ...], *, again: bool, depth: int
    ) -> Iterator[tuple[tuple[int, ...], ManStep, int]]:
        """The positions before a player's move, the move, and what its king's change weighs."""
        black_first = depth % 2 == 0
        side, king = (self.black, squares[0])
        if not black_first:
            side, king = self.white, squares[self.setting.whites]
        white, black = self.steps_left(squares)
        left = plies_left(white, black, black_first, self.black_begins)
        to_lose = left - 2 * (black if black_first else white)
        for i in side:
            kind, square = self.setting.kinds[i], squares[i]
            limit = -1 if to_lose <= 0 else 0
            if to_lose > 2 and kind in {pieces.KING, pieces.KNIGHT}:
                limit = 1
            changes = {t: self.far[i][t] - self.far[i][square] for t in pieces.BACK[kind][square]}
            for origin in sorted(changes, key=lambda t: changes[t]):
                useful = changes[origin] <= limit
                before = (*squares[:i], origin, *squares[i + 1 :])
                if (
                    i not in self.unmoved
                    and useful != again
                    and self.far[i][origin] < pieces.FAR
                    and origin not in squares
                    and not any(pieces.BACK[kind][square][origin] >> s & 1 for s in squares)
                    and not any(self.attacks(j, king, before) for j in side)
                ):
                    weight = (
                        (paths.BLACK_KING if black_first else paths.WHITE_KING)
                        if i == side[0]
                        else 0
                    )
                    yield before, ManStep(origin, square), weight * changes[origin]

    def attacks(self, i: int, target: int, squares: tuple[int, ...]) -> bool:
        """Whether a man attacks a square."""
        between = pieces.ATTACK_ON[self.setting.kinds[i]][target][squares[i]]
        return between != pieces.NEVER and not any(between >> s & 1 for s in squares)


SYMBOLS = {
    pieces.KING: "K",
    pieces.QUEEN: "Q",
    pieces.ROOK: "R",
    pieces.BISHOP: "B",
    pieces.KNIGHT: "N",
}


@pytest.mark.parametrize("kind", SYMBOLS)
def test_reach_and_attacks_agree_with_python_chess(kind: int) -> None:
    for square in chess.SQUARES:
        board = chess.BaseBoard.empty()
        board.set_piece_at(square, chess.Piece.from_symbol(SYMBOLS[kind]))
        assert set(pieces.REACH[kind][square]) == set(board.attacks(square))
        for target in chess.SQUARES:
            between = pieces.ATTACK_ON[kind][target][square]
            assert (between != pieces.NEVER) == (target in board.attacks(square))
            if between != pieces.NEVER:
                assert between == int(chess.SquareSet.between(square, target))


@given(st.integers(8, 55), st.data())
def test_a_pawn_comes_from_behind(square: int, data: st.DataObject) -> None:
    origin = data.draw(st.integers(8, 55))
    board = chess.Board(None)
    board.set_piece_at(origin, chess.Piece(chess.PAWN, chess.WHITE))
    is_back = origin in pieces.BACK[pieces.PAWN][square]
    assert is_back == (chess.Move(origin, square) in board.legal_moves)


@given(st.sampled_from(sorted(SYMBOLS)), st.integers(0, 63), st.integers(0, 63))
def test_an_unmove_changes_the_distance_by_a_step_at_most(
    kind: int, square: int, home: int
) -> None:
    far = pieces.distances(kind, home)
    if far[square] < pieces.FAR:
        changes = {far[s] - far[square] for s in pieces.BACK[kind][square] if far[s] < pieces.FAR}
        assert changes <= {-1, 0, 1}
        assert -1 in changes or square == home


@given(st.permutations(range(64)), st.integers(1, 4), st.integers(1, 4))
def test_equal_men_are_matched_with_the_least_way(
    order: list[int], rooks: int, knights: int
) -> None:
    kinds = [pieces.ROOK] * rooks + [pieces.KNIGHT] * knights

    def setting(places: list[int]) -> Setting:
        men = ((False, kind, s) for kind, s in zip(kinds, places, strict=True))
        return pieces.setting_of([*men, (True, pieces.KING, 63)])

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
    """Men where legal moves without captures have led them, and where each of them came from.

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
    st.sampled_from(ALL_HUBS),
    st.integers(),
    st.sets(st.integers(0, 6), max_size=1),
    st.booleans(),
    st.sampled_from([20, 60, 150, 400]),
)
@example(ALL_HUBS[108], 108, set(), False, 20)  # with two moves to lose, a king may go further off
@example(ALL_HUBS[5], 5, set(), False, 20)  # with a man on a1
def test_compiled_code_searches_as_plain_python_does(
    hub: hubs.Hub, seed: int, stays: set[int], black_begins: bool, most_nodes: int
) -> None:
    setting, homes = after_random_moves(hub.placement, seed)
    unmoved = frozenset(stays)
    expected = Oracle(setting, homes, unmoved, black_begins=black_begins).search(most_nodes)
    found = search_path(setting, homes, unmoved, most_nodes, black_begins=black_begins)
    assert found == expected
    board = chess.Board(position_of(setting._replace(squares=homes)).fen)
    board.turn = not black_begins
    if found is None or chess.Board(position_of(setting).fen).was_into_check():
        return
    for origin, destination in found:
        move = chess.Move(origin, destination)
        assert board.is_legal(move)
        assert not board.is_capture(move)
        assert origin not in {homes[i] for i in stays}
        board.push(move)
    assert board.turn
    assert read_setting(board.board_fen()) == setting


def test_there_is_room_for_ranks_as_high_as_they_come() -> None:
    nodes = np.full((2, paths.COLUMNS), paths.NONE, np.int64)
    heads = np.full(8, paths.NONE, np.int32)
    for node in range(2):
        heads = paths._put(nodes, heads, node, 20)
    assert {rank: int(node) for rank, node in enumerate(heads) if node != paths.NONE} == {20: 1}
    assert nodes[:, paths.NEXT].tolist() == [paths.NONE, 0]


@given(st.integers(0, 9), st.integers(0, 9), st.booleans(), st.booleans())
def test_the_fewest_plies_give_both_players_enough_moves(
    white: int, black: int, black_first: bool, black_last: bool
) -> None:
    turns = (n for n in range(30) if (n % 2 == 0) == (black_first != black_last))
    needed = (black, white) if black_first else (white, black)
    least = next(n for n in turns if n - n // 2 >= needed[0] and n // 2 >= needed[1])
    assert plies_left(white, black, black_first, black_last) == least
    many = plies_left(np.array([white] * 2), np.array([black] * 2), black_first, black_last)
    assert many.tolist() == [least] * 2
