"""Are the definitions in Coq chess? A program extracted from them is compared with python-chess.

``python -m tests.proofs.formal.comparison --seed 1 --pairs 1000000`` compares moves, strings,
check, mate, stalemate and the positions after moves; repetition and 75 moves; and the leaves of
the Chess Programming Wiki's six positions. Exit codes: 0 no difference, 1 a difference.

Positions come from games (the published cover, recorded games where there are some), from random
play, from the conformance suite, and from the families on which the encoding is tried, numbered
positions among them: they have what no game has. Games are made for repetition and for 75 moves.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import lzma
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import chess

from sanproof.proofs.board.fens import write_placement
from sanproof.proofs.formal.coq import HERE, Build
from tests.games import REAL_GAMES
from tests.proofs.encoding.positions import FAMILIES, recorded_games
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


# The program

Question = tuple[str, str]
"""What the program is asked, and what is due."""
EXTRACTED: Final = ("Chess", "Forms", "Quick", "Extract")


def build_player(folder: Path, definitions: str | None = None) -> Path:
    """Return the program, built in ``folder`` from `Chess.v`, or from another text of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("player.ml", *(f"{name}.v" for name in EXTRACTED)):
        shutil.copy(HERE / name, folder)
    if definitions is not None:
        (folder / "Chess.v").write_text(definitions, encoding="utf-8")
    for name in EXTRACTED:
        Build(folder).compile(name)
    sources = ("chess.mli", "chess.ml", "player.ml")
    command = ["ocamlopt", "-w", "-a", "-inline", "200", *sources, "-o", "player"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "player"


def differences(program: Path, asked: Sequence[Question]) -> Iterator[tuple[Question, str]]:
    """Yield the questions that are answered otherwise than is due, with the answers."""
    lines = "".join(f"{question}\n" for question, _ in asked)
    done = subprocess.run([program], input=lines, stdout=subprocess.PIPE, text=True, check=False)
    answers = [*done.stdout.splitlines(), *[""] * len(asked)]  # it may have broken down
    for question, answer in zip(asked, answers, strict=False):
        if answer != question[1]:
            yield question, answer


# The questions


def from_suite() -> Iterator[chess.Board]:
    """Yield every position of the conformance suite, but for those that are broken on purpose."""
    suite = json.loads((ROOT / "data" / "conformance" / "core.json").read_text(encoding="utf-8"))
    for fen in sorted({case["fen"] for case in suite["cases"] if "fen" in case}):
        with contextlib.suppress(ValueError):
            board = chess.Board(fen)
            if board.is_valid():
                yield board


def published_games() -> list[list[str]]:
    """Return the games of the published cover."""
    with lzma.open(ROOT / "data" / "cover.txt.xz", "rt", encoding="ascii") as file:
        return [line.split()[:-2] for line in file]


def from_cover(rng: Random) -> Iterator[chess.Board]:
    """Yield positions of the published cover, games in any order."""
    games = published_games()
    rng.shuffle(games)
    for moves in games:
        board = chess.Board()
        for uci in moves:
            board.push_uci(uci)
            yield board


def positions(rng: Random) -> Iterator[chess.Board]:
    """Yield positions from all sources in turn, without end; first those of the conformance suite.

    Kings are as TRUST.md says, castling rights and en passant square as a FEN may name them.
    """
    yield from from_suite()
    sources = {name: source(rng) for name, source in FAMILIES.items()}
    rare = {name for name in sources if "mate" in name or "push" in name}  # each takes a search
    sources["cover"] = from_cover(rng)
    sources["recorded"] = recorded_games(REAL_GAMES)
    for turn in itertools.count():
        for name in list(sources):
            wanted = turn % 40 == 0 if name in rare else 4
            drawn = list(itertools.islice(sources[name], int(wanted)))
            if wanted and not drawn:
                del sources[name]
            for board in drawn:
                # python-chess corrects impossible rights of a FEN: read it again.
                fen = board.fen(en_passant="fen")
                again = chess.Board(fen)
                if again.fen(en_passant="fen") == fen and not again.was_into_check():
                    yield again


def about_positions(rng: Random, pairs: int) -> Iterator[Question]:
    """Yield questions about positions with so many pairs of position and move, and answers due.

    Every 50th position is asked twice, and every 5th in which the king stands at home: of all moves
    that there are, with all rights to castle claimed, which python-chess believes only where king
    and rook stand at home.
    """
    for number, board in enumerate(positions(rng)):
        if pairs <= 0:
            return
        due = moves_by_chess(board)
        yield f"moves {short_fen(board)}", due
        home = chess.E1 if board.turn else chess.E8
        if not number % (5 if board.king(board.turn) == home else 50):
            men, turn, _, passed, clock = short_fen(board).split()
            claimed = f"{men} {turn} KQkq {passed} {clock}"
            legal = chess.Board(claimed).legal_moves
            yield f"all {claimed}", " ".join(sorted(move.uci() for move in legal))
        pairs -= due.count('="')


def shuffled_game(rng: Random, plies: int) -> list[str]:
    """Return a game in which knights and rooks go to and fro, so that positions appear again."""
    board = chess.Board()
    while len(board.move_stack) < plies and not board.is_game_over():
        moves = list(board.legal_moves)
        last = [(move.to_square, move.from_square) for move in board.move_stack[-2:-1]]
        back = [move for move in moves if (move.from_square, move.to_square) in last]
        calm = [move for move in moves if rng.random() < 0.05 or not board.is_zeroing(move)]
        board.push(rng.choice(back if back and rng.random() < 0.75 else calm or moves))
    return [move.uci() for move in board.move_stack]


def patient_game(rng: Random, plies: int) -> list[str]:
    """Return a game without captures and pawns' moves, in which few positions appear again."""
    board = chess.Board()
    while len(board.move_stack) < plies:
        if quiet := [move for move in board.legal_moves if not board.is_zeroing(move)]:
            board.push(rng.choice(quiet))
        else:
            board.reset()
    return [move.uci() for move in board.move_stack]


def about_games(rng: Random, games: int) -> Iterator[Question]:
    """Yield questions about games made for repetition and 75 moves, and about published ones."""
    special = [*(game.split() for game in MADE), patient_game(rng, 160)]
    drawn = [shuffled_game(rng, rng.randint(20, 200)) for _ in range(games)]
    for moves in [*special, *drawn, *rng.sample(published_games(), games)]:
        yield "game " + " ".join(moves), game_by_chess(moves)


# The answers of python-chess


def short_fen(board: chess.Board) -> str:
    """Write a FEN as the program knows it: the square that a pawn passed, no number of the move."""
    passed = "-" if board.ep_square is None else chess.square_name(board.ep_square)
    turn = "w" if board.turn else "b"
    rights = board.castling_xfen()
    return f"{write_placement(board)} {turn} {rights} {passed} {board.halfmove_clock}"


def moves_by_chess(board: chess.Board) -> str:
    """Return what ``moves`` has to answer, by python-chess."""
    flags = "C" if board.is_check() else ""
    flags += "M" if board.is_checkmate() else ""
    flags += "S" if board.is_stalemate() else ""
    said = []
    for move in board.legal_moves:
        san = board.san_and_push(move)
        said.append(f'{move.uci()}="{san}"={short_fen(board).replace(" ", "_")}')
        board.pop()
    return f"{flags}; {' '.join(sorted(said))}"


def game_by_chess(ucis: Iterable[str]) -> str:
    """Return what ``game`` has to answer: how often each position appeared, draws, the strings."""
    board = chess.Board()

    def said() -> str:
        times = 1
        while times < len(board.move_stack) + 1 and board.is_repetition(times + 1):
            times += 1
        five = "f" if board.is_fivefold_repetition() else ""
        return f"{times}{five}{'s' if board.halfmove_clock >= 150 else ''}"

    counts, strings = [said()], []
    for ply, uci in enumerate(ucis, 1):
        move = chess.Move.from_uci(uci)
        if not board.is_legal(move):
            return f"illegal {ply}"
        strings.append(board.san_and_push(move))
        counts.append(said())
    return f"{' '.join(counts)}; {' '.join(strings)}"


# The comparison


def main() -> None:
    """Compare, and say what was compared and the first differences, in the words that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    rng = Random(options.seed)
    positions = list(about_positions(rng, options.pairs))
    games = list(about_games(rng, options.games))
    perft = [(f"perft {depth} {fen}", str(leaves)) for fen, depth, leaves in PERFT]
    moves = sum(due.count('="') for question, due in positions if question.startswith("moves"))
    with TemporaryDirectory() as folder:
        program = build_player(Path(folder))
        found = list(differences(program, [*positions, *games, *perft]))
    for (question, due), answer in found[:5]:
        sys.stdout.write(f"{question}\n  due: {due}\n  Chess.v: {answer}\n")
    asked = Counter(question.partition(" ")[0] for question, _ in positions)
    sys.stdout.write(
        f"{moves:,} moves in {asked['moves']:,} positions, all moves of {asked['all']:,}, "
        f"{len(games):,} games, {sum(map(int, (due for _, due in perft))):,} leaves of perft "
        f"(seed {options.seed}): {len(found) or 'no'} differences\n"
    )
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
