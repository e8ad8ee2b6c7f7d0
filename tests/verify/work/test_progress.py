"""The display of a run's progress: lines for a pipe, one line that changes on a terminal."""

import contextlib
import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.work import progress
from tests.verify.command import verify
from tests.verify.terminal import on_terminal


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("sanproof.verify.work.progress.time", clock)
    return clock


def test_lines_say_phase_part_and_time_left(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scale is the cost of the whole run; what was done before counts as done."""
    with progress.progress_display(200, "run") as shown:
        shown.begin("deciding", 20)
        clock.now += 9.0
        shown.advance(10)
        assert capsys.readouterr().err == ""  # too soon
        clock.now += 11.0
        shown.advance(10)
        line = "deciding: 20% of the run is done, about 3 min left\n"
        assert capsys.readouterr().err == line
        clock.now += 10.0
        shown.begin("games", 100)
        line = "games: 50% of the run is done, about 3 min left\n"
        assert capsys.readouterr().err == line
        clock.now += 70.0
        shown.advance(1000)
        assert capsys.readouterr().err == "games: 100% of the run is done\n"


@given(st.lists(st.floats(0, 50), max_size=60), st.floats(1, 1000))
def test_lines_are_few_and_never_go_beyond_the_end(steps: list[float], total: float) -> None:
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(StringIO()) as err:
        patch.setattr("sanproof.verify.work.progress.time", clock)
        with progress.progress_display(total, "run") as shown:
            shown.begin("deciding", 0)
            for step in steps:
                clock.now += 1.0
                shown.advance(step)
    lines = err.getvalue().splitlines()
    assert len(lines) <= 1 + len(steps) / progress.SECONDS_BETWEEN_LINES
    shares = [int(re.fullmatch(r"deciding: (\d+)% .*", line)[1]) for line in lines]  # type: ignore[index]
    assert shares == sorted(shares)
    assert all(0 <= share <= 100 for share in shares)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0.2, "a few seconds"), (10, "a few seconds"), (11, "about 20 s"), (60, "about 60 s")),
        *((61, "about 2 min"), (340, "about 6 min"), (3725, "about 63 min")),
    ],
)
def test_a_guess_is_no_more_exact_than_it_can_be(seconds: float, text: str) -> None:
    assert progress.roughly(seconds) == text


def test_the_first_moments_say_nothing_of_the_rest(clock: Clock) -> None:
    scale, unknown = (progress.Scale(total, lambda *_: None) for total in (100, None))
    for later, left in ((0.5, ""), (1.0, "about 13 min left")):
        clock.now += progress.SECONDS_UNTIL_A_GUESS * later
        for advanced in (scale, unknown):
            advanced.advance(0.5)
        assert (scale.time_left(), unknown.time_left()) == (left, "")
    assert unknown.done == 1


@pytest.mark.parametrize("columns", [70, 100])
def test_a_terminal_sees_one_line_for_the_whole_run(tmp_path: Path, columns: int) -> None:
    """It has the phases in order, and is never wider than the terminal."""
    streams = ("stdout", "stderr")
    code, shown = on_terminal(*verify(tmp_path, "O-O"), columns=columns, streams=streams)
    assert code == 0
    changes = [line for line in shown if re.match("(deciding|games|replaying|writing): ", line)]
    phases = [change.partition(":")[0] for change in changes]
    assert list(dict.fromkeys(phases)) == ["deciding", "games", "replaying", "writing"]
    assert [line for line in shown if len(line) > columns and str(tmp_path) not in line] == []
    done = [int(n) for change in changes for n in re.findall(r": (\d+)%", change)]
    assert done == sorted(done)
    assert done[-1] >= 95
