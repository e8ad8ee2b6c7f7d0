"""The bounds: as published, never above a game, and as a second program finds them."""

from functools import cache

import chess
import pytest

from sanproof.proofs.games.pieces import FAR
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.shortest.bounds import BLACK, EXITS, WHITE, king_way, least_ply, main
from sanproof.proofs.shortest.checks import provable
from sanproof.proofs.shortest.table import ShortestRow
from tests.games import published_rows
from tests.proofs.shortest.constructed_games import construct, too_much
from tests.verify.command import ROOT

STRINGS = (ROOT / "data" / "san_strings_with_symbols.txt").read_text().split()


@cache
def published() -> dict[tuple[str, str], ShortestRow]:
    return {(row.san, row.player): row for row in published_rows()}


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 360))]
)
def test_bounds_are_those_published_no_game_is_quicker_and_all_others_are_impossible(
    part: int,
) -> None:
    found = published()
    assert len(found) > 57_000
    for san in STRINGS[part::360]:
        for player in (WHITE, BLACK):
            ply, known = least_ply(san, player), found.get((san, player))
            assert (ply is None) == (known is None), san
            if ply is not None and known is not None:
                assert ply <= known.ply, san
                assert provable(known) == known.bound, san


@pytest.mark.parametrize("missing", ["", "e2", "d1", "f1g1"])
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


@pytest.mark.parametrize("san", ["bxa8=Q", "Ke3", "Nf3", "hxg8=Q", "axb8=N"])
def test_some_bounds_are_met(san: str) -> None:
    assert least_ply(san, WHITE) == published()[san, WHITE].ply


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


@pytest.mark.parametrize("part", range(2))
def test_no_constructed_game_has_fewer_moves_than_the_argument_asks(part: int) -> None:
    for seed in range(part * 25, part * 25 + 25):
        assert not too_much(construct(seed, 6 + seed % 20), seed)


def test_it_prints_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Qb6e3#"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Qb6e3# by white: not before ply 27."
    assert "  queen promoted to e6: 6 moves" in lines
    assert main([]) == 2
