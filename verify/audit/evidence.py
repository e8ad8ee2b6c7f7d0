"""Has the kernel check the evidence of a run: of the whole universe, or of a part of it.

A run without games has a position for each string in their place, which proves less.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Final

from sanproof.proofs.kernel.certificates import ClosedCube
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.theorem import (
    Theorem,
    conclude,
    establish,
    submit_certificates,
    submit_games,
)
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San
from sanproof.proofs.verdicts.rulings import bare_strings, with_suffixes
from sanproof.proofs.verdicts.witness import CheckedWitness, Witness, WitnessError, check_witness
from sanproof.reports.tables.names import FULL_LIST, WITNESSES
from sanproof.verify.audit.run_files import RunFiles
from sanproof.verify.claims.selection import Selection

BATCH: Final = 1000


def check_theorem(run: RunFiles, selection: Selection, executor: Executor) -> Theorem:
    """What games and certificates of a run prove; an EvidenceError if one does not hold."""
    strings, games = run.text(FULL_LIST), run.text(GAMES)
    if selection.cubes is None:
        return establish(strings, games, run.text(CERTIFICATES), executor)
    closed = check_certificates(run, selection, executor)
    shown = submit_games(games, executor)
    left_open = {found.cube: found.left_open for found in closed}
    clauses = sum(found.clauses for found in closed)
    about = selection.selected or (lambda _: True)
    sans = (san for san in _strings(selection.cubes) if about(str(san)))
    return conclude(sans, left_open, shown, clauses, strings, about)


def check_certificates(run: RunFiles, selection: Selection, executor: Executor) -> list[ClosedCube]:
    """The cubes that the certificates of a run close: those that the selection needs.

    Raises:
        EvidenceError: A refutation does not hold, or the cubes are others.
    """
    closed = list(submit_certificates(run.text(CERTIFICATES), executor))
    if [found.cube for found in closed] != selection.closed_cubes:
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube that is needed")
    return closed


def _strings(cubes: Sequence[Cube]) -> Iterator[San]:
    for cube in cubes:
        for bare in bare_strings(cube):
            yield from with_suffixes(bare)


def check_witnesses(run: RunFiles, executor: Executor) -> list[CheckedWitness]:
    """The witnesses of a run without games, each checked; an EvidenceError if one is wrong."""
    lines = list(enumerate(run.text(WITNESSES).split("\n"), 1))
    rows = lines[1:-1]  # between the header and the end, which are compared later
    batches = [rows[i : i + BATCH] for i in range(0, len(rows), BATCH)]
    return [checked for batch in executor.map(check_rows, batches) for checked in batch]


def check_rows(rows: Sequence[tuple[int, str]]) -> list[CheckedWitness]:
    """Check witnesses, each with the number of its line; an EvidenceError if one does not hold."""
    return [_check_row(number, line) for number, line in rows]


def _check_row(number: int, line: str) -> CheckedWitness:
    where = f"{WITNESSES}: line {number}"
    fields = line.split(",")
    if len(fields) != len(CheckedWitness._fields):
        raise EvidenceError(f"{where}: has {len(fields)} fields, not {len(CheckedWitness._fields)}")
    try:
        checked = check_witness(Witness(*fields[:3]))
    except WitnessError as error:
        raise EvidenceError(f"{where}: {error}") from error
    if checked.after_fen != fields[3]:
        raise EvidenceError(f"{where}: after {fields[0]} the position is {checked.after_fen}")
    return checked
