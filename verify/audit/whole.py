"""``sanproof audit``: the kernel's theorem, then all files of a run made again, and compared.

It reads only the files of the run directory, and searches for nothing. It needs no solver; if Z3 is
installed, it refutes every formula as well.
"""

import hashlib
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.certificates import split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, read_bytes
from sanproof.proofs.kernel.theorem import POSITION, Theorem, conclude, submit_certificates
from sanproof.proofs.shortest.checks import check_rows
from sanproof.proofs.shortest.table import FOLDER, PUBLISHED, TABLE, rows_of
from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.escaping import printable
from sanproof.reports.tables import names
from sanproof.reports.tables.summary import Survey, filled_in
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.publish import publish
from sanproof.verify.claims.replay import BATCH, batches, check_positions, replay
from sanproof.verify.claims.selection import select
from sanproof.verify.errors import Failure, NegativeAnswer
from sanproof.verify.findings.width import fitted
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.progress import progress
from sanproof.verify.work.provenance import SECOND_SOLVER, is_installed, require_solvers

Z3: Final = "formulas with Z3"


class AuditResult(NamedTuple):
    """The findings of an audit. An entry is None if the run lacks it, or it was not checked.

    ``only`` is the pattern of the strings that the run is about, ``theorem`` what the kernel has
    established from games, and ``survey`` has the verdicts. Numbers tell the certificates, the
    clauses of their refutations, the games of the cover, the shortest games, and the formulas that
    Z3 refuted as well. ``digests`` has the SHA-256 of each file that was read, the manifest first;
    ``unchecked`` has the names of what the directory holds besides.
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


def run_audit(directory: Path, workers: int, *, second_opinion: bool) -> None:
    """Audit a run directory and print what is thereby proved.

    Raises:
        Failure: The directory holds nothing of a finished run.
        NegativeAnswer: Something does not hold.
        Unfinished: A worker died.
    """
    started = time.perf_counter()
    if not os.path.lexists(directory / names.MANIFEST):  # which is written last
        raise Failure(
            f"{printable(str(directory))} holds no finished run. Start or finish one with "
            "`sanproof verify --out DIR`."
        )
    try:
        with worker_pool(workers) as pool:
            audited = audit(directory, pool, second_opinion=second_opinion)
    except EvidenceError as error:
        raise NegativeAnswer(f"The audit fails: {error}.") from error
    for line in closing_lines(audited):
        click.echo(fitted(line, 2))
    click.echo(f"Audited in {time.perf_counter() - started:.1f} s.")


def audit(directory: Path, executor: Executor, *, second_opinion: bool = False) -> AuditResult:
    """Check a finished run. The executor does parts of it; ``second_opinion`` requires Z3.

    Raises:
        Failure: A second opinion is required, but Z3 is not installed.
        EvidenceError: Some evidence is missing or wrong. The message begins with the file's name.
    """
    if second_opinion:
        require_solvers("--second-opinion", SECOND_SOLVER)
    run = read_run(directory)
    try:
        selection = select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{names.MANIFEST}: its pattern selects no SAN string") from error
    table = read_bytes(path) if os.path.lexists(path := directory / PUBLISHED) else None
    checks = _hand_out(run, table, executor)
    needed = [what for what in checks if what not in (TABLE, Z3)]
    found = {what: list(checks.pop(what)) for what in needed}
    closed, games, positions = found[CERTIFICATES], found.get(GAMES), found.get(names.WITNESSES, [])
    if [each.cube for each in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    clauses = sum(each.clauses for each in closed)
    theorem = None
    if games is not None:
        left_open = {each.cube: each.left_open for each in closed}
        shown, listed = (game.shown for game in games), run.text(names.FULL_LIST)
        strings = selection.strings()
        theorem = conclude(strings, left_open, shown, clauses, listed, selection.selected)
    files, counts, survey = publish(
        selection, run.text(CERTIFICATES), games, found.get(names.COVER), positions
    )
    if games is None and survey.undecided:
        raise EvidenceError(
            f"{CERTIFICATES}: {len(survey.undecided):,} strings are neither witnessed nor refuted, "
            f"such as {survey.undecided[0]}"
        )
    run.compare(files, counts)  # while workers still replay the shortest games
    found |= {what: list(shown) for what, shown in checks.items()}
    digests, besides = {**run.digests}, {*names.OBSERVED_FILES}
    if table is not None:
        _check_players(found[TABLE], games or [])
        digests[TABLE] = hashlib.sha256(table).hexdigest()
        besides.add(FOLDER)
    if observed := _observed(directory, survey.reachable):
        digests |= observed.digests
    number = {what: len(each) for what, each in found.items()}
    return AuditResult(
        run.manifest.only,
        theorem,
        survey,
        len(closed),
        clauses,
        number.get(names.COVER),
        digests,
        [name for name in run.unchecked if name not in besides],
        observed,
        number.get(TABLE),
        number.get(Z3),
    )


def _hand_out(run: RunFiles, table: bytes | None, executor: Executor) -> dict[str, Iterator[Any]]:
    """Hand out all checks at once; each entry yields what its file shows, as it is waited for."""
    certificates = run.text(CERTIFICATES)
    paragraphs = list(split_certificates(certificates))
    closing = ([closed] for closed in submit_certificates(certificates, executor))
    checks = {CERTIFICATES: _shown(CERTIFICATES, closing, len(paragraphs))}
    for name in (GAMES, names.COVER):
        if name in run.contents:
            text = run.text(name)
            checks[name] = _shown(name, replay(text, executor, name), 1 + text.count("\n") // BATCH)
    if GAMES not in run.contents:
        rows = run.text(names.WITNESSES).split("\n")[1:-1]  # the rest is compared later
        results, number = check_positions(rows, executor), 1 + len(rows) // BATCH
        checks[names.WITNESSES] = _shown(names.WITNESSES, results, number)
    if table is not None:
        parts = batches(sorted(rows_of(table), key=lambda row: (row.text, row.ply)))
        checks[TABLE] = _shown(TABLE, executor.map(check_rows, parts), len(parts))
    if is_installed(*SECOND_SOLVER):
        from sanproof.proofs.search.solvers import ask_z3  # noqa: PLC0415 - needs Z3

        asking = ([asked] for asked in executor.map(ask_z3, paragraphs, chunksize=5))
        checks[Z3] = _shown(Z3, asking, len(paragraphs))
    return checks


def _shown(what: str, results: Iterable[list[Any]], number: int) -> Iterator[Any]:
    """Yield what the parts of a check show; a terminal sees how many of ``number`` are done."""
    with progress(f"checking {what}", number) as advance:
        for result in results:
            yield from result
            advance(1)


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
        raise EvidenceError(f"{names.OBSERVED}: {error}") from error
    if refuting := sorted(set(times).difference(reachable)):
        raise EvidenceError(
            f"{names.OBSERVED}: {refuting[0]} was seen {times[refuting[0]]:,} times in games "
            f"({len(refuting):,} such strings): either the theorem or the count is wrong"
        )
    return observed


def closing_lines(audited: AuditResult) -> list[str]:
    """Say what an audit has read and checked, and what it proves."""
    only, theorem, survey = audited[:3]
    match = "matches" if survey.total() == 1 else "match"
    about = f"that {match} '{only}'" if only is not None else "of the SAN grammar"
    values = audited._asdict() | {
        "about": about,
        "theorem": theorem and _with_singulars(theorem.sentence(about)),
        "position": POSITION,
        "impossible": survey.total(Verdict.IMPOSSIBLE),
    }
    return filled_in("end_of_audit.txt", values).splitlines()


def _with_singulars(sentence: str) -> str:
    """Adapt the kernel's sentence, whose words are for the whole grammar, to numbers that are 1."""
    one = r"(?<![\w,.])1 (?:(refutation|clause|game|string)s|are)\b"
    return re.sub(one, lambda found: f"1 {found[1] or 'is'}", sentence)
