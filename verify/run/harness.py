"""A run: which cubes are still to be decided, handing them out, and keeping what comes back."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Protocol, TypeVar

from proofs.games.game import CheckedGame, ProofGame
from proofs.rules.cubes import Cube, exchanged_cube
from proofs.search.symmetry import solved_cube, work_units
from proofs.suite.plan import Played, SuitePlan
from proofs.suite.tours import Part, Tour
from proofs.verdicts.witness import Witness
from verify.errors import Failure
from verify.run.store import RunStore
from verify.run.workers import (
    OrbitFindings,
    OrbitGames,
    SuiteTours,
    check_games,
    search_orbit_games,
    search_tours,
    solve_orbit,
)

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
R = TypeVar("R")
Orbit = tuple[Cube, ...]
BATCH: Final = 500
COSTLIEST_FIRST: Final = ("Q", "R", "B", "N", "")


class Progress(Protocol):
    """Somebody who wants to know how the run gets on."""

    def advance(self, cubes: int, strings: int) -> None:
        """So many more cubes are done, with so many more strings found."""


def orbits_for(cubes: Iterable[Cube] | None) -> list[Orbit]:
    """The orbits to be decided for these cubes' verdicts (or for all), the costliest first.

    A string is impossible only if neither colour can play it, so each cube needs its exchanged
    cube as well. Orbits are never cut: what is saved under an orbit's name, and which witnesses it
    has, is then the same for every selection.
    """
    if cubes is None:
        wanted = work_units()
    else:
        needed = {solved_cube(c) for cube in cubes for c in (cube, exchanged_cube(cube))}
        wanted = [orbit for orbit in work_units() if needed.intersection(orbit)]
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


def search_suite(plan: SuitePlan, store: RunStore, executor: Executor, progress: Progress) -> None:
    """Find the tours of a covering suite, saving each part as it comes back.

    Raises:
        Failure: A worker died, or the run directory cannot be written.
    """
    while parts := plan.parts():
        missing = len(plan.missing())
        tours = _tours(parts, store, executor)
        plan.take(parts, tours)
        progress.advance(missing - len(plan.missing()), sum(map(len, tours)))


def _tours(parts: Sequence[Part], store: RunStore, executor: Executor) -> list[list[Tour]]:
    """The tours of these parts: what is saved of them, and what was not yet searched."""
    found = {part.name: store.load_tours(part.name) for part in parts}

    def keep(name: str, result: SuiteTours) -> None:
        store.save_tours(name, result.found, result.seconds)
        found[name] = result.found

    pending = {part.name: part for part in parts if found[part.name] is None}
    _hand_out(pending, executor, search_tours, keep)
    return [found[part.name] or [] for part in parts]


def check_suite(suite: Iterable[ProofGame], executor: Executor) -> list[CheckedGame]:
    """Check the games of a suite, in batches of games that begin alike.

    Raises:
        GameError: A game does not hold.
        Failure: A worker died.
    """
    in_order = sorted(suite, key=lambda game: game.moves)
    batches = {i: in_order[i : i + BATCH] for i in range(0, len(in_order), BATCH)}
    checked: list[CheckedGame] = []
    _hand_out(batches, executor, check_games, lambda _, games: checked.extend(games))
    return checked


def own_games(sans: Iterable[str], store: RunStore) -> list[CheckedGame]:
    """The proof games of strings for which no place was found, so that the suite shows them too."""
    wanted = set(sans)
    games: dict[str, CheckedGame] = {}
    for found in store.load_games():
        games |= {g.game.san: g for g in found.games if g.game.san in wanted}
    return list(games.values())


def suite_games(store: RunStore) -> dict[tuple[str, str], Played]:
    """For each string and player the game up to the string's move."""
    played = {}
    for found in store.load_games():
        for (san, colour, ply, moves), sans, before_fen, *_ in found.games:
            upto = slice(ply + 1)
            played[san, colour] = Played(san, colour, before_fen, moves[upto], sans[upto])
    return played


def _witnesses_of_white(orbit: Orbit, store: RunStore) -> list[Witness]:
    found = store.load(orbit_name(orbit))
    return [Witness(*w[:3]) for cube in found for w in cube.witnesses if " w " in w.fen]


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
        raise Failure(
            "A worker process died (out of memory, or killed); what was decided is kept: "
            "run the same command again, perhaps with fewer --workers."
        ) from error
    finally:
        # After an error or Ctrl-C, what is decided beside it is kept as well.
        finished = [f for f in futures if not f.cancel() and f.done() and not f.exception()]
        for future in finished:
            keep(futures[future], future.result())
