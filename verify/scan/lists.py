"""The proven strings with which a scan compares."""

from pathlib import Path

from sanproof.reports.exports.archive import ArchiveError, open_complete
from sanproof.verify.errors import Failure


def proven_lines(directory: Path | None = None) -> bytes:
    """The reachable strings of a finished run or the published data, one a line.

    Raises:
        Failure: The run cannot be read, or did not decide every string.
    """
    try:
        return "\n".join(open_complete(directory).strings()).encode("ascii")
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
