"""Sound runs, made once for all tests of the audit, and audits of what was changed in them."""

import json
import lzma
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final, NamedTuple
from unittest import mock

import pytest

from sanproof.proofs.board.witness import checked_witness
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.files import gzipped
from sanproof.reports.tables.names import MANIFEST, SUMMARY
from sanproof.verify.audit import whole
from sanproof.verify.audit.whole import AuditResult, audit
from sanproof.verify.claims import replay
from sanproof.verify.claims.manifest import make_manifest, read_manifest
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.progress import Scale
from tests.proofs.kernel.evidence import lay_down
from tests.verify.command import sanproof, shared_folder
from tests.verify.command import verify as verify_arguments

Files = dict[str, bytes]
PATTERN: Final = "[aBN]*xb[18]*"
"""A run without games: six cubes, with promotions of both players and pieces with twins."""
OTHER_PATTERN: Final = "[aN]*xb[18]*"
"""Another run, of fewer of the same cubes."""
PLAYED_PATTERN: Final = "[aN]xb1*"
"""A run with games: of strings that either player writes, and of some that only Black does."""


class Runs(NamedTuple):
    """The sound runs: one without games, another one, and one with games."""

    run: Files
    other: Files
    played: Files


def make_runs_once(factory: pytest.TempPathFactory) -> Path:
    """Return the directory of the runs, which are made once, however many processes test."""
    with shared_folder(factory, "forgeries") as base:
        directory = base / "forgeries"
        if not directory.exists():
            making = Path(tempfile.mkdtemp(dir=base))
            for name, pattern, *options in (
                ("run", PATTERN, "--no-games"),
                ("other", OTHER_PATTERN, "--no-games"),
                ("played", PLAYED_PATTERN),
            ):
                done = sanproof(*verify_arguments(making / name, pattern, workers=2), *options)
                assert done.returncode == 0, done.stderr
            making.rename(directory)
    return directory


def read_files(directory: Path) -> Files:
    """Return the files of a run that its manifest names, and the manifest."""
    manifest = (directory / MANIFEST).read_bytes()
    files = {name: (directory / name).read_bytes() for name in read_manifest(manifest).files}
    return files | {MANIFEST: manifest}


def pack(name: str, text: bytes) -> bytes:
    """Return the file of a run with this text."""
    if name.endswith(".xz"):
        return lzma.compress(text, preset=1)
    return gzipped(text) if name.endswith(".gz") else text


def sealed(files: Files, changed: Mapping[str, bytes] = MappingProxyType({})) -> Files:
    """Return the files with some changed, and a manifest that is right about them.

    Its counts are those of the summary before the change.
    """
    content = {**files, **changed}
    content.pop(MANIFEST, None)
    return content | {MANIFEST: make_manifest(content, json.loads(files[SUMMARY]))}


def with_text(files: Files, name: str, text: str) -> Files:
    """Return the files with another text in one of them, and a manifest that is right about it."""
    return sealed(files, {name: pack(name, text.encode("ascii"))})


Quiet = partial(Scale, None)
"""Makes a progress that is not shown."""


@contextmanager
def fast_audits() -> Iterator[None]:
    """Have audits in this process remember what passed; what fails is checked again each time."""
    with (
        mock.patch.object(whole, "select", selected),
        mock.patch.object(theorem, "check_certificate", cache(check_certificate)),
        mock.patch.object(replay, "checked_witness", cache(checked_witness)),
    ):
        yield


@cache
def selected(pattern: str | None) -> Selection:
    """Return what a pattern selects, remembered: it is looked for in the whole universe."""
    return select(pattern)


def audit_here(directory: Path, *, second_opinion: bool = False) -> AuditResult:
    """Audit in this process, quietly."""
    return audit(directory, Inline(), Quiet(), second_opinion=second_opinion)


def audit_files(files: Files) -> AuditResult:
    """Audit a run of these files."""
    with TemporaryDirectory() as temporary:
        lay_down(files, Path(temporary, "run"))
        return audit_here(Path(temporary, "run"))


def complaint(files: Files) -> str:
    """Audit a forged run, and return what the audit says, which is one line of text."""
    with pytest.raises(EvidenceError) as caught:
        audit_files(files)
    message = str(caught.value)
    assert message.isprintable()
    return message
