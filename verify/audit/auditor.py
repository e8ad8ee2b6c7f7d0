"""``sanproof audit``: runs the audit with its workers, and prints the result."""

import os
import re
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Final

import click

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.theorem import POSITION
from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.escaping import printable
from sanproof.reports.tables.names import FULL_LIST, MANIFEST, WITNESSES
from sanproof.reports.tables.summary import filled_in
from sanproof.verify.audit.whole import AuditResult, audit
from sanproof.verify.errors import Failure, NegativeAnswer
from sanproof.verify.findings.width import fitted
from sanproof.verify.work.executors import worker_died, worker_pool

MAX_NAMES: Final = 5


def run_audit(directory: Path, workers: int, *, second_opinion: bool) -> None:
    """Audit a run directory, and print what this proves.

    Raises:
        Failure: The directory contains no finished run.
        NegativeAnswer: Some evidence is missing or wrong.
        Unfinished: A worker died.
    """
    started = time.perf_counter()
    if not os.path.lexists(directory / MANIFEST):  # which is written last
        raise Failure(
            f"{printable(str(directory))} holds no finished run. Start or finish one with "
            "`sanproof verify --out DIR`."
        )
    try:
        with worker_pool(workers) as pool:
            audited = audit(directory, pool, second_opinion=second_opinion)
    except EvidenceError as error:
        raise NegativeAnswer(f"The audit fails: {error}.") from error
    except BrokenExecutor as error:
        raise worker_died(", so the audit did not end: try again") from error
    for line in closing_lines(audited):
        click.echo(fitted(line, 2))
    click.echo(f"Audited in {time.perf_counter() - started:.1f} s.")


def closing_lines(audited: AuditResult) -> list[str]:
    """Return lines with the files that an audit has read, its checks, and what they prove."""
    found, theorem = audited.survey, audited.theorem
    match = "matches" if found.total() == 1 else "match"
    about = f"that {match} '{audited.only}'" if audited.only is not None else "of the SAN grammar"
    values = audited._asdict() | {
        "about": about,
        "evidence": (MANIFEST, FULL_LIST, GAMES if theorem else WITNESSES, CERTIFICATES),
        "theorem": theorem and _with_singulars(theorem.sentence(about)),
        "position": POSITION,
        "strings": found.total(),
        "reachable": len(found.reachable),
        "impossible": found.total(Verdict.IMPOSSIBLE),
        "observed": audited.observed and audited.observed.source,
        "most": MAX_NAMES,
    }
    return filled_in("end_of_audit.txt", values).splitlines()


def _with_singulars(sentence: str) -> str:
    """Adapt the kernel's sentence, whose words are for the whole grammar, to numbers that are 1."""
    one = r"(?<![\w,.])1 (?:(refutation|clause|game|string)s|are)\b"
    return re.sub(one, lambda found: f"1 {found[1] or 'is'}", sentence)
