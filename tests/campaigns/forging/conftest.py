"""The sound runs that are forged, made once for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns.forging.__main__ import read_runs
from tests.campaigns.forging.model import Runs, fast_audits
from tests.verify.audit.conftest import made

__all__ = ["made", "runs"]


@pytest.fixture(scope="module")
def runs(made: Path) -> Iterator[Runs]:
    """Yield the sound runs, with audits that are fast."""
    with fast_audits():
        yield read_runs(made)
