"""The sound runs of the forgers, made once for all tests."""

from pathlib import Path

import pytest

from tests.campaigns.forging.model import make_runs_once


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the runs ``run``, ``other`` and ``played``, once; they are not to be changed."""
    return make_runs_once(tmp_path_factory)
