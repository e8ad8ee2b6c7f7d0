"""``sanproof conformance check``: checks a case that is proposed for the suite."""

from pathlib import Path

import click


@click.command("check")
@click.argument("case", type=click.Path(path_type=Path))
def command(case: Path) -> None:
    """Check a case that you would propose: CASE is a JSON file.

    It has three texts: "mechanism", as the cases of the suite name it; "moves", a legal game in
    UCI with blanks between; and "text", what is read or played in the position after it, which
    cases of all legal moves and most games do without. The game is replayed, the mechanism is
    recognised, and sanproof and python-chess both say what is expected. Printed are the cases as
    the suite would have them, and the line to propose.

    \b
    Try:
      sanproof conformance check case.json
    """  # noqa: D301
    import json

    from sanproof.verify.commands.conformance_report import read_result
    from sanproof.verify.conformance.cases.case import case_as_json
    from sanproof.verify.conformance.cases.proposal import ProposalError, check
    from sanproof.verify.errors import Failure

    try:
        checked = check(read_result(case))
    except ProposalError as error:
        raise Failure(f"This is no case: {error}.") from error
    for made in checked.cases:
        click.echo(json.dumps(case_as_json(made)))
    click.echo(f"\n{checked.line}")
    for remark in checked.remarks:
        click.echo(remark)
