"""The manifest of a finished run: the hash of every file, the counts, and the versions of tools."""

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
"""The manifest's key for the hash of all our code, which once was the hash of this folder alone."""
_VERSION: Final = re.compile(
    r"\d{1,9}(\.\d{1,9}){0,4}((a|b|rc|\.dev|\.post)\d{1,9}){0,2}|[0-9a-f]{16}"
)


class Manifest(NamedTuple):
    """The entries of a manifest.

    They are the SHA-256 of each file, in hexadecimal; the pattern of the strings that the run is
    about, or None for all; the number of strings, and of each verdict; and the versions of code and
    tools.
    """

    files: dict[str, str]
    only: str | None
    counts: Mapping[str, Any]
    versions: Mapping[str, str]

    def sealed(self) -> bytes:
        """Return the content of the file. Its last entry is the hash of everything before it."""
        content = {
            "files": dict(sorted(self.files.items())),
            "only": self.only,
            "counts": {name: self.counts[name] for name in COUNTS},
            "versions": {name: self.versions[name] for name in (*TOOLS, CODE)},
        }
        seal = hashlib.sha256(json.dumps(content, indent=2).encode("ascii")).hexdigest()
        return (json.dumps({**content, "sha256": seal}, indent=2) + "\n").encode("ascii")


def versions() -> dict[str, str]:
    """Return the versions on which results depend: those of the tools, and the hash of our code."""
    return {name: version_of(name) for name in TOOLS} | {CODE: hash_of_code()}


def make_manifest(files: Mapping[str, bytes], summary: Mapping[str, Any]) -> bytes:
    """Return the content of the manifest of these files."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return Manifest(hashes, summary["only"], summary, summary["versions"]).sealed()


def read_manifest(content: bytes) -> Manifest:
    """Read a manifest.

    An audit compares its hashes and counts with the files. Of versions it can only check the form,
    which leaves no room for a text.

    Raises:
        EvidenceError: The content is not as :func:`make_manifest` writes it.
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
