"""The manifest of a finished run: every file with its hash, the counts, and what made them."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

COUNTS: Final = ("strings", "reachable", "impossible", "undecided")
MOST_BYTES: Final = 1 << 20


class ManifestError(Exception):
    """A manifest that cannot be read, or was changed."""


class Manifest(NamedTuple):
    """What a manifest says.

    Attributes:
        files: The SHA-256 of each file, in hexadecimal.
        only: The pattern of the strings that the run is about, None for all.
        counts: How many strings there are, and of each verdict.
        versions: What made the run.
    """

    files: dict[str, str]
    only: str | None
    counts: dict[str, int]
    versions: dict[str, str]


def make_manifest(files: Mapping[str, bytes], summary: Mapping[str, Any]) -> bytes:
    """The manifest of these files; its last entry is the hash of all that stands before it."""
    return _sealed(
        Manifest(
            {name: _sha256(files[name]) for name in sorted(files)},
            summary["only"],
            {name: summary[name] for name in COUNTS},
            summary["versions"],
        )
    )


def read_manifest(content: bytes) -> Manifest:
    """Read a manifest.

    Raises:
        ManifestError: It is not as :func:`make_manifest` wrote it, to the byte.
    """
    if len(content) > MOST_BYTES:
        raise ManifestError("it is larger than a manifest")
    try:
        entries = json.loads(content)
        manifest = Manifest(*(entries[name] for name in Manifest._fields))
        genuine = _sealed(manifest) == content
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ManifestError("it is not a manifest") from error
    if not genuine:
        raise ManifestError("it was changed after it was made")
    if not _is_well_formed(manifest):
        raise ManifestError("it does not say what a manifest says")
    return manifest


def _is_well_formed(manifest: Manifest) -> bool:
    files, only, counts, versions = manifest
    if not (only is None or _is_text(only)):
        return False
    kinds = ((files, str), (counts, int), (versions, str))
    if not all(isinstance(part, dict) for part, _ in kinds):
        return False
    values = [(value, kind) for part, kind in kinds for value in part.values()]
    texts = [*files, *counts, *versions, *files.values(), *versions.values()]
    return (
        all(type(value) is kind for value, kind in values)
        and all(map(_is_text, texts))
        and tuple(counts) == COUNTS
    )


def _is_text(value: Any) -> bool:  # noqa: ANN401 - JSON may hold anything
    return isinstance(value, str) and value.isascii() and value.isprintable()


def _sealed(manifest: Manifest) -> bytes:
    content = manifest._asdict()
    seal = _sha256(json.dumps(content, indent=2).encode("ascii"))
    return (json.dumps({**content, "sha256": seal}, indent=2) + "\n").encode("ascii")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
