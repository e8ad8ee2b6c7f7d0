"""``sanproof gate``: read lists, compare them with the proven one, and print what was found."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.verify.errors import Failure
from sanproof.verify.findings.finding import STANDARD_INPUT
from sanproof.verify.findings.formats import Display, print_written
from sanproof.verify.findings.width import columns_of
from sanproof.verify.gate.compare import Gate, GateReport
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import read_list


def run_gate(
    files: Sequence[str],
    directory: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool | None,
    ordered: bool = False,
) -> bool:
    """Gate lists and print what was found, in one of ``FORMATS``; whether all are exactly right.

    Each is read when its turn comes; ``-``, or no file, is standard input. They are compared with a
    finished run, or with the published data; ``bare`` and ``ordered`` are those of :class:`Gate`.

    Raises:
        Failure: A list or the run cannot be read.
    """
    exact = True

    def compared() -> Iterator[GateReport]:
        nonlocal exact
        gate = Gate(open_complete(directory), bare=bare, ordered=ordered)
        for name in files or (STANDARD_INPUT,):
            report = gate.compare(read_list(name))
            exact = exact and report.exact
            yield report

    try:
        print_written(form, FORMATS[form](compared(), Display(limit, columns_of(sys.stdout))))
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    return exact
