"""All games of a few plies, against python-chess."""

import re
from collections import Counter

import chess
import numpy as np
import pytest

from sanproof.proofs.shortest import exhaustion
from sanproof.proofs.shortest.exhaustion import count_games, pack, unpack
from sanproof.proofs.shortest.states import code_of
from sanproof.proofs.shortest.table import PUBLISHED, earliest, read_rows
from tests.proofs.shortest.states import state_of
from tests.verify.command import ROOT

A083276 = (1, 20, 400, 5362, 72078)
"""Positions after so many plies (https://oeis.org/A083276)."""


@pytest.mark.parametrize("plies", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_first_plies_are_those_of_python_chess(plies: int) -> None:
    found = list(count_games(plies))
    assert len(found) == plies
    boards = [chess.Board()]
    seen: dict[bool, set[str]] = {chess.WHITE: set(), chess.BLACK: set()}
    for ply in found:
        following: dict[str, chess.Board] = {}
        firsts, moves = set(), 0
        for board in boards:
            for move in board.legal_moves:
                moves += 1
                if (san := board.san(move)) not in seen[board.turn]:
                    firsts.add(san)
                if ply.ply < plies:
                    after = board.copy(stack=False)
                    after.push(move)
                    following.setdefault(after.epd(en_passant="legal"), after)
        assert (ply.positions, ply.moves) == (len(boards), moves)
        assert ply.firsts == sorted(map(code_of, firsts))
        seen[boards[0].turn] |= firsts
        boards = list(following.values())


def test_five_plies_have_the_published_numbers_of_positions() -> None:
    found = list(count_games(5))
    assert tuple(ply.positions for ply in found) == A083276
    assert [len(ply.firsts) for ply in found] == [20, 20, 80, 127, 353]
    page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8").replace(",", "")
    rows = [tuple(map(int, row)) for row in re.findall(r"^" + r"\| (\d+) " * 4, page, re.MULTILINE)]
    assert [row[:3] for row in rows[:5]] == [ply[:3] for ply in found]
    plies = Counter(row.ply for row in earliest(read_rows(ROOT / "data" / PUBLISHED)).values())
    assert {ply: strings for ply, _, _, strings in rows} == {n: plies[n] for n in range(1, 9)}


def test_positions_that_only_rights_or_captures_in_passing_tell_apart_are_two() -> None:
    packed = set()
    fens = (
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b KQkq b3 0 1",
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b KQk - 0 1",
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b Qkq - 0 1",
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b Kkq - 0 1",
        "r3k2r/8/8/8/1Pp5/8/8/R3K2R b KQq - 0 1",
    )
    scratch, words = np.zeros(72, np.uint8), np.zeros(4, np.uint64)
    for fen in fens:
        state, again = state_of(chess.Board(fen)), np.zeros(72, np.uint8)
        pack(state, scratch, words)
        unpack(words, 1, again)
        assert again.tolist() == state.tolist()
        packed.add(words.tobytes())
    assert len(packed) == len(fens)


def test_a_pawn_that_nobody_can_capture_in_passing_makes_no_other_position() -> None:
    words = np.zeros((2, 4), np.uint64)
    for row, file in zip(words, ("b3", "-"), strict=True):
        # Every capture leaves the king in check.
        fen = f"4K3/8/8/8/kPp4Q/8/8/8 b - {file} 0 1"
        pack(state_of(chess.Board(fen)), np.zeros(72, np.uint8), row)
    assert words[0].tolist() == words[1].tolist()


def test_no_room_for_the_positions_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustion, "_BRANCHING", 19)
    with pytest.raises(MemoryError, match="more positions than expected follow ply 1"):
        list(count_games(2))
