"""Public reports of errors in SAN, and the cases that would have caught them."""

from typing import Final

REPORTS: Final[dict[str, tuple[str, ...]]] = {}
"""For each report the ids of the cases."""
