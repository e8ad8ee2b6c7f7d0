"""Has the kernel check the evidence of a run: of the whole universe, or of a part of it.

A run without games has a position for each string in their place, which proves less.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from enum import StrEnum
from typing import Final

from sanproof.proofs.board.witness import Witness, WitnessError, checked_witness
from sanproof.proofs.kernel.certificates import ClosedCube, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.kernel.theorem import Theorem, conclude, submit_certificates
from sanproof.proofs.rules.san import San, universe
from sanproof.proofs.theory.rulings import bare_strings, with_suffixes
from sanproof.reports.tables.names import FULL_LIST, WITNESSES
from sanproof.verify.audit.run_files import RunFiles
from sanproof.verify.claims.selection import Selection
from sanproof.verify.work.progress import Scale

BATCH: Final = 1000


class Phase(StrEnum):
    """A phase of an audit, in words."""

    REFUTATIONS = "Checking refutations"
    GAMES = "Replaying games"
    POSITIONS = "Checking positions"
    COMPARISON = "Comparing files"
    COVER = "Replaying the cover"
    SHORTEST = "Replaying the shortest games"
    OPINION = "Asking Z3"


def start_certificates(run: RunFiles, executor: Executor, progress: Scale) -> Iterator[ClosedCube]:
    """Have the certificates of a run checked; the work begins at once."""
    text = run.text(CERTIFICATES)
    closing = submit_certificates(text, executor)
    return progress.watch(Phase.REFUTATIONS, closing, len(list(split_certificates(text))))


def closed_cubes(closing: Iterable[ClosedCube], selection: Selection) -> list[ClosedCube]:
    """Return the cubes that certificates close: those that the selection needs.

    Raises:
        EvidenceError: A refutation does not hold, or the cubes are others.
    """
    closed = list(closing)
    if [found.cube for found in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    return closed


def check_theorem(
    run: RunFiles, selection: Selection, closed: Iterable[ClosedCube], shown: Iterable[Shown]
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
        for bare in bare_strings(cube):
            for san in with_suffixes(bare):
                if selection.selected is None or selection.selected(str(san)):
                    yield san


def check_witnesses(run: RunFiles, executor: Executor, progress: Scale) -> list[Witness]:
    """Check the witnesses of a run without games; an EvidenceError if one is wrong."""
    lines = list(enumerate(run.text(WITNESSES).split("\n"), 1))
    rows = lines[1:-1]  # between the header and the end, which are compared later
    batches = [rows[i : i + BATCH] for i in range(0, len(rows), BATCH)]
    results = progress.watch(Phase.POSITIONS, executor.map(check_rows, batches), len(batches))
    return [checked for batch in results for checked in batch]


def check_rows(rows: Iterable[tuple[int, str]]) -> list[Witness]:
    """Check witnesses, each with the number of its line; an EvidenceError if one does not hold."""
    return [_check_row(number, line) for number, line in rows]


def _check_row(number: int, line: str) -> Witness:
    where = f"{WITNESSES}: line {number}"
    fields = line.split(",")
    if len(fields) != len(Witness._fields):
        raise EvidenceError(f"{where}: has {len(fields)} fields, not {len(Witness._fields)}")
    try:
        checked = checked_witness(*fields[:3])
    except WitnessError as error:
        raise EvidenceError(f"{where}: {error}") from error
    if checked.after_fen != fields[3]:
        raise EvidenceError(f"{where}: after {fields[0]} the position is {checked.after_fen}")
    return checked


def start_opinions(run: RunFiles, executor: Executor, progress: Scale) -> Iterator[None]:
    """Have Z3 refute the formula of each certificate as well; the work begins at once."""
    from sanproof.proofs.search.refute import ask_z3  # noqa: PLC0415 - only where Z3 is installed

    paragraphs = list(split_certificates(run.text(CERTIFICATES)))
    opinions = executor.map(ask_z3, paragraphs, chunksize=5)
    return progress.watch(Phase.OPINION, opinions, len(paragraphs))
