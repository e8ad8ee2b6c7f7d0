"""``sanproof explain``: one string, with its game or its reason."""

import sys

import click

from verify.errors import ANSWER_NO


@click.command("explain")
@click.argument("san")
def command(san: str) -> None:
    """Say whether a SAN string can occur, and show why.

    A reachable string is shown with its board, FEN and move; an impossible one with the reason.
    Exit code 0 if it is reachable, 1 if it is not.
    """
    from verify.explain.afresh import explain as explain_string

    explanation = explain_string(san)
    click.echo(explanation.text)
    if not explanation.reachable:
        sys.exit(ANSWER_NO)
