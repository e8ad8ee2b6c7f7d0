"""The lists, and evidence that is made up."""

from collections.abc import Sequence

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import open_archive
from sanproof.verify.explain.answers import Answer

ARCHIVE = open_archive()
FULL = ARCHIVE.strings()
SHORT = ARCHIVE.strings(bare=True)


def made_up(_: object, sans: Sequence[str]) -> list[Answer]:
    """Answer without evidence: to read all that is published takes seconds."""
    return [
        Answer(san, Verdict.REACHABLE)
        if ARCHIVE.is_reachable(san)
        else Answer(san, Verdict.IMPOSSIBLE, reason="no-origin", sentence="")
        for san in sans
    ]
