"""The door from the proof to the tools: what a finished run says of strings. Untrusted."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sanproof.proofs.kernel.files import EvidenceError


class ArchiveError(Exception):
    """A directory that is not a finished run, or is damaged; the message is a sentence."""


@contextmanager
def reading(directory: Path, name: str) -> Iterator[None]:
    """Say which file of a run is damaged, where its content cannot be understood."""
    try:
        yield
    except EvidenceError as error:  # it names the file
        raise ArchiveError(f"{directory} is damaged: {error}") from error
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise ArchiveError(f"{directory} is damaged: {name} is not as it was written") from error


def json_object(content: bytes, *names: str) -> dict[str, Any]:
    """Return an object of JSON that has these entries.

    Raises:
        ValueError: It is another thing.
    """
    entries = json.loads(content)
    if not isinstance(entries, dict) or any(name not in entries for name in names):
        raise ValueError(f"it is no object with {', '.join(names)}")
    return entries
