"""The place of each string in the games of a run, and the positions there.

A string without suffix is shown where it is played earliest in any game, and of equally early
places in the game with the fewest captures: most readers expect `1. e4`, not an endgame. A string
with ``+`` or ``#`` is shown in the game that was made for it, where its check is given as the
witness gives it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import compress, count, zip_longest
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.games import common_length, read_move
from sanproof.reports.tables.pgn import PgnGame

BATCH: Final = 1000
"""Of how many games the positions are one piece of work."""


class Place(NamedTuple):
    """The number of a game, from 1, and the index of a move in it: even if White plays it."""

    game: int
    ply: int


class ShownString(NamedTuple):
    """A string's position, at the first of its places: one for each player who plays it."""

    witness: Witness
    places: list[Place]


def shown_strings(
    games: Sequence[PgnGame],
    moves: Callable[[tuple[str, int]], Sequence[str]],
    witnesses: Mapping[str, Witness],
    executor: Executor | None = None,
) -> dict[str, ShownString]:
    """Return what to show for each string that has a game, by the numbered games of a run.

    ``moves`` gives those of a game in UCI, by its string and by whether Black plays it;
    ``witnesses`` are from each string's own first game. Positions are played by the executor.
    """
    places = find_places(games)
    wanted: dict[tuple[str, ...], list[tuple[int, str]]] = defaultdict(list)
    own = {game.san: Place(game.number, game.ply) for game in reversed(games)}  # each one's first
    for san, (first, *_) in places.items():
        game = games[first.game - 1]
        if first != own[san]:
            wanted[*moves((game.san, game.ply % 2))].append((first.ply, san))
    in_order = sorted(wanted.items())
    if executor is None:
        found = positions_of(in_order)
    else:
        parts = [in_order[i : i + BATCH] for i in range(0, len(in_order), BATCH)]
        futures = [executor.submit(positions_of, part) for part in parts]
        found = {san: witness for part in futures for san, witness in part.result().items()}
    return {
        san: ShownString(found.get(san) or witnesses[san], both) for san, both in places.items()
    }


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


def positions_of(
    wanted: Sequence[tuple[tuple[str, ...], Sequence[tuple[int, str]]]],
) -> dict[str, Witness]:
    """Play legal games (UCI, sorted) up to where each shows strings, which are after so many plies.

    Shared beginnings are played once.
    """
    found, board, played = dict[str, Witness](), chess.Board(), list[str]()
    for moves, shown in wanted:
        start = min(common_length(played, moves), *(ply for ply, _ in shown))
        while len(played) > start:
            board.pop()
            played.pop()
        for ply, san in sorted(shown):
            for text in moves[len(played) : ply]:
                board.push(read_move(text))
            fen = write_fen(board)
            board.push(read_move(moves[ply]))
            played = list(moves[: ply + 1])
            found[san] = Witness(san, fen, moves[ply], write_fen(board))
    return found
