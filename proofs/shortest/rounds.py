"""Rounds of the search: what is known, kept in a file, and made better a unit of work at a time.

A round has so many units, each with a seed of its own and what was known when the round began. What
they find is put together in their order. So the same seed and number of rounds give the same
archive, however many workers there are and however often the search is stopped. A shorter game
replaces one, never the other way round; one that is as short may, or the search would stand still.
"""

import hashlib
import io
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from sanproof.proofs.games.boards import Ints
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.proofs.shortest.search import (
    MOST_PLIES,
    KnownGames,
    Moves,
    add_game,
    search_games,
)
from sanproof.proofs.shortest.states import new_scratch, numbers_of, read_uci

UNITS: Final = 4
"""The units of a round, fixed so that the result does not depend on the machine."""
UNIT_GAMES: Final = 250_000
_KEPT: Final = ("plies", "games", "bounds", "facts")


Changed = tuple[Ints, Ints, Moves]
"""The goals that a unit of work changed, with the ply and the game of each."""


class ShortestGames:
    """The shortest games known, and where the search is.

    Attributes:
        strings: The strings, in the order of the list.
        known: The games.
        rounds: How many rounds were made.
    """

    def __init__(self, strings: Sequence[str], seed: int = 0) -> None:
        self.strings = strings
        self.seed = seed
        self.rounds = 0
        shape = (2, len(strings))
        number = {san: n for n, san in enumerate(strings)}
        exchanged = [number.get(exchanged_ranks(san), -1) for san in strings]
        self.known = KnownGames(
            np.zeros(shape, np.int64),
            np.zeros((*shape, MOST_PLIES), np.uint16),
            np.ones(shape, np.int64),
            numbers_of(strings),
            np.arange(len(strings)),
            np.array(exchanged, np.int64),
        )

    def add(self, moves: Sequence[str]) -> int:
        """Play a game, legal moves in UCI, and keep what any move on its way shows earlier.

        Returns:
            How many strings it shows earlier than any game before.
        """
        line = np.array([read_uci(move) for move in moves[:MOST_PLIES]], np.int64)
        return int(add_game(self.known, line, new_scratch()))

    def aim_at(self, selected: Callable[[str], bool]) -> None:
        """Search for these strings; others are found on the way only."""
        goals = [number for number, san in enumerate(self.strings) if selected(san)]
        if goals:
            self.known = self.known._replace(goals=np.array(goals, np.int64))

    def __str__(self) -> str:
        """Say what is known so far, of strings for which there is a game."""
        plies, bounds = self.known.plies, self.known.bounds
        shown = (plies > 0).any(axis=0)
        never = 1 << 20
        earliest = np.where(plies, plies, never).min(axis=0)[shown]
        lowest = np.where(plies, bounds, never).min(axis=0)[shown]
        average = float(earliest.mean()) if len(earliest) else 0.0
        exact = int((earliest == lowest).sum())
        return (
            f"{len(earliest):,} strings at ply {average:.2f} on average, {exact:,} of them exactly"
        )

    def game(self, side: int, number: int) -> tuple[int, ...]:
        """Return the moves to a string, its own the last; none if no game shows it."""
        return tuple(map(int, self.known.games[side, number, : self.known.plies[side, number]]))

    # The archive

    def save(self, path: Path) -> None:
        """Write everything to a file, which is there whole or not at all."""
        facts = np.array([self.rounds, self.seed, _digest(self.strings)], np.int64)
        content = io.BytesIO()
        np.savez_compressed(
            content,
            plies=self.known.plies,
            games=self.known.games,
            bounds=self.known.bounds,
            facts=facts,
        )
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(content.getvalue())
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on from a file that :meth:`save` wrote.

        Raises:
            EvidenceError: It is damaged, or of other strings or another seed.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
                plies, games, bounds, facts = (kept[name] for name in _KEPT)
            self.rounds, seed, digest = map(int, facts)
            if (seed, digest) != (self.seed, _digest(self.strings)):
                raise EvidenceError(f"{path.name}: is of another seed, or of other strings")
            self.known.plies[:], self.known.games[:], self.known.bounds[:] = plies, games, bounds
        except (ValueError, KeyError, OSError, BadZipFile, zlib.error) as error:
            raise EvidenceError(f"{path.name}: is damaged: {error}") from error

    # Rounds

    def units(self) -> list[tuple[Any, ...]]:
        """Return the next round's units, the arguments of :func:`search_unit`."""
        first = 1 + self.seed * 1_000_003 + self.rounds * UNITS
        return [(self.known, first + unit) for unit in range(UNITS)]

    def merge(self, found: Sequence[Changed]) -> None:
        """Put together what the units of a round found, in their order."""
        plies, games = self.known.plies, self.known.games
        for part in found:
            for (side, number), ply, game in zip(*part, strict=True):
                if not plies[side, number] or ply <= plies[side, number]:
                    plies[side, number] = ply
                    games[side, number] = game
        self.rounds += 1


def search_unit(known: KnownGames, seed: int, work: int) -> Changed:
    """Do a unit of work, which changes nothing that it is given."""
    own = known._replace(plies=known.plies.copy(), games=known.games.copy())
    search_games(own, seed, work, new_scratch())
    goals = np.argwhere((own.games != known.games).any(axis=2))
    sides, numbers = goals.T
    return goals, own.plies[sides, numbers], own.games[sides, numbers]


def make_round(search: ShortestGames, work: int, submit: Callable[..., Future[Changed]]) -> None:
    """Make a round, whose units are submitted to an executor."""
    # All are found before the first changes what is known, which the others may not have read yet.
    futures = [submit(search_unit, *unit, work) for unit in search.units()]
    search.merge([future.result() for future in futures])


def _digest(strings: Sequence[str]) -> int:
    """Return a number that tells lists of strings apart."""
    return int.from_bytes(hashlib.sha256("\n".join(strings).encode()).digest()[:6], "big")
