"""The search of a run: handing out its work, and keeping what comes back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from itertools import chain
from threading import Thread
from typing import Any, Final

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.cover import Cover
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.cover.plan import rounds
from sanproof.proofs.games.game import CheckedGame, write_line
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, exchanged_cube
from sanproof.proofs.search.symmetry import CubeFindings, WorkUnit, solved_cube, work_units
from sanproof.verify.claims.replay import PackedGame, unpacked
from sanproof.verify.claims.selection import RunScope
from sanproof.verify.run.store import GAMES, TOURS, UNITS, RunStore
from sanproof.verify.run.workers import (
    GamesFound,
    compile_search,
    replay_unit,
    search_tours,
    search_unit_games,
    solve_unit,
    timed,
)
from sanproof.verify.work.executors import worker_died
from sanproof.verify.work.progress import Scale

_PIECES: Final = ("Q", "B", "R", "N", "K", "", "O-O", "O-O-O")
COSTS: Final = dict(zip(_PIECES, (5.13, 2.03, 1.50, 1.08, 0.19, 0.14, 0.10, 0.04), strict=True))
"""About how many seconds a work unit takes a worker, by piece."""
SHARES: Final = {"deciding": 0.2, "games": 0.8, "replaying": 0.2}
"""The phases' parts of that; replaying comes on top."""
COVER_COST: Final = 90.0
"""The cover of a run of everything, with its replay."""


def cost(units: Iterable[WorkUnit]) -> float:
    """Return about what work units cost: for the order of work and a progress bar."""
    return sum(COSTS[unit[0].piece] for unit in units)


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
    return sorted(wanted, key=lambda unit: cost([unit]), reverse=True)


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
        self.units = {unit_name(unit): unit for unit in units_for(scope.selection.cubes)}
        self._cost = cost(self.units.values())
        phases = SHARES if scope.games else ["deciding"]
        self._searched_cost = self._cost * sum(SHARES[phase] for phase in phases)
        self.total_cost = self._searched_cost + (COVER_COST if scope.cover else 0)
        """About what all of it costs, with what is done already."""

    def _saved(self, kind: str) -> list[str]:
        """Return the names of the units of which the store has something, in order."""
        return [name for name in self._store.names(kind) if name in self.units]

    def in_words(self) -> str:
        """Say what is kept."""
        text = f"{len(self._saved(UNITS))} of {len(self.units)} work units are decided"
        games = f" and {len(self._saved(GAMES))} have their games"
        return text + (games if self._scope.games else "")

    def decided(self, *names: str) -> list[CubeFindings]:
        """Return what was found of each cube, or of each cube of these units."""
        loaded = (self._store.load(UNITS, name) for name in names or self._saved(UNITS))
        return list(map(CubeFindings.of, chain.from_iterable(loaded)))

    def games(self) -> list[GamesFound]:
        """Return the games of each of White's witnesses."""
        loaded = (self._store.load(GAMES, name) for name in self._saved(GAMES))
        return list(map(tuple, chain.from_iterable(loaded)))

    def certificates(self) -> str:
        """Return the file of certificates: those that the selection needs."""
        found = {each.cube: each.certificate for each in self.decided()}
        return "".join(found[cube] for cube in self._scope.selection.closed_cubes)

    def counts(self) -> dict[str, int]:
        """Return what the summary says of the search for games."""
        in_vain = [number for _, number in self.games()] if self._scope.games else []
        return {
            "witnesses": len(in_vain),
            "witnesses_replaced": sum(map(bool, in_vain)),  # those with positions tried in vain
            "positions_given_up": sum(in_vain),
        }

    def decide(self, executor: Executor, progress: Scale) -> None:
        """Decide the units that are left, saving each as it comes back.

        Raises:
            WitnessError: A witness did not pass its check.
            Unfinished: A worker died, or the run directory cannot be written.
        """
        self._search(UNITS, "deciding", 0, solve_unit, self.units.__getitem__, executor, progress)

    def find_games(self, executor: Executor, progress: Scale) -> None:
        """Find the games of units that are decided, as :meth:`decide` decides them.

        Raises:
            Unfinished: A worker died, or the run directory cannot be written.
        """

        def white_witnesses(name: str) -> list[Witness]:
            witnesses = chain.from_iterable(found.witnesses for found in self.decided(name))
            return [witness for witness in witnesses if " w " in witness.fen]

        if len(self._saved(GAMES)) < len(self.units):  # compiled once, and not by each worker
            _hand_out({"": (compile_search,)}, executor, lambda *_: None)
        before = SHARES["deciding"] * self._cost
        self._search(GAMES, "games", before, search_unit_games, white_witnesses, executor, progress)

    def _search(
        self,
        kind: str,
        phase: str,
        before: float,
        work: Callable[[Any], list[Any]],
        task: Callable[[str], Any],
        executor: Executor,
        progress: Scale,
    ) -> None:
        """Have the work done for the units that are left."""
        done = self._saved(kind)
        share = {name: SHARES[phase] * cost([unit]) for name, unit in self.units.items()}
        tasks = {name: task(name) for name in self.units if name not in set(done)}
        if tasks:
            progress.begin(phase, before + sum(share[name] for name in done))
            self._do(kind, work, tasks, executor, lambda name: progress.advance(share[name]))

    def _do(
        self,
        kind: str,
        work: Callable[[Any], list[Any]],
        tasks: Mapping[str, Any],
        executor: Executor,
        done: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Have the work done for each task, and save each result as it comes back."""

        def keep(name: str, result: tuple[list[Any], float]) -> None:
            self._store.save(kind, name, *result)
            done(name)

        calls = {name: (timed, work, name, task) for name, task in tasks.items()}
        _hand_out(calls, executor, keep)

    def replay_games(self, executor: Executor, progress: Scale) -> list[CheckedGame]:
        """Have the kernel replay the games of all units; the store forgets a unit with a wrong one.

        Raises:
            EvidenceError: A game does not hold; the message names the unit.
            Unfinished: A worker died.
        """
        progress.begin("replaying", (SHARES["deciding"] + SHARES["games"]) * self._cost)
        records: dict[str, CheckedGame] = {}
        wrong: dict[str, EvidenceError] = {}
        # Sorted games share beginnings; White's and Black's of a string stand together.
        lines = {
            name: [*chain.from_iterable(sorted(both for both, _ in self._store.load(GAMES, name)))]
            for name in self._saved(GAMES)
        }

        def keep(name: str, replayed: list[PackedGame] | EvidenceError) -> None:
            if isinstance(replayed, EvidenceError):
                wrong[name] = replayed
                return
            records.update((packed[1], unpacked(*packed)[1]) for packed in replayed)
            progress.advance(SHARES["replaying"] * self._cost / len(lines))

        _hand_out({n: (replay_unit, found) for n, found in lines.items()}, executor, keep)
        for name, error in wrong.items():
            self._store.remove(GAMES, name)
            raise EvidenceError(
                f"{error}. The games of the work unit {name} are dropped: run the same command "
                "again to search for them once more"
            ) from error
        return [records[line] for both, _ in self.games() for line in both]

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
        return [[Tour(*row) for row in self._store.load(TOURS, part.name)] for part in parts]


def _hand_out(
    calls: Mapping[str, tuple[Any, ...]], executor: Executor, keep: Callable[[str, Any], None]
) -> None:
    """Have each call done, and keep each result as it comes back."""
    futures: dict[Future[Any], str] = {}
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
