"""``sanproof position`` and ``sanproof positions``: positions by their numbers, and back."""

import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import Final

import click

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering, Placements, fits, read_where
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.options import (
    command,
    flag,
    format_option,
    in_a_sentence,
    number_option,
    seed_option,
)
from sanproof.verify.errors import Failure

NUMBERINGS: Final[dict[str, Numbering]] = {"plausible": PLAUSIBLE, "placements": PLACEMENTS}
FORMS: Final = ("text", "json", "csv")

_INTEGER: Final = "[+-]?[0-9]+"

NumberedPosition = tuple[int, str]
"""A number, and the FEN of its position."""


def whole_number(value: str) -> int:
    """Return a whole number, as the type of an option; Python reads no very long ones."""
    if not re.fullmatch(_INTEGER, value) or len(value) > 100:
        raise click.BadParameter(f"{value[:40]!r} is not a whole number of at most 100 digits.")
    return int(value)


def _print(found: Iterable[NumberedPosition], form: str) -> None:
    if form == "csv":
        from sanproof.reports.tables.files import csv_lines

        sys.stdout.writelines(csv_lines(("number", "fen"), found))
        sys.stdout.flush()
    elif form == "json":  # many programs read a number as a double, which holds 16 digits
        click.echo(json.dumps([{"number": str(n), "fen": fen} for n, fen in found], indent=1))
    else:
        for number, fen in found:
            click.echo(f"{number} {fen}")


_numbering_option = click.option(
    "--numbering",
    type=click.Choice(list(NUMBERINGS)),
    default="plausible",
    help="The numbering.",
)
_form_option = format_option(FORMS, "The format of the positions; in JSON numbers are strings.")


@command
@click.argument("text", nargs=-1, required=True, metavar="NUMBER|FEN")
@_numbering_option
@_form_option
@flag("--board", "Draw the board too.")
def position(text: tuple[str, ...], numbering: str, form: str, *, board: bool) -> None:
    """Convert between a position and its number.

    Try:
      sanproof position 4363356584943110212154534698526026458664867108
      sanproof position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      sanproof position --numbering placements 0
      sanproof position 1000 --board

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
    if not is_number and "/" not in words:
        raise Failure(f"{words!r} is neither a whole number nor a FEN.")
    if board and form != "text":
        raise Failure(f"--board needs text: leave out --format {form}.")
    with in_a_sentence():
        number = whole_number(words) if is_number else numbered.number(words)
        found = (number, numbered.position(number))
    _print([found], form)
    if board:
        click.echo(f"\n{drawn(found[1])}")


@command
@click.option("--from", "start", metavar="N", type=whole_number, help="The first number, or 0.")
@number_option("--count", "The number of positions to look at.", 0, default=10)
@seed_option
@flag("--legal-looking", "Leave out positions that fail static tests, and say how many were kept.")
@click.option(
    "--where",
    multiple=True,
    metavar="SQUARE=PIECE",
    help="Require a piece on a square, such as d5=P, or e4=. for an empty square. Repeatable.",
)
@_numbering_option
@_form_option
def positions(
    start: int | None,
    count: int,
    numbering: str,
    seed: int | None,
    where: tuple[str, ...],
    *,
    legal_looking: bool,
    form: str,
) -> None:
    """List numbered positions, in order or at random.

    Try:
      sanproof positions --from 1000 --count 5
      sanproof positions --numbering placements --where d5=P --seed 7
      sanproof positions --seed 7 --count 100 --legal-looking
      sanproof positions --seed 7 --count 1000 --format csv > sample.csv

    A uniform sample of the plausible positions is full of promoted pieces. About one in ten passes
    the tests of --legal-looking: the kings are apart, the side that has moved is not in check, some
    move could have given the check, and some pawns could have promoted. Such a position need not be
    legal: in one sample, 538 of 919 were.

    With --numbering placements, --where lists N positions, all of which match. With plausible
    positions, it looks at N positions and lists only those that match.
    """
    if seed is not None and start is not None:
        raise Failure("Both --from and --seed were given: choose one.")
    numbered = NUMBERINGS[numbering]
    tests: list[Callable[[str], bool]] = []
    with in_a_sentence():
        asked = read_where(where)
        among = numbered
        if asked and numbered is PLACEMENTS:
            among = Placements(asked)
            start = among.number(numbered.position(start)) if start else start
        elif asked:
            tests.append(lambda fen: fits(fen, asked))
        if seed is None:
            numbers = among.numbers_from(start or 0, count)
        else:
            numbers = among.random_numbers(seed, count)
    if legal_looking:
        from sanproof.proofs.numbering.plausibility import looks_legal

        tests.append(looks_legal)
    seen = kept = 0

    def found() -> Iterable[NumberedPosition]:
        nonlocal seen, kept
        for number in numbers:
            fen = among.position(number)
            seen += 1
            if all(test(fen) for test in tests):
                kept += 1
                yield (number if among is numbered else numbered.number(fen)), fen

    _print(found(), form)
    if tests:
        share = f" ({kept / seen:.1%})" if seen else ""
        click.echo(f"Kept {kept} of {seen} positions{share}.", err=True)
