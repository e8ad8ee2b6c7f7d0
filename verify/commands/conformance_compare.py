"""``sanproof conformance compare``: what changed between two results."""

import sys
from pathlib import Path

import click

from sanproof.verify.errors import ANSWER_NO


@click.command("compare")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def command(old: Path, new: Path) -> None:
    """Say what changed between two results of `sanproof conformance run --format json`.

    Libraries are the same if name and settings are; results of different versions of the suite
    can be compared. Exit code 0 if nothing that passed fails now, 1 if something does.

    \b
    Try:
      sanproof conformance compare old.json new.json
      sanproof conformance run --format json --out new.json ./adapter
    """  # noqa: D301
    from sanproof.reports.escaping import shown
    from sanproof.verify.commands.conformance_report import read_result
    from sanproof.verify.conformance.comparison import PARTS, compare
    from sanproof.verify.errors import Failure

    try:
        changes = list(compare(read_result(old), read_result(new)))
    except (AttributeError, KeyError, TypeError) as error:
        raise Failure("These are not two files of results.") from error
    if not changes:
        raise Failure("No library is in both files.")
    for change in changes:
        counts = [
            f"{len(ids)} {name}" for part, name in PARTS.items() if (ids := getattr(change, part))
        ]
        click.echo(f"{shown(change.title)}: {', '.join(counts) or 'nothing changed'}.")
        for part, name in PARTS.items():
            for case in getattr(change, part):
                click.echo(f"  {name}: {shown(case)}")
    if any(change.broken for change in changes):
        sys.exit(ANSWER_NO)
