"""How a run's progress is told: lines for a pipe, a live line for a terminal."""

import os
import pty
import re
import select as readiness
import subprocess
from pathlib import Path

import pytest

from tests.verify.command import ROOT, command, verify
from verify.run import progress


def test_lines_tell_cubes_witnesses_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("verify.run.progress.time.monotonic", lambda: now)
    with progress.progress_display(10, 50) as observer:
        now += 4.0
        observer.advance(2, 400)
        assert capsys.readouterr().err == ""  # too soon after the beginning
        now += 4.0
        observer.advance(2, 400)
        assert capsys.readouterr().err == "14/50 cubes, 800 witnesses, 100/s, 72 s left\n"
        now += 1.0
        observer.advance(36, 1000)
        assert capsys.readouterr().err == "50/50 cubes, 1,800 witnesses, 200/s, 0 s left\n"


def test_a_terminal_sees_a_live_line(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        command(*verify(tmp_path, "O-O")),
        cwd=ROOT,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        while readiness.select([ours], [], [], 60)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())  # colours and cursor movements
    assert process.returncode == 0, text
    assert "Traceback" not in text
    assert "deciding" in text
    assert "1/1 cubes" in text
    assert "witnesses" in text
    assert "The generator agrees" in text
