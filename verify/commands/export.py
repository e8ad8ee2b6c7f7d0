"""``sanproof export``: a table of a finished run, or of the published data, to a file or a pipe."""

import sys
from pathlib import Path

from reports.exports.archive import ArchiveError, open_archive
from reports.exports.exports import FORMS, ExportError, plan, write_export
from reports.tables.files import whole_file
from verify.errors import Failure


def run_export(
    what: str,
    form: str | None,
    columns: str | None,
    directory: Path | None,
    out: Path | None,
    *,
    bare: bool,
) -> None:
    """Write an export.

    Args:
        what: The name of the table.
        form: How it is written; if None, what the name of ``out`` ends with, or the usual form.
        columns: Their names with commas between; None for the usual ones.
        directory: A finished run; the published data if None.
        out: The file to write, which appears when it is complete; standard output if None.
        bare: Whether strings with suffixes are left out.

    Raises:
        Failure: There is no such table, the run is damaged, or the file cannot be written.
    """
    if form is None and out is not None and out.suffix[1:] in FORMS:
        form = out.suffix[1:]
    try:
        export = plan(what, form, columns.split(",") if columns is not None else None, bare=bare)
        archive = open_archive(directory)
        if out is not None:
            with whole_file(out) as file:
                write_export(export, archive, file)
        elif export.form == "parquet":
            raise Failure("Parquet is not written to a pipe; name a file with --out.")
        else:
            write_export(export, archive, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except (ArchiveError, ExportError) as error:
        raise Failure(f"{error}.") from error
