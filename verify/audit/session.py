"""``sanproof audit``: the audit with its workers, and what it says in the end."""

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import click

from proofs.kernel.files import EvidenceError
from proofs.kernel.theorem import POSITION
from proofs.verdicts.rulings import Verdict
from verify.audit.whole import Audited, audit
from verify.errors import Failure, NegativeAnswer


def run_audit(directory: Path, workers: int, *, second_opinion: bool) -> None:
    """Audit a run directory and print what is thereby proved.

    Raises:
        NegativeAnswer: Something does not hold.
        Failure: A worker died.
    """
    started = time.perf_counter()
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        audited = audit(directory, pool, _tell, second_opinion=second_opinion)
    except EvidenceError as error:
        raise NegativeAnswer(f"The audit fails: {error}.") from error
    except BrokenProcessPool as error:
        raise Failure("A worker process died; try again, perhaps with fewer --workers.") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    for line in closing_lines(audited):
        click.echo(line)
    click.echo(f"Audited in {time.perf_counter() - started:.1f} s.")


def closing_lines(audited: Audited) -> list[str]:
    """What an audit has checked and what it proves."""
    lines = [f"Read {len(audited.files)} files; manifest.json has the SHA-256 {audited.digest}."]
    if audited.unchecked:
        lines.append(f"Not part of the run, and not checked: {_named(audited.unchecked)}.")
    about = f"that match {audited.only}" if audited.only else "of the SAN grammar"
    if audited.theorem is not None:
        lines.append(audited.theorem.sentence(about))
    else:
        found = audited.survey
        lines.append(
            f"Checked {audited.cubes:,} refutations of {audited.clauses:,} clauses in all, and "
            f"{len(found.reachable):,} positions.\n"
            f"Proved: of the {found.total():,} strings {about}, {len(found.reachable):,} are "
            "written for a legal move in the position given, and the other "
            f"{found.total(Verdict.IMPOSSIBLE):,} for no legal move in any position. {POSITION}"
        )
    if audited.suite is not None:
        lines.append(f"{audited.suite:,} more games together show every string: the suite.")
    lines.append("All other files agree with this, to the byte.")
    return lines


def _named(names: list[str]) -> str:
    shown = ", ".join(ascii(name)[1:-1] for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


def _tell(line: str) -> None:
    click.echo(line, err=True)
