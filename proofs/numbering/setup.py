"""The board and the men that a game of the plausible numbering starts with.

Chess is one of them. Smaller ones exist so that tests can list all positions one by one.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

BLOCKED: Final = ":"
"""A square that stays empty: a pawn has just run over it, or from it."""
BETWEEN: Final = ","
"""A square between two opposed pawns: no pawn stands there, but a piece may."""


@dataclass(frozen=True)
class Setup:
    """A board and the men at the start; both sides have the same.

    Squares are numbered as a FEN names them: 0 is the file a of the last rank, White moves towards
    lower numbers. Pawns stand on neither the first nor the last rank. Each side has one king and
    as many pawns as there are files.
    """

    files: int = 8
    ranks: int = 8
    officers: dict[str, int] = field(default_factory=lambda: {"Q": 1, "R": 2, "B": 2, "N": 2})
    """The pieces that a pawn may become, with how many there are at the start."""
    castling: bool = True
    """Whether there are castling rights; needs 8 files and two rooks."""
    en_passant: bool = True
    """Whether there are captures in passing; needs 8 ranks, where double steps are as in chess."""

    @cached_property
    def kinds(self) -> str:
        """The pieces in the order in which they are numbered: the king, then the officers."""
        return "K" + "".join(self.officers)

    @cached_property
    def men(self) -> int:
        """How many men both sides start with."""
        return 2 * (self.files + 1 + sum(self.officers.values()))

    @cached_property
    def squares(self) -> int:
        """How many squares the board has."""
        return self.files * self.ranks

    @cached_property
    def pawn_squares(self) -> range:
        """The squares on which a pawn may stand."""
        return range(self.files, self.squares - self.files)

    def __hash__(self) -> int:
        return hash((self.files, self.ranks, *self.officers.items(), self.castling))


CHESS: Final = Setup()
