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
from sanproof.proofs.shortest.bounds import least_ply
from sanproof.proofs.shortest.table import (
    PUBLISHED,
    TABLE,
    ShortestRow,
    pack_rows,
    read_part,
    read_rows,
)

COUNTED: Final = 8
"""The plies to which all games were counted."""
SAMPLED: Final = 20
"""The kernel replays one game in this many, where compiled code replays all."""


def check_part(packed: bytes, part: str, *, by_kernel: bool) -> list[tuple[str, str]]:
    """Check a part of the table, and return the string and player of each row.

    All games are replayed, by the kernel or by compiled code; the bounds of a sample are proved
    again, and its games are always replayed by the kernel.

    Raises:
        EvidenceError: It is damaged, or a row does not hold.
    """
    rows = list(read_part(packed, part))
    check_rows(rows, by_kernel=by_kernel)
    if not by_kernel:
        check_rows(rows[::SAMPLED])
    check_bounds(rows[::SAMPLED])
    return [(row.san, row.player) for row in rows]


def check_rows(rows: Sequence[ShortestRow], *, by_kernel: bool = True) -> None:
    """Check that each row's game is legal to a mate, and has the string at the ply.

    Args:
        rows: The rows; checked faster if those whose games begin alike follow one another.
        by_kernel: The kernel replays the games, with python-chess; otherwise compiled code does.

    Raises:
        EvidenceError: A row does not hold, or its bound is above its ply.
    """
    for row in rows:
        if row.bound > row.ply:
            raise EvidenceError(
                f"{TABLE}: {row.player}'s {row.san}: its bound {row.bound} is above {row.ply}"
            )
    lines = [row.line for row in rows]
    if not by_kernel:
        from sanproof.proofs.shortest.replay import holds  # noqa: PLC0415 - needs numba

        lines = [row.line for row in rows if not holds(row.moves, row.ply, row.san)]
    try:
        shown = check_games(lines)
    except EvidenceError as error:
        raise EvidenceError(f"{TABLE}{str(error).removeprefix(GAMES)}") from error
    if shown and not by_kernel:
        raise EvidenceError(f"{TABLE}: compiled code plays {lines[0][-40:]} otherwise")


def check_bounds(rows: Sequence[ShortestRow]) -> None:
    """Check that no bound is higher than one that is proved.

    Raises:
        EvidenceError: One is.
    """
    for row in rows:
        proved = provable(row)
        if row.bound > proved:
            raise EvidenceError(
                f"{TABLE}: {row.player}'s {row.san} has the bound {row.bound}, and {proved} "
                "is what is proved"
            )


def provable(row: ShortestRow) -> int:
    """Return the ply before which no game of the player has a row's string, by count or argument.

    Raises:
        EvidenceError: The argument says that there is no such game.
    """
    proved = least_ply(row.san, row.player)
    if proved is None:
        raise EvidenceError(f"{TABLE}: {row.player} never writes {row.san}, by the argument")
    first_uncounted = COUNTED + 2 - row.ply % 2  # each player has moved every second ply
    return max(proved, min(row.ply, first_uncounted))


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
