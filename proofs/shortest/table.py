"""The table of the shortest games known: a row for each player and string. Untrusted.

It is a CSV file, sorted by the games, so that those that begin alike stand together and the file is
small. A row says who plays the string and at which ply, what no game can beat, and a whole game: to
mate, in UCI. What makes a row true is the kernel's replay, :func:`check_rows`.
"""

import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.games.game import ProofGame, write_line
from sanproof.proofs.games.player import play_game
from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of
from sanproof.proofs.kernel.games import GameError, check_games
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order

PUBLISHED: Final = "shortest/shortest.csv.xz"
HEADER: Final = "player,san,ply,bound,moves"
_MOVE: Final = "[a-h][1-8][a-h][1-8][nbrq]?"
_ROW: Final = re.compile(
    rf"(white|black),([^,]{{2,8}}),([1-9]\d{{0,2}}),([1-9]\d{{0,2}}),({_MOVE}(?: {_MOVE})*)"
)
_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


class ShortestRow(NamedTuple):
    """A player's shortest game for a string: the ply, from 1, a bound, and moves in UCI to mate."""

    player: str
    san: str
    ply: int
    bound: int
    moves: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether no game is shorter."""
        return self.ply == self.bound

    @property
    def line(self) -> str:
        """The game as a line of the kernel's file of games."""
        return write_line(ProofGame(self.san, self.player, self.ply - 1, self.moves))


def pack_rows(rows: Iterable[ShortestRow]) -> bytes:
    """Return the table's file."""
    in_order = sorted(rows, key=lambda row: (row.moves, row.ply, list_order(row.san)))
    lines = [HEADER]
    for player, san, ply, bound, moves in in_order:
        lines.append(f"{player},{san},{ply},{bound},{' '.join(moves)}")
    text = "".join(f"{line}\n" for line in lines)
    return lzma.compress(text.encode("ascii"), lzma.FORMAT_XZ, filters=_FILTERS)


def read_rows(path: Path) -> Iterator[ShortestRow]:
    """Yield the rows of a table's file.

    Raises:
        EvidenceError: It is not in this form, or lists a player's string twice.
    """
    header, *lines = text_of(path.name, read_bytes(path)).removesuffix("\n").split("\n")
    if header != HEADER:
        raise EvidenceError(f"{path.name}: begins with {header[:60]!a}, not with {HEADER}")
    seen = set()
    for number, line in enumerate(lines, 2):
        match = _ROW.fullmatch(line)
        if match is None:
            raise EvidenceError(f"{path.name}: line {number} is no row: {line[:60]!a}")
        player, san, ply, bound, moves = match.groups()
        if (player, san) in seen:
            raise EvidenceError(f"{path.name}: line {number} lists {player}'s {san} again")
        seen.add((player, san))
        yield ShortestRow(player, san, int(ply), int(bound), tuple(moves.split(" ")))


def check_rows(rows: Sequence[ShortestRow], *, by_kernel: bool = True) -> None:
    """Check each row: its game is legal and mates, and shows the string at the ply, by the player.

    Args:
        rows: The rows, which are checked faster in the table's order.
        by_kernel: The kernel replays the games, with python-chess; otherwise compiled code does.

    Raises:
        EvidenceError: A row does not hold, or its bound is above its ply.
    """
    for row in rows:
        if row.bound > row.ply:
            raise EvidenceError(
                f"{row.player}'s {row.san}: its bound {row.bound} is above {row.ply}"
            )
        if row.player != COLOURS[(row.ply - 1) % 2]:
            raise EvidenceError(f"{row.player}'s {row.san}: ply {row.ply} is the other player's")
    if by_kernel:
        check_games(row.line for row in rows)
        return
    for row in rows:
        try:
            play_game(" ".join(row.moves), row.ply - 1, row.san)
        except GameError as error:
            raise EvidenceError(str(error)) from error


def earliest(rows: Iterable[ShortestRow]) -> dict[str, ShortestRow]:
    """Return for each string the row of the player who is known to write it earlier."""
    best: dict[str, ShortestRow] = {}
    for row in rows:
        if row.san not in best or row.ply < best[row.san].ply:
            best[row.san] = row
    return best
