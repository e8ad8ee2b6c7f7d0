"""Reads JSON that may hold anything, as far as a run writes such: small, flat, and with numbers."""

import json
from typing import Any, Final, NoReturn

from sanproof.proofs.kernel.files import EvidenceError

MOST_BYTES: Final = 1 << 22
"""A summary is the largest: 3 kB, and 3 MB if a generator's whole list differs."""

MOST_BRACKETS: Final = 300
"""A summary has less than a hundred. So few brackets cannot be nested too deeply for Python."""


def read_json(name: str, content: bytes) -> dict[str, Any]:
    """The object that a JSON file holds.

    Raises:
        EvidenceError: It is no JSON, no object, or larger or deeper than a run's.
    """
    if len(content) > MOST_BYTES:
        raise EvidenceError(f"{name}: it is larger than a run's")
    if content.count(b"[") + content.count(b"{") > MOST_BRACKETS:
        raise EvidenceError(f"{name}: it has more brackets than a run's")
    try:
        entries = json.loads(content, parse_constant=_refuse)
    except ValueError as error:
        raise EvidenceError(f"{name}: it is not JSON") from error
    if not isinstance(entries, dict):
        raise EvidenceError(f"{name}: it is not a JSON object")
    return entries


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")  # NaN and the infinities
