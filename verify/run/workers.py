"""The work of one worker, wherever it is."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import chain
from sys import intern
from typing import Any, Generic, NamedTuple, TypeVar

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.games.game import CheckedGame, ProofGame, replay
from sanproof.proofs.kernel.games import Replay
from sanproof.proofs.search.symmetry import CubeFindings, WorkUnit

log = logging.getLogger("sanproof")

T = TypeVar("T")
Submit = Callable[..., Future[Any]]
"""Has a function called, as an executor has; returns the future of its result."""


class GamesFound(NamedTuple):
    """The proof games found and checked for one of White's witnesses.

    Attributes:
        san: The string of the witness.
        games: White's game, and Black's of the string with the colours exchanged; or none.
        given_up: How many positions were tried in vain before.
    """

    san: str
    games: list[CheckedGame]
    given_up: int

    @classmethod
    def of(cls, row: list[Any]) -> "GamesFound":
        """Return games that were stored as JSON; equal moves are one object, to save memory."""
        san, games, given_up = row
        return cls(san, [_checked_game(*game) for game in games], given_up)


def _checked_game(
    game: list[Any], sans: list[str], before: str, uci: str, after: str
) -> CheckedGame:
    san, colour, ply, moves = game
    played = ProofGame(san, colour, ply, tuple(map(intern, moves)))
    return CheckedGame(played, tuple(map(intern, sans)), before, uci, after)


class TimedFindings(NamedTuple, Generic[T]):
    """The findings of a worker, and the seconds that it took."""

    found: list[T]
    seconds: float


def timed(work: Callable[[Any], list[T]], name: str, task: Any) -> TimedFindings[T]:  # noqa: ANN401
    """Do the work for a task, and log its name."""
    started = time.perf_counter()
    found = work(task)
    seconds = time.perf_counter() - started
    log.info("%s of %s: %d found, %.2f s", work.__name__, name, len(found), seconds)
    return TimedFindings(found, seconds)


def solve_unit(unit: WorkUnit) -> list[CubeFindings]:
    """Decide the cubes of a work unit and their mirror images."""
    # Only workers pay for a solver.
    from sanproof.proofs.search.decide import decide_unit  # noqa: PLC0415

    return decide_unit(unit)


def search_unit_games(witnesses: Sequence[Witness]) -> list[GamesFound]:
    """Find a game for each of White's witnesses, or for other positions of their strings.

    Every game is checked.
    """
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415

    found = [solve_games(witness) for witness in witnesses]
    # White's games, sorted by their moves, share beginnings, which are then replayed once. Of
    # Black's games, each after its like, only the beginnings are replayed.
    in_order = sorted((games for games, _ in found), key=lambda games: [g.moves for g in games])
    checked = dict(_replayed(chain.from_iterable(in_order)))
    return [
        GamesFound(witness.san, [checked[game] for game in games], given_up)
        for witness, (games, given_up) in zip(witnesses, found, strict=True)
    ]


def _replayed(games: Iterable[ProofGame]) -> Iterator[tuple[ProofGame, CheckedGame]]:
    """Yield each game and its record after the kernel has replayed it; or raise a GameError."""
    from sanproof.proofs.games.player import record_game  # noqa: PLC0415 - numba is slow to load

    by = Replay()
    for game in games:
        replay(by, game)
        yield game, record_game(game)


def search_tours(part: MatesPart) -> list[Tour]:
    """Find tours for one part of the cover."""
    from sanproof.proofs.cover.tours import tour_part  # noqa: PLC0415

    return tour_part(part)


def check_games(games: Sequence[ProofGame]) -> list[CheckedGame]:
    """Check games of the cover: each in compiled code, and some by the kernel's replay as well.

    The cover proves nothing: each of its strings has a proof game, which the kernel replays.

    Raises:
        GameError: One does not hold.
    """
    from sanproof.proofs.games.player import record_cover  # noqa: PLC0415 - numba is slow to load

    return record_cover(games)
