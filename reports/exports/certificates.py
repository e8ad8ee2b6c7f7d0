"""Certificates for other people's checkers: each formula in DIMACS, each refutation in LRAT."""

from collections.abc import Iterator
from pathlib import Path

from sanproof.proofs.kernel.certificates import (
    closing_formula,
    read_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError, text_of
from sanproof.proofs.search.gates import dimacs
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.tables.files import whole_folder


def foreign_files(archive: Archive) -> Iterator[tuple[str, str, str]]:
    """Yield of each cube its name, a formula (DIMACS) and its refutation (LRAT).

    The formula has the cube's rules, and that no string but the open ones is written.

    Raises:
        ArchiveError: The certificates are damaged.
    """
    try:
        text = text_of(CERTIFICATES, archive.content(CERTIFICATES))
        for paragraph in split_certificates(text):
            cube, scope, left_open, lines = read_certificate(paragraph)
            formula = dimacs(closing_formula(cube, scope, left_open))
            yield str(cube), formula, "".join(f"{line}\n" for line in lines)
    except EvidenceError as error:
        raise ArchiveError(f"{archive.directory} is damaged: {error}") from error


def write_certificates(archive: Archive, folder: Path) -> int:
    """Write ``NAME.cnf`` and ``NAME.lrat`` for each cube to a folder, which appears when complete.

    Returns:
        The number of certificates.

    Raises:
        ArchiveError: The folder holds something, or the certificates are damaged.
        OSError: The folder cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ArchiveError(f"{folder} holds something: name a new or empty folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    number = 0
    with whole_folder(folder) as building:
        for name, cnf, lrat in foreign_files(archive):
            number += 1
            (building / f"{name}.cnf").write_text(cnf, encoding="ascii")
            (building / f"{name}.lrat").write_text(lrat, encoding="ascii")
    return number
