"""``sanproof verify`` from beginning to end: decides, finds games, replays, writes, reports."""

import json
import time
from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from itertools import chain
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.board.witness import Witness, WitnessError
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.search import Disagreement
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import COVER, FILES, MANIFEST, SUMMARY, WITH_COVER, WITH_GAMES
from sanproof.reports.tables.outputs import packed
from sanproof.verify.claims.manifest import make_manifest, read_manifest, versions
from sanproof.verify.claims.publish import SEARCH, TIMES, publish, summaries
from sanproof.verify.claims.replay import file_of, replay
from sanproof.verify.claims.selection import Selection
from sanproof.verify.errors import Failure, NegativeAnswer, failure
from sanproof.verify.run import search
from sanproof.verify.run.search import Search
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import Store, kept_in

LOG: Final = "run.log"
"""The file with the work and times of each worker."""
KINDS: Final = (search.UNITS, search.GAMES, search.TOURS)


def open_store(directory: Path) -> Store:
    """Open ``run.sqlite3``, the store of a run, which no other process may have open."""
    return Store(directory, "run", provenance(*TOOLS))


def run(
    directory: Path,
    selection: Selection,
    workers: int,
    *,
    games: bool = True,
    cover: bool = False,
    scheduler: str | None = None,
) -> tuple[dict[str, Any], bool]:
    """Decide the selected strings in a run directory, and continue an earlier run that stopped.

    With ``games`` every reachable string gets a game. With ``cover``, which needs the games of all
    strings, there are also few games that together contain all. The work is done by ``workers``
    processes, or by the workers of the cluster with this ``scheduler``.

    Returns:
        The counts of the finished run, and whether it was finished before this command.

    Raises:
        Failure: The directory cannot be used, or the run would destroy something in it.
        NegativeAnswer: A witness, a game or a refutation that was found is wrong.
        Unfinished: A worker died, the cluster failed, or a file could not be written.
        Interrupted: The user stopped the run.
    """
    files = WITH_COVER if cover else WITH_GAMES if games else FILES
    with open_store(directory) as store:
        if _is_finished(directory, selection.pattern, files):
            return json.loads((directory / SUMMARY).read_bytes()), True
        store.claim([MANIFEST, *files])
        with kept_in(store, lambda: _in_words(store)):
            try:
                return _finish(directory, selection, files, store, workers, scheduler), False
            except (Disagreement, EvidenceError, WitnessError) as error:
                why = f"What was found is wrong, so the run stops: {error}."
                raise NegativeAnswer(why) from error


def _is_finished(directory: Path, pattern: str | None, files: Collection[str]) -> bool:
    """Check whether a directory holds a finished run of these strings with these files.

    Raises:
        Failure: It holds one of which this would keep only a part, or nothing.
    """
    try:
        before, only, *_ = read_manifest((directory / MANIFEST).read_bytes())
    except (OSError, EvidenceError):
        return False
    if pattern not in (None, only) or not before.keys() <= {*files}:
        found = f"strings that match {only}" if only else "all strings"
        raise Failure(
            f"{directory} holds a finished run ({found}, {'with' if GAMES in before else 'without'}"
            " games), which would be lost: use another DIR, or give the options of that run."
        )
    return pattern == only and before.keys() == {*files}


def _in_words(store: Store) -> str:
    """Say what is kept of a run."""
    games = len(store.names(search.GAMES))
    found = f" and {games} have their games" if games else ""
    return f"{len(store.names(search.UNITS))} work units are decided{found}"


def _finish(
    directory: Path,
    selection: Selection,
    files: Collection[str],
    store: Store,
    workers: int,
    scheduler: str | None,
) -> dict[str, Any]:
    """Do what is left to do, write the files, and return the counts."""
    started = time.perf_counter()
    with worker_pool(workers, directory / LOG, scheduler) as pool:
        searching = Search(store, selection, pool)
        played = _search(searching, selection, files, pool)
    searched = time.perf_counter()
    published, counts, _ = publish(selection, searching.certificates(), *played)
    contents = packed(published)
    times = [searched - started, *map(store.seconds, KINDS), time.perf_counter() - searched]
    counts |= {
        "search": dict(zip(SEARCH, searching.counts(), strict=True)),
        "versions": versions(),
        "times": {name: round(n, 1) for name, n in zip(TIMES, times, strict=True)},
    }
    contents |= summaries(counts)
    _write(directory, store, contents | {MANIFEST: make_manifest(contents, counts)})
    return counts


def _search(
    searching: Search, selection: Selection, files: Collection[str], pool: Executor
) -> tuple[list[CheckedGame] | None, list[CheckedGame] | None, list[Witness]]:
    """Search, phase by phase; return the games and the cover, replayed, or the positions."""
    searching.decide()
    if GAMES not in files:
        return None, None, [w for each in searching.decided() for w in each.witnesses]
    searching.find_games()
    games = [game for game in searching.replay_games() if selection.selected(game.game.san)]
    if COVER not in files:
        return games, None, []
    cover = replay(file_of(searching.find_cover(games)), pool, COVER)
    return games, list(chain.from_iterable(cover)), []


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
