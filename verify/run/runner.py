"""``sanproof verify`` from beginning to end: decide, find games, compare, write, report."""

import json
import time
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.board.witness import WitnessError
from sanproof.proofs.games.game import write_line
from sanproof.proofs.kernel.files import GAMES as GAMES_FILE
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.search import Disagreement
from sanproof.reports.tables.names import COVER, FILES, MANIFEST, SUMMARY, WITH_COVER, WITH_GAMES
from sanproof.reports.tables.outputs import packed
from sanproof.verify.claims.manifest import Manifest, make_manifest, versions
from sanproof.verify.claims.publish import Evidence, Played, publish, summaries
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import RunScope, Selection, select
from sanproof.verify.errors import Failure, NegativeAnswer
from sanproof.verify.run.harness import Search
from sanproof.verify.run.store import (
    GAMES,
    LOG,
    TOURS,
    UNITS,
    RunStore,
    finished_run,
    is_intact,
    write_files,
)
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.progress import Scale, progress_display
from sanproof.verify.work.store import kept_in

WRITING_SHARE: Final = 0.05
"""Writing the files, as a part of all that comes before."""


def run(
    directory: Path,
    selection: Selection,
    workers: int,
    *,
    games: bool = True,
    cover: bool = False,
    scheduler: str | None = None,
) -> tuple[dict[str, Any], bool]:
    """Decide the selected strings in a run directory, going on where an earlier run stopped.

    Args:
        directory: The run directory.
        selection: The strings.
        workers: The number of worker processes.
        games: Whether to find a game for every reachable string.
        cover: Whether to find a cover as well; it needs games of all strings.
        scheduler: The address of a cluster's scheduler, whose workers do the work instead.

    Returns:
        The counts of the finished run, and whether it was finished before this command.

    Raises:
        Failure: The directory cannot be used or holds what would be lost, a witness or a game is
            wrong, the cluster cannot be used or failed, or the user interrupted.
    """
    scope = RunScope(selection, games=games, cover=cover)
    with RunStore(directory) as store:
        if finished := finished_run(directory):
            before = scope_of(finished)
            if not scope.holds(before):
                raise Failure(
                    f"{directory} holds a finished run ({before.name}), and would keep "
                    f"only a part of it ({scope.name}): use another DIR, or give the options of "
                    "that run."
                )
            if scope.name == before.name and is_intact(directory, finished):
                return json.loads((directory / SUMMARY).read_bytes()), True
        store.claim([MANIFEST, *(WITH_COVER if cover else WITH_GAMES if games else FILES)])
        search = Search(store, scope)
        with kept_in(store, search.in_words):
            try:
                summary = _finish(directory, scope, store, search, workers, scheduler)
            except (Disagreement, EvidenceError, WitnessError) as error:
                why = f"What was found is wrong, so the run stops: {error}."
                raise NegativeAnswer(why) from error
            return summary, False


def scope_of(finished: Manifest) -> RunScope:
    """Return what a finished run was to find."""
    selection = select(finished.only)
    return RunScope(selection, games=GAMES_FILE in finished.files, cover=COVER in finished.files)


def _finish(
    directory: Path,
    scope: RunScope,
    store: RunStore,
    search: Search,
    workers: int,
    scheduler: str | None,
) -> dict[str, Any]:
    """Do what is left to do, write the files, and return the counts."""
    started = time.perf_counter()
    total = (1 + WRITING_SHARE) * search.total_cost
    with progress_display(total, "run") as progress:
        with worker_pool(min(workers, len(search.units)), directory / LOG, scheduler) as pool:
            evidence, played = _search(scope, search, pool, progress)
        searched = time.perf_counter()
        progress.begin("writing", search.total_cost)
        published = publish(evidence, played, scope.selection)
        files = packed(published.files)
        wanted = {UNITS: True, GAMES: scope.games, TOURS: scope.cover}
        seconds = {table: store.seconds(table) if wanted[table] else 0 for table in wanted}
        times = {
            "working_seconds": round(searched - started, 1),
            "deciding_worker_seconds": round(seconds[UNITS], 1),
            "games_worker_seconds": round(seconds[GAMES], 1),
            "cover_worker_seconds": round(seconds[TOURS], 1),
            "writing_seconds": round(time.perf_counter() - searched, 1),
        }
        known = {"search": search.counts(), "versions": versions(), "times": times}
        counts = published.counts | known
        files |= summaries(counts)
        files[MANIFEST] = make_manifest(files, counts)
        write_files(directory, store, files)
        progress.advance(total - search.total_cost)
    return counts


def _search(
    scope: RunScope, search: Search, pool: Executor, progress: Scale
) -> tuple[Evidence, Played]:
    """Search, phase by phase, and have what is found replayed."""
    search.decide(pool, progress)
    if not scope.games:
        positions = [witness for found in search.decided() for witness in found.witnesses]
        return Evidence(search.certificates()), Played(positions=positions)
    search.find_games(pool, progress)
    selected = scope.selection.selected or (lambda _: True)
    games = [game for game in search.replay_games(pool, progress) if selected(game.game.san)]
    lines = file_of(write_line(game) for game, *_ in games)
    if not scope.cover:
        return Evidence(search.certificates(), lines), Played(games)
    cover = file_of(search.find_cover(games, pool, progress))
    replaying = replay(cover, pool, COVER)
    played = Played(games, [game for batch in replaying for _, game in batch])
    return Evidence(search.certificates(), lines, cover), played
