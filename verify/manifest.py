"""The manifest of a finished run: every file with its hash, the counts, and what made them."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

MANIFEST: Final = "manifest.json"
COUNTS: Final = ("only", "strings", "reachable", "impossible", "undecided")


class ManifestError(Exception):
    """A manifest that cannot be read, or was changed."""


def make_manifest(files: Mapping[str, bytes], summary: Mapping[str, Any]) -> bytes:
    """The manifest of these files; its last entry is the hash of all that stands before it."""
    content = {
        "files": {name: _sha256(files[name]) for name in sorted(files)},
        "counts": {name: summary[name] for name in COUNTS},
        "versions": summary["versions"],
    }
    return _signed(content)


def read_manifest(text: bytes) -> dict[str, Any]:
    """Read a manifest.

    Raises:
        ManifestError: It is not as :func:`make_manifest` wrote it, to the byte.
    """
    try:
        manifest = json.loads(text)
        content = {name: manifest[name] for name in ("files", "counts", "versions")}
        genuine = _signed(content) == text
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ManifestError("it is not a manifest") from error
    if not genuine:
        raise ManifestError("it was changed after it was made")
    return content


def _signed(content: dict[str, Any]) -> bytes:
    seal = _sha256(json.dumps(content, indent=2).encode("ascii"))
    return (json.dumps({**content, "sha256": seal}, indent=2) + "\n").encode("ascii")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
