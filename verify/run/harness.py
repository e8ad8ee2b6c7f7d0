"""The search of a run: handing out its work, and keeping what comes back."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from itertools import chain
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.proofs.cover.cover import Cover
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.cover.plan import rounds
from sanproof.proofs.games.game import CheckedGame, write_line
from sanproof.proofs.kernel.files import GAMES as GAMES_FILE
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, exchanged_cube
from sanproof.proofs.search.symmetry import CubeFindings, WorkUnit, solved_cube, work_units
from sanproof.verify.claims.replay import PackedGame, replay_lines, unpacked
from sanproof.verify.claims.selection import RunScope
from sanproof.verify.run.store import GAMES, TOURS, UNITS, RunStore
from sanproof.verify.run.workers import (
    GamesFound,
    compile_search,
    search_tours,
    search_unit_games,
    solve_unit,
    timed,
)
from sanproof.verify.work.executors import worker_died
from sanproof.verify.work.progress import Scale

K = TypeVar("K", bound=Hashable)


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
REPLAY_COST: Final = 0.25
"""Replaying games, as a part of what it costs to find them."""
COVER_COST: Final = 90.0
"""The cover of a run of everything, with its replay."""


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
        self._names = sorted(map(unit_name, self.units))
        # New results are kept here as well: to read them takes longer than to save them.
        self._found: dict[tuple[str, str], list[Any]] = {}
        whole = cost(self.units)
        self._deciding_cost = whole.deciding
        self._games_cost = whole.games if scope.games else 0
        self._searched_cost = self._deciding_cost + (1 + REPLAY_COST) * self._games_cost
        self.total_cost = self._searched_cost + (COVER_COST if scope.cover else 0)
        """About what all of it costs, with what is done already."""

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
        return [found for name in self._names for found in self._decided(name)]

    def games(self) -> list[GamesFound]:
        """Return the games of each of White's witnesses."""
        return [found for name in self._names for found in self._games(name)]

    def certificates(self) -> str:
        """Return the file of certificates: those that the selection needs."""
        found = {each.cube: each.certificate for each in self.decided()}
        return "".join(found[cube] for cube in self._scope.selection.closed_cubes)

    def counts(self) -> dict[str, int]:
        """Return what the summary says of the search for games."""
        given_up = [found.given_up for found in self.games()] if self._scope.games else []
        return {
            "witnesses": len(given_up),
            "witnesses_replaced": sum(map(bool, given_up)),  # those with positions tried in vain
            "positions_given_up": sum(given_up),
        }

    def _decided(self, name: str) -> list[CubeFindings]:
        return self._load(UNITS, name, CubeFindings.of)

    def _games(self, name: str) -> list[GamesFound]:
        return self._load(GAMES, name, lambda row: GamesFound(*row))

    def _load(self, kind: str, name: str, read: Callable[[list[Any]], Any]) -> list[Any]:
        """Return what was found, from the store unless it was found just now."""
        if (kind, name) not in self._found:
            self._found[kind, name] = list(map(read, self._store.load(kind, name)))
        return self._found[kind, name]

    def _do(
        self,
        table: str,
        work: Callable[[Any], list[Any]],
        tasks: Mapping[str, Any],
        executor: Executor,
        done: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Have the work done for each task, and save each result as it comes back."""

        def keep(name: str, result: tuple[list[Any], float]) -> None:
            found, seconds = result
            self._store.save(table, name, found, seconds)
            self._found[table, name] = found
            done(name)

        calls = {name: (timed, work, name, task) for name, task in tasks.items()}
        _hand_out(calls, executor, keep)

    def decide(self, executor: Executor, progress: Scale) -> None:
        """Decide the units that are left, saving each as it comes back.

        Raises:
            WitnessError: A witness did not pass its check.
            Unfinished: A worker died, or the run directory cannot be written.
        """
        if left := {unit_name(unit): unit for unit in self._left(UNITS)}:
            progress.begin("deciding", self._deciding_cost - cost(left.values()).deciding)
            advance = lambda name: progress.advance(cost([left[name]]).deciding)  # noqa: E731
            self._do(UNITS, solve_unit, left, executor, advance)

    def find_games(self, executor: Executor, progress: Scale) -> None:
        """Find the games of units that are decided, as :meth:`decide` decides them.

        Raises:
            Unfinished: A worker died, or the run directory cannot be written.
        """
        if left := {unit_name(unit): unit for unit in self._left(GAMES)}:
            ahead = cost(left.values()).games
            progress.begin("games", self._deciding_cost + self._games_cost - ahead)
            witnesses = {
                name: [w for cube in self._decided(name) for w in cube.witnesses if " w " in w.fen]
                for name in left
            }
            _hand_out({"": (compile_search,)}, executor, lambda *_: None)  # or each worker would
            advance = lambda name: progress.advance(cost([left[name]]).games)  # noqa: E731
            self._do(GAMES, search_unit_games, witnesses, executor, advance)

    def replay_games(self, executor: Executor, progress: Scale) -> list[CheckedGame]:
        """Have the kernel replay the games of all units; the store forgets a unit with a wrong one.

        Raises:
            EvidenceError: A game does not hold; the message names the unit.
            Unfinished: A worker died.
        """
        progress.begin("replaying", self._deciding_cost + self._games_cost)
        lines = {name: sorted(found.lines for found in self._games(name)) for name in self._names}
        records: dict[str, CheckedGame] = {}
        wrong: dict[str, EvidenceError] = {}

        def keep(name: str, replayed: list[PackedGame] | EvidenceError) -> None:
            if isinstance(replayed, EvidenceError):
                wrong[name] = replayed
                return
            records.update((packed[1], unpacked(*packed)[1]) for packed in replayed)
            progress.advance(REPLAY_COST * self._games_cost / len(self._names))

        # Sorted games share beginnings; White's and Black's of a string stand together.
        calls = {name: (replay_unit, [*chain.from_iterable(lines[name])]) for name in self._names}
        _hand_out(calls, executor, keep)
        for name, error in wrong.items():
            self._store.remove(GAMES, name)
            raise EvidenceError(
                f"{error}. The games of the work unit {name} are dropped: run the same command "
                "again to search for them once more"
            ) from error
        return [records[line] for found in self.games() for line in found.lines]

    def find_cover(
        self, played: Sequence[CheckedGame], executor: Executor, progress: Scale
    ) -> list[str]:
        """Find a cover of all strings with games, saving the tours of each part; return its lines.

        Raises:
            Unfinished: A worker died, or the run directory cannot be written.
        """
        progress.begin("cover", self._searched_cost)
        own = {game.game.san: game.game for game in played}
        cover = Cover({(game.game.san, game.game.colour): game for game in played})
        # What the second round needs is worked out while the first is searched.
        Thread(target=lambda: cover.firsts, daemon=True).start()
        total = left = len(cover.missing())
        for parts in rounds(cover):
            cover.take(parts, self._tours(parts, executor))
            missing = len(cover.missing())
            progress.advance(COVER_COST * (left - missing) / max(1, total))
            left = missing
        # A string for which the cover has no place has its own proof game there.
        games = cover.games() + [own[san] for san in cover.missing()]
        return list(map(write_line, games))

    def _tours(self, parts: Sequence[MatesPart], executor: Executor) -> list[list[Tour]]:
        """Return the tours of these parts: those that are saved, and those searched now."""
        saved = set(self._store.names(TOURS))
        # The longest first, so that the last does not take long.
        longest_first = sorted(parts, key=lambda part: len(part.mates), reverse=True)
        left = {part.name: part for part in longest_first if part.name not in saved}
        self._do(TOURS, search_tours, left, executor)
        return [self._load(TOURS, part.name, lambda row: Tour(*row)) for part in parts]


def replay_unit(lines: Sequence[str]) -> list[PackedGame] | EvidenceError:
    """Have the kernel replay games; an error is returned, so that it is known whose it is."""
    try:
        return replay_lines(lines, GAMES_FILE)
    except EvidenceError as error:
        return error


def _hand_out(
    calls: Mapping[K, tuple[Any, ...]], executor: Executor, keep: Callable[[K, Any], None]
) -> None:
    """Have each call done, and keep each result as it comes back."""
    futures: dict[Future[Any], K] = {}
    try:
        futures |= {executor.submit(*call): name for name, call in calls.items()}
        for future in as_completed(list(futures)):
            keep(futures.pop(future), future.result())
    except BrokenExecutor as error:
        raise worker_died("; what was decided is kept: run the same command again") from error
    finally:
        # After an error or Ctrl-C, what is decided beside it is kept as well.
        finished = [f for f in futures if not f.cancel() and f.done() and not f.exception()]
        for future in finished:
            keep(futures[future], future.result())
