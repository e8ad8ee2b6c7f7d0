"""Replays a run's games by the kernel, and its positions, and writes down what they play."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain, pairwise
from sys import intern
from typing import Final, TypeVar

from sanproof.proofs.board.witness import Witness, WitnessError, checked_witness
from sanproof.proofs.games.game import CheckedGame, Recorder, read_line
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.reports.tables.names import WITNESSES

T = TypeVar("T")
ReplayedGame = tuple[Shown, CheckedGame]
"""What a game shows, as the kernel says, and its record."""
PackedGame = tuple[Shown, str, str, str, str]
"""The same in few objects, for it goes from one process to another: what a game shows, its line,
its moves in SAN, and the positions before and after the string's move."""
BATCH: Final = 1000


def replay(text: str, executor: Executor, name: str = GAMES) -> Iterator[list[ReplayedGame]]:
    """Have the games of a file replayed, part by part; the work begins at once.

    Raises:
        EvidenceError: The lines are not whole, sorted and all different, a string has two games of
            a player, or a game does not hold.
    """
    replaying = _map(partial(replay_lines, name=name), _in_pairs(name, text), executor)
    return ([unpacked(*each) for each in batch] for batch in replaying)


def file_of(lines: Iterable[str]) -> str:
    """Return the file of games with these lines."""
    return "".join(f"{line}\n" for line in sorted(lines))


def _map(work: Callable[[Sequence[str]], T], items: Sequence[str], by: Executor) -> Iterator[T]:
    return by.map(work, [items[i : i + BATCH] for i in range(0, len(items), BATCH)])


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
    return list(chain.from_iterable(both.values() for both in pairs.values()))


def replay_lines(lines: Sequence[str], name: str) -> list[PackedGame]:
    """Have the kernel replay games; an EvidenceError, for the file of this name, if one is wrong.

    Games that are sorted take half the time, and half of that if each is followed by the same game
    with the colours exchanged.
    """
    recorder = Recorder()
    found = []
    try:
        for line in lines:
            shown, (_, sans, before, after) = recorder.record(line)
            found.append((shown, line, " ".join(sans), before, after))
    except EvidenceError as error:
        raise EvidenceError(f"{name}{str(error).removeprefix(GAMES)}") from error
    return found


def unpacked(shown: Shown, line: str, sans: str, before: str, after: str) -> ReplayedGame:
    """Return the record of a game; equal moves are one string in memory."""
    game = read_line(line)
    game = game._replace(moves=tuple(map(intern, game.moves)))
    played = tuple(map(intern, sans.split(" ")))
    return shown, CheckedGame(game, played, before, after)


def check_positions(rows: Sequence[str], executor: Executor) -> Iterator[list[Witness]]:
    """Have rows of a string, a FEN and a move (UCI) checked; an EvidenceError if one is wrong."""
    return _map(check_rows, rows, executor)


def check_rows(rows: Sequence[str]) -> list[Witness]:
    """Check that each row's move is legal in its position and written as its string."""
    try:
        return [checked_witness(*row.split(",")[:3]) for row in rows]
    except (TypeError, WitnessError) as error:
        raise EvidenceError(f"{WITNESSES}: {error}") from error
