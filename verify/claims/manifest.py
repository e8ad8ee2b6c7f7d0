"""The manifest of a finished run: every file with its hash, the counts, and what made them."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.archive import json_object
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.work.provenance import TOOLS, hash_of_code, version_of

COUNTS: Final = ("strings", "reachable", "impossible", "undecided")
CODE: Final = "proofs"
"""The manifest's key for the hash of all our code, which once was of that folder alone."""
_VERSION: Final = re.compile(
    r"\d{1,9}(\.\d{1,9}){0,4}((a|b|rc|\.dev|\.post)\d{1,9}){0,2}|[0-9a-f]{16}"
)


class Manifest(NamedTuple):
    """The entries of a manifest.

    It has the SHA-256 of each file, in hexadecimal; the pattern of the strings that the run is
    about, None for all; how many strings there are, and of each verdict; and what made the run.
    """

    files: dict[str, str]
    only: str | None
    counts: Mapping[str, Any]
    versions: Mapping[str, str]

    def sealed(self) -> bytes:
        """Return the file; its last entry is the hash of all that stands before."""
        content = {
            "files": dict(sorted(self.files.items())),
            "only": self.only,
            "counts": {name: self.counts[name] for name in COUNTS},
            "versions": {name: self.versions[name] for name in (*TOOLS, CODE)},
        }
        seal = hashlib.sha256(json.dumps(content, indent=2).encode("ascii")).hexdigest()
        return (json.dumps({**content, "sha256": seal}, indent=2) + "\n").encode("ascii")


def versions() -> dict[str, str]:
    """Return what results depend on: the versions of the tools, and the hash of all our code."""
    return {name: version_of(name) for name in TOOLS} | {CODE: hash_of_code()}


def make_manifest(files: Mapping[str, bytes], summary: Mapping[str, Any]) -> bytes:
    """Return the manifest of these files."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return Manifest(hashes, summary["only"], summary, summary["versions"]).sealed()


def read_manifest(content: bytes) -> Manifest:
    """Read a manifest; an EvidenceError if it has another form than :func:`make_manifest` writes.

    An audit compares its hashes and counts with the files. It can only check the form of versions,
    which leaves no room for a text.
    """
    try:
        entries = json_object(content, *Manifest._fields)
        manifest = Manifest(*(entries[name] for name in Manifest._fields))
        is_written_so = (
            manifest.sealed() == content
            and isinstance(entries["only"], str | None)
            and all(map(_VERSION.fullmatch, manifest.versions.values()))
        )
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise EvidenceError(f"{MANIFEST}: it is not the JSON that a run writes") from error
    if not is_written_so:
        raise EvidenceError(f"{MANIFEST}: is not written as a run writes it, or was changed")
    return manifest
