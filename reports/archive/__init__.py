"""The door from the proof to the tools: what a finished run says of strings. Untrusted."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sanproof.proofs.kernel.files import EvidenceError


class SchemaError(Exception):
    """Something that no run holds; the message continues a sentence that begins with a name."""


class ArchiveError(Exception):
    """A directory that is not a finished run, or is damaged; the message is a sentence."""


@contextmanager
def reading(directory: Path, name: str) -> Iterator[None]:
    """Say of which file of a run something is wrong; an EvidenceError names the file itself."""
    try:
        yield
    except EvidenceError as error:
        raise ArchiveError(f"{directory} is damaged: {error}") from error
    except SchemaError as error:
        raise ArchiveError(f"{directory} is damaged: {name} {error}") from error
