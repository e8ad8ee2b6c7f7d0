"""``sanproof verify`` from beginning to end: decide, find games, replay, write, report."""

import hashlib
import json
import time
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.board.witness import WitnessError
from sanproof.proofs.kernel.files import GAMES as GAMES_FILE
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.search import Disagreement
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import COVER, FILES, MANIFEST, SUMMARY, WITH_COVER, WITH_GAMES
from sanproof.reports.tables.outputs import packed
from sanproof.verify.claims.manifest import Manifest, make_manifest, read_manifest, versions
from sanproof.verify.claims.publish import Played, publish, summaries
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import RunScope, Selection, select
from sanproof.verify.errors import Failure, NegativeAnswer, failure
from sanproof.verify.run.search import GAMES, TOURS, UNITS, Search
from sanproof.verify.work.executors import worker_died, worker_pool
from sanproof.verify.work.progress import Scale, progress_display
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import Store, kept_in

LOG: Final = "run.log"
WRITING_SHARE: Final = 0.05
"""Writing the files, as a part of all that comes before."""


class RunStore(Store):
    """The run's file ``run.sqlite3``: findings of work units, their games, and tours of a cover."""

    NAME = "run.sqlite3"
    WORK = "run"

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, provenance(*TOOLS))


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
        if (finished := _finished(directory)) and _is_done(directory, scope, finished):
            return json.loads((directory / SUMMARY).read_bytes()), True
        store.claim([MANIFEST, *(WITH_COVER if cover else WITH_GAMES if games else FILES)])
        search = Search(store, scope)
        with kept_in(store, search.in_words):
            try:
                return _finish(directory, scope, store, search, workers, scheduler), False
            except BrokenExecutor as error:
                kept = "; what was decided is kept: run the same command again"
                raise worker_died(kept) from error
            except (Disagreement, EvidenceError, WitnessError) as error:
                why = f"What was found is wrong, so the run stops: {error}."
                raise NegativeAnswer(why) from error


def _finished(directory: Path) -> Manifest | None:
    """Return the manifest of a finished run; None if there is none."""
    try:
        return read_manifest((directory / MANIFEST).read_bytes())
    except (OSError, EvidenceError):
        return None


def _is_done(directory: Path, scope: RunScope, finished: Manifest) -> bool:
    """Check whether a finished run is of this scope, and its files are all there and unchanged.

    Raises:
        Failure: It found what a run of this scope would not.
    """
    with_games, with_cover = GAMES_FILE in finished.files, COVER in finished.files
    before = RunScope(select(finished.only), games=with_games, cover=with_cover)
    if not scope.holds(before):
        raise Failure(
            f"{directory} holds a finished run ({before.name}), and would keep only a part of it "
            f"({scope.name}): use another DIR, or give the options of that run."
        )
    try:
        return scope.name == before.name and all(
            hashlib.sha256((directory / name).read_bytes()).hexdigest() == digest
            for name, digest in finished.files.items()
        )
    except OSError:
        return False


def _finish(
    directory: Path,
    scope: RunScope,
    store: Store,
    search: Search,
    workers: int,
    scheduler: str | None,
) -> dict[str, Any]:
    """Do what is left to do, write the files, and return the counts."""
    started = time.perf_counter()
    total = (1 + WRITING_SHARE) * search.total_cost
    with progress_display(total, "run") as progress:
        with worker_pool(min(workers, len(search.units)), directory / LOG, scheduler) as pool:
            played = _search(scope, search, pool, progress)
        searched = time.perf_counter()
        progress.begin("writing", search.total_cost)
        published = publish(scope.selection, search.certificates(), played)
        files = packed(published.files)
        found = {UNITS: True, GAMES: scope.games, TOURS: scope.cover}
        deciding, finding, covering = (store.seconds(k) if found[k] else 0 for k in found)
        times = {
            "working_seconds": searched - started,
            "deciding_worker_seconds": deciding,
            "games_worker_seconds": finding,
            "cover_worker_seconds": covering,
            "writing_seconds": time.perf_counter() - searched,
        }
        rounded = {name: round(seconds, 1) for name, seconds in times.items()}
        known = {"search": search.counts(), "versions": versions(), "times": rounded}
        counts = published.counts | known
        files |= summaries(counts)
        _write(directory, store, files | {MANIFEST: make_manifest(files, counts)})
        progress.advance(total - search.total_cost)
    return counts


def _search(scope: RunScope, search: Search, pool: Executor, progress: Scale) -> Played:
    """Search, phase by phase, and have what is found replayed."""
    search.decide(pool, progress)
    if not scope.games:
        return Played(None, positions=[w for found in search.decided() for w in found.witnesses])
    search.find_games(pool, progress)
    selected = scope.selection.selected
    games = [game for game in search.replay_games(pool, progress) if selected(game.game.san)]
    if not scope.cover:
        return Played(games)
    cover = replay(file_of(search.find_cover(games, pool, progress)), pool, COVER)
    return Played(games, [record for batch in cover for _, record in batch])


def _write(directory: Path, store: Store, files: Mapping[str, bytes]) -> None:
    """Write a run's files, and remove those that it wrote before and has no longer.

    The manifest is removed first and written last: without one, no reader takes the directory for a
    finished run.

    Raises:
        Failure: A file is not the run's, or cannot be written or removed.
        Unfinished: There is no room for a file.
    """
    ours = store.claim(files)
    path = directory / MANIFEST
    try:
        path.unlink(missing_ok=True)
        for path in map(directory.joinpath, ours.difference(files)):
            path.unlink(missing_ok=True)
        for name, content in sorted(files.items(), key=lambda item: item[0] == MANIFEST):
            path = directory / name
            write_whole(path, content)
    except OSError as error:
        raise failure(
            f"{path} cannot be written or removed ({error.strerror}); what was decided is kept. "
            "Mend that, and run the same command again.",
            error,
        ) from error
