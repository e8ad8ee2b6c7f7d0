"""What :mod:`sanproof` offers to programs and notebooks.

    >>> import sanproof
    >>> [san for san in ("Qb6e3#", "Ba1b2+", "e9") if sanproof.is_reachable(san)]
    ['Qb6e3#']
    >>> sanproof.look_up("Ba1b2+").reason
    'no-check'
    >>> sanproof.game(sanproof.look_up("Qb6e3#").witness.game).sans[-1]
    'Qb6e3#'
    >>> len(sanproof.gate(sanproof.strings()[1:]).missing)
    1
    >>> sanproof.read("Ng1-f3!").canonical
    'Nf3'
    >>> sanproof.write("g1f3").san
    'Nf3'

Everything is read from the published data; ``run`` names a finished run directory instead.
Only :func:`prove` and :func:`find` search; they, :func:`read` and :func:`write` need no data.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sanproof.proofs.verdicts.malformed import MalformedSan, read_san
from sanproof.proofs.verdicts.verdict import Verdict
from sanproof.reports.exports.archive import (
    Archive,
    ArchiveError,
    CoverRow,
    GameRow,
    WitnessRow,
    WitnessTable,
    open_archive,
    open_complete,
    published_directory,
)
from sanproof.reports.exports.observed import Observed, Sighting, open_observed
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.explain.answers import Answer, impossible_answer

if TYPE_CHECKING:
    import chess

    from sanproof.proofs.find.asking import Outcome
    from sanproof.reports.exports.meant import meant
    from sanproof.reports.exports.spoken import spoken
    from sanproof.verify.errors import Failure
    from sanproof.verify.gate.compare import GateReport
    from sanproof.verify.notation.reading import Reading
    from sanproof.verify.notation.writing import Writing

    __version__: str

__all__ = [
    "INITIAL",
    "Answer",
    "ArchiveError",
    "CoverRow",
    "Failure",
    "GameRow",
    "GateReport",
    "MalformedSan",
    "Observed",
    "Sighting",
    "Verdict",
    "WitnessRow",
    "__version__",
    "cover",
    "find",
    "game",
    "games",
    "gate",
    "impossible",
    "is_reachable",
    "look_up",
    "meant",
    "observed",
    "prove",
    "read",
    "spoken",
    "strings",
    "witnesses",
    "write",
]

INITIAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The FEN of the initial position."""

Run = str | PathLike[str] | None
"""A finished run directory; None for the published data."""


_ELSEWHERE: Final = {
    "Failure": "sanproof.verify.errors",
    "GateReport": "sanproof.verify.gate.compare",
    "meant": "sanproof.reports.exports.meant",
    "spoken": "sanproof.reports.exports.spoken",
}
"""What is loaded only when it is asked for, with its module."""


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - takes longer than all the others

        return version("sanproof")
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'sanproof' has no attribute {name!r}")


def is_reachable(san: str, *, run: Run = None) -> bool:
    """Whether a legal game can contain a move that is written so.

    False also for a text that is not a SAN string at all, so that any list can be filtered;
    :func:`look_up` tells the difference.

    Raises:
        ArchiveError: The data cannot be read.
        TypeError: It is not a string.
    """
    if not isinstance(san, str):
        raise TypeError(f"{san!r} is not a string")
    return san in _strings(*_identity(run))


def look_up(san: str, *, run: Run = None) -> Answer:
    """The verdict on a string: with a position and move, or with a reason.

    The witness is where the string is played earliest in the published games, or, for a string
    with ``+`` or ``#``, in the game made for it. That game is :func:`game` of the witness's
    ``game``, the move there its ``ply``; ``observed`` says how often the string was played.

    Raises:
        MalformedSan: It is not a SAN string at all.
        ArchiveError: The data cannot be read.
    """
    parsed = read_san(san)
    data = _identity(run)
    reachable = _strings(*data)
    if san in reachable:
        counts = _observed(*data)
        seen = counts.sighting(san) if counts else None
        row = _witnesses(*data).witness_of(san)
        return Answer(san, Verdict.REACHABLE, row, players=row.players, observed=seen)
    playable = bool(parsed.suffix) and str(parsed.bare) in reachable
    return impossible_answer(parsed, data[0], playable=playable)


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


def game(number: int, *, run: Run = None) -> GameRow:
    """The proof game of a number, as in :attr:`WitnessRow.game`.

    The file is read up to it, which takes up to a tenth of a second: for many, use :func:`games`.

    Raises:
        ArchiveError: There is no such game, or the data cannot be read.
    """
    return _open(run).game(number)


def cover(*, run: Run = None) -> Iterator[CoverRow]:
    """Where the cover shows each reachable string: the game and the ply, from 1.

    Raises:
        ArchiveError: There is no cover, or the data cannot be read.
    """
    return _open(run).cover()


def impossible(*, run: Run = None) -> Iterator[tuple[str, str]]:
    """Each impossible string with the name of its reason."""
    return _open(run).impossible()


def observed(*, run: Run = None) -> Observed:
    """How often each string was played in real games.

    ``observed().sighting("Nf3").times`` is the number for one string, ``observed().times`` has
    those of all that were seen, and ``observed().source`` says whose count it is.

    Raises:
        ArchiveError: The data does not say, or cannot be read.
    """
    found = _observed(*_identity(run))
    if found is None:
        raise ArchiveError(f"{_identity(run)[0]} does not say how often strings were played")
    return found


def gate(given: Iterable[str], *, bare: bool | None = None, run: Run = None) -> "GateReport":
    """Compare a collection of strings with the proven ones; ``.exact`` is the answer.

    Args:
        given: The strings, in any order.
        bare: Whether they are meant to be those without suffix; None to take the closer list.
        run: A finished run directory; the published data if None.

    Raises:
        ArchiveError: The data cannot be read.
        TypeError: Something given is not a string.
    """
    from sanproof.verify.gate.compare import Gate  # noqa: PLC0415
    from sanproof.verify.gate.lists import StringList  # noqa: PLC0415

    if isinstance(given, str):
        raise TypeError("the strings should be a collection, such as a list, not one string")
    entries = list(given)
    for entry in entries:
        if not isinstance(entry, str):
            raise TypeError(f"{entry!r} is not a string")
    return Gate(_complete(run), bare=bare).compare(StringList("the collection", "item", entries))


def prove(san: str) -> Answer:
    """The verdict on a string, proved now with a solver; no data is read.

    A reachable string comes with its game, which python-chess has replayed; an impossible one has
    been refuted. The verdict is ``Verdict.UNDECIDED`` if neither was found.

    Raises:
        MalformedSan: It is not a SAN string at all.
    """
    from sanproof.verify.explain.afresh import prove as prove_string  # noqa: PLC0415 - loads a solver

    return prove_string(san)


def find(
    *words: str,
    count: int = 1,
    seed: int | None = None,
    game: bool = False,
    timeout_seconds: float | None = None,
) -> "Outcome":
    """Positions by the move played and what they hold, or a refutation that there are none.

        find("Q*d4#", "pinned-twin", "men=7", count=3).answers

    Args:
        words: A SAN string or a pattern, if there is one, and criteria as
            `sanproof find --criteria` lists them.
        count: How many answers are wanted.
        seed: Draws answers at random; None takes what is found first.
        game: Whether to look for a legal game to each answer.
        timeout_seconds: When to give up; None for never.

    Raises:
        ValueError: A word is no criterion.
    """
    from sanproof.proofs.find.asking import find as ask  # noqa: PLC0415 - loads a solver
    from sanproof.verify.conformance.cases.sources import played  # noqa: PLC0415

    known = played() if game else ()
    return ask(
        *words, count=count, seed=seed, game=game, known=known, timeout_seconds=timeout_seconds
    )


def read(san: str, fen: "str | chess.Board" = INITIAL) -> "Reading":
    """What a text means as a move of a position, and how well it is written.

        read("0-0", fen).verdict.value    # "understandable"

    Args:
        san: Any text.
        fen: The position, as a FEN or a board; the initial position by default.

    Raises:
        ValueError: The FEN is none, or its position is statically invalid. (The class is
            ``sanproof.verify.notation.position.FenError``.)
        TypeError: The text is no string, or the position neither a FEN nor a board.
    """
    from sanproof.verify.notation.reading import read as read_text  # noqa: PLC0415 - loads python-chess

    if not isinstance(san, str):
        raise TypeError(f"{san!r} is not a string")
    return read_text(san, fen)


def write(uci: str, fen: "str | chess.Board" = INITIAL) -> "Writing":
    """How a move of a position is written in SAN, and why.

        write("g1e2", fen).explanation    # sentences

    Args:
        uci: The move in UCI, such as ``g1f3``, ``e7e8q`` or, for castling, ``e1g1``.
        fen: The position, as a FEN or a board; the initial position by default.

    Raises:
        ValueError: The FEN is none, its position is statically invalid, the move is not in UCI, or
            not legal. (The classes are ``FenError`` in ``sanproof.verify.notation.position``, and
            ``MalformedUci`` and ``IllegalMove`` in ``sanproof.verify.notation.writing``.)
        TypeError: The move is no string, or the position neither a FEN nor a board.
    """
    from sanproof.verify.notation.writing import write as write_move  # noqa: PLC0415 - loads python-chess

    if not isinstance(uci, str):
        raise TypeError(f"{uci!r} is not a string")
    return write_move(uci, fen)


def _open(run: Run) -> Archive:
    return open_archive(None if run is None else Path(run))


def _complete(run: Run) -> Archive:
    return open_complete(None if run is None else Path(run))


def _identity(run: Run) -> tuple[Path, tuple[int, ...]]:
    """Where a run is, and which: another one may be written to the same place later."""
    return _published() if run is None else _found(Path(run))


@cache
def _published() -> tuple[Path, tuple[int, ...]]:
    return _found(published_directory())


def _found(directory: Path) -> tuple[Path, tuple[int, ...]]:
    try:
        found = (directory / MANIFEST).lstat()
    except OSError:
        return directory, ()  # opening it says what is wrong
    return directory, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=4)
def _strings(directory: Path, identity: tuple[int, ...]) -> frozenset[str]:  # noqa: ARG001
    """The reachable strings of a complete run, read once for each identity."""
    return open_complete(directory).reachable()


@lru_cache(maxsize=2)
def _witnesses(directory: Path, identity: tuple[int, ...]) -> WitnessTable:  # noqa: ARG001
    """The witness of each of them."""
    return open_complete(directory).witness_table()


@lru_cache(maxsize=2)
def _observed(directory: Path, identity: tuple[int, ...]) -> Observed | None:  # noqa: ARG001
    """How often each of them was played."""
    return open_observed(directory)
