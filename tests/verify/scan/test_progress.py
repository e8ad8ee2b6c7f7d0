"""How a scan gets on: bytes, games a second, and the time left."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sanproof.verify.scan.scanner import how_far
from sanproof.verify.work.progress import Progress, progress_display

MIB = 1 << 20
SECONDS = 15.0


class Clock:
    """In place of the time that passes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr("sanproof.verify.work.progress.SECONDS_BETWEEN_LINES", SECONDS)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


@contextmanager
def display(total: float | None, games: int) -> Iterator[Progress]:
    shown = progress_display(total, text=lambda s: how_far(s, games), only_phase="scanning")
    with shown as progress:
        progress.begin("scanning", 0)
        yield progress


def test_bytes_games_and_time_left_are_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with display(100 * MIB, 3000) as shown:
        clock.now += 1
        shown.advance(MIB)
        assert not lines(capsys)
        clock.now += SECONDS - 1
        shown.advance(24 * MIB)
    assert lines(capsys) == ["scanning: 25 of 100 MiB, 200 games/s, about 50 s left"]


def test_what_was_scanned_before_is_not_counted_in_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with display(100 * MIB, 3000) as shown:
        shown.begin("scanning", 50 * MIB)
        clock.now += SECONDS
        shown.advance(25 * MIB)
    assert lines(capsys) == ["scanning: 75 of 100 MiB, 200 games/s, about 20 s left"]


def test_without_a_size_there_is_no_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with display(None, 150) as shown:
        clock.now += SECONDS
        shown.advance(7 * MIB)
    assert lines(capsys) == ["scanning: 7 MiB, 10 games/s"]


def test_small_files_are_not_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with display(3000, 0) as shown:
        clock.now += SECONDS
        shown.advance(1100)
    assert lines(capsys) == ["scanning: 1 of 3 KiB, about 30 s left"]
