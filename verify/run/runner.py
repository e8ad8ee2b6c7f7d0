"""``sanproof verify`` from beginning to end: decide, find games, replay, write, report."""

import json
import time
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from itertools import chain
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.board.witness import WitnessError
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.search import Disagreement
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import COVER, FILES, MANIFEST, SUMMARY, WITH_COVER, WITH_GAMES
from sanproof.reports.tables.outputs import packed
from sanproof.verify.claims.manifest import make_manifest, read_manifest, versions
from sanproof.verify.claims.publish import SEARCH, TIMES, Played, publish, summaries
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import RunScope, Selection, select
from sanproof.verify.errors import Failure, NegativeAnswer, failure
from sanproof.verify.run.search import COVER_COST, Search, in_words
from sanproof.verify.work.executors import worker_died, worker_pool
from sanproof.verify.work.progress import progress_display
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import Store, kept_in

LOG: Final = "run.log"
WRITING: Final = 0.05
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

    With ``games`` every reachable string gets one, and with ``cover``, which needs games of all
    strings, there are few that together show all. So many processes do it, or the workers of a
    cluster that has this ``scheduler``.

    Returns:
        The counts of the finished run, and whether it was finished before this command.

    Raises:
        Failure: The directory cannot be used or holds what would be lost, a witness or a game is
            wrong, the cluster cannot be used or failed, or the user interrupted.
    """
    scope = RunScope(selection, games=games, cover=cover)
    with RunStore(directory) as store:
        if _is_finished(directory, scope):
            return json.loads((directory / SUMMARY).read_bytes()), True
        store.claim([MANIFEST, *(WITH_COVER if cover else WITH_GAMES if games else FILES)])
        with kept_in(store, lambda: in_words(store, scope)):
            try:
                return _finish(directory, scope, store, workers, scheduler), False
            except BrokenExecutor as error:
                kept = "; what was decided is kept: run the same command again"
                raise worker_died(kept) from error
            except (Disagreement, EvidenceError, WitnessError) as error:
                why = f"What was found is wrong, so the run stops: {error}."
                raise NegativeAnswer(why) from error


def _is_finished(directory: Path, scope: RunScope) -> bool:
    """Check whether a directory holds a finished run of this scope.

    Raises:
        Failure: It holds one of which this would keep only a part, or nothing.
    """
    try:
        files, only, *_ = read_manifest((directory / MANIFEST).read_bytes())
    except (OSError, EvidenceError):
        return False
    before = RunScope(select(only), games=GAMES in files, cover=COVER in files)
    grows = before.games <= scope.games and before.cover <= scope.cover
    if not grows or scope.selection.pattern not in (None, only):
        raise Failure(
            f"{directory} holds a finished run ({before}), which would be lost ({scope}): use "
            "another DIR, or give the options of that run."
        )
    return str(scope) == str(before)


def _finish(
    directory: Path, scope: RunScope, store: Store, workers: int, scheduler: str | None
) -> dict[str, Any]:
    """Do what is left to do, write the files, and return the counts."""
    started = time.perf_counter()
    with progress_display(None, "run") as progress:
        with worker_pool(workers, directory / LOG, scheduler) as pool:
            search = Search(store, scope, pool, progress)
            cost = search.cost + COVER_COST * scope.cover
            progress.total = cost * (1 + WRITING)
            played = _search(scope, search, pool)
        searched = time.perf_counter()
        progress.begin("writing", cost)
        published = publish(scope.selection, search.certificates(), played)
        files = packed(published.files)
        times = [searched - started, *search.seconds(), time.perf_counter() - searched]
        counts = published.counts | {
            "search": dict(zip(SEARCH, search.counts(), strict=True)),
            "versions": versions(),
            "times": {name: round(n, 1) for name, n in zip(TIMES, times, strict=True)},
        }
        files |= summaries(counts)
        _write(directory, store, files | {MANIFEST: make_manifest(files, counts)})
        progress.advance(cost * WRITING)
    return counts


def _search(scope: RunScope, search: Search, pool: Executor) -> Played:
    """Search, phase by phase, and have what is found replayed."""
    search.decide()
    if not scope.games:
        return Played(None, positions=[w for found in search.decided() for w in found.witnesses])
    search.find_games()
    selected = scope.selection.selected
    games = [game for game in search.replay_games() if selected(game.game.san)]
    if not scope.cover:
        return Played(games)
    cover = replay(file_of(search.find_cover(games)), pool, COVER)
    return Played(games, list(chain.from_iterable(cover)))


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
