"""Checks the rows of the table of the shortest games: the games, and then the bounds. Untrusted."""

from collections.abc import Iterable

from sanproof.proofs.games.player import play_game
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.games import GameError, check_games
from sanproof.proofs.shortest.table import TABLE, ShortestRow


def check_rows(rows: Iterable[ShortestRow], *, by_kernel: bool = True) -> None:
    """Check that each row's game is legal to a mate, and has the string at the ply.

    Args:
        rows: The rows; checked faster if those whose games begin alike follow one another.
        by_kernel: The kernel replays the games, with python-chess; otherwise compiled code does.

    Raises:
        EvidenceError: A row does not hold, or its bound is above its ply.
    """
    rows = list(rows)
    for row in rows:
        if row.bound > row.ply:
            raise EvidenceError(
                f"{TABLE}: {row.player}'s {row.san}: its bound {row.bound} is above {row.ply}"
            )
    if by_kernel:
        check_games(row.line for row in rows)
        return
    for row in rows:
        try:
            play_game(" ".join(row.moves), row.ply - 1, row.san)
        except GameError as error:
            raise EvidenceError(f"{TABLE}: {error}") from error
