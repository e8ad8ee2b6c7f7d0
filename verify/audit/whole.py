"""The audit of a run: its theorem first, by the kernel, and then that all else agrees with it.

It reads the files of a run directory and nothing else, searches for nothing, and loads no solver.
"""

from collections.abc import Callable, Collection
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from proofs.kernel.certificates import read_certificate, split_certificates
from proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from proofs.kernel.theorem import Theorem
from proofs.rules.cubes import Cube
from proofs.verdicts.rulings import Findings
from reports.tables.names import MANIFEST, SUITE, WITNESSES
from reports.tables.survey import Survey, survey
from verify.audit.consistency import Played, check_counts, check_files, published
from verify.audit.evidence import (
    check_certificates,
    check_theorem,
    check_witnesses,
    record_games,
)
from verify.audit.opinion import ask_dratify
from verify.audit.run_files import RunFiles, read_run
from verify.audit.suite import check_suite
from verify.errors import Failure
from verify.run.selection import Selection, select

Tell = Callable[[str], None]


class Audited(NamedTuple):
    """What an audit has checked.

    Attributes:
        only: The pattern of the strings that the run is about, None for all.
        theorem: What the kernel has established; None for a run without games.
        survey: The verdicts, counted.
        cubes: How many certificates were checked.
        clauses: How many clauses their refutations have.
        suite: The number of games in the covering suite; None if there is none.
        files: The names of the files that were read.
        digest: The SHA-256 of the manifest that was read.
        unchecked: The names of what the directory holds besides, and nobody has checked.
    """

    only: str | None
    theorem: Theorem | None
    survey: Survey
    cubes: int
    clauses: int
    suite: int | None
    files: tuple[str, ...]
    digest: str
    unchecked: list[str]


def audit(
    directory: Path, executor: Executor, tell: Tell, *, second_opinion: bool = False
) -> Audited:
    """Check a finished run.

    Args:
        directory: The run directory.
        executor: Where the independent checks are done.
        tell: Takes a line about what is being checked.
        second_opinion: Whether dratify checks every refutation as well.

    Raises:
        EvidenceError: Something does not hold.
    """
    run = read_run(directory)
    selection = _selection(run)
    if GAMES in run.contents:
        theorem, played, findings, found = _with_games(run, selection, executor, tell)
        cubes, clauses = theorem.cubes, theorem.clauses
    else:
        theorem, played = None, None
        cubes, clauses, findings, found = _without_games(run, selection, executor, tell)
    tell("Comparing lists, tables and counts.")
    check_files(run, found, findings, played)
    check_counts(run, found, findings, played, selection)
    if second_opinion:
        tell(f"Asking dratify about {cubes:,} refutations.")
        for _ in ask_dratify(run.text(CERTIFICATES), executor):
            pass
    suite = None if played is None or played.suite is None else len(played.suite)
    only, files = run.manifest.only, tuple(run.contents)
    return Audited(only, theorem, found, cubes, clauses, suite, files, run.digest, run.unchecked)


def _with_games(
    run: RunFiles, selection: Selection, executor: Executor, tell: Tell
) -> tuple[Theorem, Played, Findings, Survey]:
    tell("Checking refutations and replaying games: the kernel.")
    theorem = check_theorem(run, selection, executor)
    tell("Writing down every game, to compare it with the published ones.")
    recorded = record_games(GAMES, run.text(GAMES), executor)
    suite = record_games(SUITE, run.text(SUITE), executor) if SUITE in run.contents else None
    findings = Findings(left_open=_left_open(run))
    records = [record for batch in recorded for record in batch]
    findings.add_witnesses(record.witness for record in records)
    found = survey(findings.rulings(selection.cubes), selection.selected)
    covering = None
    if suite is not None:
        covering = published(record for batch in suite for record in batch)
        check_suite(covering, found.reachable)
    return theorem, Played(published(records), covering), findings, found


def _without_games(
    run: RunFiles, selection: Selection, executor: Executor, tell: Tell
) -> tuple[int, int, Findings, Survey]:
    tell("Checking refutations and positions.")
    closed = check_certificates(run, selection, executor)
    findings = Findings(left_open={found.cube: found.left_open for found in closed})
    findings.add_witnesses(check_witnesses(run, executor))
    found = survey(findings.rulings(selection.cubes), selection.selected)
    _check_cover(found, findings)
    return len(closed), sum(cube.clauses for cube in closed), findings, found


def _left_open(run: RunFiles) -> dict[Cube, Collection[str]]:
    """The strings that certificates leave open, which the kernel has checked."""
    paragraphs = map(read_certificate, split_certificates(run.text(CERTIFICATES)))
    return {cube: left_open for cube, _, left_open, _ in paragraphs}


def _check_cover(found: Survey, findings: Findings) -> None:
    """Every string is witnessed or refuted, and none is both."""
    if found.undecided:
        raise EvidenceError(
            f"{CERTIFICATES}: {len(found.undecided):,} strings are neither witnessed nor "
            f"refuted, such as {found.undecided[0]}"
        )
    if foreign := findings.witnesses.keys() - set(found.reachable):
        raise EvidenceError(f"{WITNESSES}: {min(foreign)} does not belong to this run")
    for player, fen_part in (("white", " w "), ("black", " b ")):
        mine = {w.san for w in findings.witnesses.values() if fen_part in w.fen}
        if refuted := mine - findings.open_to(player):
            raise EvidenceError(f"{WITNESSES}: {min(refuted)} has a witness and a refutation")


def _selection(run: RunFiles) -> Selection:
    try:
        return select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{MANIFEST}: no SAN string is selected by its pattern") from error
