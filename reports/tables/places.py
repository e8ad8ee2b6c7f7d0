"""The place of each string in the games of a run, and the positions there.

A string without suffix is shown where it is played earliest in any game, and of equally early
places in the game with the fewest captures: most readers expect `1. e4`, not an endgame. A string
with ``+`` or ``#`` is shown in the game that was made for it, where its check is given as the
witness gives it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress, count, zip_longest
from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.games import common_length, read_move
from sanproof.reports.tables.pgn import PgnGame


class Place(NamedTuple):
    """The number of a game, from 1, and the index of a move in it: even if White plays it."""

    game: int
    ply: int


def find_places(games: Sequence[PgnGame]) -> dict[str, list[Place]]:
    """Return the places of each string that has a game, the first to show being first."""
    made_for: dict[str, list[Place]] = defaultdict(list)
    for game in games:
        made_for[game.san].append(Place(game.number, game.ply))
    earliest = _earliest(games, {san for san in made_for if san[-1] not in "+#"})
    return {san: earliest.get(san) or places for san, places in made_for.items()}


def _earliest(games: Sequence[PgnGame], sans: set[str]) -> dict[str, list[Place]]:
    """Of these strings the places that are shown, of each player one, the earliest first."""
    captures = [" ".join(game.sans).count("x") for game in games]
    places: dict[str, list[Place]] = defaultdict(list)
    missing = set(sans), set(sans)
    # Ply by ply, for few plies have a string that was not played before.
    for ply, played in enumerate(zip_longest(*(game.sans for game in games))):
        found = missing[ply % 2].intersection(played)
        best: dict[str, tuple[int, int]] = {}
        for index in compress(count(), map(found.__contains__, played)) if found else ():
            rank = captures[index], games[index].number
            best[played[index]] = min(best.get(played[index], rank), rank)
        for san, (_, number) in best.items():
            places[san].append(Place(number, ply))
        missing[ply % 2].difference_update(found)
    return places


def positions_of(wanted: Iterable[tuple[Sequence[str], str]]) -> dict[str, Witness]:
    """Play legal moves (UCI), the last of them a string's, and return its position.

    Beginnings that are shared are played once.
    """
    found, board, played = dict[str, Witness](), chess.Board(), list[str]()
    for moves, san in sorted(wanted):
        *before, last = moves
        while len(played) > common_length(played, before):
            board.pop()
            played.pop()
        for text in before[len(played) :]:
            board.push(read_move(text))
        fen = write_fen(board)
        board.push(read_move(last))
        played = [*moves]
        found[san] = Witness(san, fen, last, write_fen(board))
    return found
