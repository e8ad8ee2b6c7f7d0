"""``sanproof audit``: the audit with its workers, and what it prints in the end."""

import os
import re
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Final

import click

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.theorem import POSITION
from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.escaping import printable
from sanproof.reports.tables.names import FULL_LIST, MANIFEST, PUBLISHED_AS, WITH_COVER, WITNESSES
from sanproof.reports.tables.words import number_of
from sanproof.verify.audit.whole import Audited, audit
from sanproof.verify.errors import Failure, Interrupted, NegativeAnswer
from sanproof.verify.findings.width import fitted
from sanproof.verify.work.executors import worker_died
from sanproof.verify.work.processes import process_pool
from sanproof.verify.work.progress import progress_display

MAX_NAMES: Final = 5
_ANY_OF_A_RUN: Final = (MANIFEST, *WITH_COVER, *PUBLISHED_AS.values())


def run_audit(directory: Path, workers: int, *, second_opinion: bool) -> None:
    """Audit a run directory and print what is thereby proved.

    Raises:
        Failure: The directory holds nothing of a finished run.
        NegativeAnswer: Something does not hold.
        Unfinished: A worker died.
        Interrupted: The user stopped it.
    """
    started = time.perf_counter()
    if not any(os.path.lexists(directory / name) for name in _ANY_OF_A_RUN):
        raise Failure(
            f"{printable(str(directory))} holds no finished run: `sanproof verify --out DIR` makes "
            "one, or finishes it."
        )
    try:
        with process_pool(workers) as pool, progress_display(None, "audit") as progress:
            audited = audit(
                directory, pool, progress, workers=workers, second_opinion=second_opinion
            )
    except EvidenceError as error:
        raise NegativeAnswer(f"The audit fails: {error}.") from error
    except BrokenProcessPool as error:
        raise worker_died(", so the audit did not end: try again") from error
    except KeyboardInterrupt as error:
        raise Interrupted("Interrupted: the audit did not end, and nothing is proved.") from error
    for line in closing_lines(audited, second_opinion=second_opinion):
        click.echo(fitted(line, 2))
    click.echo(f"Audited in {time.perf_counter() - started:.1f} s.")


def closing_lines(audited: Audited, *, second_opinion: bool = False) -> list[str]:
    """Say what an audit has read and checked, and what it proves."""
    lines = [f"Read {len(audited.digests)} files, and among them with these SHA-256:"]
    evidence = (MANIFEST, FULL_LIST, GAMES if audited.theorem else WITNESSES, CERTIFICATES)
    lines += [f"{audited.digests[name]}  {name}" for name in evidence]
    if audited.unchecked:
        lines.append(f"Not part of the run, and not checked: {_named(audited.unchecked)}.")
    match = "matches" if audited.survey.total() == 1 else "match"
    about = f"that {match} '{audited.only}'" if audited.only is not None else "of the SAN grammar"
    if audited.theorem is not None:
        lines.append(_with_singulars(audited.theorem.sentence(about)))
    else:
        lines += _about_positions(audited, about)
    if audited.cover is not None:
        lines.append(f"{audited.cover:,} more games together show every string: the cover.")
    lines.append(
        "All other files agree with this, to the byte. Only the run knows how long it took, "
        "how much it searched, and the versions of its tools; these are not checked."
    )
    if audited.observed is not None:
        source = audited.observed.source
        lines.append(
            f"Seen in games: {source['strings']:,} strings in {source['moves']:,} moves of "
            f"{source['games_of']}, all of them among the proven ones. How often each was seen is "
            f"not checked, but taken from {source['address']}."
        )
    if second_opinion:
        lines.append(f"dratify accepts all {audited.cubes:,} refutations as well.")
    return lines


def _about_positions(audited: Audited, about: str) -> list[str]:
    """Say what a run without games proves."""
    found = audited.survey
    positions = number_of(len(found.reachable), "position")
    clauses = number_of(audited.clauses, "clause")
    written = number_of(len(found.reachable), "is written", "are written")
    proved = (
        f"Proved: of the {number_of(found.total(), 'string')} {about}, {written} for a legal "
        f"move in the position given, and the other {found.total(Verdict.IMPOSSIBLE):,} for no "
        f"legal move in any position. {POSITION}"
    )
    refutations = f"{number_of(audited.cubes, 'refutation')} of {clauses} in all"
    return [f"Checked {refutations}, and {positions}.", proved]


def _with_singulars(sentence: str) -> str:
    """Adapt the kernel's sentence, whose words are for the whole grammar, to numbers that are 1."""
    one = r"(?<![\w,.])1 (?:(refutation|clause|game|string)s|are)\b"
    return re.sub(one, lambda found: f"1 {found[1] or 'is'}", sentence)


def _named(names: Sequence[str]) -> str:
    """Return names of files, which may be anything, on one line."""
    shown = ", ".join(ascii(name) for name in names[:MAX_NAMES])
    left = len(names) - MAX_NAMES
    return f"{shown} and {left:,} more" if left > 0 else shown
