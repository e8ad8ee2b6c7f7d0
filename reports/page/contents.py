"""What the page is made from, read from a run once: a page says what is in the run's files."""

from typing import Final, NamedTuple

from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow
from sanproof.reports.archive.observed import Observed, open_observed, unproven
from sanproof.reports.page.downloads import Download, downloads
from sanproof.reports.page.games import Games, choose_games

_NAMED: Final = {why.value: why for why in Reason}


class Contents(NamedTuple):
    """A run as the page shows it.

    ``only`` is the shell pattern of the strings that the run is about, None if about all. The
    strings that can be written and their witnesses stand in list order; each that cannot has its
    reason, and those that are neither are counted. ``games`` is None if the run has none, and
    ``observed`` if nobody counted.
    """

    only: str | None
    reachable: list[San]
    impossible: dict[str, Reason]
    undecided: int
    witnesses: list[WitnessRow]
    games: Games | None
    versions: list[tuple[str, str]]
    downloads: list[Download]
    observed: Observed | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the run decided every string of the grammar."""
        return self.only is None and self.undecided == 0


def read_contents(archive: Archive) -> Contents:
    """Read a run.

    Raises:
        ArchiveError: The files of the run are not those of one run.
    """
    reachable = list(map(parse_san, archive.strings()))
    strings = set(map(str, reachable))
    witnesses = list(archive.witnesses())
    for row in witnesses:
        if row.san not in strings:
            raise ArchiveError(f"{archive.directory} has a witness for {row.san}, not reachable")
    if len(witnesses) != len(strings):
        raise ArchiveError(
            f"{archive.directory} has {len(strings):,} strings, but not as many witnesses"
        )
    return Contents(
        only=pattern_of(archive),
        reachable=reachable,
        impossible=_impossible(archive, strings),
        undecided=archive.summary["undecided"],
        witnesses=witnesses,
        games=choose_games(archive, witnesses) if archive.has_games else None,
        versions=list(archive.summary["versions"].items()),
        downloads=downloads(archive),
        observed=_observed(archive, strings),
    )


def _observed(archive: Archive, reachable: set[str]) -> Observed | None:
    observed = open_observed(archive.directory)
    if observed is not None and (foreign := unproven(observed.times, reachable)):
        raise ArchiveError(
            f"{archive.directory} says that {foreign[0]} was played, but not that it is reachable"
        )
    return observed


def pattern_of(archive: Archive) -> str | None:
    """The shell pattern of the strings that a run is about; None if about all."""
    only: str | None = archive.summary["only"]
    return only


def _impossible(archive: Archive, reachable: set[str]) -> dict[str, Reason]:
    reasons = {san: _NAMED[name] for san, name in archive.impossible()}
    if both := reachable & reasons.keys():
        raise ArchiveError(
            f"{archive.directory} says both of {min(both)}: reachable and impossible"
        )
    return reasons
