"""Calls a second of ``read`` and ``write`` beside python-chess's ``parse_san`` and ``san``.

    python -m tests.campaigns.bench_san [FILE.pgn]

All are asked each move of the games on its board, in turn. Nothing is asserted.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

import chess
import chess.pgn

import sanproof
from tests.games import REAL_GAMES

ROUNDS: Final = 9
MOST: Final = 2000


class Asked(NamedTuple):
    """A board, a move that is legal there, and its string."""

    board: chess.Board
    move: chess.Move
    san: str


CALLS: Final[dict[str, Callable[[Asked], object]]] = {
    "chess parse_san": lambda asked: asked.board.parse_san(asked.san),
    "sanproof.read": lambda asked: sanproof.read(asked.san, asked.board),
    "chess san": lambda asked: asked.board.san(asked.move),
    "sanproof.write": lambda asked: sanproof.write(asked.move, asked.board),
}


def questions(path: Path) -> list[Asked]:
    """Return the first moves of a file's games."""
    found: list[Asked] = []
    with path.open(encoding="utf-8") as file:
        while len(found) < MOST and (game := chess.pgn.read_game(file)):
            board = game.board()
            for move in game.mainline_moves():
                found.append(Asked(board.copy(stack=False), move, board.san(move)))
                board.push(move)
    return found


def seconds(call: Callable[[Asked], object], asked: list[Asked]) -> float:
    """Return the processor time of a call on all moves."""
    begun = process_time()
    for each in asked:
        call(each)
    return process_time() - begun


def main() -> None:
    """Measure in turn, and print the best of the rounds."""
    asked = questions(Path(sys.argv[1]) if sys.argv[1:] else REAL_GAMES)
    rounds = [{name: seconds(call, asked) for name, call in CALLS.items()} for _ in range(ROUNDS)]
    best = {name: len(asked) / min(times[name] for times in rounds) for name in CALLS}
    beside = dict(zip(CALLS, ["chess parse_san"] * 2 + ["chess san"] * 2, strict=True))
    for name, rate in best.items():
        ratio = rate / best[beside[name]]
        sys.stdout.write(f"{name:<16}{rate:>10,.0f} a second{ratio:>8.2f}\n")


if __name__ == "__main__":
    main()
