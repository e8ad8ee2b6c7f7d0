"""``sanproof position`` and ``sanproof positions``: positions by their numbers, and back."""

import re
from typing import Final

import click

from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering, Placements, read_where
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.options import (
    command,
    flag,
    in_a_sentence,
    number_option,
    seed_option,
)

NUMBERINGS: Final[dict[str, Numbering]] = {"plausible": PLAUSIBLE, "placements": PLACEMENTS}
_INTEGER: Final = "[+-]?[0-9]+"
_numbering_option = click.option(
    "--numbering", type=click.Choice(list(NUMBERINGS)), default="plausible", help="The numbering."
)


def whole_number(value: str) -> int:
    """Return a whole number, as the type of an option; Python reads no very long ones."""
    if not re.fullmatch(_INTEGER, value) or len(value) > 100:
        raise click.BadParameter(f"{value[:40]!r} is not a whole number of at most 100 digits.")
    return int(value)


@command
@click.argument("text", nargs=-1, required=True, metavar="NUMBER|FEN")
@_numbering_option
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
    """
    words, numbered = " ".join(text).strip(), NUMBERINGS[numbering]
    is_number = re.fullmatch(_INTEGER, words)
    with in_a_sentence():
        if not is_number and "/" not in words:
            raise ValueError(f"{words!r} is neither a whole number nor a FEN")
        number = whole_number(words) if is_number else numbered.number(words)
        click.echo(f"{number} {numbered.position(number)}")


@command
@click.option("--from", "start", metavar="N", type=whole_number, help="The first number, or 0.")
@number_option("--count", "The number of positions to look at.", 0, default=10)
@seed_option
@flag("--legal-looking", "Leave out positions that fail static tests, and say how many were kept.")
@click.option(
    "--where",
    multiple=True,
    metavar="SQUARE=PIECE",
    help="Placements: require a piece on a square (d5=P), or an empty square (e4=.). Repeatable.",
)
@_numbering_option
def positions(
    start: int | None,
    count: int,
    numbering: str,
    seed: int | None,
    where: tuple[str, ...],
    *,
    legal_looking: bool,
) -> None:
    """List numbered positions, in order or at random.

    Try:
      sanproof positions --from 1000 --count 5
      sanproof positions --numbering placements --where d5=P --seed 7
      sanproof positions --seed 7 --count 100 --legal-looking

    A uniform sample of the plausible positions is full of promoted pieces. About one in ten passes
    the tests of --legal-looking: the kings are apart, the side that has moved is not in check, some
    move could have given the check, and some pawns could have promoted. Such a position need not be
    legal: in one sample, 538 of 919 were.
    """
    from sanproof.proofs.numbering.plausibility import looks_legal

    numbered = among = NUMBERINGS[numbering]
    with in_a_sentence():
        if seed is not None and start is not None:
            raise ValueError("Both --from and --seed were given: choose one")
        if where:
            if numbered is not PLACEMENTS:
                raise ValueError("--where needs --numbering placements")
            among = Placements(read_where(where))
            start = among.number(numbered.position(start)) if start else start
        numbers = (
            among.numbers_from(start or 0, count)
            if seed is None
            else among.random_numbers(seed, count)
        )
    seen = kept = 0
    for number in numbers:
        fen = among.position(number)
        seen += 1
        if not legal_looking or looks_legal(fen):
            kept += 1
            click.echo(f"{number if among is numbered else numbered.number(fen)} {fen}")
    if legal_looking:
        share = f" ({kept / seen:.1%})" if seen else ""
        click.echo(f"Kept {kept} of {seen} positions{share}.", err=True)
