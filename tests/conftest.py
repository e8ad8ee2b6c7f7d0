"""Settings that all tests share."""

import gc
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import Phase, settings

# A shell's background jobs ignore Ctrl-C, and so would all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup, that the terminal is closed

# An example may build a formula, whose time depends on what else the machine does. The examples are
# the same in each run, so that a change that breaks a property fails, and not a later one. Once
# a week others are drawn, and eight times as many: `nox -s every_test`.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=12)
settings.register_profile("fresh", deadline=None, print_blob=True, max_examples=100)
settings.register_profile(  # how small a counterexample is does not matter
    "mutants", derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("same")

# Tests hold lists of all strings: to look through them for garbage was a twentieth of their time.
gc.set_threshold(50_000, 20, 20)

_CAMPAIGNS: Final = Path(__file__).parent / "campaigns"
_COMPILING: Final = pytest.StashKey[subprocess.Popen[bytes]]()


def pytest_configure(config: pytest.Config) -> None:
    """Have numba compile while workers collect the tests, or each of them would do it."""
    if getattr(config.option, "numprocesses", None):  # which a worker does not know
        command = (sys.executable, "-m", "tests.compiling")
        started = subprocess.Popen(command, cwd=config.rootpath, stdout=subprocess.DEVNULL)
        config.stash[_COMPILING] = started


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their number: packed ones hold the time, and workers must agree on names."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object) -> None:
    """Wait until all is compiled: then the workers are given their tests."""
    getattr(node, "config").stash[_COMPILING].wait()  # noqa: B009 - xdist has no types


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not load what is only for the campaigns where none of it is run."""
    is_daily = "not slow" in config.option.markexpr
    return True if is_daily and collection_path == _CAMPAIGNS else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of the campaigns as often as the campaigns, once a week."""
    for item in items:
        if _CAMPAIGNS in item.path.parents:
            item.add_marker(pytest.mark.slow)
