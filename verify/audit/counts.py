"""Compares the counts of a run, ``summary.json`` and ``summary.md``, with what was counted."""

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.reports.archive.schema import (
    SEARCH,
    TIMES_OF_RUN,
    SchemaError,
    check_summary,
)
from sanproof.reports.tables.names import MANIFEST, SUMMARY, SUMMARY_TEXT
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit.consistency import RunGames, difference
from sanproof.verify.audit.run_files import RunFiles
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.manifest import COUNTS
from sanproof.verify.claims.selection import Selection


def check_counts(
    run: RunFiles,
    found: Survey,
    findings: Findings,
    played: RunGames | None,
    selection: Selection,
) -> None:
    """Check that the counts are those of what was checked; an EvidenceError if they are not.

    How long a run took, how much it had to search, and with which versions of its tools only the
    run itself can know: of this, only the form is checked.
    """
    try:
        claimed = check_summary(run.contents[SUMMARY])
    except SchemaError as error:
        raise EvidenceError(f"{SUMMARY}: {error}") from error
    for name, keys in (("times", TIMES_OF_RUN), ("search", SEARCH)):
        if set(claimed.get(name, ())) != set(keys):
            raise EvidenceError(f"{SUMMARY}: its {name} are not those of a run")
    _check_search(claimed["search"], played, whole=selection.cubes is None)
    generator = differences(found.reachable, findings, selection.selected)
    games, cover = (played.games, played.cover) if played else (None, None)
    counts = summary(run.manifest.only, found, games, generator, cover=cover)
    known_to_run = {name: claimed[name] for name in ("search", "times")}
    honest = counts | {"search": {}, "versions": run.manifest.versions} | known_to_run
    for name, ours in ((SUMMARY, to_json(honest)), (SUMMARY_TEXT, to_markdown(honest))):
        if ours != run.contents[name]:
            raise EvidenceError(f"{name}: {difference(ours, run.contents[name])}")
    for name in COUNTS:
        if run.manifest.counts[name] != counts[name]:
            raise EvidenceError(f"{MANIFEST}: the number of {name} is not what was counted")


def _check_search(search: dict[str, int], played: RunGames | None, *, whole: bool) -> None:
    """Check counts of the search as far as it can be known: White's strings had one witness each.

    A part's games are searched for whole groups of cubes, so that there may be more of them.
    """
    witnesses, replaced, given_up = (search[key] for key in SEARCH)
    white = 0 if played is None else sum(1 for g in played.games if g.colour == "white")
    fits = white == witnesses if whole or played is None else white <= witnesses
    if not fits or replaced > min(witnesses, given_up) or (replaced == 0 and given_up):
        raise EvidenceError(f"{SUMMARY}: what it counts of the search does not fit the games")
