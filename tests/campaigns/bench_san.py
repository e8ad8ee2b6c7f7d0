"""Calls a second of ``read`` and ``write`` beside python-chess's ``parse_san`` and ``san``.

    python -m tests.campaigns.bench_san [GAMES.pgn]

All are asked each move on its board, in turn; the best of nine rounds counts.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import chess
import chess.pgn

import sanproof
from tests.games import REAL_GAMES

CALLS: dict[str, Callable[[chess.Board, chess.Move, str], object]] = {
    "chess parse_san": lambda board, _, san: board.parse_san(san),
    "sanproof.read": lambda board, _, san: sanproof.read(san, board),
    "chess san": lambda board, move, _: board.san(move),
    "sanproof.write": lambda board, move, _: sanproof.write(move, board),
}


def main() -> None:
    """Measure, and print the rates and their ratios."""
    asked: list[tuple[chess.Board, chess.Move, str]] = []
    with Path(sys.argv[1] if sys.argv[1:] else REAL_GAMES).open(encoding="utf-8") as file:
        while len(asked) < 2000 and (game := chess.pgn.read_game(file)):
            nodes = [(node.parent, node.move, node.san()) for node in game.mainline()]
            asked += [(parent.board(), move, san) for parent, move, san in nodes]
    best = dict.fromkeys(CALLS, 0.0)
    for _ in range(9):
        for name, call in CALLS.items():
            begun = process_time()
            for each in asked:
                call(*each)
            best[name] = max(best[name], len(asked) / (process_time() - begun))
    for name, beside in zip(CALLS, ["chess parse_san"] * 2 + ["chess san"] * 2, strict=True):
        sys.stdout.write(
            f"{name:<16}{best[name]:>10,.0f} a second{best[name] / best[beside]:>8.2f}\n"
        )


if __name__ == "__main__":
    main()
