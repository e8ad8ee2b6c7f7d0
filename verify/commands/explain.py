"""``sanproof explain``: shows, for each string, a game with it or the reason against it."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from sanproof.proofs.board.malformed import MalformedSan, is_san, read_san
from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.verify.commands import options
from sanproof.verify.errors import Failure
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.explain.show import PUBLISHED, exit_code, to_json, to_text
from sanproof.verify.findings.width import columns_of


def _check(text: str) -> None:
    """Raise a Failure if a text is not a SAN string, with what may be meant."""
    try:
        read_san(text)
    except MalformedSan as error:
        from sanproof.reports.exports.meant import hint
        from sanproof.verify.notation.text import foreign

        advice = foreign(text, is_san) or hint(text)
        raise Failure(" ".join(filter(None, [f"{error}.", advice]))) from error


def _answers(
    sans: Sequence[str], run: Path | None, player: str | None, *, prove: bool
) -> Iterator[Answer]:
    """Yield what is known of each string, proved now or looked up."""
    if prove:
        from sanproof.verify.explain.prove import prove as prove_now

        yield from (prove_now(san, black=player == "black") for san in sans)
    else:
        archive = open_complete(run)
        yield from (look_up(archive, san, player) for san in sans)


@options.command
@click.argument("sans", nargs=-1, required=True, metavar="SAN...")
@options.choice("--player", ["white", "black"], "Show this player's move, if there is one.")
@options.flag("--prove", "Prove it now, with a solver, and look nothing up.")
@options.form(["text", "json"], "JSON is an array with an object for each string.")
@options.run
def explain(
    sans: Sequence[str],
    *,
    player: str | None,
    form: str,
    run: Path | None,
    prove: bool,
) -> None:
    """Show a game in which a string occurs, or why none can.

    Try:
      sanproof explain 'Qa1b2#'
      sanproof explain --prove 'Ba1b2+'
      sanproof explain --format json e4 exd8=Q+ O-O-O#

    A string that can occur is shown on a board, in the shortest game known, with the ply
    before which no game can have it; an impossible one with the reason. For a move in a position
    of your own, see `sanproof read` and `sanproof write`.

    Exit code 0 if every string can occur, 1 if any is impossible, 2 if one is mistyped, 3 if any
    stays undecided.
    """
    if prove and run is not None:
        raise click.UsageError("--run and --prove were both given: choose one.")
    for text in sans:
        _check(text)
    found: list[Answer] = []
    width = columns_of(sys.stdout) or 80
    source = PUBLISHED if run is None else str(run)
    try:
        for answer in _answers(sans, run, player, prove=prove):
            if form == "text":
                click.echo("\n" * bool(found) + to_text(answer, source, width))
            found.append(answer)
        if form == "json":
            click.echo(to_json(found))
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    sys.exit(exit_code({answer.verdict for answer in found}))
