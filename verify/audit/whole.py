"""The audit of a run: the kernel's theorem, then all files made again and compared.

It reads only the files of the run directory, and searches for nothing. It needs no solver; if Z3 is
installed, it refutes every formula as well.
"""

import hashlib
import os
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.certificates import ClosedCube, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, read_bytes
from sanproof.proofs.kernel.theorem import Theorem, conclude, submit_certificates
from sanproof.proofs.shortest.checks import check_part
from sanproof.proofs.shortest.table import FOLDER, PUBLISHED, TABLE, split_table
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.tables.names import (
    COVER,
    FULL_LIST,
    MANIFEST,
    OBSERVED,
    OBSERVED_FILES,
    WITNESSES,
)
from sanproof.reports.tables.summary import Survey
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.publish import publish
from sanproof.verify.claims.replay import BATCH, check_positions, replay
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure
from sanproof.verify.work.progress import progress
from sanproof.verify.work.provenance import SECOND_SOLVER, is_installed, require_solvers

REFUTATIONS: Final = "Checking refutations"
POSITIONS: Final = "Checking positions"
REPLAYED: Final = "Replaying games"
COVERED: Final = "Replaying the cover"
SHORTEST: Final = "Replaying the shortest games"
ASKED: Final = "Asking Z3"


class AuditResult(NamedTuple):
    """The findings of an audit. An entry is None if the run lacks it, or it was not checked.

    Attributes:
        only: The pattern of the strings that the run is about, or None for all.
        theorem: The theorem that the kernel has established from the games.
        survey: The verdicts, counted.
        cubes: The number of checked certificates.
        clauses: The number of clauses in their refutations.
        cover: The number of games in the cover.
        digests: The SHA-256 of each file that was read, the manifest first.
        unchecked: The names of other files in the directory, which were not checked.
        observed: How often each string was played, as others have counted.
        shortest: The number of games in the table of the shortest.
        refuted: The number of formulas that Z3 has refuted as well.
    """

    only: str | None
    theorem: Theorem | None
    survey: Survey
    cubes: int
    clauses: int
    cover: int | None
    digests: dict[str, str]
    unchecked: list[str]
    observed: Observed | None
    shortest: int | None
    refuted: int | None


def audit(directory: Path, executor: Executor, *, second_opinion: bool = False) -> AuditResult:
    """Check a finished run. The executor does independent parts of the work.

    If Z3 is installed, it refutes every formula as well; ``second_opinion`` requires that.

    Raises:
        Failure: A second opinion is required, but Z3 is not installed.
        EvidenceError: Some evidence is missing or wrong. The message begins with the file's name.
    """
    if second_opinion:
        require_solvers("--second-opinion", SECOND_SOLVER)
    run = read_run(directory)
    known = run.known_to_run()
    try:
        selection = select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{MANIFEST}: its pattern selects no SAN string") from error
    path = directory / PUBLISHED
    table = read_bytes(path) if os.path.lexists(path) else None
    found = _check_evidence(run, table, executor)
    closed, positions = found[REFUTATIONS], found.get(POSITIONS, [])
    games, cover, rows, refuted = map(found.get, (REPLAYED, COVERED, SHORTEST, ASKED))
    if [each.cube for each in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    theorem = None if games is None else _conclude(run, selection, closed, games)
    if rows is not None:
        _check_players(rows, games or [])
    certificates = run.text(CERTIFICATES)
    files, counts, survey = publish(selection, certificates, games, cover, positions)
    if games is None and survey.undecided:
        raise EvidenceError(
            f"{CERTIFICATES}: {len(survey.undecided):,} strings are neither witnessed nor refuted, "
            f"such as {survey.undecided[0]}"
        )
    run.compare(files, counts | known)
    observed = _observed(directory, survey.reachable)
    tables = {} if table is None else {TABLE: hashlib.sha256(table).hexdigest()}
    besides = {*OBSERVED_FILES, *(FOLDER for _ in tables)}
    return AuditResult(
        run.manifest.only,
        theorem,
        survey,
        len(closed),
        sum(each.clauses for each in closed),
        None if cover is None else len(cover),
        run.digests | (observed.digests if observed else {}) | tables,
        [name for name in run.unchecked if name not in besides],
        observed,
        None if rows is None else len(rows),
        None if refuted is None else len(refuted),
    )


def _check_evidence(run: RunFiles, table: bytes | None, executor: Executor) -> dict[str, list[Any]]:
    """Return the findings of each phase; all is handed out before the first is waited for."""
    certificates = run.text(CERTIFICATES)
    paragraphs = list(split_certificates(certificates))
    closing = ([closed] for closed in submit_certificates(certificates, executor))
    phases: dict[str, tuple[Iterable[list[Any]], int]] = {REFUTATIONS: (closing, len(paragraphs))}
    for phase, name in ((REPLAYED, GAMES), (COVERED, COVER)):
        if name in run.contents:
            text = run.text(name)
            phases[phase] = replay(text, executor, name), 1 + text.count("\n") // BATCH
    if GAMES not in run.contents:
        rows = run.text(WITNESSES).split("\n")[1:-1]  # the rest is compared later
        phases[POSITIONS] = check_positions(rows, executor), 1 + len(rows) // BATCH
    if table is not None:
        parts = split_table(table)
        phases[SHORTEST] = executor.map(check_part, parts.values(), parts), len(parts)
    if is_installed(*SECOND_SOLVER):
        phases[ASKED] = executor.map(_ask_z3, paragraphs, chunksize=5), len(paragraphs)
    found: dict[str, list[Any]] = {}
    for phase, (results, number) in phases.items():
        found[phase] = []
        with progress(phase, number) as advance:
            for result in results:
                found[phase] += result
                advance(1)
    return found


def _ask_z3(certificate: str) -> list[str]:
    from sanproof.proofs.search.solvers import ask_z3  # noqa: PLC0415 - only where Z3 is installed

    ask_z3(certificate)
    return [certificate]


def _conclude(
    run: RunFiles,
    selection: Selection,
    closed: Sequence[ClosedCube],
    games: Iterable[CheckedGame],
) -> Theorem:
    """Have the kernel conclude from cubes that are closed and what games show.

    Raises:
        EvidenceError: They do not fit, or the list of strings is another.
    """
    left_open = {found.cube: found.left_open for found in closed}
    clauses = sum(found.clauses for found in closed)
    shown = (game.shown for game in games)
    listed = run.text(FULL_LIST)
    return conclude(selection.strings(), left_open, shown, clauses, listed, selection.selected)


def _check_players(rows: Iterable[tuple[str, str]], games: Iterable[CheckedGame]) -> None:
    """Check that the table of the shortest games has a row for each string and player who plays it.

    Raises:
        EvidenceError: One is missing, or one too many is there.
    """
    players = {(game.san, game.colour) for game, *_ in games}
    if strange := players.symmetric_difference(rows):
        san, player = min(strange)
        has = "has no row" if (san, player) in players else "has a row"
        raise EvidenceError(f"{TABLE}: {has} of {player}'s {san}; the games of the proof differ")


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
    proven = set(reachable)
    if refuting := [san for san in times if san not in proven]:
        raise EvidenceError(
            f"{OBSERVED}: {refuting[0]} was seen in a game, {times[refuting[0]]:,} times, and is "
            f"not among the reachable strings ({len(refuting):,} such): the theorem or the count "
            "is wrong"
        )
    return observed
