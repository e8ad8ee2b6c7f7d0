"""Handing out the work of a run, and keeping what comes back."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Final, NamedTuple, TypeVar

from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.cover.plan import CoverPlan
from sanproof.proofs.cover.sources import SourceGame
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.rules.cubes import Cube, exchanged_cube
from sanproof.proofs.search.symmetry import solved_cube, work_units
from sanproof.proofs.verdicts.witness import Witness
from sanproof.verify.run.rows import CubeFindings, GamesFound, share_moves
from sanproof.verify.run.store import RunStore
from sanproof.verify.run.workers import (
    CoverTours,
    UnitFindings,
    UnitGames,
    WorkUnit,
    check_games,
    cubes_decided,
    search_tours,
    search_unit_games,
    solve_unit,
)
from sanproof.verify.work.executors import worker_died
from sanproof.verify.work.progress import Advances

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
R = TypeVar("R")
BATCH: Final = 500
COSTLIEST_FIRST: Final = ("Q", "R", "B", "N", "")


class Cost(NamedTuple):
    """About how many seconds a work unit takes a worker: for a progress bar, and nothing else."""

    deciding: float
    games: float


COSTS: Final = {
    "Q": Cost(0.67, 4.46),
    "R": Cost(0.50, 1.00),
    "B": Cost(0.51, 1.52),
    "N": Cost(0.24, 0.84),
    "K": Cost(0.10, 0.09),
    "": Cost(0.08, 0.06),
    "O-O": Cost(0.09, 0.01),
    "O-O-O": Cost(0.03, 0.01),
}
"""By piece, on average of a run of everything on two cores."""
COVER_COST: Final = 80.0
CHECKING_COST: Final = 13.0
"""The cover of a run of everything, and checking its games."""
WRITING_SHARE: Final = 0.05
"""Writing the files, as a part of all that comes before."""


def cost(unit: WorkUnit) -> Cost:
    """About what a work unit costs."""
    return COSTS[unit[0].piece]


def units_for(cubes: Iterable[Cube] | None) -> list[WorkUnit]:
    """The work units that these cubes' verdicts need (or all), the costliest first.

    A string is impossible only if neither colour can play it, so each cube needs its exchanged
    cube as well. Units are never cut: what is saved under a unit's name, and which witnesses it
    has, is then the same for every selection.
    """
    if cubes is None:
        wanted = work_units()
    else:
        needed = {solved_cube(c) for cube in cubes for c in (cube, exchanged_cube(cube))}
        wanted = [unit for unit in work_units() if needed.intersection(unit)]
    rank = {piece: i for i, piece in enumerate(COSTLIEST_FIRST)}
    return sorted(wanted, key=lambda unit: rank.get(unit[0].piece, len(rank)))


def unit_name(unit: WorkUnit) -> str:
    """The name under which a work unit is saved."""
    return str(unit[0])


class KeptUnits:
    """What a run's store has of some work units: as it was expected, or a failure.

    What is kept of other units is left out: it is of an earlier run in the same directory.
    """

    def __init__(self, store: RunStore, units: Iterable[WorkUnit]) -> None:
        self._store = store
        self._units = sorted(units, key=unit_name)
        self._decided: dict[str, list[CubeFindings]] = {}
        self._games: dict[str, list[GamesFound]] = {}

    def save(self, unit: WorkUnit, result: UnitFindings) -> None:
        """Keep what was found of a unit's cubes; here as well until it is wanted, to save time."""
        self._store.save(unit_name(unit), result.found, result.seconds)
        self._decided[unit_name(unit)] = result.found

    def _findings(self, unit: WorkUnit) -> list[CubeFindings]:
        return self._decided.pop(unit_name(unit), None) or self._store.load(unit_name(unit))

    def decided(self) -> list[CubeFindings]:
        """What was found of each cube; a Failure if it is not what a unit's search finds."""
        decided = []
        for unit in self._units:
            found = self._findings(unit)
            self._compare(unit, sorted(cubes_decided(unit)), sorted(f.cube for f in found))
            decided += found
        return decided

    def save_games(self, unit: WorkUnit, result: UnitGames) -> None:
        """Keep the games of a unit, here as well: reading them takes longer than saving them."""
        self._store.save_games(unit_name(unit), result.found, result.seconds)
        self._games[unit_name(unit)] = list(map(share_moves, result.found))

    def games(self) -> list[GamesFound]:
        """The games of each of White's witnesses; a Failure if they are not a unit's."""
        for unit in self._units:
            if unit_name(unit) not in self._games:
                self._games[unit_name(unit)] = self._load_games(unit)
        return [found for unit in self._units for found in self._games[unit_name(unit)]]

    def _load_games(self, unit: WorkUnit) -> list[GamesFound]:
        found = self._store.load_games(unit_name(unit))
        witnesses = sorted(w.san for w in self.witnesses_of_white(unit))
        self._compare(unit, witnesses, sorted(item.san for item in found))
        return found

    def witnesses_of_white(self, unit: WorkUnit) -> list[Witness]:
        """The witnesses of a unit in which White is to move."""
        found = self._findings(unit)
        return [Witness(*w[:3]) for cube in found for w in cube.witnesses if " w " in w.fen]

    def _compare(self, unit: WorkUnit, expected: object, found: object) -> None:
        if found != expected:
            raise self._store.damaged(f"{unit_name(unit)} holds what is not its own")


def decide(
    pending: Collection[WorkUnit],
    kept: KeptUnits,
    executor: Executor,
    progress: Advances,
    solve: Callable[[WorkUnit], UnitFindings] = solve_unit,
) -> None:
    """Decide work units through the executor, saving each as it comes back.

    Raises:
        WitnessError: A witness did not pass its check.
        Unfinished: A worker died, or the run directory cannot be written.
    """

    def keep(unit: WorkUnit, result: UnitFindings) -> None:
        kept.save(unit, result)
        progress.advance(cost(unit).deciding)

    _hand_out({unit: unit for unit in pending}, executor, solve, keep)


def search_games(
    pending: Collection[WorkUnit],
    kept: KeptUnits,
    executor: Executor,
    progress: Advances,
    search: Callable[[Sequence[Witness]], UnitGames] = search_unit_games,
) -> None:
    """Find the games of work units that are decided, as :func:`decide` decides them.

    Raises:
        GameError: A game did not pass its check.
        Unfinished: A worker died, or the run directory cannot be written.
    """

    def keep(unit: WorkUnit, result: UnitGames) -> None:
        kept.save_games(unit, result)
        progress.advance(cost(unit).games)

    _hand_out({unit: kept.witnesses_of_white(unit) for unit in pending}, executor, search, keep)


def search_cover(
    plan: CoverPlan,
    first: Sequence[MatesPart],
    store: RunStore,
    executor: Executor,
    progress: Advances,
) -> None:
    """Find the tours of a cover, beginning with the plan's first parts, and save each part's.

    Raises:
        Unfinished: A worker died, or the run directory cannot be written.
    """
    total = left = len(plan.missing())
    parts = first
    while parts:
        plan.take(parts, _tours(parts, store, executor))
        missing = len(plan.missing())
        progress.advance(COVER_COST * (left - missing) / max(1, total))
        left = missing
        parts = plan.parts()


def _tours(parts: Sequence[MatesPart], store: RunStore, executor: Executor) -> list[list[Tour]]:
    """The tours of these parts: what is saved of them, and what was not yet searched."""
    found = {part.name: store.load_tours(part.name) for part in parts}

    def keep(name: str, result: CoverTours) -> None:
        store.save_tours(name, result.found, result.seconds)
        found[name] = result.found

    # The longest first, so that nobody waits long for the last.
    longest_first = sorted(parts, key=lambda part: len(part.mates), reverse=True)
    pending = {part.name: part for part in longest_first if found[part.name] is None}
    _hand_out(pending, executor, search_tours, keep)
    return [found[part.name] or [] for part in parts]


def check_cover(cover: Iterable[ProofGame], executor: Executor) -> list[CheckedGame]:
    """Check the games of a cover, in batches of games that begin alike.

    Raises:
        GameError: A game does not hold.
        Unfinished: A worker died.
    """
    in_order = sorted(cover, key=lambda game: game.moves)
    batches = {i: in_order[i : i + BATCH] for i in range(0, len(in_order), BATCH)}
    checked: list[CheckedGame] = []
    _hand_out(batches, executor, check_games, lambda _, games: checked.extend(games))
    return checked


def own_games(sans: Iterable[str], kept: KeptUnits) -> list[CheckedGame]:
    """The proof games of strings for which no place was found, so that the cover shows them too."""
    wanted = set(sans)
    games: dict[str, CheckedGame] = {}
    for found in kept.games():
        games |= {g.game.san: g for g in found.games if g.game.san in wanted}
    return list(games.values())


def cover_games(kept: KeptUnits) -> dict[tuple[str, str], SourceGame]:
    """For each string and player the game up to the string's move."""
    played = {}
    for found in kept.games():
        for (san, colour, ply, moves), sans, before_fen, *_ in found.games:
            upto = slice(ply + 1)
            played[san, colour] = SourceGame(san, colour, before_fen, moves[upto], sans[upto])
    return played


def _hand_out(
    tasks: Mapping[K, T],
    executor: Executor,
    work: Callable[[T], R],
    keep: Callable[[K, R], None],
) -> None:
    """Have the work done for each task, and keep each result as it comes back."""
    futures: dict[Future[R], K] = {}
    try:
        futures |= {executor.submit(work, task): name for name, task in tasks.items()}
        for future in as_completed(list(futures)):
            keep(futures.pop(future), future.result())
    except BrokenProcessPool as error:
        raise worker_died("; what was decided is kept: run the same command again") from error
    finally:
        # After an error or Ctrl-C, what is decided beside it is kept as well.
        finished = [f for f in futures if not f.cancel() and f.done() and not f.exception()]
        for future in finished:
            keep(futures[future], future.result())
