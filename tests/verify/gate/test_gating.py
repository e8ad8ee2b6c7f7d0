"""The gate's session: many lists, commands and signals, terminals."""

import signal
import subprocess
from pathlib import Path

import pytest

from sanproof.verify.work.signals import SENTENCES
from tests.verify.command import ROOT, command, completed, is_alive, wait_until
from tests.verify.terminal import on_terminal


@pytest.mark.parametrize("form", ["json", "junit", "sarif"])
def test_a_form_for_programs_is_printed_whole_or_not_at_all(tmp_path: Path, form: str) -> None:
    run = completed(
        command("gate", "--format", form, "data/san_strings.txt", str(tmp_path / "none"))
    )
    assert (run.returncode, run.stdout) == (2, "")


@pytest.mark.parametrize("number", SENTENCES, ids=lambda number: number.name)
@pytest.mark.parametrize("captured", [True, False])
def test_a_signal_ends_what_the_command_started(
    tmp_path: Path, number: signal.Signals, *, captured: bool
) -> None:
    started = tmp_path / "started"
    line = f"sleep 300 & echo $! >'{tmp_path}/new'; mv '{tmp_path}/new' '{started}'; wait"
    reads = [] if captured else ["--reads", str(started)]
    with subprocess.Popen(
        command("gate", "--command", line, *reads), cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(started.exists)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.strip()) == (128 + number, f"sanproof: {SENTENCES[number]}")
    sleeping = int(started.read_text())
    wait_until(lambda: not is_alive(sleeping))


@pytest.mark.slow
def test_a_terminal_is_told_that_its_input_is_waited_for() -> None:
    code, shown = on_terminal("gate", columns=200, streams=["stderr"], typed=b"e4\ne5\n\x04")
    assert code == 1
    assert "Type or paste the list" in "".join(shown)
    assert "Ctrl-D" in "".join(shown)
