"""The tables of the suite that stand in text files beside this module, a row a line."""

from collections.abc import Iterable, Iterator
from importlib.resources import files


class SourceError(ValueError):
    """A line of a table that is not right; the message says which and why."""


def table(name: str) -> list[str]:
    """The lines of a file of this folder."""
    return (files(__package__) / name).read_text("utf-8").splitlines()


def rows(lines: Iterable[str], columns: int) -> Iterator[list[str]]:
    """The cells of each row, which `` | `` separates; empty lines and comments are left out.

    Raises:
        SourceError: A row has more cells or fewer.
    """
    for line in lines:
        if not line or line.startswith("#"):
            continue
        cells = line.split(" | ")
        if len(cells) != columns:
            raise SourceError(f"this line cannot be read: {line}")
        yield cells
