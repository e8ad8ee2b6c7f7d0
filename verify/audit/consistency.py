"""Checks that lists, tables, PGN files and counts are those of the evidence, to the byte.

The theorem does not rest on any of this. It says that a run's other files tell the truth.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from proofs.kernel.files import EvidenceError, text_of
from proofs.verdicts.rulings import Findings
from reports.tables import names
from reports.tables.outputs import games_pgn, lists, suite_index, tables
from reports.tables.pgn import PgnGame, first_games, number_games
from reports.tables.summary import summary, to_json, to_markdown
from reports.tables.survey import Survey
from verify.audit.crosscheck import differences
from verify.audit.evidence import Record
from verify.audit.manifest import COUNTS
from verify.audit.run_files import RunFiles
from verify.run.selection import Selection

MOST_BYTES_OF_COUNTS = 1 << 20
SEARCH_COUNTS = {"witnesses", "witnesses_replaced", "positions_given_up"}
_TOOLS = {"sanproof", "chess", "z3-solver", "python-sat", "proofs"}
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")


class Played(NamedTuple):
    """The games of a run as they are published, and its covering suite if it has one."""

    games: list[PgnGame]
    suite: list[PgnGame] | None


def published(records: Iterable[Record]) -> list[PgnGame]:
    """The games in their published order."""
    return number_games((r.san, r.ply, tuple(r.sans.split(" "))) for r in records)


def check_files(run: RunFiles, found: Survey, findings: Findings, played: Played | None) -> None:
    """The lists, tables and PGN files are those of what was checked, to the byte.

    Raises:
        EvidenceError: One is not.
    """
    numbers = None if played is None else first_games(played.games)
    expected = lists(found) | tables(found, findings.witnesses, numbers)
    if played is not None:
        expected[names.GAMES_PGN] = games_pgn(played.games)
        if played.suite is not None:
            expected[names.SUITE_PGN] = games_pgn(played.suite)
            expected[names.SUITE_INDEX] = suite_index(played.suite, found.reachable)
    for name, ours in expected.items():
        theirs = text_of(name, run.contents[name]).encode("ascii")
        if ours != theirs:
            raise EvidenceError(f"{name}: {_difference(ours, theirs)}")


def check_counts(
    run: RunFiles,
    found: Survey,
    findings: Findings,
    played: Played | None,
    selection: Selection,
) -> None:
    """The counts are those of what was checked; of the search's times nothing can be known.

    Raises:
        EvidenceError: They are not.
    """
    claimed = _claimed(run.contents[names.SUMMARY])
    generator = differences(found.reachable, findings, selection.selected)
    games, suite = played or (None, None)
    counts = summary(run.manifest.only, found, games, generator, suite=suite)
    versions = _checked_versions(run.manifest.versions)
    honest = counts | {"search": claimed["search"], "versions": versions, "times": claimed["times"]}
    for name, ours in ((names.SUMMARY, to_json(honest)), (names.SUMMARY_TEXT, to_markdown(honest))):
        if ours != run.contents[name]:
            raise EvidenceError(f"{name}: {_difference(ours, run.contents[name])}")
    for name in COUNTS:
        if run.manifest.counts[name] != counts[name]:
            raise EvidenceError(f"{names.MANIFEST}: the number of {name} is not what was counted")


def _claimed(content: bytes) -> dict[str, dict[str, float]]:
    """What only the run itself can know: how much was searched, and how long it took."""
    try:
        claimed = json.loads(content) if len(content) <= MOST_BYTES_OF_COUNTS else None
    except (ValueError, RecursionError):
        claimed = None
    parts = {name: _numbers(claimed, name) for name in ("search", "times")}
    if not SEARCH_COUNTS.issuperset(parts["search"]):
        raise EvidenceError(f"{names.SUMMARY}: what it counts of the search is no run's")
    return parts


def _numbers(claimed: Any, name: str) -> dict[str, float]:  # noqa: ANN401 - JSON of any form
    part = claimed.get(name) if isinstance(claimed, dict) else None
    if not isinstance(part, dict):
        raise EvidenceError(f"{names.SUMMARY}: it is not a run's summary")
    for key, value in part.items():
        plain = type(value) in {int, float} and math.isfinite(value) and 0 <= value < 1e9
        if not plain or not re.fullmatch("[a-z_]{1,40}", key):
            raise EvidenceError(f"{names.SUMMARY}: {name} holds what is no count or time")
    return part


def _checked_versions(versions: Mapping[str, str]) -> dict[str, str]:
    """The versions, of which nobody can say whether they are true, only whether they are any."""
    if set(versions) != _TOOLS or not all(map(_VERSION.fullmatch, versions.values())):
        raise EvidenceError(f"{names.MANIFEST}: its versions are not those of a run's tools")
    return dict(versions)


def _difference(ours: bytes, theirs: bytes) -> str:
    """Where a file first differs from what it should be."""
    right, wrong = (content.split(b"\n") for content in (ours, theirs))
    number = next(
        (i for i, (a, b) in enumerate(zip(right, wrong, strict=False)) if a != b),
        min(len(right), len(wrong)),
    )
    should, does = (
        ascii(lines[number][:60].decode("latin-1")) if number < len(lines) else "the end"
        for lines in (right, wrong)
    )
    return f"line {number + 1} is {does}, and should be {should}"
