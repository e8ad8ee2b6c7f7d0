"""``python -m conformance.scoreboard``: the folder of result files, and what is refused."""

import hashlib
import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.verify.conformance.files import MOST_OF_RESULTS, MOST_PARTS
from tests.conformance.scoreboard.samples import RESULTS, SUITE
from tests.verify.command import ROOT, expect_sentence


def scoreboard(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "conformance.scoreboard", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A suite and results of it."""
    content = json.dumps(SUITE).encode()
    (tmp_path / "suite.json").write_bytes(content)
    suite = RESULTS["suite"] | {"sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(RESULTS | {"suite": suite}).encode()
    (tmp_path / "results.json").write_bytes(text)
    (tmp_path / "results.json.xz").write_bytes(lzma.compress(text))
    return tmp_path


def report(files: Path, name: str) -> subprocess.CompletedProcess[str]:
    options = "--suite", files / "suite.json", "--out", files / "board"
    return scoreboard(files / name, *options)


@pytest.mark.parametrize("name", ["results.json", "results.json.xz"])
def test_the_scoreboard_of_a_file_is_made_and_named(files: Path, name: str) -> None:
    done = report(files, name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [str(files / "board" / "index.html")]
    assert (files / "board" / "reports" / "worst.md").exists()


@pytest.mark.slow
def test_the_results_that_come_with_sanproof(tmp_path: Path) -> None:
    done = scoreboard("--out", tmp_path / "board")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads((tmp_path / "board" / "scoreboard.json").read_bytes())
    assert len(content["libraries"]) >= 14


WRONG = {
    "no JSON": ("no.json", b"no", "is not JSON"),
    "no result": ("empty.json", b"{}", "is not a result file"),
    "not packed": ("torn.json.xz", b"no", "is not packed with xz"),
    "another suite": ("other.json", json.dumps(RESULTS).encode(), "another suite"),
    # 3 GB of blanks take 458 kB; here are as few as are refused.
    "much": ("a.xz", lzma.compress(b" " * (MOST_OF_RESULTS + 1), preset=0), "than 16 MiB"),
    "many parts": ("b.json", b"[" + b"{}," * MOST_PARTS + b"{}]", "1,048,576 objects"),
    "not there": ("nobody.json", None, "nobody.json"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_in_a_sentence(files: Path, case: str) -> None:
    name, content, words = WRONG[case]
    if content is not None:
        (files / name).write_bytes(content)
    expect_sentence(report(files, name), 2, words)
    assert not (files / "board").exists()


def test_a_suite_that_is_not_installed_is_said_to_be_written_first(tmp_path: Path) -> None:
    done = scoreboard("--level", "full", "--out", tmp_path / "board")
    expect_sentence(done, 2, "export --level full --out DIR")


def test_a_wrong_option_is_misuse() -> None:
    done = scoreboard("--level", "large")
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: python -m conformance.scoreboard [OPTIONS] [RESULTS]...")


def test_a_folder_with_something_else_is_left_alone(files: Path) -> None:
    (files / "board").mkdir()
    (files / "board" / "mine").write_text("mine", "utf-8")
    expect_sentence(report(files, "results.json"), 2, "something other")
    assert (files / "board" / "mine").exists()
