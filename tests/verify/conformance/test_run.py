"""``sanproof conformance run`` as a user calls it: exit codes, files, signals."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from sanproof.verify.work.signals import SENTENCES
from tests.verify.command import (
    ROOT,
    children,
    command,
    expect_sentence,
    expect_usage,
    is_alive,
    sanproof,
    wait_until,
)
from tests.verify.conformance.suites import hostile, write_suite

RUN = ("conformance", "run")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    suite = folder / "suite.json"
    if not suite.exists():
        write_suite(folder, {"id": "may", "class": "may", "san": "e4", "expected": "e2e4"})
    return sanproof(*RUN, "--suite", str(suite), *arguments)


KNOWN = "--known known.txt"
ENDS = [
    ("", "right", 0, "20 of 20 cases passed. Another 1 cases are optional"),
    ("", "crashes", 1, r"\x1b[31msrc/san.rs"),
    (KNOWN, "gives both", 0, "1 failed"),
    ("--known gone.txt", "right", 0, "gone.* is no case"),
    (KNOWN, "right", 1, "initial.Nc3 passes: it is no expected failure"),
    ("--only initial.N* --skip *Nc3", "hangs", 0, "3 of 3 cases passed"),
]


@pytest.mark.parametrize(("options", "behaviour", "code", "words"), ENDS)
def test_a_failure_is_an_answer_of_no_unless_it_is_known(
    options: str, behaviour: str, code: int, words: str, tmp_path: Path
) -> None:
    (tmp_path / "known.txt").write_text("initial.Nc3\n")
    (tmp_path / "gone.txt").write_text("gone.*\n")
    line = [str(tmp_path / word) if ".txt" in word else word for word in options.split()]
    done = run(tmp_path, *line, hostile(behaviour))
    assert (done.returncode, done.stderr) == (code, "")
    assert words in done.stdout
    assert "\x1b" not in done.stdout


def test_results_and_failures_go_to_files_and_the_text_to_the_terminal(tmp_path: Path) -> None:
    out, known = tmp_path / "result.json", tmp_path / "known.txt"
    form = ("--format", "json", "--out", str(out))
    done = run(tmp_path, *form, hostile("right"), hostile("gives both"))
    assert done.returncode == 1
    assert done.stdout.count(" cases passed") == 2
    first, second = json.loads(out.read_bytes())["libraries"]
    assert first["command"] == hostile("right")
    assert {case["outcome"] for case in first["cases"]} == {"passed", "accepted"}
    assert "garbled" in {case["outcome"] for case in second["cases"]}
    assert run(tmp_path, "--write-known", str(known), hostile("gives both")).returncode == 0
    assert known.read_text().splitlines()[1:] == ["initial.Nc3"]
    two = run(tmp_path, "--write-known", str(known), hostile("right"), hostile("right"))
    expect_sentence(two, 2, "one library")


def test_a_file_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    mark = tmp_path / "asked"
    for out in (tmp_path, tmp_path / "none" / "x.json"):
        done = run(tmp_path, "--out", str(out), f"touch '{mark}'; {hostile('right')}")
        expect_usage(done, "a folder that exists")
        assert (mark.exists(), done.stdout) == (False, "")


def test_an_adapter_that_cannot_be_asked_or_skips_all_is_no_answer(tmp_path: Path) -> None:
    done = run(tmp_path, hostile("right"), hostile("ends before it greets"))
    expect_sentence(done, 4, "ended (exit code 1)")
    assert "hostile 1: 20 of 20 cases passed" in done.stdout
    done = run(tmp_path, hostile("skips"))
    assert "0 of 0 cases passed, 20 skipped" in done.stdout
    expect_sentence(done, 4, "Nothing was tested: hostile 1 answered no case")


def test_what_is_no_suite_is_refused(tmp_path: Path) -> None:
    expect_sentence(run(tmp_path, "--only", "x*", hostile("right")), 2, "x* matches no case")
    (tmp_path / "suite.json").write_text("{}")
    expect_sentence(run(tmp_path, hostile("right")), 2, "not a conformance suite")
    missing = sanproof(*RUN, "--suite", str(tmp_path / "none"), "true")
    expect_sentence(missing, 2, "none cannot be used: No such file")
    expect_usage(run(tmp_path, "--timeout", "nan", "x"), "nan")
    expect_usage(run(tmp_path, " "), "a command is empty")


@pytest.mark.parametrize("number", SENTENCES)
def test_a_signal_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    suite, started = write_suite(tmp_path), tmp_path / "started"
    adapters = (hostile("starts others", tmp_path / "new", started), hostile("hangs"))
    arguments = (*RUN, "--suite", str(suite), "--timeout", "600", *adapters)
    with subprocess.Popen(
        command(*arguments), cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(started.exists)
        wait_until(lambda: len(children(process.pid)) == 2)
        left = [*children(process.pid), int(started.read_text())]
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.strip()) == (128 + number, f"sanproof: {SENTENCES[number]}")
    wait_until(lambda: not any(map(is_alive, left)))
