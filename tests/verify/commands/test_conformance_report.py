import json
import lzma
from pathlib import Path

import pytest

from sanproof.verify.conformance.files import MOST_OF_RESULTS, MOST_PARTS
from tests.reports.scoreboard.samples import RESULTS, SUITE
from tests.verify.command import expect_sentence, sanproof


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A suite and results of it."""
    import hashlib  # noqa: PLC0415

    content = json.dumps(SUITE).encode()
    (tmp_path / "suite.json").write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    results = RESULTS | {"suite": RESULTS["suite"] | {"sha256": sha256}}
    (tmp_path / "results.json").write_text(json.dumps(results), "utf-8")
    (tmp_path / "results.json.xz").write_bytes(lzma.compress(json.dumps(results).encode()))
    return tmp_path


def report(files: Path, *arguments: str) -> list[str]:
    out = str(files / "board")
    return ["conformance", "report", *arguments, "--suite", str(files / "suite.json"), "--out", out]


@pytest.mark.parametrize("name", ["results.json", "results.json.xz"])
def test_the_scoreboard_of_a_file_is_made_and_named(files: Path, name: str) -> None:
    run = sanproof(*report(files, str(files / name)))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [str(files / "board" / "index.html")]
    assert (files / "board" / "reports" / "worst.md").exists()


def test_the_results_that_come_with_sanproof(tmp_path: Path) -> None:
    run = sanproof("conformance", "report", "--out", str(tmp_path / "board"))
    assert (run.returncode, run.stderr) == (0, "")
    content = json.loads((tmp_path / "board" / "scoreboard.json").read_bytes())
    assert len(content["libraries"]) >= 14


def test_wrong_files_are_refused_in_a_sentence(files: Path) -> None:
    for name, content, said in (
        ("no.json", b"no", "is not JSON"),
        ("empty.json", b"{}", "is not a result file"),
        ("torn.json.xz", b"no", "is not packed with xz"),
        ("other.json", json.dumps(RESULTS).encode(), "another suite"),
    ):
        (files / name).write_bytes(content)
        expect_sentence(sanproof(*report(files, str(files / name))), 2, said)
    assert not (files / "board").exists()


def test_a_small_file_that_unpacks_to_much_is_not_unpacked(files: Path) -> None:
    """3 GB of blanks take 458 kB; here are as few as are refused."""
    blanks = lzma.compress(bytes(b" " * (MOST_OF_RESULTS + 1)), preset=0)
    (files / "blanks.json.xz").write_bytes(blanks)
    expect_sentence(sanproof(*report(files, str(files / "blanks.json.xz"))), 2, "than 16 MiB")
    (files / "parts.json").write_bytes(b"[" + b"{}," * MOST_PARTS + b"{}]")
    expect_sentence(sanproof(*report(files, str(files / "parts.json"))), 2, "1,048,576 objects")


def test_a_suite_that_is_not_installed_is_said_to_be_written_first(files: Path) -> None:
    out = str(files / "board")
    made = sanproof("conformance", "report", "--level", "full", "--out", out)
    expect_sentence(made, 2, "export --level full --out DIR")


def test_a_folder_with_something_else_is_left_alone(files: Path) -> None:
    (files / "board").mkdir()
    (files / "board" / "mine").write_text("mine", "utf-8")
    expect_sentence(sanproof(*report(files, str(files / "results.json"))), 2, "something other")
    assert (files / "board" / "mine").exists()


def test_a_missing_file_is_said(files: Path) -> None:
    expect_sentence(sanproof(*report(files, str(files / "nobody.json"))), 2, "nobody.json")
