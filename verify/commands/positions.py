"""``sanproof position`` and ``sanproof positions``: positions by their numbers, and back."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import click

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering, Placements, fits, read_where
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.options import (
    format_option,
    in_a_sentence,
    number_option,
    seed_option,
)
from sanproof.verify.errors import Failure

NUMBERINGS: Final[dict[str, Numbering]] = {"plausible": PLAUSIBLE, "placements": PLACEMENTS}
FORMS: Final = ("text", "json", "jsonl", "csv")
USUAL_COUNT: Final = 10

_INTEGER: Final = "[+-]?[0-9]+"
_MAX_DIGITS: Final = 100
"""More digits than the number of any position; Python refuses to read very long numbers."""


NumberedPosition = tuple[int, str]
"""A number, and the FEN of its position."""


def whole_number(value: str) -> int:
    """Return a whole number; one with more digits than that of any position is refused."""
    if not re.fullmatch(_INTEGER, value):
        raise click.BadParameter(f"{value!r} is not a whole number.")
    if (digits := len(value)) > _MAX_DIGITS:
        raise click.BadParameter(
            f"a number with {digits} digits is larger than that of any position."
        )
    return int(value)


# Forms. A number is written as a string in JSON: many programs read numbers as doubles, which
# hold no more than 16 digits.


def _print(found: Iterable[NumberedPosition], form: str) -> None:
    if form == "csv":
        from sanproof.reports.tables.files import csv_lines

        sys.stdout.writelines(csv_lines(("number", "fen"), found))
        sys.stdout.flush()
        return
    separator = {"text": "", "json": "[\n", "jsonl": ""}[form]
    for number, fen in found:
        line = json.dumps({"number": str(number), "fen": fen})
        click.echo(separator + (f"{number} {fen}" if form == "text" else line), nl=form != "json")
        separator = ",\n" if form == "json" else ""
    if form == "json":
        click.echo("[]" if separator == "[\n" else "\n]")


# The command line.


_numbering_option = click.option(
    "--numbering",
    type=click.Choice(list(NUMBERINGS)),
    default="plausible",
    help="The numbering.",
)
_form_option = format_option(FORMS, "The format of the positions; in JSON numbers are strings.")


@click.command()
@click.argument("text", nargs=-1, required=True, metavar="NUMBER|FEN")
@_numbering_option
@_form_option
@click.option("--board", "board", flag_value="letters", help="Draw the board too.")
@click.option("--figures", "board", flag_value="figures", help="Draw it with symbols such as ♔.")
def position(text: tuple[str, ...], numbering: str, form: str, board: str | None) -> None:
    """Show the position of a number, or the number of a position.

    \b
    plausible    positions whose pieces, pawns and promotions are consistent,
                 fewer than 10^46, numbered as by John Tromp's
                 ChessPositionRanking. A position may have several numbers. The
                 last two fields of the FEN are not move counters: they say
                 which of its numbers this is, from 0, and how many it has.
    placements   every way to fill 64 squares, 13^64 of them. The number's 64
                 digits in base 13 are the squares from a8 to h1; 0 to 12 stand
                 for PNBRQKpnbrqk and empty.

    It prints the number and the FEN on one line. The FEN needs no quotes. A FEN with ordinary move
    counters gets the first number of its position.

    \b
    Try:
      sanproof position 4363356584943110212154534698526026458664867108
      sanproof position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      sanproof position --numbering placements 0
      sanproof position 1000 --board
    """  # noqa: D301 - click takes the character
    words, numbered = " ".join(text).strip(), NUMBERINGS[numbering]
    is_number = re.fullmatch(_INTEGER, words)
    if not is_number and "/" not in words:
        raise Failure(f"{words!r} is neither a whole number nor a FEN.")
    with in_a_sentence():
        number = whole_number(words) if is_number else numbered.number(words)
        found = (number, numbered.position(number))
    if board and form != "text":
        raise Failure(f"--board and --figures need text: leave out --format {form}.")
    _print([found], form)
    if board:
        click.echo(f"\n{drawn(found[1], figures=board == 'figures')}")


@click.command()
@click.option(
    "--from",
    "start",
    metavar="N",
    type=whole_number,
    show_default="0",
    help="The first number.",
)
@number_option(
    "--count", "The number of positions to look at.", 0, metavar="K", default=USUAL_COUNT
)
@seed_option("Draw the numbers uniformly, with repetition; the same seed draws the same.", "S")
@click.option(
    "--legal-looking",
    is_flag=True,
    help="Leave out positions that fail static tests, and say how many were kept.",
)
@click.option(
    "--where",
    multiple=True,
    metavar="SQUARE=PIECE",
    help="Require a piece on a square, such as d5=P, or e4=. for none. Repeatable.",
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
    """List positions with their numbers: a slice, or a random sample.

    A uniform sample of the plausible positions is full of promoted pieces. About one in ten passes
    the tests of `--legal-looking`: the kings are apart, the side that has moved is not in check,
    some move could have given the check, and some pawns could have promoted. Such a position need
    not be legal: in one sample, 538 of 919 were.

    With `--where`, all of the K placements match; of K plausible positions, those that match are
    kept and counted.

    \b
    Try:
      sanproof positions --from 1000 --count 5
      sanproof positions --numbering placements --where d5=P --seed 7
      sanproof positions --seed 7 --count 100 --legal-looking
      sanproof positions --seed 7 --count 1000 --format csv > sample.csv
    """  # noqa: D301
    if seed is not None and start is not None:
        raise Failure("Both --from and --seed were given: choose one.")
    numbered = NUMBERINGS[numbering]
    with in_a_sentence():
        asked = read_where(where)
        among = Placements(asked) if asked and numbered is PLACEMENTS else numbered
        if seed is not None:
            numbers = among.random_numbers(seed, count)
        else:
            first = start or 0
            if among is not numbered and first:
                first = among.number(numbered.position(first))
            numbers = among.numbers_from(first, count)
    found: Iterator[NumberedPosition] = ((number, among.position(number)) for number in numbers)
    if among is not numbered:
        found = ((numbered.number(fen), fen) for _, fen in found)
    counts: Counter[bool] = Counter()
    tests: list[Callable[[str], bool]] = []
    if asked and among is numbered:
        tests.append(lambda fen: fits(fen, asked))
    if legal_looking:
        from sanproof.proofs.numbering.plausibility import looks_legal

        tests.append(looks_legal)
    if tests:
        found = (one for one in found if _counted(all(test(one[1]) for test in tests), counts))
    _print(found, form)
    if tests:
        kept, seen = counts[True], counts.total()
        share = f" ({kept / seen:.1%})" if seen else ""
        click.echo(f"Kept {kept} of {seen} positions{share}.", err=True)


def _counted(kept: bool, counts: Counter[bool]) -> bool:
    counts[kept] += 1
    return kept
