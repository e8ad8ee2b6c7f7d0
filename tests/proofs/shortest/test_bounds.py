"""The bounds: never above a game, and as a second program finds them."""

from collections.abc import Iterable
from functools import cache

import chess
import pytest

from sanproof.proofs.games.pieces import FAR
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.shortest.bounds import (
    BLACK,
    EXITS,
    WHITE,
    fillings,
    king_way,
    least_ply,
    main,
    plain_cases,
)
from sanproof.proofs.shortest.table import PUBLISHED, read_rows
from tests.proofs.shortest.constructed_games import construct, too_much
from tests.proofs.shortest.placements_of_kind import least_moves
from tests.verify.command import ROOT

STRINGS = (ROOT / "data" / "san_strings_with_symbols.txt").read_text().split()
Firsts = dict[tuple[str, str], int]

GAMES = """
f3 e5 g4 Qh4#
e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#
h4 g5 hxg5 h6 gxh6 a6 h7 a5 hxg8=Q
c4 a6 c5 a5 c6 h6 cxb7 a4 bxa8=Q h5 Qdxa4
e4 e5 Bc4 Nc6 Bxf7+
e4 e5 Ke2 Ke7 Ke3 Ke6 Kf3 Kf6 Kg3 Kg6
a4 h5 Ra3 Rh6 h4 a5 Rhh3 Raa6 Rab3 Rab6
Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O
Nc3 Nc6 d4 d5 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O
a4 b5 axb5 a6 bxa6 Nh6 a7 Nf5 axb8=N Nd6 Nc6
c4 d5 cxd5 e6 dxe6 Nc6 exf7+ Ke7 fxg8=N+ Ke8
e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2 Bh3 Bxb7 Bf1 Bxa8
d4 e5 dxe5 Qg5 Nf3 Qxg2 Bxg2 Bb4+ c3 Bxc3+
e4 f5 exf5 e5 fxe6 Ke7 Qh5 Kd6 Qf7 Kc5 e7 Kb4 a3+
"""


def played(sans: Iterable[str]) -> Firsts:
    board = chess.Board()
    found: Firsts = {}
    for ply, san in enumerate(sans, 1):
        move = board.parse_san(san)
        found.setdefault((board.san(move), WHITE if ply % 2 else BLACK), ply)
        board.push(move)
    return found


@cache
def short_games() -> Firsts:
    found: Firsts = {}
    for line in GAMES.split("\n"):
        for key, ply in played(line.split()).items():
            found[key] = min(ply, found.get(key, ply))
    return found


@cache
def exhausted(plies: int) -> Firsts:
    """Return all strings of the first plies, from all positions."""
    found: Firsts = {}
    positions = {chess.STARTING_FEN}
    for ply in range(1, plies + 1):
        after = set()
        for fen in positions:
            board = chess.Board(fen)
            for move in board.legal_moves:
                found.setdefault((board.san(move), WHITE if ply % 2 else BLACK), ply)
                if ply < plies:
                    board.push(move)
                    after.add(board.fen())
                    board.pop()
        positions = after
    return found


def too_high(found: Firsts) -> list[tuple[str, str]]:
    plies = {key: least_ply(*key) for key in found}
    return [key for key, ply in plies.items() if ply is None or ply > found[key]]


def test_no_short_game_is_quicker() -> None:
    assert len(short_games()) > 90
    assert not too_high(short_games())


@pytest.mark.parametrize("plies", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_no_string_of_the_first_plies_is_earlier(plies: int) -> None:
    found = exhausted(plies)
    assert len({san for san, _ in found}) == sum((20, 20, 72, 93)[:plies])
    assert not too_high(found)


@cache
def published() -> Firsts:
    return {(row.san, row.player): row.ply for row in read_rows(ROOT / "data" / PUBLISHED)}


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 24))]
)
def test_no_published_game_is_quicker_and_all_others_are_impossible(part: int) -> None:
    found = published()
    assert len(found) > 57_000
    for san in STRINGS[part::24]:
        for player in (WHITE, BLACK):
            ply, known = least_ply(san, player), found.get((san, player))
            assert (ply is None) == (known is None), san
            assert ply is None or known is None or ply <= known, san


@pytest.mark.parametrize(
    ("piece", "pieces", "most"),
    [
        ("N", 3, 7),
        ("B", 2, 7),
        ("R", 2, 4),
        ("Q", 2, 7),
        pytest.param("B", 3, 12, marks=pytest.mark.slow),
        pytest.param("Q", 3, 13, marks=pytest.mark.slow),
    ],
)
def test_a_second_program_finds_the_same_moves(piece: str, pieces: int, most: int) -> None:
    """Of the mover and its twins alone."""
    slow = least_moves(piece, pieces, most)
    names = [s for s in STRINGS if s[0] == piece and s[-1] not in "+#" and "x" not in s]
    assert set(slow) <= set(names)
    for san in names:
        cases = plain_cases(parse_san(san))
        moves = min(fillings(case.needs)[0].moves for case in cases)
        assert slow.get(san, most + 1) == min(moves, most + 1), san


@pytest.mark.parametrize("missing", ["", "e2", "d1", "f1g1", "e2f1"])
def test_a_second_program_walks_the_king_as_far(missing: str) -> None:
    gone = frozenset(parse_square(missing[i : i + 2]) for i in range(0, len(missing), 2))
    for shut_in, table in ((False, king_way(gone).moves), (True, king_way(gone).shut)):
        slow = walked(gone, 5, shut_in=shut_in)
        for square in range(64):
            if shut_in:
                assert table[square] <= slow.get(square, FAR)
            else:
                assert min(table[square], 6) == slow.get(square, 6)


def walked(gone: frozenset[int], most: int, *, shut_in: bool) -> dict[int, int]:
    """Walk the king over a board from which his own pieces leave one by one."""
    edge = {(4, frozenset(range(16)) - {4} - gone)}
    found, known = {4: 0}, set(edge)
    for moves in range(1, most + 1):
        after = set()
        for king, pieces in edge:
            for piece in pieces:
                if (
                    not shut_in
                    or piece not in EXITS
                    or any(s not in pieces and s != king for s in EXITS[piece])
                ):
                    after.add((king, pieces - {piece}))
            ends = [s for s in range(64) if chess.square_distance(king, s) == 1 and s not in pieces]
            after |= {(end, pieces) for end in ends}
            if king == 4 and not pieces & {5, 6}:
                after.add((6, pieces - {7}))
            if king == 4 and not pieces & {1, 2, 3}:
                after.add((2, pieces - {0}))
        edge = after - known
        known |= edge
        for king, _ in edge:
            found.setdefault(king, moves)
    return found


def test_some_bounds_are_met() -> None:
    found = short_games()
    met = {san for (san, player), ply in found.items() if least_ply(san, player) == ply}
    assert {"bxa8=Q", "Ke3", "Nf3", "hxg8=Q", "axb8=N"} <= met


PREMISES = """
e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 Re1
e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 Kh1
d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O Kb1 Kb8 Ka1 Ka8
e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O Re1 Re8 Kf1 Kf8
Nc3 d5 Nxd5 Kd7 Nb4 Ke6 a3 Qxd2+
Nf3 d5 Nd4 Kd7 Nc6 Ke6 Nxd8+ Kd6 Nxb7+ Ke6
d4 e5 dxe5 d5 Qxd5 Bd7 Qxd7+ Nxd7 Kd2 a6 Kd1
"""
"""Games in which one move does what two are asked for: castling, or a way that is opened anyway."""


@pytest.mark.parametrize("line", PREMISES.split("\n")[1:-1])
def test_one_move_may_do_two_things(line: str) -> None:
    assert not too_much(line.split(), seed=0, tries=100)


@pytest.mark.parametrize("part", range(4))
def test_no_constructed_game_has_fewer_moves_than_the_argument_asks(part: int) -> None:
    for seed in range(part * 25, part * 25 + 25):
        assert not too_much(construct(seed, 6 + seed % 20), seed)


def test_it_prints_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Qb6e3#"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Qb6e3# by white: not before ply 27."
    assert "  queen promoted to e6: 6 moves" in lines
    assert main([]) == 2
