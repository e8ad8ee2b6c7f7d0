"""How an audit gets on is shown: from nothing to all, phase by phase."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sanproof.verify.audit.progress import Phase, Phases, phases_display
from sanproof.verify.audit.whole import audit
from sanproof.verify.work import progress
from tests.campaigns.forging.model import fast_audits
from tests.verify.command import ROOT, InlineExecutor, sanproof


class Seen(Phases):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.costs: Mapping[Phase, float] = {}
        self.begun: list[Phase] = []
        self.done: dict[Phase, float] = {}

    def plan(self, costs: Mapping[Phase, float]) -> None:
        self.costs = costs

    def begin(self, phase: Phase) -> None:
        self.begun.append(phase)

    def advance(self, phase: Phase, share: float) -> None:
        self.done[phase] = self.done.get(phase, 0) + share


@pytest.mark.parametrize("second_opinion", [False, True])
@pytest.mark.parametrize("name", ["run", "played"])
def test_each_phase_is_planned_and_comes_to_its_end(
    made: Path, name: str, second_opinion: bool
) -> None:
    seen = Seen()
    with fast_audits():
        audit(made / name, InlineExecutor(), seen, second_opinion=second_opinion)
    assert set(seen.begun) == set(seen.costs) == set(seen.done)
    assert len(seen.begun) == len(set(seen.begun))
    assert all(cost > 0 for cost in seen.costs.values())
    assert seen.done == pytest.approx(dict.fromkeys(seen.costs, 1.0))


def test_results_are_watched_as_they_come() -> None:
    seen = Seen()
    results = seen.watch(Phase.GAMES, map(str, range(4)), 4)
    assert seen.begun == []
    assert next(results) == "0"
    assert seen.begun == [Phase.GAMES]
    assert [next(results), next(results)] == ["1", "2"]
    assert seen.done == {Phase.GAMES: 0.5}


def test_lines_say_the_share_of_the_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    with phases_display() as shown:
        shown.plan({Phase.REFUTATIONS: 3.0, Phase.GAMES: 1.0})
        shown.begin(Phase.REFUTATIONS)
        shown.advance(Phase.REFUTATIONS, 0.5)
        shown.advance(Phase.REFUTATIONS, 0.5)
        shown.begin(Phase.GAMES)
        shown.advance(Phase.GAMES, 1.5)  # more than there is does not show
    told = re.findall(r"(.+): (\d+)% of the audit is done.*\n", capsys.readouterr().err)
    assert told == [
        ("Checking refutations", "0"),
        ("Checking refutations", "38"),
        ("Checking refutations", "75"),
        ("Replaying games", "75"),
        ("Replaying games", "100"),
    ]


def test_a_pipe_gets_lines_and_needs_no_library_for_bars(made: Path) -> None:
    done = sanproof("audit", str(made / "played"), "--workers", "1")
    assert done.returncode == 0
    assert re.search(r"^Replaying games: \d+% of the audit is done", done.stderr, re.MULTILINE)
    assert "\x1b" not in done.stderr
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sanproof.verify.audit.auditor, sys; print('rich' in sys.modules)",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout == "False\n"
