"""``sanproof audit``: the audit with its workers, and what it says in the end."""

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import click

from proofs.kernel.files import AuditError
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
    except AuditError as error:
        raise NegativeAnswer(f"The audit fails: {error}.") from error
    except BrokenProcessPool as error:
        raise Failure("A worker process died; try again, perhaps with fewer --workers.") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    click.echo(sentence(audited))
    click.echo(f"Audited in {time.perf_counter() - started:.1f} s.")


def sentence(audited: Audited) -> str:
    """What an audit proves."""
    found = audited.survey
    about = f"that match {audited.only}" if audited.only else "of the SAN grammar"
    reachable = f"{found.total(Verdict.REACHABLE):,}"
    if audited.games is None:
        checked = f"{len(found.reachable):,} witnesses"
        shown = f"{reachable} are written for a legal move in the position given"
    else:
        checked = f"{audited.games:,} games"
        if audited.suite is not None:
            checked += f"; and {audited.suite:,} games that together show every string"
            mates = sum(san.endswith("#") for san in found.reachable)
            checked += f", no more than there are mates ({mates:,})" * (audited.suite == mates)
        shown = f"{reachable} are written for a move of a legal game"
    return (
        f"Checked {audited.cubes:,} refutations of {audited.clauses:,} clauses in all, and "
        f"{checked}.\n"
        f"Proved: of the {found.total():,} strings {about}, {shown}, "
        f"and the other {found.total(Verdict.IMPOSSIBLE):,} for no legal move in any position."
    )


def _tell(line: str) -> None:
    click.echo(line, err=True)
