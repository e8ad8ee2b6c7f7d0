"""Compares lists, tables and PGN files with what the evidence shows, to the byte.

The theorem does not rest on any of this. It says that a run's other files tell the truth.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from sys import intern
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.reports.tables.names import COVER_INDEX, COVER_PGN, GAMES_PGN
from sanproof.reports.tables.outputs import cover_index, games_pgn, lists, tables
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import Shown
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit.record import GameRecord
from sanproof.verify.audit.run_files import RunFiles

EXCERPT: Final = 60


class RunGames(NamedTuple):
    """The games of a run as they are published, where they show what, and its cover, if any."""

    games: list[PgnGame]
    shown: dict[str, Shown]
    cover: list[PgnGame] | None


def published(records: Iterable[GameRecord]) -> list[PgnGame]:
    """The games in their published order."""
    return number_games((r.san, r.ply, tuple(map(intern, r.sans.split(" ")))) for r in records)


def check_tables(run: RunFiles, found: Survey, findings: Findings, played: RunGames | None) -> None:
    """See that the lists and tables are those of what was checked; an EvidenceError if not."""
    shown = None if played is None else played.shown
    _compare(run, lists(found) | tables(found, findings.witnesses, shown))


def check_pgn(run: RunFiles, found: Survey, played: RunGames) -> None:
    """See that PGN files and index hold the games that were checked; an EvidenceError if not."""
    _compare(run, {GAMES_PGN: games_pgn(played.games)})
    if played.cover is not None:
        index = cover_index(played.cover, found.reachable)
        _compare(run, {COVER_PGN: games_pgn(played.cover), COVER_INDEX: index})


def _compare(run: RunFiles, expected: Mapping[str, bytes]) -> None:
    for name, ours in expected.items():
        theirs = run.text(name).encode("ascii")
        if ours != theirs:
            raise EvidenceError(f"{name}: {difference(ours, theirs)}")


def difference(ours: bytes, theirs: bytes) -> str:
    """Where a file first differs from what it should be: the line, as it is and as it should be."""
    length = min(len(ours), len(theirs))
    # The shortest beginning that differs is one longer than what is the same.
    prefixes = range(1, length + 1)
    at = bisect_left(prefixes, True, key=lambda n: ours[:n] != theirs[:n])
    if at == length and (ours[at:] or theirs[at:]).startswith(b"\n"):
        at += 1  # one of them has lines more
    number = max(ours, theirs, key=len).count(b"\n", 0, at) + 1
    start = max(ours, theirs, key=len).rfind(b"\n", 0, at) + 1
    should, does = (_excerpt(content, start, at) for content in (ours, theirs))
    return f"line {number} is {does}, and should be {should}"


def _excerpt(content: bytes, start: int, at: int) -> str:
    """The line that begins at ``start``, or the part of it where ``at`` is."""
    if start > len(content):
        return "the end"
    begin = start if at - start < EXCERPT // 2 else at - EXCERPT // 2
    line = content[begin : begin + EXCERPT].split(b"\n", 1)[0]
    return "..." * (begin > start) + ascii(line.decode("latin-1"))
