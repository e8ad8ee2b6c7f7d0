import time

import pytest

from sanproof.verify.scan.progress import scan_display

MIB = 1 << 20
SECONDS = 15.0


class Clock:
    """In place of the time that passes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr("sanproof.verify.scan.progress.SECONDS_BETWEEN_LINES", SECONDS)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_bytes_games_and_time_left_are_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with scan_display(100 * MIB) as shown:
        clock.now += 1
        shown.advance(MIB, 1000)
        assert not lines(capsys)
        clock.now += SECONDS - 1
        shown.advance(25 * MIB, 2000)
    assert lines(capsys) == ["scanning: 25 of 100 MiB, 200 games/s, about 45 s left"]


def test_what_was_scanned_before_is_not_counted_in_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with scan_display(100 * MIB) as shown:
        shown.advance(50 * MIB, 0)
        clock.now += SECONDS
        shown.advance(75 * MIB, 3000)
    assert lines(capsys) == ["scanning: 75 of 100 MiB, 200 games/s, about 15 s left"]


def test_without_a_size_there_is_no_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch)
    with scan_display(None) as shown:
        clock.now += SECONDS
        shown.advance(7 * MIB, 150)
    assert lines(capsys) == ["scanning: 7 MiB, 10 games/s"]
