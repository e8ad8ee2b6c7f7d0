"""Ctrl-C, SIGTERM and SIGHUP end a command at any time, with a sentence and the shell's code."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from sanproof.verify.work.signals import SENTENCES
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES
from tests.verify.command import ROOT, command, completed, expect_sentence, group, started

LIST = str(ROOT / "data" / "san_strings.txt")
AT_CALL = """
import signal, sys
from sanproof.verify.work import signals
calls = 0
def count(frame, event, _):
    global calls
    calls += event == "call"
    if calls == {call}:
        sys.setprofile(None)
        signal.raise_signal({number})
honest = signals.end_at_once
def end_at_once():
    honest()
    if not calls:
        sys.setprofile(count)
signals.end_at_once = end_at_once
"""
AFTER = """
import signal
import {module} as module
honest = module.{name}
def planted(*arguments, **options):
    honest(*arguments, **options)
    print("written", flush=True)
    signal.raise_signal({number})
    print("it went on", flush=True)
module.{name} = planted
"""
GATE = """
import os, signal, sys, threading, time
import sanproof.verify.gate.gating as session
def run_gate(*_, **__):
{body}
session.run_gate = run_gate
"""


def run(
    *arguments: str, first: str = "", ignored: signal.Signals | None = None
) -> subprocess.CompletedProcess[str]:
    """Run sanproof after these statements, with a signal ignored as ``nohup`` does."""
    return completed(
        command(*arguments, first=first),
        timeout=120,
        preexec_fn=None if ignored is None else lambda: signal.signal(ignored, signal.SIG_IGN),
    )


def gate_that(body: str) -> str:
    """Return statements that have ``sanproof gate`` do something else."""
    return GATE.format(body="".join(f"    {line}\n" for line in body.split("\n")))


def expect_end(done: subprocess.CompletedProcess[str], number: signal.Signals) -> None:
    expect_sentence(done, 128 + number, SENTENCES[number])


@pytest.mark.usually(5)
@pytest.mark.parametrize("number", SENTENCES, ids=lambda number: number.name)
@pytest.mark.parametrize("call", [1, 5, 60, 1_000, 4_000, 7_000])
def test_a_signal_ends_the_command_wherever_it_is(call: int, number: signal.Signals) -> None:
    """At a call of a function: while modules are loaded, arguments read, the list compared."""
    done = run("gate", LIST, first=AT_CALL.format(call=call, number=int(number)))
    expect_end(done, number)
    assert done.stdout == ""


def test_ctrl_c_before_signals_are_handled() -> None:
    first = (
        "import sys\nclass Interrupted:\n    def __getattr__(self, _): raise KeyboardInterrupt\n"
    )
    first += (
        "import sanproof.verify.work as work\n"
        "work.signals = sys.modules['sanproof.verify.work.signals'] = Interrupted()\n"
    )
    expect_end(run("gate", LIST, first=first), signal.SIGINT)


def test_the_calls_above_are_reached() -> None:
    counted = AT_CALL.format(call=-1, number=2)
    counted += "import atexit; atexit.register(lambda: print('calls', calls))\n"
    done = run("gate", LIST, first=counted)
    assert int(done.stdout.split("calls ")[1]) > 7_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize("name", ["report", "export"])
@pytest.mark.usually(1)
def test_a_signal_leaves_no_part_of_a_file(
    name: str, number: signal.Signals, tmp_path: Path
) -> None:
    """A signal comes when all is written but for its name."""
    sample = str(write_run(tmp_path / "sample", FILES))
    out = str(tmp_path / "out.csv")
    arguments, place = {
        "report": (["report", sample, "--out", out], "sanproof.reports.page.folder.write_files"),
        "export": (
            ["export", "--run", sample, "--out", out],
            "sanproof.verify.commands.export.write_export",
        ),
    }[name]
    module, _, function = place.rpartition(".")
    done = run(*arguments, first=AFTER.format(module=module, name=function, number=int(number)))
    expect_end(done, number)
    assert done.stdout == "written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.usually(1)
def test_a_signal_ends_an_audit_and_its_workers(finished_run: Path, number: signal.Signals) -> None:
    first = AFTER.format(module="sanproof.verify.audit.whole", name="compare", number=int(number))
    with started("audit", str(finished_run), "--workers", "2", first=first) as process:
        output, errors = process.communicate(timeout=120)
        deadline = time.monotonic() + 30  # a process that was killed needs a moment to be gone
        while group(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not group(process.pid)
    done = subprocess.CompletedProcess([], process.returncode, output, errors)
    expect_sentence(done, 128 + number, "the audit did not end, and nothing is proved")
    assert output == "written\n"


@pytest.mark.parametrize("number", SENTENCES, ids=lambda number: number.name)
def test_a_signal_that_was_ignored_stays_ignored(number: signal.Signals) -> None:
    """As ``nohup`` has it, and a shell for what it starts in the background."""
    body = f"os.kill(os.getpid(), {int(number)})\nreturn True"
    done = run("gate", LIST, first=gate_that(body), ignored=number)
    assert (done.returncode, done.stderr) == (0, "")


BODIES = {
    "raised where Python drops exceptions": """\
class Dropped:
    def __del__(self):
        signal.raise_signal({number})
Dropped()
time.sleep(5)
print("it went on", flush=True)""",
    "a second one ends at once": """\
try:
    signal.raise_signal({number})
finally:
    signal.raise_signal({number})
    print("it went on", flush=True)""",
    "files are tidied up": """\
try:
    signal.raise_signal({number})
finally:
    print("as it should", flush=True)""",
    "held back": """\
from sanproof.verify.work import signals
with signals.held_back():
    os.kill(os.getpid(), {number})
    print("as it should", flush=True)
print("it went on", flush=True)""",
    "a solver took Ctrl-C": """\
import threading  # Z3 answers Ctrl-C with "unknown"
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.solvers import z3_refutes
cnf = Gates()  # twelve pigeons in eleven holes: this takes Z3 very long
places = [[cnf.new() for _ in range(11)] for _ in range(12)]
for pigeon in places:
    cnf.add(*pigeon)
for hole in zip(*places):
    cnf.at_most_one(hole)
threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
z3_refutes(cnf)""",
}


@pytest.mark.usually(2)
@pytest.mark.parametrize(
    ("case", "number"),
    [
        *((next(iter(BODIES)), number) for number in SENTENCES),
        *((case, signal.SIGINT if "C" in case else signal.SIGTERM) for case in [*BODIES][1:]),
    ],
)
def test_a_signal_ends_a_command_in_order(case: str, number: signal.Signals) -> None:
    body = BODIES[case]
    done = run("gate", LIST, first=gate_that(body.replace("{number}", str(int(number)))))
    expect_end(done, number)
    assert done.stdout == "as it should\n" * ("as it should" in body)
