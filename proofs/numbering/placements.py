"""Numbers every way to put men on the board: the 64-digit numbers in base 13.

The digits and the order of squares are those of Roberto Alsina's "A database of all chess
positions in your own computer" (ralsina.me, after a Quora answer of 2018): a number is written
with 64 digits in base 13, and digit by digit it fills the squares from a8 along the eighth rank
and down to h1. His code drops leading zeros and fills up with blanks instead, so that it is not
one-to-one: digit 0 is a white pawn and a blank is digit 12. Here a number always has its 64
digits, which is a bijection onto 13^64; for numbers that have 64 digits without leading zeros
both agree. tests/proofs/numbering/test_placements.py shows the collision.
"""

from typing import Final

from sanproof.proofs.numbering.fen import EMPTY, read_board, split_fields, write_board
from sanproof.proofs.numbering.numbering import Numbering

DIGITS: Final = "PNBRQKpnbrqk" + EMPTY
SQUARES: Final = 64

_VALUES: Final = {man: value for value, man in enumerate(DIGITS)}
_SIZE: Final[int] = len(DIGITS) ** SQUARES
_OTHER_FIELDS: Final = "w - - 0 1"


class Placements(Numbering):
    """All 13^64 boards, legal or not: any men, any number of kings, pawns on any rank.

    Only the first field of a FEN carries information. `position` writes the others as
    `w - - 0 1`; `number` accepts the first field alone, and reads no meaning into the others.
    """

    @property
    def size(self) -> int:
        """How many boards there are: 13^64."""
        return _SIZE

    def position(self, number: int) -> str:
        """Return the board of a number, as a FEN."""
        self.check_number(number)
        men: list[str] = []
        for _ in range(SQUARES):
            number, digit = divmod(number, len(DIGITS))
            men.append(DIGITS[digit])
        return f"{write_board(''.join(reversed(men)))} {_OTHER_FIELDS}"

    def number(self, position: str) -> int:
        """Return the number of a board that is given as a FEN."""
        number = 0
        for man in read_board(split_fields(position).placement):
            number = number * len(DIGITS) + _VALUES[man]
        return number


PLACEMENTS: Final = Placements()
