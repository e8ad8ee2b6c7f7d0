"""Certificates for other checkers: PySAT refutes the formulas, and hints lead to the end."""

import lzma
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical195

from sanproof.proofs.kernel.files import CERTIFICATES
from sanproof.proofs.kernel.refutation import check_refutation
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.refute import closing_certificate
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.exports.certificates import ForeignFiles, foreign_files, write_certificates
from sanproof.reports.tables.files import TEMPORARY

CUBES = {Cube("K", "", "a1"): ["Ka1", "Ka1#", "Ka1+"], Cube("", "", "a1"): []}


class OnlyCertificates(Archive):
    """A run of which only the certificates are asked for."""

    def __init__(self, directory: Path, text: str) -> None:
        self.directory = directory
        self._text = text

    def content(self, name: str) -> bytes:
        assert name == CERTIFICATES
        return lzma.compress(self._text.encode())


@pytest.fixture
def archive(tmp_path: Path) -> OnlyCertificates:
    text = "".join(closing_certificate(cube, left_open) for cube, left_open in CUBES.items())
    return OnlyCertificates(tmp_path / "run", text)


def test_formulas_have_no_model_and_refutations_are_of_them(archive: OnlyCertificates) -> None:
    found = list(foreign_files(archive))
    assert [files.name for files in found] == list(map(str, CUBES))
    for files in found:
        formula = CNF(from_string=files.cnf)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            assert not solver.solve()
        assert check_refutation(formula.clauses, files.lrat.splitlines()) > 0


def test_the_folder_has_two_files_for_each_cube(archive: OnlyCertificates, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "certificates"
    assert write_certificates(archive, folder) == len(CUBES)
    expected = sorted(f"{cube}.{ending}" for cube in CUBES for ending in ("cnf", "lrat"))
    assert sorted(path.name for path in folder.iterdir()) == expected
    with pytest.raises(ArchiveError, match="new or empty folder"):
        write_certificates(archive, folder)


def test_the_umask_says_who_may_read_the_folder(archive: OnlyCertificates, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_certificates(archive, tmp_path / "out")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


def test_what_is_not_complete_has_a_name_by_which_it_is_removed(
    archive: OnlyCertificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a killed command leaves it, which the next command removes."""
    left = tmp_path / ".sanproof-0123456789ab.tmp"
    left.mkdir()
    (left / "Ka1.cnf").touch()
    during = []

    def watched(*_: object) -> Iterator[ForeignFiles]:
        for found in foreign_files(archive):
            yield found
            during.append([path.name for path in tmp_path.iterdir()])

    monkeypatch.setattr("sanproof.reports.exports.certificates.foreign_files", watched)
    write_certificates(archive, tmp_path / "out")
    assert len(during) == len(CUBES)
    for names in during:
        assert len(names) == 1
        assert TEMPORARY.fullmatch(names[0])
        assert names[0] != left.name
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_damage_leaves_nothing_behind(tmp_path: Path) -> None:
    damaged = OnlyCertificates(tmp_path / "run", "cube Ka1\nscope geometry\n\n")
    with pytest.raises(ArchiveError, match=r"certificates\.txt\.xz"):
        write_certificates(damaged, tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
    assert list(tmp_path.iterdir()) == []
