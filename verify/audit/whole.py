"""The audit of a run: the kernel's theorem, then all files made again, and compared.

It reads the files of a run directory and nothing else, and searches for nothing. No solver is
needed; where Z3 is installed, it is asked about every formula besides.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from io import BytesIO
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.proofs.kernel.certificates import ClosedCube, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.kernel.games import common_length
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
from sanproof.verify.claims.replay import BATCH, ReplayedGame, check_positions, replay
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
REFUTATIONS: Final = "Checking refutations"
POSITIONS: Final = "Checking positions"
REPLAYED: Final = "Replaying games"
COVERED: Final = "Replaying the cover"
SHORTEST: Final = "Replaying the shortest games"
ASKED: Final = "Asking Z3"
COMPARED: Final = "Comparing files"
COSTS: Final = dict.fromkeys((REPLAYED, COVERED, SHORTEST), 24.0) | {
    REFUTATIONS: 3.0,
    POSITIONS: 3.0,
    ASKED: 1.5,
    COMPARED: 4.5,
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
    paragraphs = list(split_certificates(evidence.certificates))
    asks_z3 = is_installed(*SECOND_SOLVER)
    due = {SHORTEST: table is not None, ASKED: asks_z3, COVERED: cover is not None}
    due |= {REPLAYED: games is not None, POSITIONS: games is None}
    progress.total = sum(cost for phase, cost in COSTS.items() if due.get(phase, True))

    def watched(phase: str, results: Iterable[T], number: int) -> list[T]:
        return list(progress.watch(phase, COSTS[phase], results, number))

    # All is handed out before the first result is waited for.
    closing = submit_certificates(evidence.certificates, executor)
    playing = _start_playing(run, evidence, executor)
    parts = {} if table is None else split_table(table)
    check = partial(check_part, by_kernel=not is_installed("numba"))  # or compiled, with a sample
    checking = executor.map(check, parts.values(), parts)
    opinions = executor.map(_ask_z3, paragraphs if asks_z3 else (), chunksize=5)

    closed = watched(REFUTATIONS, closing, len(paragraphs))
    if [found.cube for found in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    found = {phase: _joined(watched(phase, *batches)) for phase, batches in playing.items()}
    replayed = found.get(REPLAYED, [])
    covered = [record for _, record in found[COVERED]] if COVERED in found else None
    records = [record for _, record in replayed] if games is not None else None
    played = Played(records, covered, found.get(POSITIONS, []))
    theorem = None if records is None else _conclude(run, selection, closed, replayed)
    shortest = refuted = None
    if table is not None:
        shortest = _check_players(_joined(watched(SHORTEST, checking, len(parts))), played)
    if asks_z3:
        refuted = len(watched(ASKED, opinions, len(paragraphs)))
    progress.begin(COMPARED, progress.done)
    published = publish(evidence, played, selection)
    if games is None:
        _check_decided(published)
    _compare(run, published, known)
    observed = _observed(directory, published.survey.reachable)
    progress.advance(COSTS[COMPARED])
    besides = {*OBSERVED_FILES, *([FOLDER] if table is not None else ())}
    digests = run.digests | (observed.digests if observed else {})
    return AuditResult(
        run.manifest.only,
        theorem,
        published.survey,
        len(closed),
        sum(cube.clauses for cube in closed),
        None if covered is None else len(covered),
        digests | ({} if table is None else {TABLE: hashlib.sha256(table).hexdigest()}),
        [name for name in run.unchecked if name not in besides],
        observed,
        shortest,
        refuted,
    )


def _joined(batches: Iterable[Iterable[T]]) -> list[T]:
    return list(chain.from_iterable(batches))


def _known_to_run(run: RunFiles) -> dict[str, Any]:
    """Return what only the run knows of itself: how much it searched, with what, and how long.

    Raises:
        EvidenceError: They are not counts, versions and times of a run.
    """
    try:
        claimed = json.loads(run.contents[SUMMARY])
        known = {name: dict(claimed[name]) for name in ("search", "versions", "times")}
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise EvidenceError(f"{SUMMARY}: is not the summary of a run: {error}") from error
    numbers = known["search"] | known["times"]
    if (
        known["versions"] != run.manifest.versions
        or [[*known["search"]], [*known["times"]]] != [[*SEARCH], [*TIMES]]
        or not all(type(n) in (int, float) and 0 <= n <= MOST for n in numbers.values())
    ):
        raise EvidenceError(f"{SUMMARY}: its search, versions and times are not those of a run")
    return known


def _ask_z3(certificate: str) -> None:
    from sanproof.proofs.search.refute import ask_z3  # noqa: PLC0415 - only where Z3 is installed

    ask_z3(certificate)


def _start_playing(
    run: RunFiles, evidence: Evidence, executor: Executor
) -> dict[str, tuple[Iterator[list[Any]], int]]:
    """Have games and cover replayed, or positions checked: by phase the batches and their number.

    The work begins at once.
    """
    if evidence.games is None:
        rows = run.text(WITNESSES).split("\n")[1:-1]  # the rest is compared later
        return {POSITIONS: (check_positions(rows, executor), 1 + len(rows) // BATCH)}
    texts = {REPLAYED: (GAMES, evidence.games)}
    if evidence.cover is not None:
        texts[COVERED] = (COVER, evidence.cover)
    return {
        phase: (replay(text, executor, name), 1 + text.count("\n") // BATCH)
        for phase, (name, text) in texts.items()
    }


def _conclude(
    run: RunFiles,
    selection: Selection,
    closed: Sequence[ClosedCube],
    replayed: Sequence[ReplayedGame],
) -> Theorem:
    """Have the kernel conclude from cubes that are closed and games that were replayed.

    Raises:
        EvidenceError: They do not fit, or the list of strings is another.
    """
    left_open = {found.cube: found.left_open for found in closed}
    clauses = sum(found.clauses for found in closed)
    shown = (shown for shown, _ in replayed)
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
