"""Replays the games of a run with the kernel, checks its positions, and records the moves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain, pairwise
from typing import Final, TypeVar

from sanproof.proofs.board.witness import Witness, WitnessError, checked_witness
from sanproof.proofs.games.game import CheckedGame, Recorder
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.reports.tables.names import COVER, WITNESSES

T = TypeVar("T")
BATCH: Final = 1000


def replay(text: str, executor: Executor, name: str = GAMES) -> Iterator[list[CheckedGame]]:
    """Replay the games of a file in batches. The work begins at once.

    Raises:
        EvidenceError: The lines are not complete, sorted and distinct, a string has two games of a
            player, or a game is wrong.
    """
    return executor.map(partial(replay_lines, name=name), batches(_in_pairs(name, text)))


def file_of(lines: Iterable[str]) -> str:
    """Return the content of the file of games with these lines."""
    return "".join(f"{line}\n" for line in sorted(lines))


def batches(items: Sequence[T]) -> list[Sequence[T]]:
    """Return a thousand items after the other, as much as a worker gets at once."""
    return [items[i : i + BATCH] for i in range(0, len(items), BATCH)]


def _in_pairs(name: str, text: str) -> list[str]:
    """Return the lines; games that should end alike but for the colours follow one another."""
    lines = text.removesuffix("\n").split("\n") if text else []
    if any(a >= b for a, b in pairwise(lines)) or not text.endswith("\n" if text else ""):
        raise EvidenceError(f"{name}: its lines are not whole, sorted and all different")
    pairs: dict[str, dict[bool, str]] = defaultdict(dict)
    for line in lines:
        _, ply, san = f"  {line}".rsplit(" ", 2)
        black = ply[-1:] in {*"02468"}
        both = pairs[exchanged_ranks(san) if black else san]
        if both.setdefault(black, line) is not line:
            raise EvidenceError(f"{name}: two games show {san[:20]!a} of the same player")
    # The games of a cover end otherwise.
    return lines if name == COVER else [*chain.from_iterable(b.values() for b in pairs.values())]


def replay_lines(lines: Sequence[str], name: str) -> list[CheckedGame]:
    """Replay games with the kernel, or raise an EvidenceError that begins with ``name``.

    Games that are sorted take half the time, and half of that if each is followed by the same game
    with the colours exchanged.
    """
    try:
        return list(map(Recorder().record, lines))
    except EvidenceError as error:
        raise EvidenceError(f"{name}{str(error).removeprefix(GAMES)}") from error


def check_positions(rows: Sequence[str], executor: Executor) -> Iterator[list[Witness]]:
    """Check rows of a string, a FEN and a move (UCI), or raise an EvidenceError if one is wrong."""
    return executor.map(_check_rows, batches(rows))


def _check_rows(rows: Sequence[str]) -> list[Witness]:
    try:
        return [checked_witness(*row.split(",")[:3]) for row in rows]
    except (TypeError, WitnessError) as error:
        raise EvidenceError(f"{WITNESSES}: {error}") from error
