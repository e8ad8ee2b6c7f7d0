"""The audit of a run: the kernel's theorem, then all files made again, and compared.

It reads the files of a run directory and nothing else, and searches for nothing. No solver is
needed; where Z3 is installed, it is asked about every formula besides.
"""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from io import BytesIO
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.proofs.kernel.certificates import ClosedCube, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.kernel.games import Shown, common_length
from sanproof.proofs.kernel.theorem import Theorem, conclude, submit_certificates
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.shortest.checks import check_part
from sanproof.proofs.shortest.table import FOLDER, PUBLISHED, TABLE, split_table
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed, unproven
from sanproof.reports.tables.names import (
    COVER,
    FULL_LIST,
    MANIFEST,
    OBSERVED,
    OBSERVED_FILES,
    SUMMARY,
    WITNESSES,
)
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.manifest import make_manifest
from sanproof.verify.claims.publish import Evidence, Played, Publication, publish, summaries
from sanproof.verify.claims.replay import BATCH, check_positions, replay
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure
from sanproof.verify.work.progress import Scale
from sanproof.verify.work.provenance import SECOND_SOLVER, is_installed, require_solvers

T = TypeVar("T")

SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
TIMES: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)
MOST: Final = 10**9
"""No count of a search, and no time in seconds, comes near."""
EXCERPT: Final = 60
COSTS: Final = {
    "Checking refutations": 3.0,
    "Checking positions": 3.0,
    "Replaying games": 24.0,
    "Replaying the cover": 24.0,
    "Replaying the shortest games": 24.0,
    "Asking Z3": 1.5,
    "Comparing files": 4.5,
}
"""The phases, and about how many seconds each takes one process for a whole run."""


class AuditResult(NamedTuple):
    """The findings of an audit; None is what a run has not, or what was not asked.

    Attributes:
        only: The pattern of the strings that the run is about, None for all.
        theorem: What the kernel has established from games.
        survey: The verdicts, counted.
        cubes: How many certificates were checked.
        clauses: How many clauses their refutations have.
        cover: The number of games in the cover.
        digests: The SHA-256 of each file that was read, the manifest first.
        unchecked: The names of what the directory holds besides, which was not checked.
        observed: How often each string was played, as counted elsewhere.
        shortest: How many shortest games the table of them has.
        refuted: How many formulas Z3 refutes as well.
    """

    only: str | None
    theorem: Theorem | None
    survey: Survey
    cubes: int
    clauses: int
    cover: int | None
    digests: dict[str, str]
    unchecked: list[str]
    observed: Observed | None = None
    shortest: int | None = None
    refuted: int | None = None


def audit(
    directory: Path, executor: Executor, progress: Scale, *, second_opinion: bool = False
) -> AuditResult:
    """Check a finished run; what is independent is done by the executor.

    Where Z3 is installed, it refutes every formula as well; ``second_opinion`` insists on that.

    Raises:
        Failure: A second opinion is wanted, and Z3 is not installed.
        EvidenceError: Something does not hold; the message begins with the file's name.
    """
    if second_opinion:
        require_solvers("--second-opinion", SECOND_SOLVER)
    run = read_run(directory)
    try:
        selection = select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{MANIFEST}: its pattern selects no SAN string") from error
    known = _known_to_run(run)
    path = directory / PUBLISHED
    table = read_bytes(path) if os.path.lexists(path) else None
    games, cover = (run.text(n) if n in run.contents else None for n in (GAMES, COVER))
    evidence = Evidence(run.text(CERTIFICATES), games, cover)
    asks_z3 = is_installed(*SECOND_SOLVER)
    _plan(progress, evidence, has_table=table is not None, asks_z3=asks_z3)
    # All is handed out before the first result is waited for.
    paragraphs = list(split_certificates(evidence.certificates))
    closing = submit_certificates(evidence.certificates, executor)
    playing = _start_playing(run, evidence, executor, progress)
    parts = {} if table is None else split_table(table)
    check = partial(check_part, by_kernel=not is_installed("numba"))  # or compiled, with a sample
    checking = executor.map(check, parts.values(), parts)
    opinions = executor.map(_ask_z3, paragraphs if asks_z3 else (), chunksize=5)
    closed = list(progress.watch("Checking refutations", closing, len(paragraphs)))
    if [found.cube for found in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    shown, played = playing()
    _check_search(known["search"], played, whole=selection.cubes is None)
    theorem = None if games is None else _conclude(run, selection, closed, shown)
    shortest = refuted = None
    if table is not None:
        rows = progress.watch("Replaying the shortest games", checking, len(parts))
        shortest = _check_players(chain.from_iterable(rows), played)
    if asks_z3:
        refuted = len(list(progress.watch("Asking Z3", opinions, len(paragraphs))))
    progress.begin("Comparing files", progress.done)
    published = publish(evidence, played, selection)
    if games is None:
        _check_decided(published)
    _compare(run, published, known)
    observed = _observed(directory, published.survey.reachable)
    progress.advance(COSTS["Comparing files"])
    besides = {*OBSERVED_FILES, *([FOLDER] if table is not None else ())}
    digests = run.digests | (observed.digests if observed else {})
    return AuditResult(
        run.manifest.only,
        theorem,
        published.survey,
        len(closed),
        sum(cube.clauses for cube in closed),
        None if played.cover is None else len(played.cover),
        digests | ({} if table is None else {TABLE: hashlib.sha256(table).hexdigest()}),
        [name for name in run.unchecked if name not in besides],
        observed,
        shortest,
        refuted,
    )


def _known_to_run(run: RunFiles) -> dict[str, Any]:
    """Return what only the run knows of itself: how much it searched, with what, and how long.

    Raises:
        EvidenceError: They are not counts, versions and times of a run.
    """
    try:
        claimed = json.loads(run.contents[SUMMARY])
        known = {name: claimed[name] for name in ("search", "versions", "times")}
        numbers = [*known["search"].values(), *known["times"].values()]
        fits = ([*known["search"]], [*known["times"]]) == ([*SEARCH], [*TIMES])
        fits &= all(type(n) in (int, float) and 0 <= n <= MOST for n in numbers)
        fits &= known["versions"] == run.manifest.versions
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise EvidenceError(f"{SUMMARY}: is not the summary of a run: {error}") from error
    if not fits:
        raise EvidenceError(f"{SUMMARY}: its search, versions and times are not those of a run")
    return known


def _ask_z3(certificate: str) -> None:
    from sanproof.proofs.search.refute import ask_z3  # noqa: PLC0415 - only where Z3 is installed

    ask_z3(certificate)


def _plan(progress: Scale, evidence: Evidence, *, has_table: bool, asks_z3: bool) -> None:
    is_due = {
        "Checking positions": evidence.games is None,
        "Replaying games": evidence.games is not None,
        "Replaying the cover": evidence.cover is not None,
        "Replaying the shortest games": has_table,
        "Asking Z3": asks_z3,
    }
    progress.plan({phase: cost for phase, cost in COSTS.items() if is_due.get(phase, True)})


def _start_playing(
    run: RunFiles, evidence: Evidence, executor: Executor, progress: Scale
) -> Callable[[], tuple[list[Shown], Played]]:
    """Have games and cover replayed, or positions checked; returns what waits for the result."""

    def watched(phase: str, text: str, batches: Iterator[list[T]]) -> list[T]:
        number = 1 + text.count("\n") // BATCH
        return list(chain.from_iterable(progress.watch(phase, batches, number)))

    if evidence.games is None:
        rows = run.text(WITNESSES)
        checking = check_positions(rows.split("\n")[1:-1], executor)  # the rest is compared later
        return lambda: ([], Played(positions=watched("Checking positions", rows, checking)))
    games, cover = evidence.games, evidence.cover
    replaying = replay(games, executor)
    covering = None if cover is None else replay(cover, executor, COVER)

    def played() -> tuple[list[Shown], Played]:
        found = watched("Replaying games", games, replaying)
        records = [record for _, record in found]
        if cover is None or covering is None:
            return [shown for shown, _ in found], Played(records)
        more = watched("Replaying the cover", cover, covering)
        return [shown for shown, _ in found], Played(records, [record for _, record in more])

    return played


def _check_search(search: Mapping[str, int], played: Played, *, whole: bool) -> None:
    """Check counts of the search as far as games tell: White's strings had one witness each.

    A part's games are searched for whole groups of cubes, so that there may be more witnesses.

    Raises:
        EvidenceError: They do not fit the games.
    """
    witnesses, replaced, given_up = (search[name] for name in SEARCH)
    white = sum(game.colour == WHITE for game, *_ in played.games or ())
    fits = white == witnesses if whole or played.games is None else white <= witnesses
    if not fits or replaced > min(witnesses, given_up) or (given_up and not replaced):
        raise EvidenceError(f"{SUMMARY}: what it counts of the search does not fit the games")


def _conclude(
    run: RunFiles, selection: Selection, closed: Sequence[ClosedCube], shown: Iterable[Shown]
) -> Theorem:
    """Have the kernel conclude from cubes that are closed and games that were replayed.

    Raises:
        EvidenceError: They do not fit, or the list of strings is another.
    """
    left_open = {found.cube: found.left_open for found in closed}
    clauses = sum(found.clauses for found in closed)
    selected = selection.selected or (lambda _: True)
    return conclude(selection.strings(), left_open, shown, clauses, run.text(FULL_LIST), selected)


def _check_players(checked: Iterable[tuple[str, str]], played: Played) -> int:
    """Check that the table of the shortest games has a row for each string and player who plays it.

    Raises:
        EvidenceError: One is missing, or one too many is there.
    """
    rows = set(checked)
    players = {(game.san, game.colour) for game, *_ in played.games or ()}
    if strange := rows ^ players:
        san, player = min(strange)
        has = "has a row" if (san, player) in rows else "has no row"
        raise EvidenceError(f"{TABLE}: {has} of {player}'s {san}; the games of the proof differ")
    return len(rows)


def _check_decided(published: Publication) -> None:
    """Refuse strings that are neither witnessed nor refuted, and such as are both."""
    if undecided := published.survey.undecided:
        raise EvidenceError(
            f"{CERTIFICATES}: {len(undecided):,} strings are neither witnessed nor refuted, such "
            f"as {undecided[0]}"
        )
    findings = published.findings
    for player, to_move in ((WHITE, " w "), (BLACK, " b ")):
        mine = {w.san for w in findings.witnesses.values() if to_move in w.fen}
        if refuted := mine - findings.open_to(player):
            raise EvidenceError(f"{WITNESSES}: {min(refuted)} has a witness and a refutation")


def _compare(run: RunFiles, published: Publication, known: Mapping[str, Any]) -> None:
    """Check that all files hold what they should, to the byte, packed in whatever way.

    Raises:
        EvidenceError: One does not.
    """
    counts = {**published.counts, **known}
    for name, ours in (published.files | summaries(counts)).items():
        theirs = unpacked(name, run.contents[name])
        if ours != theirs:
            raise EvidenceError(f"{name}: {difference(ours, theirs)}")
    if run.manifest.sealed() != make_manifest(run.contents, counts):
        raise EvidenceError(f"{MANIFEST}: its counts are not what was counted")


def difference(ours: bytes, theirs: bytes) -> str:
    """Say where a file first differs: the line as it is, and as it should be."""
    pairs = enumerate(zip_longest(BytesIO(ours), BytesIO(theirs), fillvalue=b""), 1)
    number, lines = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    texts = [line.decode("latin-1") for line in lines]
    start = max(0, common_length(*texts) - EXCERPT // 2)
    should, does = (ascii(text[start : start + EXCERPT]) if text else "the end" for text in texts)
    return f"line {number} is {does}, and should be {should}"


def _observed(directory: Path, reachable: Collection[str]) -> Observed | None:
    """Return the counts of played strings that published data has besides; None if it has none.

    An audit cannot know whether the counts are right. But a string that was seen in a game can
    occur: if it were not among the proven ones, the theorem would be refuted.
    """
    try:
        observed = open_observed(directory)
        times = observed.times if observed else {}
    except ArchiveError as error:
        raise EvidenceError(f"{OBSERVED}: {error}") from error
    if refuting := unproven(times, reachable):
        raise EvidenceError(
            f"{OBSERVED}: {refuting[0]} was seen in a game, {times[refuting[0]]:,} times, and is "
            f"not among the reachable strings ({len(refuting):,} such): the theorem or the count "
            "is wrong"
        )
    return observed
