"""``sanproof audit``: check a run again, without a solver."""

from pathlib import Path

import click

from verify.commands.options import workers_option


@click.command("audit")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, exists=True))
@workers_option
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Have every refutation checked by dratify, another author's checker, as well.",
)
def command(directory: Path, workers: int, second_opinion: bool) -> None:
    """Re-check everything in a run directory, without search and without a solver.

    Rebuilds every formula from the rules, checks every refutation and every witness, and that
    together they decide each string exactly once. Ends with the sentence that is thereby proved,
    or with exit code 1 and the file and item that does not hold.
    """
    from verify.audit.session import run_audit

    run_audit(directory, workers, second_opinion=second_opinion)
