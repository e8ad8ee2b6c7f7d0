"""Which SAN strings can occur in a legal chess game, for programs and notebooks.

    >>> import sanproof
    >>> sanproof.is_reachable("Qb6e3#")
    True
    >>> sanproof.look_up("Ba1b2+").reason
    'no-check'
    >>> len(sanproof.gate(sanproof.strings()[1:]).missing)
    1

Everything is read from the published data; ``run`` names a finished run directory instead.
Only :func:`prove` searches, and it needs no data.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from proofs.verdicts.malformed import MalformedSan, read_san
from proofs.verdicts.reasons import reason, sentence
from proofs.verdicts.rulings import Verdict
from reports.exports.archive import Archive, ArchiveError, GameRow, WitnessRow, open_archive
from reports.exports.spoken import spoken
from verify.errors import Failure
from verify.gate.compare import GateReport
from verify.gate.compare import gate as gate_list
from verify.gate.lists import StringList

__all__ = [
    "Answer",
    "ArchiveError",
    "Failure",
    "GameRow",
    "GateReport",
    "MalformedSan",
    "Verdict",
    "WitnessRow",
    "games",
    "gate",
    "impossible",
    "is_reachable",
    "look_up",
    "prove",
    "spoken",
    "strings",
    "witnesses",
]

Run = str | PathLike[str] | None
"""A finished run directory; None for the published data."""


class Answer(NamedTuple):
    """The verdict on a string, with its evidence.

    Attributes:
        san: The string.
        verdict: ``Verdict.REACHABLE`` or ``Verdict.IMPOSSIBLE``.
        witness: Position and move, for a reachable string.
        reason: The name of the reason why it is impossible.
        sentence: That reason in a sentence about this string.
    """

    san: str
    verdict: Verdict
    witness: WitnessRow | None = None
    reason: str | None = None
    sentence: str | None = None


def is_reachable(san: str, *, run: Run = None) -> bool:
    """Whether a legal game can contain a move that is written so.

    Raises:
        MalformedSan: It is not a SAN string at all.
        ArchiveError: The data cannot be read.
    """
    return str(read_san(san)) in _reachable(_complete(run).directory)


def look_up(san: str, *, run: Run = None) -> Answer:
    """The verdict on a string: with a position and move, or with a reason.

    Raises:
        MalformedSan: It is not a SAN string at all.
        ArchiveError: The data cannot be read.
    """
    parsed = read_san(san)
    directory = _complete(run).directory
    reachable = _reachable(directory)
    if san in reachable:
        return Answer(san, Verdict.REACHABLE, _witnesses(directory)[san])
    named = reason(parsed.bare, playable=bool(parsed.suffix) and str(parsed.bare) in reachable)
    return Answer(san, Verdict.IMPOSSIBLE, None, named.value, sentence(parsed, named))


def strings(*, bare: bool = False, run: Run = None) -> list[str]:
    """The reachable strings, by length and then by character; ``bare``: those without suffix."""
    return _open(run).strings(bare=bare)


def witnesses(*, run: Run = None) -> Iterator[WitnessRow]:
    """Each reachable string with position, move, position after it, and number of the game."""
    return _open(run).witnesses()


def games(*, run: Run = None) -> Iterator[GameRow]:
    """The proof games: for each string White's and Black's, where they exist.

    Raises:
        ArchiveError: There are no games, or the data cannot be read.
    """
    return _open(run).games()


def impossible(*, run: Run = None) -> Iterator[tuple[str, str]]:
    """Each impossible string with the name of its reason."""
    return _open(run).impossible()


def gate(given: Iterable[str], *, bare: bool | None = None, run: Run = None) -> GateReport:
    """Hold a collection of strings against the proven ones; ``.exact`` is the answer.

    Args:
        given: The strings, in any order.
        bare: Whether they are meant to be those without suffix; None to take the closer list.
        run: A finished run directory; the published data if None.

    Raises:
        ArchiveError: The data cannot be read.
        TypeError: Something given is not a string.
    """
    if isinstance(given, str):
        raise TypeError("the strings should be a collection, such as a list, not one string")
    entries = list(given)
    for entry in entries:
        if not isinstance(entry, str):
            raise TypeError(f"{entry!r} is not a string")
    return gate_list(StringList("the collection", "item", entries), _complete(run), bare=bare)


def prove(san: str) -> str:
    """Decide a string afresh, with a solver, and say why: with a board and a game, or a reason.

    Raises:
        Failure: It is not a SAN string, or stays undecided.
    """
    from verify.explain.afresh import explain  # noqa: PLC0415 - loads a solver

    return explain(san).text


def _open(run: Run) -> Archive:
    return open_archive(None if run is None else Path(run))


def _complete(run: Run) -> Archive:
    archive = _open(run)
    if not archive.is_complete:
        raise ArchiveError(f"{archive.directory} did not decide every string")
    return archive


@lru_cache(maxsize=2)
def _reachable(directory: Path) -> frozenset[str]:
    return frozenset(open_archive(directory).strings())


@lru_cache(maxsize=2)
def _witnesses(directory: Path) -> dict[str, WitnessRow]:
    archive = open_archive(directory)
    return archive.witnesses_of(archive.strings())
