"""Each file of a run is read once, and nothing that is not a file is read at all."""

import gzip
import hashlib
import lzma
import os
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

import sanproof.verify.audit.run_files
from sanproof.proofs.kernel.files import EvidenceError, read_bytes
from sanproof.reports.tables.names import GAMES_PGN, MANIFEST, WITNESSES
from sanproof.verify.audit.run_files import KEPT, RunFiles, read_run
from sanproof.verify.claims.manifest import read_manifest
from tests.campaigns.forging.model import audit_here, fast_audits
from tests.verify.command import ROOT


@pytest.fixture(scope="module", autouse=True)
def _fast() -> Iterator[None]:
    with fast_audits():
        yield


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the run with games, to be changed."""
    return Path(shutil.copytree(made / "played", tmp_path / "played"))


def test_a_file_replaced_while_the_audit_runs_does_not_matter(copied: Path) -> None:
    """What was read is checked, to the end, and its digests are those that are reported."""
    digests = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in copied.iterdir()
        if path.name not in KEPT
    }
    read = Counter[str]()

    def read_and_replace(path: Path) -> bytes:
        content = read_bytes(path)
        read[path.name] += 1
        path.write_bytes(b"replaced")
        return content

    with mock.patch.object(sanproof.verify.audit.run_files, "read_bytes", read_and_replace):
        audited = audit_here(copied)
    assert audited.digests == digests
    assert read == dict.fromkeys(digests, 1)
    with pytest.raises(EvidenceError, match=f"^{MANIFEST}: "):
        audit_here(copied)


def test_the_digests_are_of_the_files(made: Path) -> None:
    run = read_run(made / "run")
    assert next(iter(run.digests)) == MANIFEST
    for name, digest in run.digests.items():
        assert digest == hashlib.sha256((made / "run" / name).read_bytes()).hexdigest()


def test_what_the_run_keeps_is_not_read(copied: Path) -> None:
    before = audit_here(copied)
    for name in KEPT:
        (copied / name).unlink(missing_ok=True)
        (copied / name).symlink_to("/dev/zero")
    assert audit_here(copied) == before
    assert before.unchecked == []


def test_other_files_are_named(copied: Path) -> None:
    (copied / "PROOF.md").write_text("Proved.")
    (copied / "sub").mkdir()
    (copied / ".hidden").symlink_to("nowhere")
    assert audit_here(copied).unchecked == [".hidden", "PROOF.md", "sub"]


@pytest.mark.parametrize(
    "name", ["cover.pgn", "cover.csv.xz", "manifest.json.xz", "witnesses.csv.gz"]
)
def test_a_file_that_could_be_the_run_s_is_refused(copied: Path, name: str) -> None:
    path = copied / name
    for number in range(2):
        if number:
            path.unlink()
            path.symlink_to("nowhere")
        else:
            path.write_bytes(b"nonsense")
        with pytest.raises(EvidenceError, match=f"^{name}: manifest.json does not name it"):
            audit_here(copied)


def test_a_file_may_be_published_packed(copied: Path) -> None:
    before = audit_here(copied)
    path = copied / WITNESSES
    (copied / f"{WITNESSES}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert audit_here(copied) == before


def test_what_is_packed_already_is_not_read_packed_again(copied: Path) -> None:
    path = copied / GAMES_PGN
    (copied / f"{GAMES_PGN}.xz").write_bytes(lzma.compress(path.read_bytes()))
    path.unlink()
    with pytest.raises(EvidenceError, match=f"^{GAMES_PGN}.xz: {MANIFEST} does not name it"):
        audit_here(copied)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/tty", "elsewhere"])
@pytest.mark.parametrize("name", [MANIFEST, WITNESSES])
def test_a_link_is_not_followed(copied: Path, name: str, target: str) -> None:
    (copied.parent / "elsewhere").write_bytes((copied / name).read_bytes())
    (copied / name).unlink()
    (copied / name).symlink_to(os.path.join(copied.parent, target))  # noqa: PTH118
    with pytest.raises(EvidenceError, match=f"^{name}: cannot be read: is a symbolic link"):
        read_run(copied)


def test_only_so_much_is_read_in_all(copied: Path) -> None:
    size = sum((copied / name).stat().st_size for name in read_run(copied).contents)
    with mock.patch.object(sanproof.verify.audit.run_files, "MAX_BYTES_IN_ALL", size):
        run = read_run(copied)
        with pytest.raises(EvidenceError, match="unpacks, with the others, to more than any run"):
            _read_all(run)
    with (
        mock.patch.object(sanproof.verify.audit.run_files, "MAX_BYTES_IN_ALL", size - 1),
        pytest.raises(EvidenceError, match="is, with the others, larger than any run"),
    ):
        read_run(copied)


def _read_all(run: RunFiles) -> None:
    for name in run.contents:
        run.text(name)


def test_the_published_data_is_of_this_version() -> None:
    """Of the one that pyproject.toml names: what is installed may be older.

    Who raises the version makes the data anew: ``nox -s data -- --make``.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = read_manifest((ROOT / "data" / MANIFEST).read_bytes())
    assert manifest.versions["sanproof"] == project["version"]
