"""The search of a run: its tasks, whose results are stored one by one, and a worker's part."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from itertools import chain
from typing import Any, Final

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.cover import Cover, MatesPart, Tour
from sanproof.proofs.cover.plan import rounds
from sanproof.proofs.games.game import CheckedGame, write_line
from sanproof.proofs.kernel.files import GAMES as GAMES_FILE
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, exchanged_cube
from sanproof.proofs.search.derived import CubeFindings, WorkUnit, solved_cube, work_units
from sanproof.verify.claims.replay import replay_lines
from sanproof.verify.claims.selection import Selection
from sanproof.verify.work.progress import progress
from sanproof.verify.work.store import Store

log = logging.getLogger("sanproof")

UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"
"""The kinds of results in the store: findings of work units, their games, tours of the cover."""

GamesFound = tuple[list[str], int]
"""The proof games of one of White's witnesses, as lines of the kernel's file: White's game, and
Black's of the string with the colours exchanged, or none at all; and the number of positions that
were tried in vain before."""

_PIECES: Final = ("Q", "B", "R", "N", "K", "", "O-O", "O-O-O")
COSTS: Final = dict(zip(_PIECES, (5.13, 2.03, 1.50, 1.08, 0.19, 0.14, 0.10, 0.04), strict=True))
"""The approximate seconds that a work unit takes a worker, by piece."""


def cost(unit: WorkUnit) -> float:
    """Return the approximate cost of a work unit, by which the costliest are begun first."""
    return COSTS[unit[0].piece]


def units_for(cubes: Iterable[Cube]) -> dict[str, WorkUnit]:
    """Return by name the work units that these cubes' verdicts need, the costliest first.

    A string is impossible only if neither colour can play it, so each cube needs its exchanged cube
    as well. Units are never cut, so that what is stored under a unit's name does not depend on the
    selection.
    """
    needed = {solved_cube(c) for cube in cubes for c in (cube, exchanged_cube(cube))}
    wanted = [unit for unit in work_units() if needed.intersection(unit)]
    return {str(unit[0]): unit for unit in sorted(wanted, key=cost, reverse=True)}


class Search:
    """The search of a run, with the results in its store, and the tasks that are left.

    Results of other units are ignored; they are from an earlier run in the same directory.
    """

    def __init__(self, store: Store, selection: Selection, pool: Executor) -> None:
        self._store = store
        self._closed = selection.closed_cubes
        self._pool = pool
        self._units = units_for(selection.cubes)

    def _saved(self, kind: str) -> list[str]:
        """Return the names of the units of which the store has something, in order."""
        return [name for name in self._store.names(kind) if name in self._units]

    def decided(self, *names: str) -> list[CubeFindings]:
        """Return the findings about all cubes, or about the cubes of these units."""
        loaded = (self._store.load(UNITS, name) for name in names or self._saved(UNITS))
        return list(map(CubeFindings.of, chain.from_iterable(loaded)))

    def certificates(self) -> str:
        """Return the file of the certificates that the selection needs."""
        found = {each.cube: each.certificate for each in self.decided()}
        return "".join(found[cube] for cube in self._closed)

    def counts(self) -> tuple[int, int, int]:
        """Return the summary's counts of the search for games (:data:`claims.publish.SEARCH`)."""
        names = self._saved(GAMES)
        in_vain = [number for name in names for _, number in self._store.load(GAMES, name)]
        return len(in_vain), sum(map(bool, in_vain)), sum(in_vain)

    def decide(self) -> None:
        """Decide the units that are left, and store each as it comes back.

        Raises:
            WitnessError: A witness is wrong.
            Unfinished: The run directory cannot be written.
        """
        self._do(UNITS, "deciding", solve_unit, self._left(UNITS))

    def find_games(self) -> None:
        """Find the games of decided units that are left. An Unfinished is as in :meth:`decide`."""
        if left := self._left(GAMES):
            self._pool.submit(compile_search).result()  # once, and not by each worker
            self._do(GAMES, "games", search_games, {name: self._whites(name) for name in left})

    def _left(self, kind: str) -> dict[str, WorkUnit]:
        done = set(self._saved(kind))
        return {name: unit for name, unit in self._units.items() if name not in done}

    def _whites(self, name: str) -> list[Witness]:
        """Return White's witnesses of a unit."""
        witnesses = chain.from_iterable(found.witnesses for found in self.decided(name))
        return [witness for witness in witnesses if " w " in witness.fen]

    def replay_games(self) -> list[CheckedGame]:
        """Replay the games of all units with the kernel, and forget a unit with a wrong game.

        Raises:
            EvidenceError: A game is wrong. The message names the unit.
        """
        found = {n: [both for both, _ in self._store.load(GAMES, n)] for n in self._saved(GAMES)}
        # Sorted games share beginnings; White's and Black's of a string stand together.
        lines = {name: [*chain.from_iterable(sorted(pairs))] for name, pairs in found.items()}
        submit = self._pool.submit
        replaying = {name: submit(replay_lines, each, GAMES_FILE) for name, each in lines.items()}
        records: dict[str, CheckedGame] = {}
        with progress("replaying", len(lines)) as advance:
            for name, future in replaying.items():
                try:
                    records |= zip(lines[name], future.result(), strict=True)
                except EvidenceError as error:
                    self._store.remove(GAMES, name)
                    raise EvidenceError(
                        f"{error}. The games of the work unit {name} are dropped: run the same "
                        "command again to search for them once more"
                    ) from error
                advance(1)
        return [records[line] for pairs in found.values() for both in pairs for line in both]

    def find_cover(self, played: Sequence[CheckedGame]) -> list[str]:
        """Find the games of a cover, store the tours of each part, and return the games' lines.

        Raises:
            Unfinished: The run directory cannot be written.
        """
        own = {game.game.san: game.game for game in played}
        cover = Cover({(game.game.san, game.game.colour): game for game in played})
        for number, parts in enumerate(rounds(cover), start=1):
            saved = set(self._store.names(TOURS))
            # The longest first, so that the last does not take long.
            longest_first = sorted(parts, key=lambda part: len(part.mates), reverse=True)
            left = {part.name: part for part in longest_first if part.name not in saved}
            self._do(TOURS, f"cover, round {number}", search_tours, left)
            tours = [self._store.load(TOURS, part.name) for part in parts]
            cover.take(parts, [[Tour(*row) for row in rows] for rows in tours])
        # A string for which the cover has no place has its own proof game there.
        return list(map(write_line, [*cover.games(), *(own[san] for san in cover.missing())]))

    def _do(
        self, kind: str, phase: str, work: Callable[[Any], list[Any]], tasks: Mapping[str, Any]
    ) -> None:
        """Have the work done for each task, and save each result as it comes back."""
        with progress(phase, len(tasks)) as advance:
            futures = {self._pool.submit(timed, work, name, tasks[name]): name for name in tasks}
            for future in as_completed(list(futures)):
                self._store.save(kind, futures.pop(future), *future.result())
                advance(1)


# What a worker does; only workers pay for what is imported here


def timed(work: Callable[[Any], list[Any]], name: str, task: Any) -> tuple[list[Any], float]:  # noqa: ANN401
    """Do a task, log its name, and return its result with the seconds that it took."""
    started = time.perf_counter()
    found = work(task)
    seconds = time.perf_counter() - started
    log.info("%s of %s: %d found, %.2f s", work.__name__, name, len(found), seconds)
    return found, seconds


def solve_unit(unit: WorkUnit) -> list[CubeFindings]:
    """Decide the cubes of a work unit and their mirror images."""
    from sanproof.proofs.search.decide import decide_unit  # noqa: PLC0415

    return decide_unit(unit)


def compile_search() -> None:
    """Compile everything that the search for games needs, once for all workers."""
    from sanproof.proofs.games import search  # noqa: PLC0415

    search.compile_search()


def search_games(witnesses: Sequence[Witness]) -> list[GamesFound]:
    """Find games for White's witnesses, or for other positions of their strings, unchecked."""
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415

    found = map(solve_games, witnesses)
    return [(list(map(write_line, games)), given_up) for games, given_up in found]


def search_tours(part: MatesPart) -> list[Tour]:
    """Find the tours of one part of the cover."""
    from sanproof.proofs.cover.tours import tour_part  # noqa: PLC0415

    return tour_part(part)
