"""Counts of played strings: a string that was seen and not proved fails the audit."""

from pathlib import Path
from shutil import copytree

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import OBSERVED, OBSERVED_FILES, OBSERVED_LICENCE
from sanproof.verify.audit.auditor import closing_lines
from tests.campaigns.forging.model import audit_here
from tests.reports.archive.archives import write_observed


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the run with games, to be changed."""
    return Path(copytree(made / "played", tmp_path / "run"))


def reachable(run: Path) -> list[str]:
    return (run / "san_strings_with_symbols.txt").read_text().split("\n")


def test_counts_of_proven_strings_pass_and_are_named(copied: Path) -> None:
    assert audit_here(copied).observed is None
    times = dict.fromkeys(reachable(copied)[1:], 3)
    audited = audit_here(write_observed(copied, times))
    assert audited.observed is not None
    assert audited.observed.times == times
    assert audited.unchecked == []
    assert set(audited.digests) >= set(OBSERVED_FILES)
    (line,) = [line for line in closing_lines(audited) if line.startswith("Seen in games: ")]
    assert f"{len(times):,} strings in {3 * len(times):,} moves of blitz games of a club" in line


def test_a_planted_string_fails_the_audit(copied: Path) -> None:
    write_observed(copied, {reachable(copied)[0]: 1, "Ba1b2+": 2})
    with pytest.raises(EvidenceError, match=rf"{OBSERVED}: Ba1b2\+ was seen in a game, 2 times"):
        audit_here(copied)


def test_damaged_counts_fail_the_audit(copied: Path) -> None:
    write_observed(copied, {reachable(copied)[0]: 1})
    (copied / OBSERVED_LICENCE).write_text("All rights reserved.\n")
    with pytest.raises(EvidenceError, match=f"{OBSERVED_LICENCE} is not the file"):
        audit_here(copied)
