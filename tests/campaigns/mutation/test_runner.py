"""Tests of the runner: it ends what does not end, and says what noticed a mutant."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from hypothesis import settings

from tests.campaigns.mutation import runner
from tests.campaigns.mutation.detectors import DETECTORS
from tests.campaigns.mutation.operators import Mutant
from tests.campaigns.mutation.runner import TIME, Limit, Outcome, Round, mutated, rounds, run

MINUTE = 60
COMPILES = "from sanproof.proofs.games.compiled import compiled"


def compute_for_ever() -> str:
    while True:
        pass


def wait_for_ever() -> str:
    sleep(100 * MINUTE)
    return ""


def outcome_of(
    notice: Callable[[], str], limit: Limit, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> Outcome:
    """Return what comes out of a round whose detectors do this."""
    monkeypatch.setattr(runner, "notice", lambda *_: notice())
    return run(tree, "a", limit, Round((), 1))


def test_what_computes_for_ever_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = outcome_of(compute_for_ever, Limit(1, 100 * MINUTE), tmp_path, monkeypatch)
    assert outcome.noticed_by == f"{TIME} (1 s)"
    assert outcome.cpu_seconds >= 0.3  # of a busy machine's second


def test_what_waits_for_ever_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = outcome_of(wait_for_ever, Limit(100 * MINUTE, 0.5), tmp_path, monkeypatch)
    assert outcome.noticed_by.startswith(TIME)
    assert outcome.seconds < MINUTE


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        (lambda: "", ""),
        (lambda: "a test", "a test"),
        (lambda: str(1 // 0), "an error"),
        (lambda: os._exit(0), "its sudden end"),
        (lambda: str(os.kill(os.getpid(), signal.SIGTERM)), "its sudden end"),  # type: ignore[func-returns-value]
    ],
)
def test_who_noticed_it(
    notice: Callable[[], str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = Limit(MINUTE, MINUTE)
    assert outcome_of(notice, limit, tmp_path, monkeypatch).noticed_by == expected


@pytest.mark.parametrize("module", DETECTORS)
def test_tests_run_in_brief_first_and_everything_in_full_last(module: str) -> None:
    *brief, last = rounds(module)
    assert last.detectors == DETECTORS[module]
    tests = [detector for detector in DETECTORS[module] if detector.module == "pytest"]
    assert [detector for round_ in brief for detector in round_.detectors] == tests
    usual = settings.get_profile("same").max_examples
    assert all(round_.most_examples == usual < last.most_examples for round_ in brief)


@pytest.mark.parametrize(("line", "kept"), [("", True), (COMPILES, False)])
def test_what_numba_has_kept_of_loops_is_forgotten(tmp_path: Path, line: str, kept: bool) -> None:
    """The cache of another file may hold a loop of the mutant, or afterwards the mutant's."""
    module, index = tmp_path / "loops.py", tmp_path / "__pycache__" / "others.call-1.py311.nbi"
    module.write_text(f"{line}\n")
    index.parent.mkdir()
    index.touch()
    with mutated(Mutant("loops", "", "", "", "", 1, "pass\n"), tmp_path):
        assert (module.read_text(), index.exists()) == ("pass\n", kept)
        index.touch()
    assert (module.read_text(), index.exists()) == (f"{line}\n", kept)
