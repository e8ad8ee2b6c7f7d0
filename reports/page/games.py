"""Which moment of which game the page shows for a string."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow

PLAYERS: Final = ("White", "Black")


class Moment(NamedTuple):
    """In which game (from 1) a string is played, at which ply (from 0: even if White plays it)."""

    game: int
    ply: int


class Games(NamedTuple):
    """The games of a run, as far as the page needs them.

    Each reachable string has a moment for each player who can play it, the one to show first being
    the first. ``moves`` has those of each game that a moment names, in SAN with blanks between;
    ``total`` and ``plies`` are of all games. Strings are counted by ``players``: ``White and
    Black``, ``White`` or ``Black``.
    """

    moments: dict[str, list[Moment]]
    moves: dict[int, str]
    total: int
    plies: int
    players: Counter[str]


def choose_games(archive: Archive, witnesses: Iterable[WitnessRow]) -> Games:
    """What to show for the strings of a run: the places that its witnesses name.

    Raises:
        ArchiveError: A string has no game, or a game does not show its string.
    """
    moves = {game.number: " ".join(game.sans) for game in archive.games()}
    moments = {row.san: _moments(archive, row, moves) for row in witnesses}
    shown = {moment.game for both in moments.values() for moment in both}
    players = Counter(_players(both) for both in moments.values())
    plies = sum(text.count(" ") + 1 for text in moves.values())
    return Games(moments, {n: moves[n] for n in sorted(shown)}, len(moves), plies, players)


def _moments(archive: Archive, row: WitnessRow, moves: dict[int, str]) -> list[Moment]:
    for number, ply in row.places:
        if number not in moves:
            raise ArchiveError(f"{archive.directory} has no game {number}")
        if moves[number].split(" ")[ply - 1 : ply] != [row.san]:
            raise ArchiveError(f"{archive.directory} has game {number}, which lacks {row.san}")
    if not row.places:
        raise ArchiveError(f"{archive.directory} has no game that shows {row.san}")
    return [Moment(number, ply - 1) for number, ply in row.places]


def _players(moments: Iterable[Moment]) -> str:
    return " and ".join(PLAYERS[parity] for parity in sorted({m.ply % 2 for m in moments}))
