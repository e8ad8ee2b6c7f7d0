"""``sanproof explain``: strings, each with its game or its reason."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sanproof.proofs.board.malformed import MalformedSan, is_san, read_san
from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.exports.meant import hint
from sanproof.verify.commands.options import format_option, position, run_option
from sanproof.verify.errors import ANSWER_NO, Failure
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.explain.show import PUBLISHED, exit_code, to_json, to_text
from sanproof.verify.findings.width import columns_of, fitted
from sanproof.verify.notation.languages import foreign

if TYPE_CHECKING:
    import chess


def _refuse_malformed(sans: Sequence[str]) -> None:
    """Raise a Failure that says what may be meant if a text is not a SAN string."""
    for text in sans:
        try:
            read_san(text)
        except MalformedSan as error:
            advice = foreign(text, is_san) or hint(text)
            raise Failure(" ".join(filter(None, [f"{error}.", advice]))) from error


def _answers(
    sans: Sequence[str], directory: Path | None, player: str | None, *, prove: bool
) -> Iterator[Answer]:
    """Yield what is known of each string, proved now or looked up."""
    if prove:
        from sanproof.verify.explain.prove import prove as prove_now

        yield from (prove_now(san, black=player == "black") for san in sans)
        return
    try:
        archive = open_complete(directory)
        for san in sans:
            yield look_up(archive, san, player=player)
    except ArchiveError as error:
        raise Failure(f"{error} (--prove needs no data).") from error


def _explain_in(board: "chess.Board", texts: Sequence[str], form: str) -> int:
    """Say of each text what it means in a position, and why the move is written as it is there.

    Returns:
        The exit code: 0 if every text is exactly how its move is written, otherwise 1.
    """
    from sanproof.verify.notation.layout import explanation_json, explanation_text, text_width
    from sanproof.verify.notation.reading import ReadingVerdict, judge

    if form == "json":
        found = [explanation_json(text, board) for text in texts]
        click.echo(json.dumps(found, indent=2))
    else:
        for number, text in enumerate(texts):
            click.echo("\n" * bool(number) + explanation_text(text, board, text_width()))
    verdicts = {judge(text, board).verdict for text in texts}
    return 0 if verdicts == {ReadingVerdict.CANONICAL} else ANSWER_NO


@click.command("explain")
@click.argument("sans", nargs=-1, required=True, metavar="SAN...")
@click.option(
    "--fen",
    "board",
    metavar="FEN",
    type=position,
    help="Say what the texts mean in this position, and why the move is written that way.",
)
@click.option("--white", is_flag=True, help="Show White's move, if White can play the string.")
@click.option("--black", is_flag=True, help="Show Black's move, if Black can play the string.")
@click.option(
    "--prove", is_flag=True, help="Prove it now, with a solver, instead of looking it up."
)
@click.option(
    "--arrangements",
    is_flag=True,
    help="List the arrangements of pieces that were searched, and why each fails.",
)
@format_option(["text", "json"], "JSON is an array with an object for each string.")
@run_option
def command(
    sans: tuple[str, ...],
    form: str,
    directory: Path | None,
    board: "chess.Board | None",
    *,
    white: bool,
    black: bool,
    prove: bool,
    arrangements: bool,
) -> None:
    """Say whether SAN strings can occur, and show why.

    A reachable string is shown on a board, in the shortest game known, with a lower bound on the
    ply. An impossible one is shown with the reason. The answer is looked up in the published data;
    with --prove it is proved now.

    With --fen, the texts are moves of that position: the answer says what each means there, and
    why the move is written that way.

    Exit code 0 if every string is reachable, 1 if any is impossible, 3 if any stays undecided;
    with --fen 0 if every text is the SAN of its move, otherwise 1.

    \b
    Try:
      sanproof explain 'Qa1b2#'
      sanproof explain --prove 'Ba1b2+'
      sanproof explain --format json e4 exd8=Q+ O-O-O#
      sanproof explain Ne2 --fen '4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1'
    """  # noqa: D301
    if white and black:
        raise click.UsageError("--white and --black were both given: choose one.")
    player = "white" if white else "black" if black else None
    if board is not None:
        if prove or player or arrangements or directory is not None:
            raise click.UsageError("--fen can be combined with --format only.")
        sys.exit(_explain_in(board, sans, form))
    if arrangements and form != "text":
        raise click.UsageError("--arrangements needs --format text.")
    if prove and directory is not None:
        raise click.UsageError("--run and --prove were both given: choose one.")
    _refuse_malformed(sans)
    found: list[Answer] = []
    for answer in _answers(sans, directory, player, prove=prove):
        if form == "text":
            source = PUBLISHED if directory is None else str(directory)
            click.echo("\n" * bool(found) + to_text(answer, source, columns_of(sys.stdout)))
        if arrangements:
            from sanproof.proofs.theory.arrangements import sentences

            click.echo("\n".join(map(fitted, sentences(read_san(answer.san)))))
        found.append(answer)
    if form == "json":
        click.echo(to_json(found))
    sys.exit(exit_code({answer.verdict for answer in found}))
