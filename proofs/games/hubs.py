"""Hubs: positions of given material that many proof games pass, each with its line of moves.

``hubs.txt`` has the lines. A cooperative beam search from the initial position found them, but any
other lines would do as well. Untrusted: every move of a game, including those of the hub's line, is
checked by :mod:`proofs.kernel.games`.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import chess

from sanproof.proofs.rules.cubes import exchanged_ranks

Line = tuple[str, ...]
"""Moves (UCI) from the initial position."""


@cache
def load_hubs() -> dict[str, dict[Line, str]]:
    """Return by family the lines to its hubs, each with the position reached (``board_fen()``).

    White is to move there.
    """
    hubs: dict[str, dict[Line, str]] = defaultdict(dict)
    text = files("sanproof.proofs.games").joinpath("hubs.txt").read_text(encoding="ascii")
    for row in text.splitlines():
        family, placement, *line = row.split(" ")
        hubs[family][tuple(line)] = placement
    return dict(hubs)


@cache
def with_tempo_loss(line: Line) -> Line | None:
    """Return a line after which Black has the hub's pieces and is to move, or None.

    White loses a move by playing one of its double pushes in two steps, the first of them at once.
    There is no such line if no double push allows it::

        1. e4 c5 2. Nf3      becomes      1. c3 e5 2. c4 Nf6
    """
    exchanged, hub = list(map(exchanged_ranks, line)), replay(line)
    for i, uci in list(enumerate(exchanged))[1::2]:
        file = uci[0]
        if uci == f"{file}2{file}4":
            begun, done = f"{file}2{file}3", f"{file}3{file}4"
            candidate = begun, *exchanged[:i], done, *exchanged[i + 1 :]
            board = replay(candidate)
            if board and hub and board.mirror().board_fen() == hub.board_fen():
                return candidate
    return None


def replay(line: Iterable[str]) -> chess.Board | None:
    """Return the position after these moves from the start, or None if one of them is illegal."""
    board = chess.Board()
    for uci in line:
        move = chess.Move.from_uci(uci)
        if not board.is_legal(move):
            return None
        board.push(move)
    return board
