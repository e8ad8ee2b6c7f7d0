"""Compares lists, tables, counts and PGN files with what the evidence shows, to the byte.

The theorem does not rest on any of this. It says that a run's other files tell the truth.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Final

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.archive import json_object
from sanproof.reports.tables.names import COVER, MANIFEST, SUMMARY, SUMMARY_TEXT
from sanproof.reports.tables.outputs import games_pgn
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit.run_files import RunFiles
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.manifest import COUNTS
from sanproof.verify.claims.selection import Selection

SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
"""Counts of a run's search: White's witnesses, how many of them had to be replaced because no
game to their position was found, and how many positions were given up in all."""
TIMES: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)
KNOWN_TO_A_RUN: Final[dict[str, tuple[tuple[str, ...], tuple[type, ...]]]] = {
    "search": (SEARCH, (int,)),
    "times": (TIMES, (int, float)),
}
MOST_COUNTED: Final = 10**9
EXCERPT: Final = 60
BATCH: Final = 4000


def submit_pgn(games: Sequence[PgnGame], executor: Executor) -> Iterator[bytes]:
    """Have games written as PGN, part by part; the work begins at once."""
    parts = (games[i : i + BATCH] for i in range(0, len(games), BATCH))
    # Moves go to a worker as one string: as many strings they would take longer than the work.
    texts = [
        executor.submit(pgn_of, [(*game[:3], " ".join(game.sans)) for game in part])
        for part in parts
    ]
    return (text.result() for text in texts)


def pgn_of(games: Sequence[tuple[int, str, int, str]]) -> bytes:
    """Games as PGN, each with its moves on one line."""
    in_full = ((*game[:3], tuple(game[3].split(" "))) for game in games)
    return games_pgn(PgnGame(*game) for game in in_full)


def compare(run: RunFiles, expected: Mapping[str, bytes]) -> None:
    """Check that files hold what they should, to the byte; an EvidenceError if one does not."""
    for name, ours in expected.items():
        theirs = run.unpacked(name)
        if ours != theirs:
            raise EvidenceError(f"{name}: {difference(ours, theirs)}")


def difference(ours: bytes, theirs: bytes) -> str:
    """Say where a file first differs: the line as it is, and as it should be."""
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
    """Return the line that begins at ``start``, or the part of it where ``at`` is."""
    if start > len(content):
        return "the end"
    begin = start if at - start < EXCERPT // 2 else at - EXCERPT // 2
    line = content[begin : begin + EXCERPT].split(b"\n", 1)[0]
    return "..." * (begin > start) + ascii(line.decode("latin-1"))


def check_cover(cover: Collection[PgnGame], reachable: Iterable[str]) -> None:
    """Check that each mate has one game, which ends with it, and each string is in some game.

    A game beyond those shows a string that no other game shows.

    Raises:
        EvidenceError: It is not so.
    """
    strings = set(reachable)
    mating = [game for game in cover if game.san.endswith("#")]
    if late := [game for game in mating if game.ply != len(game.sans) - 1]:
        raise EvidenceError(f"{COVER}: a game does not end with {late[0].san}, which it shows")
    ends = [game.san for game in mating]
    if len(ends) != len(set(ends)):
        raise EvidenceError(f"{COVER}: two games end with the same mate")
    if strange := set(ends).symmetric_difference(san for san in strings if san.endswith("#")):
        raise EvidenceError(f"{COVER}: not one game for each mate: {min(strange)}")
    shown = set().union(*(game.sans for game in mating))
    for game in cover:
        if not game.san.endswith("#"):
            if game.san in shown:
                raise EvidenceError(f"{COVER}: a game for {game.san}, which another game shows")
            shown.update(game.sans)
    if missing := strings - shown:
        raise EvidenceError(f"{COVER}: {min(missing)} is played in none of its games")


def check_counts(
    run: RunFiles,
    found: Survey,
    findings: Findings,
    games: Sequence[PgnGame] | None,
    cover: Sequence[PgnGame] | None,
    selection: Selection,
) -> None:
    """Check that the counts are those of what was checked; an EvidenceError if they are not.

    How long a run took, how much it had to search, and with which versions of its tools only the
    run itself can know: of this, only the form is checked.
    """
    claimed = known_to_a_run(run.contents[SUMMARY])
    _check_search(claimed["search"], games, whole=selection.cubes is None)
    generator = differences(found.reachable, findings, selection.selected)
    counts = summary(
        run.manifest.only, found, len(selection.closed_cubes), games, generator, cover=cover
    )
    honest = counts | {"search": {}, "versions": run.manifest.versions} | claimed
    compare(run, {SUMMARY: to_json(honest), SUMMARY_TEXT: to_markdown(honest)})
    for name in COUNTS:
        if run.manifest.counts[name] != counts[name]:
            raise EvidenceError(f"{MANIFEST}: the number of {name} is not what was counted")


def known_to_a_run(content: bytes) -> dict[str, dict[str, Any]]:
    """Return what only the run itself can know of its summary, after a check of its form.

    Raises:
        EvidenceError: It has another form.
    """
    try:
        summary = json_object(content, *KNOWN_TO_A_RUN)
    except (RecursionError, ValueError) as error:
        raise EvidenceError(f"{SUMMARY}: it is not the JSON that a run writes") from error
    claimed = {}
    for name, (keys, types) in KNOWN_TO_A_RUN.items():
        entries = claimed[name] = summary[name]
        if not isinstance(entries, dict) or set(entries) != set(keys):
            raise EvidenceError(f"{SUMMARY}: its {name} are not those of a run")
        if any(type(n) not in types or not 0 <= n <= MOST_COUNTED for n in entries.values()):
            raise EvidenceError(f"{SUMMARY}: its {name} are not numbers")
    return claimed


def _check_search(search: dict[str, int], games: Sequence[PgnGame] | None, *, whole: bool) -> None:
    """Check counts of the search as far as it can be known: White's strings had one witness each.

    A part's games are searched for whole groups of cubes, so that there may be more of them.
    """
    witnesses, replaced, given_up = (search[key] for key in SEARCH)
    white = sum(1 for game in games or () if game.colour == "white")
    fits = white == witnesses if whole or games is None else white <= witnesses
    if not fits or replaced > min(witnesses, given_up) or (replaced == 0 and given_up):
        raise EvidenceError(f"{SUMMARY}: what it counts of the search does not fit the games")
