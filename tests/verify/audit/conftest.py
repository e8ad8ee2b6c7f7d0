"""The sound runs, made once for all tests."""

from pathlib import Path

import pytest

from tests.verify.audit.runs import make_runs_once


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the runs ``run``, ``other`` and ``played``, once; they are not to be changed."""
    return make_runs_once(tmp_path_factory)
