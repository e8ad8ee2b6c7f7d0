"""The audit of a run: the kernel's theorem, then all files made again, and compared.

It reads the files of a run directory and nothing else, and searches for nothing. No solver is
needed; where Z3 is installed, it is asked about every formula besides.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.certificates import ClosedCube, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.kernel.theorem import Theorem, conclude, submit_certificates
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import San, universe
from sanproof.proofs.shortest.table import FOLDER, TABLE
from sanproof.proofs.theory.rulings import bare_strings, with_suffixes
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
from sanproof.verify.audit.difference import difference
from sanproof.verify.audit.earliest import PHASE, check_players, read_table, submit_table
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.manifest import make_manifest
from sanproof.verify.claims.publish import (
    Evidence,
    Played,
    Publication,
    publish,
    summaries,
)
from sanproof.verify.claims.replay import (
    ReplayedGame,
    check_positions,
    number_of_parts,
    replay,
)
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure
from sanproof.verify.work.progress import Scale
from sanproof.verify.work.provenance import SECOND_SOLVER, is_installed, require_solvers

SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
TIMES: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)
MOST: Final = 10**9
"""No count of a search, and no time in seconds, comes near."""


class Phase(StrEnum):
    """A phase of an audit, in words."""

    REFUTATIONS = "Checking refutations"
    GAMES = "Replaying games"
    POSITIONS = "Checking positions"
    COVER = "Replaying the cover"
    SHORTEST = PHASE
    OPINION = "Asking Z3"
    COMPARISON = "Comparing files"


class AuditResult(NamedTuple):
    """The findings of an audit.

    Attributes:
        only: The pattern of the strings that the run is about, None for all.
        theorem: What the kernel has established; None for a run without games.
        survey: The verdicts, counted.
        cubes: How many certificates were checked.
        clauses: How many clauses their refutations have.
        cover: The number of games in the cover; None otherwise.
        digests: The SHA-256 of each file that was read, the manifest first.
        unchecked: The names of what the directory holds besides, which was not checked.
        observed: How often each string was played, as counted elsewhere; None without the file.
        shortest: How many shortest games the table of them has; None if that is not there.
        refuted: How many formulas Z3 refutes as well; None if it is not installed.
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
    asks_z3 = is_installed(*SECOND_SOLVER)
    run = read_run(directory)
    try:
        selection = select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{MANIFEST}: its pattern selects no SAN string") from error
    known = _known_to_run(run)
    table = read_table(directory)
    progress.plan(_costs(run, asks_z3=asks_z3, has_table=table is not None))
    evidence = Evidence(
        run.text(CERTIFICATES),
        run.text(GAMES) if GAMES in run.contents else None,
        run.text(COVER) if COVER in run.contents else None,
    )
    # All is handed out before the first result is waited for.
    closing = _start_certificates(evidence, executor, progress)
    playing = _start_playing(run, evidence, executor, progress)
    checking = submit_table(table, executor, progress) if table is not None else None
    opinions = _start_opinions(evidence, executor, progress) if asks_z3 else None
    closed = list(closing)
    if [found.cube for found in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    shown, played = playing()
    _check_search(known["search"], played, whole=selection.cubes is None)
    theorem = None
    if evidence.games is not None:
        theorem = _conclude(run, selection, closed, shown)
    shortest = None
    if checking is not None:
        players = {(game.san, game.colour) for game, *_ in played.games or ()}
        shortest = check_players(checking, players)
    refuted = None if opinions is None else len(list(opinions))
    (published,) = progress.watch(
        Phase.COMPARISON, (publish(*each) for each in [(evidence, played, selection)])
    )
    if evidence.games is None:
        _check_decided(published)
    _compare(run, published, known)
    observed = _observed(directory, published.survey.reachable)
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
        search, times = known["search"], known["times"]
        fits = [*search] == [*SEARCH] and [*times] == [*TIMES]
        fits &= all(type(number) is int for number in search.values())
        fits &= all(type(number) in (int, float) for number in times.values())
        fits &= all(0 <= number <= MOST for number in (*search.values(), *times.values()))
        fits &= known["versions"] == run.manifest.versions
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise EvidenceError(f"{SUMMARY}: is not the summary of a run: {error}") from error
    if not fits:
        raise EvidenceError(f"{SUMMARY}: its search, versions and times are not those of a run")
    return known


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


def _costs(run: RunFiles, *, asks_z3: bool, has_table: bool) -> dict[str, float]:
    """About how many seconds the phases take one process, as far as they are to be done."""
    reachable = 1 + run.contents[FULL_LIST].count(b"\n")
    has_games, has_cover = GAMES in run.contents, COVER in run.contents
    return {
        Phase.REFUTATIONS: 1e-4 * reachable,
        Phase.GAMES: 8e-4 * reachable * has_games,
        Phase.POSITIONS: 1e-4 * reachable * (not has_games),
        Phase.COVER: 8e-4 * reachable * has_cover,
        Phase.SHORTEST: 8e-4 * reachable * has_table,
        Phase.OPINION: 5e-5 * reachable * asks_z3,
        Phase.COMPARISON: 1.5e-4 * reachable,
    }


def _start_certificates(
    evidence: Evidence, executor: Executor, progress: Scale
) -> Iterator[ClosedCube]:
    text = evidence.certificates
    closing = submit_certificates(text, executor)
    return progress.watch(Phase.REFUTATIONS, closing, max(1, text.count("\n\n")))


def _start_opinions(evidence: Evidence, executor: Executor, progress: Scale) -> Iterator[None]:
    """Have Z3 refute the formula of each certificate as well."""
    from sanproof.proofs.search.refute import ask_z3  # noqa: PLC0415 - only where Z3 is installed

    paragraphs = list(split_certificates(evidence.certificates))
    opinions = executor.map(ask_z3, paragraphs, chunksize=5)
    return progress.watch(Phase.OPINION, opinions, max(1, len(paragraphs)))


def _start_playing(
    run: RunFiles, evidence: Evidence, executor: Executor, progress: Scale
) -> Callable[[], tuple[list[Shown], Played]]:
    """Have games and cover replayed, or positions checked; returns what waits for the result."""
    if evidence.games is None:
        rows = run.text(WITNESSES).split("\n")[1:-1]  # its header and its end are compared later
        checking = progress.watch(Phase.POSITIONS, check_positions(rows, executor))
        return lambda: ([], Played(positions=[w for batch in checking for w in batch]))
    parts = number_of_parts(evidence.games)
    replaying = progress.watch(Phase.GAMES, replay(evidence.games, executor), parts)
    covering: Iterator[list[ReplayedGame]] = iter(())
    if evidence.cover is not None:
        parts = number_of_parts(evidence.cover)
        covering = progress.watch(Phase.COVER, replay(evidence.cover, executor, COVER), parts)

    def played() -> tuple[list[Shown], Played]:
        games = [each for batch in replaying for each in batch]
        cover = [game for batch in covering for _, game in batch]
        both = Played([game for _, game in games], None if evidence.cover is None else cover)
        return [shown for shown, _ in games], both

    return played


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
    sans = universe() if selection.cubes is None else _strings(selection)
    return conclude(sans, left_open, shown, clauses, run.text(FULL_LIST), selected)


def _strings(selection: Selection) -> Iterator[San]:
    """Yield the selected strings."""
    for cube in selection.cubes or ():
        for san in chain.from_iterable(map(with_suffixes, bare_strings(cube))):
            if selection.selected is None or selection.selected(str(san)):
                yield san


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
        theirs = run.unpacked(name)
        if ours != theirs:
            raise EvidenceError(f"{name}: {difference(ours, theirs)}")
    if run.manifest.sealed() != make_manifest(run.contents, counts):
        raise EvidenceError(f"{MANIFEST}: its counts are not what was counted")


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
