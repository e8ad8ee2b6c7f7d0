"""The audit of a run: its theorem first, by the kernel, and then that all else agrees with it.

It reads the files of a run directory and nothing else, and searches for nothing. No solver is
needed; where Z3 is installed, it is asked about every formula besides.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.certificates import ClosedCube, read_certificate, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.kernel.theorem import Theorem
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.shortest.table import FOLDER, TABLE
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed, unproven
from sanproof.reports.tables.names import (
    COVER,
    COVER_INDEX,
    COVER_PGN,
    GAMES_PGN,
    MANIFEST,
    OBSERVED,
    OBSERVED_FILES,
    WITNESSES,
)
from sanproof.reports.tables.outputs import cover_index, lists, tables
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import ShownString as Place
from sanproof.reports.tables.places import shown_strings
from sanproof.reports.tables.survey import Survey, survey
from sanproof.verify.audit.consistency import check_counts, check_cover, compare, submit_pgn
from sanproof.verify.audit.earliest import check_players, read_table, submit_table
from sanproof.verify.audit.evidence import (
    Phase,
    check_theorem,
    check_witnesses,
    closed_cubes,
    start_certificates,
    start_opinions,
)
from sanproof.verify.audit.record import (
    GameEntry,
    GameRecord,
    check_lines,
    moves_of,
    submit_cover,
    submit_games,
)
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure
from sanproof.verify.work.executors import beside
from sanproof.verify.work.progress import Scale
from sanproof.verify.work.provenance import SECOND_SOLVER, is_installed, require_solvers


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


class _Evidence(NamedTuple):
    """The verdicts that the evidence of a run supports."""

    theorem: Theorem | None
    closed: list[ClosedCube]
    findings: Findings
    survey: Survey
    games: list[PgnGame] | None
    places: dict[str, Place] | None


def audit(
    directory: Path,
    executor: Executor,
    progress: Scale,
    *,
    workers: int = 1,
    second_opinion: bool = False,
) -> AuditResult:
    """Check a finished run; what is independent is done by the executor, which has such workers.

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
    table = read_table(directory)
    progress.plan(_costs(run, asks_z3=asks_z3, has_table=table is not None))
    covering = None
    if COVER in run.contents:  # workers begin with it, and are not idle while games are unpacked
        lines = check_lines(COVER, run.text(COVER))
        covering = submit_cover(lines, executor, progress, workers + 1)
    show = _with_games if GAMES in run.contents else _without_games
    theorem, closed, findings, found, games, places = show(run, selection, executor, progress)
    checking = submit_table(table, executor, progress) if table is not None else None
    opinions = start_opinions(run, executor, progress) if asks_z3 else None
    cover = None
    progress.begin(Phase.COMPARISON, progress.done)
    pgn = submit_pgn(games or (), executor)
    compare(run, lists(found) | tables(found, findings.witnesses, places))
    if games is not None:
        compare(run, {GAMES_PGN: b"".join(pgn)})
        if covering is not None:
            cover = number_games(record.played() for batch in covering for record in batch)
            pgn = submit_pgn(cover, executor)
            check_cover(cover, found.reachable)
            compare(run, {COVER_INDEX: cover_index(cover, found.reachable)})
            compare(run, {COVER_PGN: b"".join(pgn)})
    check_counts(run, found, findings, games, cover, selection)
    (observed,) = progress.watch(Phase.COMPARISON, [_observed(directory, found.reachable)])
    shortest = None
    if checking is not None:
        played = {(game.san, game.colour) for game in games or ()}
        shortest = check_players(checking, played)
    besides = (*OBSERVED_FILES, *([FOLDER] if table is not None else ()))
    refuted = None if opinions is None else len(list(opinions))
    return AuditResult(
        run.manifest.only,
        theorem,
        found,
        len(closed),
        sum(cube.clauses for cube in closed),
        None if cover is None else len(cover),
        run.digests
        | (observed.digests if observed else {})
        | ({TABLE: hashlib.sha256(table).hexdigest()} if table is not None else {}),
        [name for name in run.unchecked if name not in besides],
        observed,
        shortest,
        refuted,
    )


def _costs(run: RunFiles, *, asks_z3: bool, has_table: bool) -> dict[str, float]:
    """About how many seconds the phases take one process, as far as they are to be done."""
    strings, reachable = run.manifest.counts["strings"], run.manifest.counts["reachable"]
    cubes = run.text(CERTIFICATES).count("\n\n")
    has_games, has_cover = GAMES in run.contents, COVER in run.contents
    return {
        Phase.REFUTATIONS: 0.004 * cubes,
        Phase.GAMES: 8e-4 * reachable * has_games,
        Phase.POSITIONS: 1e-4 * reachable * (not has_games),
        Phase.COMPARISON: 4e-6 * strings,
        Phase.COVER: 5e-4 * reachable * (has_games and has_cover),
        Phase.SHORTEST: 5e-4 * reachable * has_table,
        Phase.OPINION: 0.002 * cubes * asks_z3,
    }


def _with_games(
    run: RunFiles, selection: Selection, executor: Executor, progress: Scale
) -> _Evidence:
    closing = start_certificates(run, executor, progress)
    lines = check_lines(GAMES, run.text(GAMES))
    replaying = submit_games(lines, executor, progress)
    surveying = beside(_survey, run, selection, lines)
    closed = closed_cubes(closing, selection)
    played: list[GameEntry] = []
    witnesses: list[Witness] = []

    def shown() -> Iterator[Shown]:
        for batch, records in replaying:
            played.extend(map(GameRecord.played, records))
            witnesses.extend(record.witness for record in records)
            yield from batch

    theorem = check_theorem(run, selection, closed, shown())
    found, left_open = surveying.result()
    findings = Findings(left_open=left_open)
    findings.add_witnesses(witnesses)
    games = number_games(played)
    places = shown_strings(games, moves_of(lines), findings.witnesses, executor)
    return _Evidence(theorem, closed, findings, found, games, places)


def _survey(
    run: RunFiles, selection: Selection, lines: Iterable[str]
) -> tuple[Survey, dict[Cube, Collection[str]]]:
    """Return the verdicts, if the evidence holds, and what certificates leave open.

    The kernel checks both the games on these lines and the certificates meanwhile.
    """
    sans = (line.rpartition(" ")[2] for line in lines)
    paragraphs = map(read_certificate, split_certificates(run.text(CERTIFICATES)))
    left_open: dict[Cube, Collection[str]] = {cube: open_ for cube, _, open_, _ in paragraphs}
    rulings = Findings(dict.fromkeys(sans, _ANY), left_open).rulings(selection.cubes)
    return survey(rulings, selection.selected), left_open


_ANY = Witness("", "", "", "")
"""In the place of a witness, where it only matters that there is one."""


def _without_games(
    run: RunFiles, selection: Selection, executor: Executor, progress: Scale
) -> _Evidence:
    closed = closed_cubes(start_certificates(run, executor, progress), selection)
    findings = Findings(left_open={found.cube: found.left_open for found in closed})
    findings.add_witnesses(check_witnesses(run, executor, progress))
    found = survey(findings.rulings(selection.cubes), selection.selected)
    _check_decided(found, findings)
    return _Evidence(None, closed, findings, found, None, None)


def _check_decided(found: Survey, findings: Findings) -> None:
    """Refuse strings that are neither witnessed nor refuted, and such as are both."""
    if found.undecided:
        raise EvidenceError(
            f"{CERTIFICATES}: {len(found.undecided):,} strings are neither witnessed nor "
            f"refuted, such as {found.undecided[0]}"
        )
    if foreign := findings.witnesses.keys() - set(found.reachable):
        raise EvidenceError(f"{WITNESSES}: {min(foreign)} does not belong to this run")
    for player, to_move in ((WHITE, " w "), (BLACK, " b ")):
        mine = {w.san for w in findings.witnesses.values() if to_move in w.fen}
        if refuted := mine - findings.open_to(player):
            raise EvidenceError(f"{WITNESSES}: {min(refuted)} has a witness and a refutation")


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
