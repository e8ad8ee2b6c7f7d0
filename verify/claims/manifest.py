"""The manifest of a finished run: every file with its hash, the counts, and what made them."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sanproof.proofs.find.patterns import LONGEST_PATTERN
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
from sanproof.verify.claims.plain_json import read_json
from sanproof.verify.work.provenance import TOOLS, hash_of_code, version_of

COUNTS: Final = ("strings", "reachable", "impossible", "undecided")
CODE: Final = "proofs"
"""Of the code that made a run the manifest has a hash under this name, which once was of that
folder alone, and of the tools their versions."""

_HASH: Final = re.compile("[0-9a-f]{64}")
_VERSION: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,4}((a|b|rc|\.dev|\.post)[0-9]{1,9}){0,2}")
_CODE_HASH: Final = re.compile("[0-9a-f]{16}")


class Manifest(NamedTuple):
    """What a manifest says.

    It has the SHA-256 of each file, in hexadecimal; the pattern of the strings that the run is
    about, None for all; how many strings there are, and of each verdict; and what made the run.
    """

    files: dict[str, str]
    only: str | None
    counts: dict[str, int]
    versions: dict[str, str]


def versions() -> dict[str, str]:
    """What a run's results depend on: the versions of the tools, and the hash of all our code."""
    return {name: version_of(name) for name in TOOLS} | {CODE: hash_of_code()}


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
    """Read a manifest; an EvidenceError if it is not as :func:`make_manifest` writes it."""
    entries = read_json(MANIFEST, content)
    if missing := [name for name in Manifest._fields if name not in entries]:
        raise EvidenceError(f"{MANIFEST}: it has no entry {missing[0]!a}")
    values = [entries[name] for name in Manifest._fields]
    _check_entries(*values)
    manifest = Manifest(*values)
    if _sealed(manifest) != content:
        raise EvidenceError(f"{MANIFEST}: it is not written as a run writes it, or was changed")
    return manifest


def _check_entries(files: Any, only: Any, counts: Any, versions: Any) -> None:  # noqa: ANN401 - JSON
    """Each entry has the form that a run gives it; none has room for a text of somebody's own."""
    is_pattern = isinstance(only, str) and len(only) <= LONGEST_PATTERN
    if only is not None and not (is_pattern and only.isascii() and only.isprintable()):
        raise EvidenceError(
            f"{MANIFEST}: its pattern is not a line of {LONGEST_PATTERN} ASCII characters at most"
        )
    if not (isinstance(files, dict) and set(files) <= {*WITH_COVER}):
        raise EvidenceError(f"{MANIFEST}: it lists files that no run has")
    if not all(isinstance(x, str) and _HASH.fullmatch(x) for x in files.values()):
        raise EvidenceError(f"{MANIFEST}: it lists a file without a SHA-256")
    if not (isinstance(counts, dict) and tuple(counts) == COUNTS):
        raise EvidenceError(f"{MANIFEST}: its counts are not those of a run")
    if not all(type(n) is int and n >= 0 for n in counts.values()):
        raise EvidenceError(f"{MANIFEST}: it has a count that is not a number")
    _check_versions(versions)


def _check_versions(versions: Any) -> None:  # noqa: ANN401 - JSON may hold anything
    """Whether versions are true nobody can say: only that they are versions, and nothing else."""
    forms = dict.fromkeys(TOOLS, _VERSION) | {CODE: _CODE_HASH}
    if not (isinstance(versions, dict) and set(versions) == set(forms)):
        raise EvidenceError(f"{MANIFEST}: its versions are not those of a run's tools")
    for name, form in forms.items():
        if not (isinstance(versions[name], str) and form.fullmatch(versions[name])):
            raise EvidenceError(f"{MANIFEST}: the version of {name} is not one")


def _sealed(manifest: Manifest) -> bytes:
    content = manifest._asdict()
    seal = _sha256(json.dumps(content, indent=2).encode("ascii"))
    return (json.dumps({**content, "sha256": seal}, indent=2) + "\n").encode("ascii")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
