"""``sanproof verify`` from beginning to end: decide, find games, compare, write, report."""

import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sanproof.proofs.cover.plan import CoverPlan, prepare
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.search import Disagreement
from sanproof.proofs.verdicts.witness import WitnessError
from sanproof.reports.tables.names import (
    FILES,
    FULL_LIST,
    MANIFEST,
    SUMMARY,
    SUMMARY_TEXT,
    WITH_COVER,
    WITH_GAMES,
)
from sanproof.reports.tables.summary import to_json, to_markdown
from sanproof.verify.claims.crosscheck import cross_check
from sanproof.verify.claims.manifest import make_manifest, versions
from sanproof.verify.claims.selection import RunScope, Selection, read_scope
from sanproof.verify.errors import Failure, NegativeAnswer
from sanproof.verify.run.folder import LOG, hashes, is_intact, open_run, write_files
from sanproof.verify.run.harness import (
    CHECKING_COST,
    COVER_COST,
    WRITING_SHARE,
    KeptUnits,
    check_cover,
    cost,
    cover_games,
    decide,
    own_games,
    search_cover,
    search_games,
    unit_name,
    units_for,
)
from sanproof.verify.run.results import Results, gather_results, with_cover
from sanproof.verify.run.store import GAMES, TOURS, UNITS, Finished, RunStore
from sanproof.verify.run.workers import WorkUnit, executor
from sanproof.verify.work.executors import beside
from sanproof.verify.work.folder import check_names
from sanproof.verify.work.progress import Progress, progress_display
from sanproof.verify.work.store import kept_in


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
    cover: bool = False,
    scheduler: str | None = None,
) -> RunResult:
    """Decide the selected strings in a run directory, going on where an earlier run stopped.

    Args:
        directory: The run directory.
        selection: The strings.
        workers: The number of worker processes.
        games: Whether to find a game for every reachable string.
        cover: Whether to find a cover as well; it needs games of all strings.
        scheduler: The address of a cluster's scheduler, whose workers do the work instead.

    Raises:
        Failure: The directory cannot be used or holds what would be lost, a witness or a game is
            wrong, the cluster cannot be used or failed, or the user interrupted.
    """
    scope = RunScope(selection, games=games, cover=cover)
    with open_run(directory) as store:
        work = _Work(store, scope)
        with kept_in(store, work.in_words), _wrong_evidence_explained():
            _check_nothing_is_cut(directory, scope, store)
            check_names(directory, _names(scope), store.files(), store.WORK)
            finished = _finished_before(directory, scope, store, work)
            return finished or _finish(directory, scope, store, work, workers, scheduler)


def pattern_of_run(directory: Path) -> str | None:
    """The pattern of the strings for which a run was finished; None for all, or if it was not."""
    with open_run(directory) as store:
        finished = store.finished()
        return None if finished is None else _scope_of(finished, store).selection.pattern or None


def _names(scope: RunScope) -> list[str]:
    """The files that a run of this scope writes."""
    return [*(WITH_COVER if scope.cover else WITH_GAMES if scope.games else FILES), MANIFEST]


def _check_nothing_is_cut(directory: Path, scope: RunScope, store: RunStore) -> None:
    """Refuse a scope that lacks something which a finished run has."""
    finished = store.finished()
    if finished is None or finished.scope == scope.name:
        return
    before = _scope_of(finished, store)
    if not scope.holds(before):
        raise Failure(
            f"{directory} holds a finished run ({before.name}), and would keep only a part of it "
            f"({scope.name}): use another DIR, or give the options of that run."
        )


def _scope_of(finished: Finished, store: RunStore) -> RunScope:
    try:
        return read_scope(finished.scope)
    except ValueError as error:
        raise store.damaged("what it was finished for is no scope of a run") from error


def _finished_before(
    directory: Path, scope: RunScope, store: RunStore, work: "_Work"
) -> RunResult | None:
    """The run, if it was finished before and nothing has changed since."""
    finished = store.finished()
    if finished is None or finished.scope != scope.name or not work.is_done():
        return None
    if not is_intact(directory, finished):
        return None
    summary = json.loads((directory / SUMMARY).read_bytes())
    if not _generator_as_before(directory, scope.selection, summary["generator"]):
        return None
    return RunResult(summary, again=True)


def _finish(
    directory: Path,
    scope: RunScope,
    store: RunStore,
    work: "_Work",
    workers: int,
    scheduler: str | None,
) -> RunResult:
    """Do what is left to do, and write the files."""
    started = time.perf_counter()
    total = (1 + WRITING_SHARE) * work.total_cost()
    with progress_display(total, "run") as progress:
        ready, cover = work.do(directory, workers, scheduler, progress)
        searched = time.perf_counter()
        progress.begin("writing", work.total_cost())
        results = ready.result() if cover is None else with_cover(ready.result(), cover)
        times = {
            "working_seconds": round(searched - started, 1),
            "deciding_worker_seconds": _worker_seconds(store, UNITS, wanted=True),
            "games_worker_seconds": _worker_seconds(store, GAMES, wanted=scope.games),
            "cover_worker_seconds": _worker_seconds(store, TOURS, wanted=scope.cover),
            "writing_seconds": round(time.perf_counter() - searched, 1),
        }
        result = results.summary | {"versions": versions(), "times": times}
        files = results.files | {SUMMARY_TEXT: to_markdown(result), SUMMARY: to_json(result)}
        files[MANIFEST] = make_manifest(files, result)
        write_files(directory, store, files)
        store.finish(Finished(scope.name, hashes(files)))
        progress.advance(total - work.total_cost())
    return RunResult(result, again=False)


def _worker_seconds(store: RunStore, table: str, *, wanted: bool) -> float:
    return round(store.worker_seconds(table), 1) if wanted else 0


class _Work:
    """What is still to be searched: units to be decided, their games, and the cover.

    Attributes:
        kept: What the store has of the units.
    """

    def __init__(self, store: RunStore, scope: RunScope) -> None:
        self._store = store
        self._scope = scope
        self._units = units_for(scope.selection.cubes)
        self.kept = KeptUnits(store, self._units)

    def undecided(self) -> list[WorkUnit]:
        """The units to be decided."""
        return self._without(self._store.names())

    def without_games(self) -> list[WorkUnit]:
        """The units whose games are to be found."""
        return self._without(self._store.names_with_games()) if self._scope.games else []

    def _without(self, names: set[str]) -> list[WorkUnit]:
        return [unit for unit in self._units if unit_name(unit) not in names]

    def is_done(self) -> bool:
        """Whether all is decided and has its games; a cover's files show that it is there."""
        return not self.undecided() and not self.without_games()

    def total_cost(self) -> float:
        """About what the whole search costs, with what is done already."""
        return self._deciding_cost() + self._games_cost() + self._cover_cost()

    def _deciding_cost(self) -> float:
        return sum(cost(unit).deciding for unit in self._units)

    def _games_cost(self) -> float:
        return sum(cost(unit).games for unit in self._units) if self._scope.games else 0

    def _cover_cost(self) -> float:
        return COVER_COST + CHECKING_COST if self._scope.cover else 0

    def do(
        self, directory: Path, workers: int, scheduler: str | None, progress: Progress
    ) -> tuple[Future[Results], list[CheckedGame] | None]:
        """Search, phase by phase, with as many workers as there is work for, or on a cluster.

        Returns:
            What was found, which is made ready while a cover is searched; and the cover, if there
            is to be one.
        """
        pending = max(len(self.undecided()), len(self.without_games()))
        if not pending and not self._scope.cover:
            return self._ready(), None
        tasks = len(self._units) if self._scope.cover else pending
        with executor(min(workers, tasks), directory / LOG, scheduler) as hands:
            self._decide(hands, progress)
            if self._scope.cover:
                beside(prepare)
            self._search_games(hands, progress)
            return (
                self._search_cover(hands, progress) if self._scope.cover else (self._ready(), None)
            )

    def _ready(self) -> Future[Results]:
        games = self.kept.games() if self._scope.games else None
        return beside(gather_results, self.kept.decided(), games, self._scope.selection)

    def _decide(self, executor: Executor, progress: Progress) -> None:
        if pending := self.undecided():
            left = sum(cost(unit).deciding for unit in pending)
            progress.begin("deciding", self._deciding_cost() - left)
            decide(pending, self.kept, executor, progress)

    def _search_games(self, executor: Executor, progress: Progress) -> None:
        if pending := self.without_games():
            left = sum(cost(unit).games for unit in pending)
            progress.begin("games", self._deciding_cost() + self._games_cost() - left)
            search_games(pending, self.kept, executor, progress)

    def _search_cover(
        self, executor: Executor, progress: Progress
    ) -> tuple[Future[Results], list[CheckedGame]]:
        before = self._deciding_cost() + self._games_cost()
        progress.begin("cover", before)
        plan = CoverPlan(cover_games(self.kept))
        first = plan.parts()
        # Only now, for it shares this process with the plan, on which the workers wait.
        ready = self._ready()
        beside(plan.look_ahead)
        search_cover(plan, first, self._store, executor, progress)
        progress.begin("checking", before + COVER_COST)
        checked = check_cover(plan.games(), executor)
        return ready, checked + own_games(plan.missing(), self.kept)

    def in_words(self) -> str:
        """What is kept, in words."""
        total = len(self._units)
        text = f"{total - len(self.undecided())} of {total} work units are decided"
        if self._scope.games:
            text += f" and {total - len(self.without_games())} have their games"
        return text


@contextmanager
def _wrong_evidence_explained() -> Iterator[None]:
    try:
        yield
    except WitnessError as error:
        raise NegativeAnswer(f"A witness is wrong, so the run stops: {error}.") from error
    except GameError as error:
        raise NegativeAnswer(f"A game is wrong, so the run stops: {error}.") from error
    except EvidenceError as error:
        raise NegativeAnswer(f"A refutation is wrong, so the run stops: {error}.") from error
    except Disagreement as error:
        raise NegativeAnswer(f"The solvers disagree, so the run stops: {error}.") from error


def _generator_as_before(directory: Path, selection: Selection, before: Mapping[str, Any]) -> bool:
    """Whether the generator still differs from a finished run's list in what it differed in."""
    reachable = (directory / FULL_LIST).read_text(encoding="ascii").split()
    strings, missing, too_many = cross_check(reachable, selection.selected)
    then = (before["strings"], list(before["missing"]), list(before["too_many"]))
    return (strings, missing, too_many) == then
