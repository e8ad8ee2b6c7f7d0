"""The search of a run: handing out its work, and keeping what comes back."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.cover.plan import CoverPlan
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.rules.cubes import Cube, exchanged_cube
from sanproof.proofs.search.symmetry import CubeFindings, WorkUnit, solved_cube, work_units
from sanproof.verify.claims.selection import RunScope
from sanproof.verify.run.store import GAMES, TOURS, UNITS, RunStore
from sanproof.verify.run.workers import (
    GamesFound,
    Submit,
    TimedFindings,
    check_games,
    search_tours,
    search_unit_games,
    solve_unit,
    timed,
)
from sanproof.verify.work.executors import beside, worker_died
from sanproof.verify.work.progress import Scale

K = TypeVar("K", bound=Hashable)
BATCH: Final = 500


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


def cost(units: Iterable[WorkUnit]) -> Cost:
    """Return about what work units cost."""
    costs = [COSTS[unit[0].piece] for unit in units]
    return Cost(sum(c.deciding for c in costs), sum(c.games for c in costs))


def units_for(cubes: Iterable[Cube] | None) -> list[WorkUnit]:
    """Return the work units that these cubes' verdicts need (or all), the costliest first.

    A string is impossible only if neither colour can play it, so each cube needs its exchanged
    cube as well. Units are never cut: what is saved under a unit's name, and which witnesses it
    has, is then the same for every selection.
    """
    if cubes is None:
        wanted = work_units()
    else:
        needed = {solved_cube(c) for cube in cubes for c in (cube, exchanged_cube(cube))}
        wanted = [unit for unit in work_units() if needed.intersection(unit)]
    return sorted(wanted, key=lambda unit: sum(cost([unit])), reverse=True)


def unit_name(unit: WorkUnit) -> str:
    """Return the name under which a work unit is saved."""
    return str(unit[0])


class Search:
    """The search of a run: what its store has of the work units, and what is left to do.

    What the store has of other units is left out: it is of an earlier run in the same directory.
    """

    def __init__(self, store: RunStore, scope: RunScope) -> None:
        self._store = store
        self._scope = scope
        self.units = units_for(scope.selection.cubes)
        # New results are kept here as well: to read them takes longer than to save them.
        self._found: dict[tuple[str, str], list[Any]] = {}
        whole = cost(self.units)
        self._deciding_cost = whole.deciding
        self._games_cost = whole.games if scope.games else 0
        self.total_cost = self._deciding_cost + self._games_cost
        """About what all of it costs, with what is done already."""
        if scope.cover:
            self.total_cost += COVER_COST + CHECKING_COST

    def _left(self, table: str) -> list[WorkUnit]:
        """Return the units of which a table of the store has nothing yet."""
        names = set(self._store.names(table))
        return [unit for unit in self.units if unit_name(unit) not in names]

    def pending(self) -> int:
        """Return how many tasks are left; a cover's files show that it is there."""
        return max(len(self._left(UNITS)), len(self._left(GAMES)) if self._scope.games else 0)

    def in_words(self) -> str:
        """Say what is kept."""
        total = len(self.units)
        text = f"{total - len(self._left(UNITS))} of {total} work units are decided"
        if self._scope.games:
            text += f" and {total - len(self._left(GAMES))} have their games"
        return text

    def decided(self) -> list[CubeFindings]:
        """Return what was found of each cube."""
        return [f for unit in sorted(self.units, key=unit_name) for f in self._findings(unit)]

    def games(self) -> list[GamesFound]:
        """Return the games of each of White's witnesses."""
        names = sorted(map(unit_name, self.units))
        return [found for name in names for found in self._load(GAMES, name, GamesFound.of)]

    def _findings(self, unit: WorkUnit) -> list[CubeFindings]:
        return self._load(UNITS, unit_name(unit), CubeFindings.of)

    def _load(self, kind: str, name: str, read: Callable[[list[Any]], Any]) -> list[Any]:
        """Return what was found, from the store unless it was found just now."""
        if (kind, name) not in self._found:
            self._found[kind, name] = list(map(read, self._store.load(kind, name)))
        return self._found[kind, name]

    def _witnesses_of_white(self, unit: WorkUnit) -> list[Witness]:
        found = self._findings(unit)
        return [w for cube in found for w in cube.witnesses if " w " in w.fen]

    def _do(
        self,
        table: str,
        work: Callable[[Any], list[Any]],
        tasks: Mapping[str, Any],
        submit: Submit,
        done: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Have the work done for each task, and save each result as it comes back."""

        def keep(name: str, result: TimedFindings[Any]) -> None:
            self._store.save(table, name, result.found, result.seconds)
            self._found[table, name] = result.found
            done(name)

        _hand_out({name: (timed, work, name, task) for name, task in tasks.items()}, submit, keep)

    def decide(self, submit: Submit, progress: Scale) -> None:
        """Decide the units that are left, saving each as it comes back.

        Raises:
            WitnessError: A witness did not pass its check.
            Unfinished: A worker died, or the run directory cannot be written.
        """
        if left := {unit_name(unit): unit for unit in self._left(UNITS)}:
            progress.begin("deciding", self._deciding_cost - cost(left.values()).deciding)
            advance = lambda name: progress.advance(cost([left[name]]).deciding)  # noqa: E731
            self._do(UNITS, solve_unit, left, submit, advance)

    def find_games(self, submit: Submit, progress: Scale) -> None:
        """Find the games of units that are decided, as :meth:`decide` decides them.

        Raises:
            GameError: A game did not pass its check.
            Unfinished: A worker died, or the run directory cannot be written.
        """

        def done(name: str) -> None:
            progress.advance(cost([left[name]]).games)

        if left := {unit_name(unit): unit for unit in self._left(GAMES)}:
            ahead = cost(left.values()).games
            progress.begin("games", self._deciding_cost + self._games_cost - ahead)
            witnesses = {name: self._witnesses_of_white(unit) for name, unit in left.items()}
            self._do(GAMES, search_unit_games, witnesses, submit, done)

    def start_cover(self, progress: Scale) -> tuple[CoverPlan, list[MatesPart]]:
        """Plan a cover of all strings with games; the plan, and what is to be searched first."""
        progress.begin("cover", self._deciding_cost + self._games_cost)
        plan = CoverPlan(self._played())
        return plan, plan.parts()

    def find_cover(
        self, plan: CoverPlan, parts: list[MatesPart], submit: Submit, progress: Scale
    ) -> list[CheckedGame]:
        """Find a cover as it is planned, saving the tours of each part, and check it.

        Raises:
            GameError: A game does not hold.
            Unfinished: A worker died, or the run directory cannot be written.
        """
        beside(plan.look_ahead)
        total = left = len(plan.missing())
        while parts:
            plan.take(parts, self._tours(parts, submit))
            missing = len(plan.missing())
            progress.advance(COVER_COST * (left - missing) / max(1, total))
            left = missing
            parts = plan.parts()
        progress.begin("checking", self._deciding_cost + self._games_cost + COVER_COST)
        return check_cover(plan.games(), submit) + self._own_games(plan.missing())

    def _tours(self, parts: Sequence[MatesPart], submit: Submit) -> list[list[Tour]]:
        """Return the tours of these parts: those that are saved, and those searched now."""
        saved = set(self._store.names(TOURS))
        # The longest first, so that the last does not take long.
        longest_first = sorted(parts, key=lambda part: len(part.mates), reverse=True)
        left = {part.name: part for part in longest_first if part.name not in saved}
        self._do(TOURS, search_tours, left, submit)
        return [self._load(TOURS, part.name, lambda row: Tour(*row)) for part in parts]

    def _played(self) -> dict[tuple[str, str], CheckedGame]:
        """Return the game of each string and player."""
        games = (game for found in self.games() for game in found.games)
        return {(checked.game.san, checked.game.colour): checked for checked in games}

    def _own_games(self, sans: Iterable[str]) -> list[CheckedGame]:
        """Return the proof games of strings for which the cover has no place."""
        wanted = set(sans)
        games = (game for found in (self.games() if wanted else ()) for game in found.games)
        own = {game.game.san: game for game in games}
        return [game for san, game in own.items() if san in wanted]


def check_cover(cover: Iterable[ProofGame], submit: Submit) -> list[CheckedGame]:
    """Check the games of a cover, in batches of games that begin alike.

    Raises:
        GameError: A game does not hold.
        Unfinished: A worker died.
    """
    in_order = sorted(cover, key=lambda game: game.moves)
    starts = range(0, len(in_order), BATCH)
    checked: list[CheckedGame] = []
    batches = {start: (check_games, in_order[start : start + BATCH]) for start in starts}
    _hand_out(batches, submit, lambda _, games: checked.extend(games))
    return checked


def _hand_out(
    calls: Mapping[K, tuple[Any, ...]], submit: Submit, keep: Callable[[K, Any], None]
) -> None:
    """Have each call done, and keep each result as it comes back."""
    futures: dict[Future[Any], K] = {}
    try:
        futures |= {submit(*call): name for name, call in calls.items()}
        for future in as_completed(list(futures)):
            keep(futures.pop(future), future.result())
    except BrokenExecutor as error:
        raise worker_died("; what was decided is kept: run the same command again") from error
    finally:
        # After an error or Ctrl-C, what is decided beside it is kept as well.
        finished = [f for f in futures if not f.cancel() and f.done() and not f.exception()]
        for future in finished:
            keep(futures[future], future.result())
