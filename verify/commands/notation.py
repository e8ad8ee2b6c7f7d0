"""``sanproof read`` and ``sanproof write``: a move of a position as text, and back."""

import json
from typing import TYPE_CHECKING, Final

import click

from sanproof.verify.commands.options import format_option, position
from sanproof.verify.errors import ANSWER_NO
from sanproof.verify.findings.width import fitted

if TYPE_CHECKING:
    import chess

_INITIAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


_fen_option = click.option(
    "--fen",
    "board",
    metavar="FEN",
    default=_INITIAL,
    show_default="the initial position",
    type=position,
    help="The position, in quotes: placement, player to move, castling rights, en passant.",
)
_form_option = format_option(["text", "json"])


@click.command()
@click.argument("san", metavar="TEXT")
@_fen_option
@_form_option
@click.pass_context
def read(context: click.Context, san: str, board: "chess.Board", form: str) -> None:
    """Say what TEXT means as a move in a position.

    \b
    The verdict is one of
      canonical        it is the SAN of a legal move
      understandable   it means one legal move, but is not its SAN;
                       each deviation is named, such as missing-check
      ambiguous        it could be several legal moves
      illegal          it means no legal move; the reason is given
      not-san          it is not a move; the first wrong character is given

    \b
    Try:
      sanproof read Nf3
      sanproof read 'Ng1-f3!'
      sanproof read exd6ep --fen '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2'

    Put a text that starts with a hyphen after `--`. With --format json, the
    verdict is in `verdict`, the move in `uci` and `canonical`, the names of the
    deviations in `deviations`.

    Exit codes: 0 canonical, 1 any other verdict, 2 misuse, such as a bad FEN.
    """  # noqa: D301 - click takes the character
    from sanproof.verify.notation.layout import reading_text, text_width
    from sanproof.verify.notation.reading import ReadingVerdict, judge, reading_json

    reading = judge(san, board)
    if form == "json":
        _print_json(reading_json(reading) | {"fen": board.fen()})
    else:
        click.echo(reading_text(reading, board, text_width()))
    if reading.verdict is not ReadingVerdict.CANONICAL:
        context.exit(ANSWER_NO)


@click.command()
@click.argument("uci", metavar="MOVE")
@_fen_option
@_form_option
@click.pass_context
def write(context: click.Context, uci: str, board: "chess.Board", form: str) -> None:
    """Write MOVE as SAN in a position, and explain why.

    MOVE is in UCI: the origin, the destination and any promotion piece, such as g1f3 or e7e8q.
    Castling is the king's move: e1g1. The answer names the pieces that make a discriminator
    necessary, and those that do not because they are pinned or blocked.

    \b
    Try:
      sanproof write g1f3
      sanproof write b1d2 --fen '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1'

    Exit codes: 0 written, 1 the move is illegal (the reason is given), 2 misuse, such as a bad FEN.
    """  # noqa: D301 - click takes the character
    from sanproof.proofs.board.drawing import drawn
    from sanproof.verify.notation.layout import text_width, writing_text
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
        click.echo(writing_text(writing, board, text_width()))


def _print_json(content: dict[str, object]) -> None:
    click.echo(json.dumps(content, indent=2))
