"""Certificates for other checkers: PySAT refutes the formulas, and hints lead to the end."""

import lzma
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical195

from sanproof.proofs.kernel.files import CERTIFICATES
from sanproof.proofs.kernel.refutation import check_refutation
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.refute import closing_certificate
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.exports.certificates import foreign_files, write_certificates

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
    assert [name for name, _, _ in found] == list(map(str, CUBES))
    for _, cnf, lrat in found:
        formula = CNF(from_string=cnf)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            assert not solver.solve()
        assert check_refutation(formula.clauses, lrat.splitlines()) > 0


def test_the_folder_has_two_files_for_each_cube(archive: OnlyCertificates, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "certificates"
    assert write_certificates(archive, folder) == len(CUBES)
    expected = sorted(f"{cube}.{ending}" for cube in CUBES for ending in ("cnf", "lrat"))
    assert sorted(path.name for path in folder.iterdir()) == expected
    with pytest.raises(ArchiveError, match="new or empty folder"):
        write_certificates(archive, folder)


def test_damage_leaves_nothing_behind(tmp_path: Path) -> None:
    damaged = OnlyCertificates(tmp_path / "run", "cube Ka1\nscope geometry\n\n")
    with pytest.raises(ArchiveError, match=r"certificates\.txt\.xz"):
        write_certificates(damaged, tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
    assert list(tmp_path.iterdir()) == []
