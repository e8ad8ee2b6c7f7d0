"""``sanproof conformance export``: writes the conformance suite and its schema."""

from pathlib import Path
from typing import Final

import click

from sanproof.verify.commands.options import level_option
from sanproof.verify.errors import Failure, failure

SCHEMA: Final = "schema.json"


def export(out: Path, level: str) -> list[str]:
    """Write the files of a suite to a folder, the two small ones or the full one; their names.

    Raises:
        Failure: A file cannot be written, or the published games cannot be read.
    """
    from sanproof.reports.archive.door import ArchiveError, published_directory
    from sanproof.reports.tables.files import whole_file, write_whole
    from sanproof.verify.conformance.strings import LineError, full_suite_lines

    if out.exists() and not out.is_dir():
        raise Failure(f"{out} is a file: name a folder.")
    published = published_directory()
    names = [SCHEMA] if level == "full" else ["core.json", SCHEMA, "smoke.json"]
    try:
        out.mkdir(parents=True, exist_ok=True)
        if level == "full":
            with whole_file(out / "full.json") as file:
                file.writelines(map(str.encode, full_suite_lines(published)))
        for name in names:
            write_whole(out / name, (published / "conformance" / name).read_bytes())
    except (ArchiveError, LineError) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error
    return ["full.json", SCHEMA] if level == "full" else names


@click.command("export")
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder to write to; it is made if it is not there.",
)
@level_option(
    "smoke and core: what a project copies into its repository, both written. full: every string "
    "as well."
)
def command(out: Path, level: str) -> None:
    """Write the conformance suite, as plain JSON, with its schema.

    \b
    Try:
      sanproof conformance export --out suite
      sanproof conformance export --out suite --level full

    `schema.json` describes the suite's file: games, and cases with a position of a game, what is
    asked, what is expected, and why. No program of ours is needed to use it. Each file appears
    under its name when it is complete. The suite is free to use for anything (CC0 1.0).
    """  # noqa: D301 - click takes the character
    names = export(out, level)
    click.echo(f"{', '.join(names)} in {out}")
