"""The second opinion: what this project's checker would let pass, dratify does not."""

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

import sanproof.proofs.kernel.certificates
from sanproof.proofs.kernel.certificates import check_certificate, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.verify.audit.evidence import ask_about, ask_dratify
from sanproof.verify.audit.run_files import read_run
from tests.campaigns.forging.model import (
    Files,
    Forgery,
    Quiet,
    audit_here,
    fast_audits,
    lay_down,
    read_files,
    with_text,
)
from tests.campaigns.forging.parts import Certificate, certificates_of, is_refutation
from tests.verify.command import InlineExecutor


@pytest.fixture(scope="module")
def run(made: Path) -> Iterator[Files]:
    with fast_audits():
        yield read_files(made / "run")


def unsound(certificate: Certificate) -> Certificate:
    """Of the refutation only the empty clause is left, and it does not follow by propagation."""
    last = certificate.steps[-1]._replace(number=certificate.steps[0].number, hints=(1,))
    return certificate._replace(steps=(last,))


def test_dratify_accepts_every_certificate_of_a_run(made: Path) -> None:
    read = read_run(made / "run")
    number = len(list(split_certificates(read.text(CERTIFICATES))))
    assert ask_dratify(read, InlineExecutor(), Quiet()) == number > 0


def test_a_planted_wrong_refutation_is_refused(run: Files, tmp_path: Path) -> None:
    """Even if the kernel's checker passed everything; without the opinion the audit would too."""
    certificates = certificates_of(run)
    at = max(range(len(certificates)), key=lambda i: len(certificates[i].steps))
    certificates[at] = unsound(certificates[at])
    assert not is_refutation(certificates[at])
    with pytest.raises(EvidenceError, match="does not follow from its hints"):
        check_certificate(str(certificates[at]))
    with pytest.raises(EvidenceError, match=f"{certificates[at].cube}: dratify does not accept"):
        ask_about(str(certificates[at]))
    forged = with_text(run, CERTIFICATES, "".join(map(str, certificates)))
    lay_down(Forgery(forged, ()), tmp_path / "run")
    with mock.patch.object(sanproof.proofs.kernel.certificates, "check_refutation", return_value=1):
        audit_here(tmp_path / "run")
        with pytest.raises(EvidenceError, match=f"^{CERTIFICATES}: cube .*dratify does not accept"):
            audit_here(tmp_path / "run", second_opinion=True)


def test_a_refutation_without_its_last_step_is_refused(run: Files) -> None:
    certificate = max(certificates_of(run), key=lambda c: len(c.steps))
    with pytest.raises(EvidenceError, match="dratify does not accept"):
        ask_about(str(certificate._replace(steps=certificate.steps[:1])))
