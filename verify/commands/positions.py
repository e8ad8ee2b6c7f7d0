"""``sanproof position``: positions by their numbers, and back."""

import re
from typing import Final

import click

from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.options import command, in_a_sentence

NUMBERINGS: Final[dict[str, Numbering]] = {"plausible": PLAUSIBLE, "placements": PLACEMENTS}
MOST_DIGITS: Final = 100
"""More than any number of a position has; Python reads no very long ones."""


@command
@click.argument("text", nargs=-1, required=True, metavar="NUMBER|FEN")
@click.option(
    "--numbering", type=click.Choice(list(NUMBERINGS)), default="plausible", help="The numbering."
)
def position(text: tuple[str, ...], numbering: str) -> None:
    """Convert between a position and its number.

    Try:
      sanproof position 4363356584943110212154534698526026458664867108
      sanproof position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      sanproof position --numbering placements 0

    It prints the number and the FEN on one line. The FEN needs no quotes.

    The numberings:
      plausible    positions whose pieces, pawns and promotions are consistent,
                   fewer than 10^46, numbered as by John Tromp's
                   ChessPositionRanking. A position may have several numbers. The
                   last two fields of the FEN are not move counters: they say
                   which of its numbers this is, from 0, and how many it has. A
                   FEN with move counters gets the first number of its position.
      placements   every way to fill 64 squares, 13^64 of them. The number's 64
                   digits in base 13 are the squares from a8 to h1; 0 to 12 stand
                   for PNBRQKpnbrqk and empty.

    In Python, sanproof.positions draws positions at random, too.
    """
    words, numbered = " ".join(text).strip(), NUMBERINGS[numbering]
    with in_a_sentence():
        if re.fullmatch("[+-]?[0-9]+", words):
            if len(words) > MOST_DIGITS:
                raise ValueError(f"{words[:40]}... has more than {MOST_DIGITS} digits")
            number = int(words)
        elif "/" in words:
            number = numbered.number(words)
        else:
            raise ValueError(f"{words!r} is neither a whole number nor a FEN")
        click.echo(f"{number} {numbered.position(number)}")
