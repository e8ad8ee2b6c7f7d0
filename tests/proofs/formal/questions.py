"""What the definitions in Coq are asked, with the answers that python-chess gives.

Positions come from games (the published cover, recorded games where there are some), from random
play, from the conformance suite, and from the families on which the encoding is tried, numbered
positions among them: they have what no game has. Games are made for repetition and for 75 moves.
"""

from __future__ import annotations

import itertools
import json
import lzma
from typing import TYPE_CHECKING, Final

import chess

from tests.games import REAL_GAMES
from tests.proofs.encoding.positions import FAMILIES, recorded_games
from tests.proofs.formal.player import all_by_chess, game_by_chess, moves_by_chess, short_fen
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SHUFFLES: Final = (("g1f3", "f3g1"), ("g8f6", "f6g8"), ("b1c3", "c3b1"), ("b8c6", "c6b8"))

QUIET: Final = "g1f3 g8f6 f3g1 f6g8 "
MADE: Final = (
    QUIET * 6,  # the initial position, seven times
    "e2e4 e7e5 " + QUIET * 5,  # en passant was never possible
    "e2e4 g8f6 e4e5 d7d5 " + "b1c3 f6g8 c3b1 g8f6 " * 5,  # once it was
    "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 " + "f3g1 f6g8 g1f3 g8f6 " * 5,  # rights are lost
    "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 " + QUIET * 5,  # all of them
    # White's rook, which could not move anyhow, is lost: the same moves, but not the same men.
    "b1c3 b8c6 a1b1 c6d4 b1a1 d4c6 c3b1 c6d4 b1c3 d4b3 c3b1 b3a1 b1c3 a1b3 c3b1 b3d4",
    # The same men, but the other player has the move.
    "e2e4 e7e5 f1e2 g8f6 e2d3 f6g8 d3f1 g8f6 f1e2 f6g8 e2d3 g8f6 d3f1 f6g8",
)
"""Games made for repetition."""

PERFT: Final = (
    # https://www.chessprogramming.org/Perft_Results: the first depth with a million leaves.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0", 4, 3_894_594),
)
"""Positions, depths, and the numbers of leaves that the Chess Programming Wiki gives."""


def from_suite() -> Iterator[chess.Board]:
    """Every position of the conformance suite."""
    suite = json.loads((ROOT / "data" / "conformance" / "core.json").read_text(encoding="utf-8"))
    for fen in sorted({case["fen"] for case in suite["cases"] if "fen" in case}):
        try:
            board = chess.Board(fen)
        except ValueError:  # cases that are broken on purpose
            continue
        if board.is_valid():
            yield board


def published_games() -> list[list[str]]:
    """The games of the published cover."""
    with lzma.open(ROOT / "data" / "cover.txt.xz", "rt", encoding="ascii") as file:
        return [line.split()[:-2] for line in file]


def from_cover(rng: Random) -> Iterator[chess.Board]:
    """Positions of the published cover, games in any order."""
    games = published_games()
    rng.shuffle(games)
    for moves in games:
        board = chess.Board()
        for uci in moves:
            board.push_uci(uci)
            yield board


def positions(rng: Random) -> Iterator[chess.Board]:
    """Positions from all sources in turn, without end; first those of the conformance suite.

    Kings are as TRUST.md says, castling rights and en passant square as a FEN may name them.
    """
    yield from from_suite()
    sources = {name: source(rng) for name, source in FAMILIES.items()}
    rare = {name for name in sources if "mate" in name or "push" in name}  # each takes a search
    sources["cover"] = from_cover(rng)
    sources["recorded"] = recorded_games(REAL_GAMES)(rng)
    for turn in itertools.count():
        for name in list(sources):
            wanted = turn % 40 == 0 if name in rare else 4
            drawn = list(itertools.islice(sources[name], int(wanted)))
            if wanted and not drawn:
                del sources[name]
            for board in drawn:
                # What a FEN cannot say, python-chess corrects for itself: it is read again.
                fen = board.fen(en_passant="fen")
                again = chess.Board(fen)
                if again.fen(en_passant="fen") == fen and not again.was_into_check():
                    yield again


def about_positions(rng: Random, pairs: int) -> Iterator[tuple[str, str, int]]:
    """Questions about positions, the answers due, how many pairs of position and move each holds.

    Every 50th position is asked twice, and every 5th in which the king stands at home: of all moves
    that there are, with all rights to castle claimed, which python-chess believes only where king
    and rook stand at home.
    """
    for number, board in enumerate(positions(rng)):
        if pairs <= 0:
            return
        due = moves_by_chess(board)
        count = due.count('="')
        yield f"moves {short_fen(board)}", due, count
        home = chess.E1 if board.turn else chess.E8
        if not number % (5 if board.king(board.turn) == home else 50):
            men, turn, _, passed, clock = short_fen(board).split()
            claimed = f"{men} {turn} KQkq {passed} {clock}"
            yield f"all {claimed}", all_by_chess(chess.Board(claimed)), 0
        pairs -= count


def shuffled_game(rng: Random, plies: int) -> list[str]:
    """A game in which knights and rooks go to and fro, so that positions appear again."""
    board = chess.Board()
    moves: list[str] = []
    while len(moves) < plies and not board.is_game_over():
        back = [
            m
            for m in board.legal_moves
            if board.move_stack[-2:-1]
            and (m.from_square, m.to_square)
            == (board.move_stack[-2].to_square, board.move_stack[-2].from_square)
        ]
        choices = (
            back
            if back and rng.random() < 0.75
            else [m for m in board.legal_moves if rng.random() < 0.05 or not board.is_zeroing(m)]
            or list(board.legal_moves)
        )
        move = rng.choice(choices)
        moves.append(move.uci())
        board.push(move)
    return moves


def patient_game(rng: Random, plies: int) -> list[str]:
    """A game without captures and pawns' moves, in which few positions appear again."""
    board = chess.Board()
    while len(board.move_stack) < plies:
        if quiet := [move for move in board.legal_moves if not board.is_zeroing(move)]:
            board.push(rng.choice(quiet))
        else:
            board.reset()
    return [move.uci() for move in board.move_stack]


def about_games(rng: Random, games: int) -> Iterator[tuple[str, str]]:
    """Questions about games made for repetition and for 75 moves, and about published ones."""
    special = [*(game.split() for game in MADE), patient_game(rng, 160)]
    drawn = [shuffled_game(rng, rng.randint(20, 200)) for _ in range(games)]
    for moves in [*special, *drawn, *rng.sample(published_games(), games)]:
        yield "game " + " ".join(moves), game_by_chess(moves)
