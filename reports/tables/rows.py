"""Tables that stand in text files beside the modules that read them, a row a line."""

from collections.abc import Iterable, Iterator
from importlib.resources import files


class RowError(ValueError):
    """A row of a table that is not right; the message says which and why."""


def table(package: str, name: str, columns: int) -> Iterator[list[str]]:
    """Return the rows of a file of a package; see :func:`rows`."""
    return rows((files(package) / name).read_text("utf-8").splitlines(), columns)


def rows(lines: Iterable[str], columns: int) -> Iterator[list[str]]:
    """Yield the cells of each row, which `` | `` separates; empty lines and comments are left out.

    Raises:
        RowError: A row has more cells or fewer.
    """
    for line in lines:
        if not line or line.startswith("#"):
            continue
        cells = line.split(" | ")
        if len(cells) != columns:
            raise RowError(f"this line cannot be read: {line}")
        yield cells
