"""Checks the counts of played strings that published data has besides.

Whether somebody counted right an audit cannot know. But a string that was seen in a game can occur:
if it were not among the proven ones, the theorem would be refuted.
"""

from collections.abc import Collection
from pathlib import Path

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed, unproven
from sanproof.reports.tables.names import OBSERVED


def check_observed(directory: Path, reachable: Collection[str]) -> Observed | None:
    """The counts of a folder, each of a string that was proved reachable; None if it has none.

    Raises:
        EvidenceError: A file is missing or damaged, the numbers do not add up, or a string was
            seen that was not proved reachable.
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
