"""Every way to end: an exit code that says which it is, and never a traceback."""

import errno
import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.escaping import plain
from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES
from tests.verify.command import PART, ROOT, command, expect_sentence
from tests.verify.work.test_signals import LIST, gate_that, run

SEARCH = "__import__('sanproof.proofs.search').proofs.search"
ERRORS = "__import__('sanproof.verify.errors').verify.errors"
RAISED = {
    "ValueError('no\\n\\x1b[31msuch thing')": (4, r"ValueError: no\n\x1b[31msuch thing. Please"),
    "RecursionError('too deep')": (4, "RecursionError: too deep. Please report it"),
    "KeyError()": (4, "An error in sanproof itself: KeyError. Please report it"),
    "Exception('x' * 10_000)": (4, "xxx (cut). Please report it"),
    "MemoryError()": (4, "There is not enough memory"),
    "RuntimeError(b'out of memory')": (4, "There is not enough memory"),
    f"OSError({errno.ENOSPC}, 'No space left', 'x')": (4, "x: No space left"),
    f"OSError({errno.EMFILE}, 'Too many open files', 'x')": (4, "x: Too many open files"),
    f"OSError({errno.EACCES}, 'Permission denied', 'x')": (2, "x: Permission denied"),
    f"OSError({errno.ENOENT}, 'No such file', b'\\xff')": (2, r"\udcff: No such file"),
    f"OSError({errno.EIO}, 'Input/output error')": (4, "output cannot be written: Input/output"),
    f"{SEARCH}.SolverGaveUp('Z3 gave up: x')": (
        3,
        "Nothing was decided: Z3 gave up: x",
    ),
    f"{ERRORS}.NegativeAnswer('It differs.')": (1, "It differs"),
    f"{ERRORS}.Undecided('Who knows.')": (3, "Who knows"),
    f"{ERRORS}.Unfinished('It is full.')": (4, "It is full"),
}


@pytest.mark.parametrize("raised", RAISED)
@pytest.mark.usually(5)
def test_every_exception_is_a_sentence(raised: str) -> None:
    code, words = RAISED[raised]
    done = run("gate", LIST, first=gate_that(f"raise {raised}"))
    expect_sentence(done, code, words)
    assert len(done.stderr) < 700
    assert done.stdout == ""


def test_a_traceback_is_printed_when_asked_for() -> None:
    done = subprocess.run(
        command("gate", LIST, first=gate_that("raise ValueError('here')")),
        cwd=ROOT,
        env={**os.environ, "SANPROOF_TRACEBACK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "in run_gate\n" in done.stderr
    assert "SANPROOF_TRACEBACK=1" in done.stderr.splitlines()[-1]


def test_what_is_raised_where_nobody_catches_it_is_a_sentence() -> None:
    body = """\
def fail(*_):
    raise ValueError("in the dark")
thread = threading.Thread(target=fail)
thread.start()
thread.join()
type("Dropped", (), {"__del__": fail})()
return True"""
    done = run("gate", LIST, first=gate_that(body))
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert [line.partition(". ")[0] for line in done.stderr.splitlines()] == [
        "sanproof: An error in sanproof itself: ValueError: in the dark"
    ] * 2


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.txt"
    path.write_text(Path(LIST).read_text() + "\ne9\n")
    return str(path)


STREAMS = {
    ("right", "2>&-"): 0,
    ("wrong", "2>&-"): 1,
    ("refused", "2>&-"): 2,
    ("right", "2>/dev/full"): 0,
    ("wrong", "2>/dev/full"): 1,
    ("refused", "2>/dev/full"): 2,
    ("fails", "2>/dev/full"): 4,
    ("fails", "2>&-"): 4,
    ("misused", "2>/dev/full"): 2,
    ("made", "2>&-"): 0,
    ("right", ">&-"): 4,
    ("wrong", ">/dev/full"): 4,
    ("wrong", ">&- 2>&-"): 4,
    ("right", "<&- >&- 2>&-"): 4,
    ("right", "<&-"): 0,
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("case", "streams"), STREAMS)
@pytest.mark.usually(5)
def test_streams_that_are_closed_or_full(case: str, streams: str, wrong: str) -> None:
    """Also that what is opened next is not taken for a stream that was closed."""
    arguments = {
        "right": [LIST],
        "wrong": [wrong],
        "refused": ["/none"],
        "fails": [LIST],
        "misused": ["--fly"],
        "made": ["--command", f"cat {LIST}; echo noise >&2"],
    }[case]
    first = gate_that("raise ValueError") if case == "fails" else ""
    done = subprocess.run(
        ["bash", "-c", f'"$@" {streams}', "bash", *command("gate", *arguments, first=first)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == STREAMS[case, streams]
    if "2>" not in streams and done.returncode == 4:
        expect_sentence(done, 4, "The output cannot be written")
    else:
        assert done.stderr == ""


COMMANDS = {
    "verify": ["verify", "--out", "RUN", "--only", PART, "--workers", "1"],
    "audit": ["audit", "RUN", "--workers", "1"],
    "report": ["report", "SAMPLE", "--out", "PAGE"],
    "export": ["export", "--run", "SAMPLE"],
    "verify, refused": ["verify", "--out", "OTHER", "--only", PART],
    "audit, refused": ["audit", "OTHER"],
    "report, refused": ["report", "OTHER"],
    "export, refused": ["export", "--run", "OTHER"],
}
ENDS = {
    ("verify", "2>&-"): 0,
    ("audit", "2>&-"): 0,
    ("report", "2>&-"): 0,
    ("export", "2>&-"): 0,
    ("audit", "2>/dev/full"): 4,  # its progress cannot be written
    ("report", "2>/dev/full"): 0,
    ("export", "2>/dev/full"): 0,
    ("verify", ">/dev/full"): 4,
    ("audit", ">/dev/full"): 4,
    ("report", ">/dev/full"): 4,
    ("export", ">/dev/full"): 4,
    ("export", ">&- 2>&-"): 4,
    ("verify, refused", "2>/dev/full"): 2,
    ("audit, refused", "2>&-"): 2,
    ("audit, refused", "2>/dev/full"): 2,
    ("report, refused", "2>/dev/full"): 2,
    ("export, refused", "2>&-"): 2,
    ("export, refused", "2>/dev/full"): 2,
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("case", "streams"), ENDS)
@pytest.mark.usually(5)
def test_commands_whose_streams_are_closed_or_full(
    case: str, streams: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "somebody's").touch()
    places = {"OTHER": tmp_path / "other", "PAGE": tmp_path / "page"}
    if "RUN" in COMMANDS[case]:
        places["RUN"] = request.getfixturevalue("finished")
    if "SAMPLE" in COMMANDS[case]:
        places["SAMPLE"] = write_run(tmp_path / "sample", FILES)
    arguments = [str(places.get(argument, argument)) for argument in COMMANDS[case]]
    done = subprocess.run(
        ["bash", "-c", f'"$@" {streams}', "bash", *command(*arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ENDS[case, streams], done.stderr
    if "2>" in streams:
        assert done.stderr == ""
    else:
        expect_sentence(done, 4, "The output cannot be written")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_progress_that_cannot_be_written_is_no_answer() -> None:
    body = "sys.stderr.write('proving')\nsys.stderr.flush()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("gate", LIST, first=gate_that(body)), cwd=ROOT, stderr=full, check=False
        )
    assert done.returncode == 4


def test_the_solver_has_no_memory() -> None:
    """Z3 says so in an exception of its own; with a little less, it ends the process."""
    body = "import z3\nraise z3.Z3Exception(b'out of memory')"
    expect_sentence(run("gate", LIST, first=gate_that(body)), 4, "not enough memory")


@given(st.text())
def test_what_is_plain_can_be_printed_anywhere(text: str) -> None:
    assert plain(text).isprintable()
    assert "##[" not in plain(f"##[{text}##[")
    if str(text).isprintable() and "##[" not in text:
        assert plain(text) == text


def test_usage_errors_are_plain() -> None:
    done = run("gate", "--\x1b[31m##[error]")
    assert done.returncode == 2
    assert re.sub(r"\n", "", done.stderr).isprintable()
    assert "##[" not in done.stderr
