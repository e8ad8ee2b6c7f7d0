"""The display of a run's progress: lines for a pipe, a bar for a terminal."""

import contextlib
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.claims.selection import select
from sanproof.verify.run.runner import run
from sanproof.verify.work import progress
from tests.verify.command import inline_pool, verify
from tests.verify.terminal import on_terminal


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_lines_say_phase_part_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scale is the cost of the whole run; what was done before counts as done."""
    clock = Clock()
    monkeypatch.setattr("sanproof.verify.work.progress.time", clock)
    with progress.progress_display(200, "run") as shown:
        shown.begin("deciding", 20)
        assert capsys.readouterr().err == "deciding: 10% of the run is done\n"
        clock.now += 9.0
        shown.advance(10)
        assert capsys.readouterr().err == ""  # too soon after the line before
        clock.now += 11.0
        shown.advance(10)
        line = "deciding: 20% of the run is done, about 3 min left\n"
        assert capsys.readouterr().err == line
        clock.now += 1.0
        shown.begin("games", 100)
        line = "games: 50% of the run is done, about 2 min left\n"
        assert capsys.readouterr().err == line
        clock.now += 79.0
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


def test_the_first_moments_say_nothing_of_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("sanproof.verify.work.progress.time", clock)
    scale, unknown = (progress.Scale(total, lambda *_: None) for total in (100, None))
    for advanced in (scale, unknown):
        advanced.begin("", 0)
    clock.now += progress.SECONDS_UNTIL_A_GUESS / 2
    for advanced in (scale, unknown):
        advanced.advance(1)
    assert not scale.time_left()
    clock.now += progress.SECONDS_UNTIL_A_GUESS
    assert scale.time_left() == "about 13 min left"
    assert (unknown.done, unknown.time_left()) == (1, "")


@pytest.mark.parametrize("games", [False, True])
def test_a_run_goes_from_beginning_to_end_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, games: bool
) -> None:
    """All phases on one scale: none jumps back, and the last one ends where the run does."""
    seen: list[tuple[str, float]] = []
    scales: list[progress.Scale] = []

    @contextlib.contextmanager
    def display(total: float, whole: str) -> Iterator[progress.Scale]:
        assert whole == "run"
        scales.append(progress.Scale(total, lambda s, _: seen.append((s.phase, s.done))))
        yield scales[0]

    monkeypatch.setattr("sanproof.verify.run.runner.progress_display", display)
    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    run(tmp_path, select("O-O"), 1, games=games)
    phases, done = zip(*seen, strict=True)
    assert list(dict.fromkeys(phases)) == ["deciding", *["games", "replaying"] * games, "writing"]
    assert list(done) == pytest.approx(sorted(done))
    assert done[-1] == pytest.approx(scales[0].total)


@pytest.mark.parametrize("columns", [20, 45, 100])
def test_a_terminal_sees_one_bar_for_the_whole_run(tmp_path: Path, columns: int) -> None:
    """In a narrow one only its numbers, and no line is wider than the terminal."""
    streams = ("stdout", "stderr")
    code, shown = on_terminal(*verify(tmp_path, "O-O"), columns=columns, streams=streams)
    lines = [line.rstrip() for part in shown for line in part.split("\r")]
    assert (code, "Traceback" in "".join(lines)) == (0, False), lines
    bars = [line for line in lines if re.match(r"(deciding|games|writing) ", line)]
    assert bars[0].startswith("deciding ")
    assert bars[-1].startswith("writing ")
    assert "100%" in bars[-1]
    assert all(("━" in line) == (columns >= progress.NARROW) for line in bars)
    assert [x for x in lines if len(x) > columns and str(tmp_path) not in x] == []
    assert any("The generator" in line for line in lines)
