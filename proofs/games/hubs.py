"""Hubs: positions of given material that many proof games pass, each with its line of moves.

``hubs.txt`` keeps the lines. A cooperative beam search from the initial position found them; how
does not matter, and any other lines would do as well. Untrusted: every move of a game, a hub's line
included, is checked by :mod:`proofs.kernel.games`.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.cubes import exchanged_ranks

HUBS_FILE: Final = "hubs.txt"


class Hub(NamedTuple):
    """A family's name, the moves (UCI) that lead there, and the position reached (a FEN's board).

    White is to move.
    """

    family: str
    line: tuple[str, ...]
    placement: str


@cache
def load_hubs() -> dict[str, tuple[Hub, ...]]:
    """Return the stored hubs of each family."""
    hubs: dict[str, list[Hub]] = {}
    text = files("sanproof.proofs.games").joinpath(HUBS_FILE).read_text(encoding="ascii")
    for row in text.splitlines():
        family, placement, *line = row.split(" ")
        hubs.setdefault(family, []).append(Hub(family, tuple(line), placement))
    return {family: tuple(found) for family, found in hubs.items()}


def with_tempo_loss(line: tuple[str, ...]) -> tuple[str, ...] | None:
    """Exchange the line's colours: White first loses a move; return None if that is not so easy.

    The line begins with a White that has nothing to do. A double push that is White's in the
    exchanged line is made in two steps, the first of them at once::

        1. e4 c5 2. Nf3      becomes      1. c3 e5 2. c4 Nf6
    """
    exchanged = list(map(exchanged_ranks, line))
    hub = replay(line)
    for i in range(1, len(exchanged), 2):
        origin, destination = exchanged[i][:2], exchanged[i][2:]
        if origin[1] == "2" and destination == origin[0] + "4":
            halfway = origin[0] + "3"
            candidate = (
                origin + halfway,
                *exchanged[:i],
                halfway + destination,
                *exchanged[i + 1 :],
            )
            board = replay(candidate)
            if board and hub and board.mirror().board_fen() == hub.board_fen():
                return candidate
    return None


def replay(line: Iterable[str]) -> chess.Board | None:
    """Return the position after these moves from the initial position, None if one is not legal."""
    board = chess.Board()
    for uci in line:
        move = chess.Move.from_uci(uci)
        if not board.is_legal(move):
            return None
        board.push(move)
    return board
