"""Which game the page shows for a string: a quiet and early one where there is a choice."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from sanproof.reports.exports.archive import Archive, ArchiveError, GameRow, WitnessRow

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
    """Choose what to show for the strings of a run.

    A string without suffix is shown where it is played earliest in any game of the run, and of
    equally early moments in the game with the fewest captures. A string with ``+`` or ``#`` is
    shown in the game that was made for it: there the check is given in the way that
    :mod:`reports.page.mechanisms` counts. All witnesses name a game.

    Raises:
        ArchiveError: A string has no game, or a game does not show its string.
    """
    earliest = _Earliest()
    made_for: dict[str, dict[int, Moment]] = defaultdict(dict)
    moves: dict[int, str] = {}
    plies = 0
    for game in archive.games():
        moment = _shown(archive, game)
        made_for[game.san].setdefault(moment.ply % 2, moment)
        earliest.add(game)
        moves[game.number] = " ".join(game.sans)
        plies += len(game.sans)
    moments: dict[str, list[Moment]] = {}
    for row in witnesses:
        if row.game not in moves:
            raise ArchiveError(f"{archive.directory} has no game {row.game}")
        found = made_for if row.san[-1] in "+#" else earliest.moments
        moments[row.san] = _in_order(found.get(row.san, {}).values(), row)
        if not moments[row.san]:
            raise ArchiveError(f"{archive.directory} has no game that shows {row.san}")
    shown = {moment.game for both in moments.values() for moment in both}
    players = Counter(_players(both) for both in moments.values())
    return Games(moments, {n: moves[n] for n in sorted(shown)}, len(moves), plies, players)


class _Earliest:
    """Finds the earliest moment of each string without suffix, for each player."""

    def __init__(self) -> None:
        self.moments: dict[str, dict[int, Moment]] = defaultdict(dict)
        self._ranks: dict[tuple[str, int], tuple[int, int]] = {}

    def add(self, game: GameRow) -> None:
        """Compare the moves of a game with the earliest ones of the games before it."""
        captures = sum("x" in san for san in game.sans)
        for ply, san in enumerate(game.sans):
            if san[-1] not in "+#":
                key = (san, ply % 2)
                rank = (ply, captures)
                if key not in self._ranks or rank < self._ranks[key]:
                    self._ranks[key] = rank
                    self.moments[san][ply % 2] = Moment(game.number, ply)


def _shown(archive: Archive, game: GameRow) -> Moment:
    """When a game shows its string."""
    if game.ply > len(game.sans) or game.sans[game.ply - 1] != game.san:
        raise ArchiveError(f"{archive.directory} has game {game.number}, which lacks {game.san}")
    return Moment(game.number, game.ply - 1)


def _in_order(moments: Iterable[Moment], row: WitnessRow) -> list[Moment]:
    """The witness's own game first, then the earlier one."""
    return sorted(moments, key=lambda moment: (moment.game != row.game, moment.ply))


def _players(moments: Iterable[Moment]) -> str:
    return " and ".join(PLAYERS[parity] for parity in sorted({m.ply % 2 for m in moments}))
