"""The proven strings with which a scan compares."""

from pathlib import Path

from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.verify.errors import Failure


def proven_lines(directory: Path | None = None) -> bytes:
    """The reachable strings of a complete run, or as published, one a line; a Failure without."""
    try:
        return "\n".join(open_complete(directory).strings()).encode("ascii")
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
