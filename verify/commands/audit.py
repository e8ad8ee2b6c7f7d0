"""``sanproof audit``: check a run again, without a solver."""

from pathlib import Path

import click

from sanproof.verify.commands.options import workers_option


@click.command("audit")
@click.argument(
    "directory",
    metavar="[DIR]",
    required=False,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@workers_option
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Have dratify, another author's checker, check every refutation as well.",
)
def command(directory: Path | None, workers: int, *, second_opinion: bool) -> None:
    """Check everything in a run directory again, without search and without a solver.

    Without DIR the published data is checked.

    Rebuilds every formula from the rules, follows every refutation, and replays every game. The
    sentence with which it ends rests on this and the list of strings alone. Then it compares all
    other files, to the byte, and names what else the directory holds. If something is wrong, it
    prints the file and the item, and ends with exit code 1; if DIR holds no run, with 2.

    \b
    Try:
      sanproof verify --only 'Ka1*' --out part && sanproof audit part
      sanproof audit
    """  # noqa: D301
    from sanproof.reports.archive.door import published_directory
    from sanproof.verify.audit.auditor import run_audit
    from sanproof.verify.work.provenance import SECOND_CHECKER, require_solvers

    if second_opinion:
        require_solvers("--second-opinion", SECOND_CHECKER)
    run_audit(directory or published_directory(), workers, second_opinion=second_opinion)
