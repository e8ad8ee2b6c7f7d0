"""The audit of a run: its theorem first, by the kernel, and then that all else agrees with it.

It reads the files of a run directory and nothing else, searches for nothing, and loads no solver.
"""

from collections.abc import Collection, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from sanproof.proofs.kernel.certificates import read_certificate, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.theorem import Theorem
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.reports.archive.observed import Observed
from sanproof.reports.tables.names import (
    COVER,
    COVER_PGN,
    GAMES_PGN,
    MANIFEST,
    OBSERVED_FILES,
    WITNESSES,
)
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import shown_strings
from sanproof.reports.tables.survey import Survey, survey
from sanproof.verify.audit.consistency import (
    RunGames,
    check_index,
    check_pgn,
    check_tables,
    submit_pgn,
)
from sanproof.verify.audit.counts import check_counts
from sanproof.verify.audit.cover import check_cover
from sanproof.verify.audit.evidence import check_certificates, check_theorem, check_witnesses
from sanproof.verify.audit.observed import check_observed
from sanproof.verify.audit.opinion import ask_dratify
from sanproof.verify.audit.progress import Phase, Phases, WatchedExecutor
from sanproof.verify.audit.record import (
    GameRecord,
    Moves,
    RecordingExecutor,
    check_lines,
    record_cover,
)
from sanproof.verify.audit.run_files import RunFiles, read_run
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure
from sanproof.verify.work.executors import Behind, Beside


class Audited(NamedTuple):
    """What an audit has checked.

    Attributes:
        only: The pattern of the strings that the run is about, None for all.
        theorem: What the kernel has established; None for a run without games.
        survey: The verdicts, counted.
        cubes: How many certificates were checked.
        clauses: How many clauses their refutations have.
        cover: The number of games in the cover; None if there is none.
        digests: The SHA-256 of each file that was read, the manifest first.
        unchecked: The names of what the directory holds besides, which was not checked.
        observed: How often each string was played, as somebody counted; None if that is not there.
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


class _Shown(NamedTuple):
    """What the evidence of a run shows."""

    theorem: Theorem | None
    cubes: int
    clauses: int
    findings: Findings
    survey: Survey
    played: RunGames | None
    cover: Iterable[GameRecord] | None


def audit(
    directory: Path,
    executor: Executor,
    progress: Phases,
    *,
    workers: int = 1,
    second_opinion: bool = False,
) -> Audited:
    """Check a finished run; what is independent is done by the executor, which has such workers.

    With a second opinion, dratify checks every refutation as well.

    Raises:
        EvidenceError: Something does not hold; the message begins with the file's name.
    """
    run = read_run(directory)
    selection = _selection(run)
    progress.plan(_costs(run, second_opinion=second_opinion))
    watched = WatchedExecutor(executor, progress)
    if GAMES in run.contents:
        shown = _with_games(
            run, selection, watched, WatchedExecutor(Behind(executor, workers + 1), progress)
        )
    else:
        shown = _without_games(run, selection, watched)
    progress.begin(Phase.COMPARISON)
    theorem, cubes, clauses, findings, found, played, records = shown
    pgn = () if played is None else submit_pgn(played.games, watched)
    check_tables(run, found, findings, played)
    if played is not None:
        check_pgn(run, GAMES_PGN, pgn)
        if records is not None:
            played = played._replace(cover=_covering(run, found, records, watched))
    check_counts(run, found, findings, played, selection)
    observed = check_observed(directory, found.reachable)
    progress.advance(Phase.COMPARISON, 1.0)
    if second_opinion:
        ask_dratify(run.text(CERTIFICATES), watched)
    cover = None if played is None or played.cover is None else len(played.cover)
    digests = run.digests | (observed.digests if observed else {})
    unchecked = [name for name in run.unchecked if name not in OBSERVED_FILES]
    only = run.manifest.only
    return Audited(only, theorem, found, cubes, clauses, cover, digests, unchecked, observed)


def _selection(run: RunFiles) -> Selection:
    try:
        return select(run.manifest.only)
    except Failure as error:
        raise EvidenceError(f"{MANIFEST}: its pattern selects no SAN string") from error


def _costs(run: RunFiles, *, second_opinion: bool) -> dict[Phase, float]:
    """About how many seconds the phases take one process, as far as they are to be done."""
    counts = run.manifest.counts
    cubes = run.text(CERTIFICATES).count("\n\n")
    costs = {Phase.REFUTATIONS: 0.004 * cubes, Phase.COMPARISON: 4e-6 * counts["strings"]}
    if GAMES in run.contents:
        costs[Phase.GAMES] = 8e-4 * counts["reachable"]
        if COVER in run.contents:
            costs[Phase.COVER] = 5e-4 * counts["reachable"]
    else:
        costs[Phase.POSITIONS] = 1e-4 * counts["reachable"]
    if second_opinion:
        costs[Phase.OPINION] = 0.1 * cubes
    return costs


def _with_games(
    run: RunFiles, selection: Selection, executor: Executor, behind: Executor
) -> _Shown:
    cover = None
    if COVER in run.contents:  # workers begin with it, and are not idle while games are unpacked
        cover = record_cover(check_lines(COVER, run.text(COVER)), behind)
    recording = RecordingExecutor(executor)
    surveying = Beside().submit(_survey, run, selection)
    theorem = check_theorem(run, selection, recording)
    lines, found, left_open = surveying.result()
    findings = Findings(left_open=left_open)
    findings.add_witnesses(recording.witnesses)
    games = number_games(recording.games)
    places = shown_strings(games, Moves(lines), findings.witnesses, executor)
    played = RunGames(games, places, None)
    return _Shown(theorem, theorem.cubes, theorem.clauses, findings, found, played, cover)


def _covering(
    run: RunFiles, found: Survey, records: Iterable[GameRecord], executor: Executor
) -> list[PgnGame]:
    """The cover's games, after they and the files that hold them were checked."""
    cover = number_games(map(GameRecord.played, records))
    pgn = submit_pgn(cover, executor)
    check_cover(cover, found.reachable)
    check_index(run, found, cover)
    check_pgn(run, COVER_PGN, pgn)
    return cover


def _survey(
    run: RunFiles, selection: Selection
) -> tuple[list[str], Survey, dict[Cube, Collection[str]]]:
    """The games' lines; the verdicts, if they hold; and what certificates leave open."""
    lines = check_lines(GAMES, run.text(GAMES))
    sans = (line.rpartition(" ")[2] for line in lines)
    left_open = _left_open(run)
    rulings = Findings(dict.fromkeys(sans, _ANY), left_open).rulings(selection.cubes)
    return lines, survey(rulings, selection.selected), left_open


_ANY = CheckedWitness("", "", "", "")
"""In the place of a witness, where it only matters that there is one."""


def _left_open(run: RunFiles) -> dict[Cube, Collection[str]]:
    """The strings that certificates leave open, which the kernel checks."""
    paragraphs = map(read_certificate, split_certificates(run.text(CERTIFICATES)))
    return {cube: left_open for cube, _, left_open, _ in paragraphs}


def _without_games(run: RunFiles, selection: Selection, executor: Executor) -> _Shown:
    closed = check_certificates(run, selection, executor)
    findings = Findings(left_open={found.cube: found.left_open for found in closed})
    findings.add_witnesses(check_witnesses(run, executor))
    found = survey(findings.rulings(selection.cubes), selection.selected)
    _check_cover(found, findings)
    clauses = sum(cube.clauses for cube in closed)
    return _Shown(None, len(closed), clauses, findings, found, None, None)


def _check_cover(found: Survey, findings: Findings) -> None:
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
