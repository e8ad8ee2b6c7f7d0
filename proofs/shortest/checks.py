"""Checks the rows of the table of the shortest games: the games, and then the bounds. Untrusted.

That strings of ply 8 or earlier are exact, and that no other is so early, rests on the count of all
games of eight plies (:mod:`proofs.shortest.exhaustion`), which takes too long to be repeated here.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import check_games
from sanproof.proofs.shortest.bounds import argument, least_ply
from sanproof.proofs.shortest.table import PUBLISHED, TABLE, ShortestRow, pack_rows, read_rows

COUNTED: Final = 8
"""The number of plies up to which all games were counted."""
SAMPLED: Final = 20
"""One bound in this many is proved again."""


def check_rows(rows: Sequence[ShortestRow]) -> list[tuple[str, str]]:
    """Check rows of the table, and return the string and player of each.

    The kernel replays all games: each is legal to a mate, with the string at the ply. It is faster
    if those that begin alike follow one another. The bounds of a sample are proved again.

    Raises:
        EvidenceError: A row is wrong.
    """
    try:
        check_games([row.line for row in rows])
    except EvidenceError as error:
        raise EvidenceError(f"{TABLE}{str(error).removeprefix(GAMES)}") from error
    for row in rows[::SAMPLED]:
        if row.bound <= (counted := _counted(row)):
            continue
        found = argument(row.san, row.player, before=row.ply + 2)  # the game's ply, or earlier
        if found is None:
            raise EvidenceError(
                f"{TABLE}: {row.player} plays {row.san} at ply {row.ply}, which the argument for "
                "the bound rules out"
            )
        if row.bound > (proved := max(found.ply, counted)):
            raise EvidenceError(
                f"{TABLE}: {row.player}'s {row.san} has the bound {row.bound}, and {proved} "
                "is what is proved"
            )
    return [(row.san, row.player) for row in rows]


def provable(row: ShortestRow) -> int:
    """Return the ply before which no game of the player has a row's string, by count or argument.

    Raises:
        EvidenceError: By the argument the player never plays the string.
    """
    proved = least_ply(row.san, row.player)
    if proved is None:
        raise EvidenceError(f"{TABLE}: {row.player} never writes {row.san}, by the argument")
    return max(proved, _counted(row))


def _counted(row: ShortestRow) -> int:
    """Return the ply before which the count has no game of the player with a row's string."""
    return min(row.ply, COUNTED + 2 - row.ply % 2)  # each player has moved every second ply


def main(arguments: Sequence[str]) -> int:
    """Write the bounds of a table anew, after a change to the argument; its games stay."""
    if len(arguments) != 1:
        sys.stderr.write(f"Name one table, such as data/{PUBLISHED}.\n")
        return 2
    path = Path(arguments[0])
    rows = [row._replace(bound=provable(row)) for row in read_rows(path)]
    path.write_bytes(pack_rows(rows))
    exact = sum(row.exact for row in rows)
    sys.stdout.write(f"{len(rows):,} rows, {exact:,} of them exact\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
