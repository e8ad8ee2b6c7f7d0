"""Compares the counts of a run, ``summary.json`` and ``summary.md``, with what was counted."""

from typing import Any, Final

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.reports.tables.names import MANIFEST, SUMMARY, SUMMARY_TEXT
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit.consistency import RunGames, difference
from sanproof.verify.audit.run_files import RunFiles
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.manifest import COUNTS
from sanproof.verify.claims.plain_json import read_json
from sanproof.verify.claims.selection import Selection

TIMES: Final = (
    "working_seconds",
    "deciding_worker_seconds",
    "games_worker_seconds",
    "cover_worker_seconds",
    "writing_seconds",
)
SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
"""What a run says of its search: White's witnesses, how many of them had to be replaced because no
game to their position was found, and how many positions were given up in all."""

MOST: Final = 10**9


def check_counts(
    run: RunFiles,
    found: Survey,
    findings: Findings,
    played: RunGames | None,
    selection: Selection,
) -> None:
    """See that the counts are those of what was checked; an EvidenceError if they are not.

    How long a run took, how much it had to search, and with which versions of its tools only the
    run itself can know: of this, only the form is checked.
    """
    claimed = read_json(SUMMARY, run.contents[SUMMARY])
    generator = differences(found.reachable, findings, selection.selected)
    games, cover = (played.games, played.cover) if played else (None, None)
    counts = summary(run.manifest.only, found, games, generator, cover=cover)
    times = _numbers(claimed, "times", TIMES)
    search = _numbers(claimed, "search", SEARCH)
    _check_search(search, played, whole=selection.cubes is None)
    honest = counts | {"search": search, "versions": run.manifest.versions, "times": times}
    for name, ours in ((SUMMARY, to_json(honest)), (SUMMARY_TEXT, to_markdown(honest))):
        if ours != run.contents[name]:
            raise EvidenceError(f"{name}: {difference(ours, run.contents[name])}")
    for name in COUNTS:
        if run.manifest.counts[name] != counts[name]:
            raise EvidenceError(f"{MANIFEST}: the number of {name} is not what was counted")


def _numbers(claimed: dict[str, Any], name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    part = claimed.get(name)
    if not (isinstance(part, dict) and set(part) == set(keys)):
        raise EvidenceError(f"{SUMMARY}: its {name} are not those of a run")
    for key, number in part.items():
        if type(number) not in {int, float} or not 0 <= number < MOST:
            raise EvidenceError(f"{SUMMARY}: {key} is not a number that a run can write")
    return part


def _check_search(search: dict[str, Any], played: RunGames | None, *, whole: bool) -> None:
    """As far as it can be known: each of White's strings had one witness.

    A part's games are searched for whole groups of cubes, so that there may be more of them.
    """
    witnesses, replaced, given_up = (search[key] for key in SEARCH)
    if not all(type(number) is int for number in search.values()):
        raise EvidenceError(f"{SUMMARY}: its counts of the search are not whole numbers")
    white = 0 if played is None else sum(1 for g in played.games if g.colour == "white")
    fits = white == witnesses if whole or played is None else white <= witnesses
    if not fits or replaced > min(witnesses, given_up) or (replaced == 0 and given_up):
        raise EvidenceError(f"{SUMMARY}: what it counts of the search does not fit the games")
