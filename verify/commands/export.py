"""``sanproof export``: a table of a finished run, or of the published data, to a file or a pipe."""

import sys
from pathlib import Path
from typing import Final

import click

from sanproof.reports.exports.archive import Archive, ArchiveError, open_archive
from sanproof.reports.exports.certificates import write_certificates
from sanproof.reports.exports.exports import FORMS, TABLES, Export, ExportError, plan, write_export
from sanproof.reports.tables.files import whole_file
from sanproof.verify.commands.options import run_option, with_earlier_names
from sanproof.verify.errors import Failure, failure

CERTIFICATES: Final = "certificates"


def run_export(
    what: str,
    form: str | None,
    columns: str | None,
    directory: Path | None,
    out: Path | None,
    *,
    bare: bool,
) -> None:
    """Write a table to a file, which appears when it is complete, or to standard output.

    Without a form it is what the file's name ends with, or the usual one. Columns are names with
    commas between; without them they are the usual ones. Without a run it is the published data.

    Raises:
        Failure: There is no such table, the run is damaged, or the file cannot be written.
    """
    if what == CERTIFICATES:
        _write_folder(form, columns, directory, out)
        return
    form = form or _form_of(out)
    try:
        export = plan(what, form, columns.split(",") if columns is not None else None, bare=bare)
        archive = open_archive(directory)
        if out is not None:
            _write_file(export, archive, out)
        elif export.form == "parquet":
            raise Failure("Parquet is not written to a pipe; name a file with --out.")
        else:
            write_export(export, archive, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except (ArchiveError, ExportError) as error:
        raise Failure(f"{error}.") from error


def _write_folder(
    form: str | None, columns: str | None, directory: Path | None, out: Path | None
) -> None:
    """Write the certificates, which are many files."""
    if out is None or form is not None or columns is not None:
        raise Failure("Certificates are written to a folder: name it with --out, and nothing else.")
    try:
        number = write_certificates(open_archive(directory), out)
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    except OSError as error:
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error
    click.echo(f"{number:,} formulas (.cnf) and refutations (.lrat) in {out}", err=True)


def _form_of(out: Path | None) -> str | None:
    """The form that a file's name ends with; None if it has no ending."""
    if out is None or not out.suffix:
        return None
    if (form := out.suffix[1:].lower()) in FORMS:
        return form
    known = ", ".join(f".{name}" for name in FORMS)
    raise Failure(
        f"The name {out} does not say the format: use a name that ends with {known}, or --format."
    )


def _write_file(export: Export, archive: Archive, out: Path) -> None:
    try:
        with whole_file(out) as file:
            write_export(export, archive, file)
    except OSError as error:  # it may name the temporary file, which nobody asked for
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error


@click.command("export", context_settings=with_earlier_names)
@click.option(
    "--what",
    type=click.Choice([*TABLES, CERTIFICATES]),
    metavar="TABLE",
    default="strings",
    show_default=True,
    help="The table: one of those above.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="The format. By default the one that FILE ends with, or the table's usual one.",
)
@click.option("--columns", metavar="NAMES", help="Which columns, with commas between their names.")
@click.option("--bare", is_flag=True, help="Leave out strings with + or #.")
@run_option
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write to FILE, which appears when it is complete, instead of standard output.",
)
def command(
    what: str,
    form: str | None,
    columns: str | None,
    directory: Path | None,
    out: Path | None,
    *,
    bare: bool,
) -> None:
    """Write strings, positions, games, the cover or reasons for other programs.

    \b
    strings       each reachable string, its parts (piece, file, rank, capture, destination,
                  promotion, suffix) and how to say it (spoken). With --columns: id
    vocabulary    each reachable string with its id, from 0
    witnesses     before_fen, san, after_fen for each: what parsers are tested with. With
                  --columns: uci, game, ply
    games         the proof games: number, san, colour, ply, plies, result, moves
    cover         the games that together show every string; as a table, the game and ply at
                  which each string is played first
    impossible    every other string of the grammar, with its reason
    observed      how often each string was played on Lichess
    certificates  for each cube its formula (DIMACS) and refutation (LRAT), to a folder

    \b
    Try:
      sanproof export --what witnesses --format csv --out positions.csv
      sanproof export --what vocabulary --out vocabulary.json
      sanproof export --what certificates --out certificates
    """  # noqa: D301
    run_export(what, form, columns, directory, out, bare=bare)
