"""Counts that others have published, each with who published it, and where it can be read.

They stand in ``claims.txt``: the count, who published it and in what, and the address.
"""

from typing import Final, NamedTuple

from sanproof.reports.tables.rows import table


class Claim(NamedTuple):
    """A published count of the strings with suffixes, who counted, and where it can be read."""

    strings: int
    source: str
    address: str


CLAIMS: Final = tuple(
    Claim(int(strings), source, address)
    for strings, source, address in table(__package__, "claims.txt", 3)
)
"""The published counts, smallest first. A count without a source that was read is not listed.

The table docs/tables/counts.csv says the same, and a test compares the two.
"""
