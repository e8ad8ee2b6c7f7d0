"""Opens finished runs for the tools: verdicts, witnesses, games, counts. Untrusted."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sanproof.proofs.kernel.files import EvidenceError


class ArchiveError(Exception):
    """A directory is not a finished run, or is damaged. The message is a sentence."""


@contextmanager
def reading(directory: Path, name: str) -> Iterator[None]:
    """Turn an error about a file's content into an ArchiveError that names the file."""
    try:
        yield
    except EvidenceError as error:  # it names the file
        raise ArchiveError(f"{directory} is damaged: {error}") from error
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise ArchiveError(f"{directory} is damaged: {name} is not as it was written") from error


def json_object(content: bytes, *names: str) -> dict[str, Any]:
    """Read a JSON object that has at least the entries ``names``.

    Raises:
        ValueError: The content is not such an object.
    """
    entries = json.loads(content)
    if not isinstance(entries, dict) or any(name not in entries for name in names):
        raise ValueError(f"it is no object with {', '.join(names)}")
    return entries
