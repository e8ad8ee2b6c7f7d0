"""``sanproof read`` and ``sanproof write``: reads and writes a move of a position."""

import json
import sys
from typing import TYPE_CHECKING, Final

import click

from sanproof.verify.commands import options
from sanproof.verify.errors import ANSWER_NO
from sanproof.verify.findings.width import columns_of, filled, fitted

if TYPE_CHECKING:
    import chess

    from sanproof.verify.notation.reading import Reading
    from sanproof.verify.notation.writing import Writing

WIDEST: Final = 80
_INITIAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_fen_option = options.fen(
    "The position, in quotes.", default=_INITIAL, show_default="the initial position"
)
_form_option = options.form(["text", "json"])


@options.command
@click.argument("san", metavar="TEXT")
@_fen_option
@_form_option
@click.pass_context
def read(context: click.Context, san: str, board: "chess.Board", form: str) -> None:
    """Find the move that a text means in a position.

    Try:
      sanproof read Nf3
      sanproof read 'Ng1-f3!'
      sanproof read exd6ep --fen '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2'

    The verdict is one of these:
      canonical        it is the SAN of a legal move
      understandable   it means one legal move, but is not its SAN;
                       each deviation is named, such as missing-check
      ambiguous        it could be several legal moves
      illegal          it means no legal move; the reason is given
      not-san          it is not a move; the first wrong character is given

    If the text starts with a hyphen, put `--` before it. With --format json, the verdict is in
    `verdict`, the move in `uci` and `canonical`, the names of the deviations in `deviations`.

    Exit code 0 if the verdict is canonical, 1 for any other, 2 for wrong usage.
    """
    from sanproof.verify.notation.reading import ReadingVerdict, judge, reading_json

    reading = judge(san, board)
    if form == "json":
        _print_json(reading_json(reading) | {"fen": reading.fen})
    else:
        click.echo(reading_text(reading))
    if reading.verdict is not ReadingVerdict.CANONICAL:
        context.exit(ANSWER_NO)


@options.command
@click.argument("uci", metavar="MOVE")
@_fen_option
@_form_option
@click.pass_context
def write(context: click.Context, uci: str, board: "chess.Board", form: str) -> None:
    """Write a move as SAN, and explain each letter.

    Try:
      sanproof write g1f3
      sanproof write b1d2 --fen '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1'

    MOVE is in UCI, such as g1f3, e7e8q or, for castling, e1g1. The answer names the pieces that
    make SAN write the origin, and those that do not because they are pinned or blocked.

    Exit code 0 if the move is written, 1 if it is illegal (the reason is given), 2 for wrong usage.
    """
    from sanproof.proofs.board.drawing import drawn
    from sanproof.verify.notation.writing import (
        IllegalMove,
        MalformedUci,
        explain_move,
        parse_move,
        writing_json,
    )

    try:
        writing = explain_move(parse_move(uci, board), board)
    except MalformedUci as error:
        raise click.BadParameter(str(error), param_hint="MOVE") from error
    except IllegalMove as error:
        if form == "json":
            refused: dict[str, object] = {"uci": uci, "fen": board.fen(), "san": None}
            _print_json(refused | {"reason": error.obstacle.reason.value, "sentence": str(error)})
        else:
            click.echo(f"{fitted(str(error))}\n\n{drawn(board.fen())}")
        context.exit(ANSWER_NO)
    if form == "json":
        _print_json(writing_json(writing))
    else:
        click.echo(writing_text(writing))


def _print_json(content: dict[str, object]) -> None:
    click.echo(json.dumps(content, indent=2))


def reading_text(reading: "Reading") -> str:
    """Return a reading as text: its sentence, details, and the board if it helps."""
    from sanproof.proofs.board.drawing import drawn

    rows = [
        *((deviation.value, deviation.sentence) for deviation in reading.deviations),
        *((candidate.san, candidate.uci) for candidate in reading.candidates),
        *((obstacle.reason.value, obstacle.sentence) for obstacle in reading.obstacles[1:]),
    ]
    begins = max((len(name) for name, _ in rows), default=0) + 4
    lines = [f"  {name}".ljust(begins) + text for name, text in rows]
    table = "\n".join(_filled(line, begins - 2) for line in lines)
    board = drawn(reading.fen) if reading.candidates or reading.obstacles else ""
    return "\n\n".join(filter(None, [_filled(reading.sentence), table, board]))


def writing_text(writing: "Writing") -> str:
    """Return a writing as text, with the board."""
    from sanproof.proofs.board.drawing import drawn

    head = f"{writing.uci} is written {writing.san}."
    points = [_filled(f"  - {sentence}", 2) for sentence in writing.explanation]
    return "\n\n".join([head, "\n".join(points), drawn(writing.fen)])


def _filled(text: str, further: int = 0) -> str:
    """Wrap a line to 80 columns, or to a narrower terminal."""
    return filled(text, min(WIDEST, columns_of(sys.stdout) or WIDEST), further)
