"""Compiled moves and their strings, and all games of a few plies, against python-chess."""

import re
from collections import Counter

import chess
import numpy as np
import pytest

from sanproof.proofs.games.boards import Bytes
from sanproof.proofs.shortest import exhaustion
from sanproof.proofs.shortest.exhaustion import WORDS, count_games, pack, unpack
from sanproof.proofs.shortest.states import (
    KINGS,
    NO_FILE,
    PASSING,
    RIGHTS,
    SIDE,
    code_of,
    codes_of,
    initial_state,
    legal_moves,
    write_uci,
)
from sanproof.proofs.shortest.table import earliest
from sanproof.reports.archive.door import open_archive
from tests.games import published_rows
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.verify.command import ROOT

A083276 = (1, 20, 400, 5362, 72078)
"""Positions after so many plies (https://oeis.org/A083276)."""


def state_of(board: chess.Board) -> Bytes:
    """Return the state of a position."""
    state = initial_state()
    state[:64] = 0
    for square, piece in board.piece_map().items():
        state[square] = piece.piece_type + 6 * (not piece.color)
    rights = ((chess.H1, chess.A1), (chess.H8, chess.A8))
    state[RIGHTS:PASSING] = [bool(board.castling_rights >> s & 1) for side in rights for s in side]
    passing = board.ep_square
    state[PASSING] = NO_FILE if passing is None else chess.square_file(passing)
    for side, colour in enumerate(chess.COLORS):
        king = board.king(colour)
        assert king is not None
        state[KINGS + side] = king
    state[SIDE] = not board.turn
    return state


@pytest.mark.parametrize("family", FAMILIES)
def test_moves_and_their_strings_are_those_of_python_chess(family: str) -> None:
    valid = filter(chess.Board.is_valid, first_boards(family))
    for number, position in enumerate(valid):
        board = position.mirror() if number % 2 else position
        state = state_of(board)
        moves = legal_moves(state)
        found = zip(map(write_uci, moves.tolist()), codes_of(state, moves), strict=True)
        expected = sorted((move.uci(), code_of(board.san(move))) for move in board.legal_moves)
        assert sorted(found) == expected, board.fen()


def test_each_string_has_a_code_of_its_own() -> None:
    strings = open_archive().strings()
    assert len({code_of(san) for san in strings}) == len(strings)
    with pytest.raises(ValueError, match="is not a SAN string"):
        code_of("e9")


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


def test_five_plies_have_the_published_numbers_of_positions_and_strings() -> None:
    found = list(count_games(5))
    assert tuple(ply.positions for ply in found) == A083276
    page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8").replace(",", "")
    rows = [tuple(map(int, row)) for row in re.findall(r"^" + r"\| (\d+) " * 4, page, re.MULTILINE)]
    assert [row[:3] for row in rows[:5]] == [ply[:3] for ply in found]
    table = published_rows()
    plies = Counter(row.ply for row in earliest(table).values())
    assert {ply: strings for ply, _, _, strings in rows} == {n: plies[n] for n in range(1, 9)}
    for ply in found:
        known = [row for row in table if row.ply == ply.ply]
        assert all(row.exact for row in known)
        assert sorted(code_of(row.san) for row in known) == ply.firsts


def test_positions_that_only_rights_or_captures_in_passing_tell_apart_are_two() -> None:
    packed = set()
    words = np.zeros(WORDS, np.uint64)
    rest = ("KQkq -", "KQkq b3", "KQk -", "Qkq -", "Kkq -", "KQq -")
    for fen in (f"r3k2r/8/8/8/1Pp5/8/8/R3K2R b {rights} 0 1" for rights in rest):
        state = state_of(chess.Board(fen))
        pack(state, words)
        assert unpack(words, 1).tolist() == state.tolist()
        packed.add(words.tobytes())
    assert len(packed) == len(rest)


def test_a_pawn_that_nobody_can_capture_in_passing_makes_no_other_position() -> None:
    words = np.zeros((2, WORDS), np.uint64)
    for row, file in zip(words, ("b3", "-"), strict=True):
        # Every capture leaves the king in check.
        pack(state_of(chess.Board(f"4K3/8/8/8/kPp4Q/8/8/8 b - {file} 0 1")), row)
    assert words[0].tolist() == words[1].tolist()


def test_no_room_for_the_positions_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustion, "_BRANCHING", 19)
    with pytest.raises(MemoryError, match="more positions than expected follow ply 1"):
        list(count_games(2))
