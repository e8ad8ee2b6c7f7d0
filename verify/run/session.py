"""``sanproof verify`` from beginning to end: decide, find games, compare, write, report."""

import hashlib
import json
import logging
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from proofs.games.game import CheckedGame
from proofs.kernel.games import GameError
from proofs.search.errors import Disagreement
from proofs.suite.plan import SuitePlan
from proofs.verdicts.check import WitnessError
from reports.tables.files import write_whole
from reports.tables.names import FULL_LIST, MANIFEST, SUMMARY, SUMMARY_TEXT, WITH_SUITE
from reports.tables.summary import to_json, to_markdown
from verify.audit.crosscheck import cross_check
from verify.audit.manifest import make_manifest
from verify.errors import Failure, Interrupted, NegativeAnswer
from verify.run.harness import (
    Orbit,
    check_suite,
    covered,
    decide,
    orbit_name,
    orbits_for,
    own_games,
    search_games,
    search_suite,
    suite_games,
)
from verify.run.progress import progress_display
from verify.run.results import gather_results
from verify.run.selection import Selection
from verify.run.store import RunStore, provenance
from verify.run.workers import worker_pool

log = logging.getLogger("sanproof")


class RunResult(NamedTuple):
    """What a finished run has to show; ``again`` if it was finished before this command."""

    summary: dict[str, Any]
    again: bool


def run(
    directory: Path,
    selection: Selection,
    workers: int,
    *,
    games: bool = True,
    suite: bool = False,
) -> RunResult:
    """Decide the selected strings in a run directory, going on where an earlier run stopped.

    Args:
        directory: The run directory.
        selection: The strings.
        workers: The number of worker processes.
        games: Whether to find a game for every reachable string.
        suite: Whether to find a covering suite as well; it needs games of all strings.

    Raises:
        Failure: The directory cannot be used, a witness or a game is wrong, or the user
            interrupted.
    """
    started = time.perf_counter()
    with RunStore(directory) as store:
        work = _Work(store, orbits_for(selection.cubes), games=games, suite=suite)
        form = selection.pattern if games else f"{selection.pattern} without games"
        form += " with suite" * suite
        if work.is_done() and _intact(directory, store.finished(form)):
            finished = json.loads((directory / SUMMARY).read_bytes())
            if _generator_as_before(directory, selection, finished["generator"]):
                return RunResult(finished, again=True)
        with _failures_told(directory, work):
            covering = work.do(directory, workers)
        searched = time.perf_counter()
        results = gather_results(store, selection, games=games, suite=covering)
        times = {
            "working_seconds": round(searched - started, 1),
            "deciding_worker_seconds": round(store.worker_seconds("orbit"), 1),
            "games_worker_seconds": round(store.worker_seconds("games"), 1) if games else 0,
            "suite_worker_seconds": 0
            if covering is None
            else round(store.worker_seconds("tours"), 1),
            "writing_seconds": round(time.perf_counter() - searched, 1),
        }
        result = results.summary | {"versions": provenance(), "times": times}
        files = results.files | {SUMMARY_TEXT: to_markdown(result), SUMMARY: to_json(result)}
        files[MANIFEST] = make_manifest(files, result)
        _write(directory, files)
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        store.finish(form, hashes)
    return RunResult(result, again=False)


class _Work:
    """What is still to be searched: orbits to be decided, their games, and the covering suite."""

    def __init__(self, store: RunStore, orbits: list[Orbit], *, games: bool, suite: bool) -> None:
        self._store = store
        self._orbits = orbits
        self._games = games
        self._suite = suite

    def undecided(self) -> list[Orbit]:
        """The orbits to be decided."""
        return self._without(self._store.names())

    def without_games(self) -> list[Orbit]:
        """The orbits whose games are to be found."""
        return self._without(self._store.names_with_games()) if self._games else []

    def _without(self, names: set[str]) -> list[Orbit]:
        return [orbit for orbit in self._orbits if orbit_name(orbit) not in names]

    def is_done(self) -> bool:
        """Whether all is decided and has its games; a suite's files tell that it is there."""
        return not self.undecided() and not self.without_games()

    def do(self, directory: Path, workers: int) -> list[CheckedGame] | None:
        """Search, stage by stage, with as many workers as there is work for.

        Returns:
            The covering suite, if there is to be one.
        """
        pending = max(len(self.undecided()), len(self.without_games()))
        if not pending and not self._suite:
            return None
        tasks = len(self._orbits) if self._suite else pending
        with worker_pool(min(workers, tasks), directory / "run.log") as executor:
            self._decide(executor)
            self._search_games(executor)
            return self._search_suite(executor) if self._suite else None

    def _decide(self, executor: Executor) -> None:
        if pending := self.undecided():
            with progress_display(*self._progress(pending)) as progress:
                decide(pending, self._store, executor, progress)

    def _search_games(self, executor: Executor) -> None:
        if pending := self.without_games():
            with progress_display(*self._progress(pending), "playing", "games") as progress:
                search_games(pending, self._store, executor, progress)

    def _search_suite(self, executor: Executor) -> list[CheckedGame]:
        plan = SuitePlan(suite_games(self._store))
        total = len(plan.missing())
        with progress_display(0, total, "covering", "games", unit="strings") as progress:
            search_suite(plan, self._store, executor, progress)
        return check_suite(plan.games(), executor) + own_games(plan.missing(), self._store)

    def _progress(self, pending: list[Orbit]) -> tuple[int, int]:
        """The cubes that are done, and all cubes."""
        total, left = (sum(map(covered, group)) for group in (self._orbits, pending))
        return total - left, total

    def kept(self) -> str:
        """What is kept, in words."""
        total = len(self._orbits)
        decided = total - len(self.undecided())
        text = f"{decided} of {total} groups of cubes are decided"
        if self._games:
            text += f", {total - len(self.without_games())} have their games"
        return text


@contextmanager
def _failures_told(directory: Path, work: _Work) -> Iterator[None]:
    """Turn what ends a search into a sentence."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(
            f"Interrupted; {work.kept()}, all kept in {directory}: "
            "run the same command again to go on."
        ) from error
    except WitnessError as error:
        raise NegativeAnswer(f"A witness is wrong, so the run stops: {error}.") from error
    except GameError as error:
        raise NegativeAnswer(f"A game is wrong, so the run stops: {error}.") from error
    except Disagreement as error:
        raise NegativeAnswer(f"The solvers disagree, so the run stops: {error}.") from error
    except OSError as error:
        raise Failure(f"{directory} cannot be written: {error.strerror}.") from error


def _write(directory: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, and remove those of a run with more than these."""
    for name, content in files.items():
        try:
            write_whole(directory / name, content)
        except OSError as error:
            raise Failure(
                f"{directory / name} cannot be written ({error.strerror}); what was decided is "
                "kept: make room and run the same command again."
            ) from error
    for name in set(WITH_SUITE).difference(files):
        try:
            (directory / name).unlink(missing_ok=True)
        except OSError as error:
            raise Failure(
                f"{directory / name} is of an earlier run and cannot be removed "
                f"({error.strerror}): remove it and run the same command again."
            ) from error


def _generator_as_before(directory: Path, selection: Selection, before: Mapping[str, Any]) -> bool:
    """Whether the generator still differs from a finished run's list in what it differed in."""
    reachable = (directory / FULL_LIST).read_text(encoding="ascii").split()
    strings, missing, too_many = cross_check(reachable, selection.selected)
    then = (before["strings"], list(before["missing"]), list(before["too_many"]))
    return (strings, missing, too_many) == then


def _intact(directory: Path, hashes: Mapping[str, str] | None) -> bool:
    """Whether the files of a finished run are all there and unchanged."""
    if hashes is None:
        return False
    paths = {directory / name: digest for name, digest in hashes.items()}
    return all(
        path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest
        for path, digest in paths.items()
    )
