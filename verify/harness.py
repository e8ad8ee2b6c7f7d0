"""A run: which cubes are still to be decided, handing them out, and keeping what comes back."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Protocol, TypeVar

from proofs.cubes import Cube, exchanged_cube, orbits, solved_cube
from proofs.witness import Witness
from verify.errors import Failure
from verify.store import RunStore
from verify.workers import OrbitFindings, OrbitGames, search_orbit_games, solve_orbit

T = TypeVar("T")
R = TypeVar("R")
Orbit = tuple[Cube, ...]
COSTLIEST_FIRST: Final = ("Q", "R", "B", "N", "")


class Progress(Protocol):
    """Somebody who wants to know how the run gets on."""

    def advance(self, cubes: int, strings: int) -> None:
        """So many more cubes are done, with so many more strings found."""


def orbits_for(cubes: Iterable[Cube] | None) -> list[Orbit]:
    """The orbits to be decided for these cubes' verdicts (or for all), the costliest first.

    A string is impossible only if neither colour can play it, so each cube needs its exchanged
    cube as well.
    """
    if cubes is None:
        wanted = orbits()
    else:
        needed = {solved_cube(c) for cube in cubes for c in (cube, exchanged_cube(cube))}
        wanted = [orbit for orbit in orbits() if needed.intersection(orbit)]
    rank = {piece: i for i, piece in enumerate(COSTLIEST_FIRST)}
    return sorted(wanted, key=lambda orbit: rank.get(orbit[0].piece, len(rank)))


def orbit_name(orbit: Orbit) -> str:
    """The name under which an orbit is saved."""
    return str(orbit[0])


def covered(orbit: Orbit) -> int:
    """The number of cubes that an orbit decides, with their reflections from left to right."""
    return sum(1 if cube.castling else 2 for cube in orbit)


def decide(
    pending: Collection[Orbit],
    store: RunStore,
    executor: Executor,
    progress: Progress,
    solve: Callable[[Orbit], OrbitFindings] = solve_orbit,
) -> None:
    """Decide orbits through the executor, saving each as it comes back.

    Raises:
        WitnessError: A witness did not pass its check.
        Failure: A worker died, or the run directory cannot be written.
    """

    def keep(orbit: Orbit, result: OrbitFindings) -> None:
        store.save(orbit_name(orbit), result.found, result.seconds)
        progress.advance(covered(orbit), sum(len(f.witnesses) for f in result.found))

    _hand_out({orbit: orbit for orbit in pending}, executor, solve, keep)


def search_games(
    pending: Collection[Orbit],
    store: RunStore,
    executor: Executor,
    progress: Progress,
    search: Callable[[Sequence[Witness]], OrbitGames] = search_orbit_games,
) -> None:
    """Find the games of orbits that are decided, as :func:`decide` decides them.

    Raises:
        GameError: A game did not pass its check.
        Failure: A worker died, or the run directory cannot be written.
    """

    def keep(orbit: Orbit, result: OrbitGames) -> None:
        store.save_games(orbit_name(orbit), result.found, result.seconds)
        progress.advance(covered(orbit), sum(len(f.games) for f in result.found))

    rows = {orbit: _witnesses_of_white(orbit, store) for orbit in pending}
    _hand_out(rows, executor, search, keep)


def _witnesses_of_white(orbit: Orbit, store: RunStore) -> list[Witness]:
    found = store.load(orbit_name(orbit))
    return [Witness(*w[:3]) for cube in found for w in cube.witnesses if " w " in w.fen]


def _hand_out(
    tasks: Mapping[Orbit, T],
    executor: Executor,
    work: Callable[[T], R],
    keep: Callable[[Orbit, R], None],
) -> None:
    """Have the work done for each orbit, and keep each result as it comes back."""
    futures: dict[Future[R], Orbit] = {}
    try:
        futures |= {executor.submit(work, task): orbit for orbit, task in tasks.items()}
        for future in as_completed(list(futures)):
            keep(futures.pop(future), future.result())
    except BrokenProcessPool as error:
        raise Failure(
            "A worker process died (out of memory, or killed); what was decided is kept: "
            "run the same command again, perhaps with fewer --workers."
        ) from error
    finally:
        # After an error or Ctrl-C, what is decided beside it is kept as well.
        finished = [f for f in futures if not f.cancel() and f.done() and not f.exception()]
        for future in finished:
            keep(futures[future], future.result())
