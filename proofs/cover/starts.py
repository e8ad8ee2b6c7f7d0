"""The positions on the lines of hubs from which tours begin. Untrusted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.games.game import push_san
from sanproof.proofs.games.hubs import Hub, load_hubs, lose_a_move
from sanproof.proofs.rules.cubes import WHITE

HUBS: Final = {
    "Q": ("Q",),
    "R": ("R", "O-O", "O-O-O"),
    "N": ("N",),
    "B light": ("L",),
    "B dark": ("D",),
}
"""The hubs from which the tours of a family's strings begin: they have the men for it."""


class TourStart(NamedTuple):
    """A position on a hub's line from which tours begin: the hub, or one before, White to move.

    ``line`` are the moves that lead there (UCI).
    """

    family: str
    name: str
    fen: str
    line: tuple[str, ...]


class CoverGame(NamedTuple):
    """A game of the cover in UCI and SAN, to its mate; or the beginning of one."""

    moves: tuple[str, ...]
    sans: tuple[str, ...]


@cache
def tour_starts() -> tuple[TourStart, ...]:
    """The hubs; and where Black still has one man more, so that two can be captured before mate."""
    return tuple(
        start
        for hubs in load_hubs().values()
        for number, hub in enumerate(hubs)
        for start in _starts_on(hub, f"{hub.family} {number}")
    )


def starts_of(family: str) -> list[TourStart]:
    """The starts for the strings of a family."""
    return [start for start in tour_starts() if start.family in HUBS.get(family, ())]


@cache
def lines(colour: str) -> Mapping[str, CoverGame]:
    """For the name of each start the moves that lead there, of a game in which this player tours.

    A start is left out if its line does not lead to the position with the colours exchanged.
    """
    return dict(_lines(colour))


def _lines(colour: str) -> Iterator[tuple[str, CoverGame]]:
    for start in tour_starts():
        line = start.line if colour == WHITE else lose_a_move(start.line)
        if line is not None:
            yield start.name, CoverGame(line, _sans(line))


def _sans(line: Iterable[str]) -> tuple[str, ...]:
    board = chess.Board()
    return tuple(push_san(board, chess.Move.from_uci(uci)) for uci in line)


def _starts_on(hub: Hub, name: str) -> list[TourStart]:
    want = _men_of(hub.placement)
    board, deep = chess.Board(), []
    for ply, uci in enumerate(hub.line):
        if board.turn and not board.is_check() and _has_one_more(_men_of(board.board_fen()), want):
            deep = [TourStart(hub.family, f"{name} before", board.fen(), hub.line[:ply])]
        board.push_uci(uci)
    return [*deep, TourStart(hub.family, name, board.fen(), hub.line)]


def _has_one_more(have: Counter[str], want: Counter[str]) -> bool:
    """Whether the men are the wanted ones and one piece of Black's."""
    extra = have - want
    return not want - have and extra.total() == 1 and next(iter(extra)) in "qrbn"


def _men_of(placement: str) -> Counter[str]:
    return Counter(filter(str.isalpha, placement))
