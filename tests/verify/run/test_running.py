"""A run's directory, how a run is stopped and goes on, and what it says in the end."""

import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from sanproof.verify.claims.selection import select
from sanproof.verify.errors import ANSWER_NO, UNDECIDED, Failure
from sanproof.verify.run.runner import open_store, run
from sanproof.verify.run.show import MAX_DIFFERENCES, show_result
from tests.verify.command import (
    PART,
    PATIENCE_SECONDS,
    expect_sentence,
    group,
    inline_pool,
    names,
    outputs,
    sanproof,
    saved_units,
    started,
    verify,
    wait_for,
    wait_until,
    without_progress,
    workers_of,
)

# Nothing of a user's is lost: neither to a run's files, nor to one that is cut down

QUICK = "O-O"
LONG = "N*h*"


def contents(directory: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files but the database, with the times of their last changes."""
    files = (path for path in directory.iterdir() if "sqlite3" not in path.name)
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize("name", ["manifest.json", "cover.pgn", ".hidden"])
def test_a_directory_with_somebodys_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    done = sanproof(*verify(tmp_path, QUICK))
    expect_sentence(done, 2, str(tmp_path), name, "Choose an empty folder")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"


@pytest.mark.parametrize("name", ["games.pgn.xz", "manifest.json"])
def test_what_the_run_has_not_written_stays_in_its_directory(tmp_path: Path, name: str) -> None:
    """A run was begun there, and its user put a file beside it."""
    with open_store(tmp_path):
        pass
    (tmp_path / name).write_text("precious")
    with pytest.raises(Failure, match=f"{name} is not a file of this run"):
        run(tmp_path, select(QUICK), 1)
    assert (tmp_path / name).read_text() == "precious"
    assert names(tmp_path) == {name}  # it is said before any work is done


def test_a_finished_run_started_again_says_so_and_changes_nothing(finished: Path) -> None:
    before = contents(finished)
    again = sanproof(*verify(finished))
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("This run was finished before")
    assert contents(finished) == before


def test_files_are_written_anew_and_others_stay(
    finished: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest goes first and comes last: meanwhile nobody takes it for a finished run."""
    seen = []

    def write(path: Path, content: bytes) -> None:
        seen.append((path.name, (finished / "manifest.json").exists()))
        path.write_bytes(content)

    monkeypatch.setattr("sanproof.verify.run.runner.write_whole", write)
    (finished / "cover.pgn").write_text("precious")  # this run has none
    (finished / "manifest.json").write_text("damaged")
    (finished / "witnesses.csv").unlink()
    assert not run(finished, select(PART), 1)[1]
    assert (finished / "cover.pgn").read_text() == "precious"
    (finished / "cover.pgn").unlink()
    assert outputs(finished) == outputs(made / "played")
    assert not any(there for _, there in seen)
    listed = json.loads((finished / "manifest.json").read_bytes())["files"]
    assert [name for name, _ in seen][-1] == "manifest.json"
    assert {name for name, _ in seen} == {*listed, "manifest.json"}


@pytest.mark.parametrize("options", [["--only", "Nxb1?"], ["--only", PART, "--no-games"]])
def test_a_finished_run_is_not_cut_down(finished: Path, options: list[str]) -> None:
    before = contents(finished)
    done = sanproof("verify", "--out", str(finished), "--workers", "1", *options)
    expect_sentence(done, 2, "holds a finished run", f"match {PART}, with games", "another DIR")
    assert contents(finished) == before


def test_a_finished_run_may_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By games, in the same directory."""
    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    grown = tmp_path / "grown"
    run(grown, select(QUICK), 1, games=False)
    assert "games.pgn.xz" not in names(grown)
    run(grown, select(QUICK), 1)
    run(tmp_path / "at once", select(QUICK), 1)
    assert outputs(grown) == outputs(tmp_path / "at once")


# Ctrl-C and its like: the first ends in order, the second at once, none with a traceback

SENT = (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, 4)
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@linux
@pytest.mark.parametrize(("number", "code"), SENT)
def test_each_signal_ends_a_run_that_can_go_on(tmp_path: Path, number: int, code: int) -> None:
    """Sent to all processes, as a terminal does; or one worker is killed."""
    with started(*verify(tmp_path, LONG, workers=2)) as process:
        wait_for(lambda: saved_units(tmp_path), process)
        if number == signal.SIGKILL:
            os.kill(workers_of(process.pid)[0], number)
        else:
            os.killpg(process.pid, number)
        _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        wait_until(lambda: not group(process.pid))
    assert process.returncode == code, stderr
    assert not any(word in stderr for word in ("Traceback", "leaked")), stderr
    sentence = without_progress(stderr)[-1]
    first = "A worker died" if code == 4 else "Interrupted; "
    assert sentence.startswith(f"sanproof: {first}")
    assert "run the same command again" in sentence
    assert saved_units(tmp_path) >= 1
    assert names(tmp_path) == {"run.log"}


@linux
@pytest.mark.parametrize(
    "trial", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4))]
)
@pytest.mark.parametrize("times", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_more_of_them_at_any_moment_end_it_too(tmp_path: Path, trial: int, times: int) -> None:
    """As the workers start, as they work, and as they end."""
    timings = random.Random(f"{trial} {times}")
    with started(*verify(tmp_path, LONG, workers=2)) as process:
        wait_for(lambda: workers_of(process.pid), process)
        time.sleep(timings.uniform(0, 1.5))
        for _ in range(times):
            try:
                os.killpg(process.pid, signal.SIGINT)
            except ProcessLookupError:
                break
            time.sleep(timings.choice([0, 0.01, 0.05, 0.3, 0.6]))
        _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    # Python's own end has a moment in which the signal itself ends the process.
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in stderr, stderr


# The end of a run on the terminal: a table, sentences, and an exit code

MANY = {f"string {n}": f"why {n}" for n in range(MAX_DIFFERENCES + 2)}
ENDS: list[tuple[dict[str, Any], int, list[str]]] = [
    ({}, 0, [f"SAN strings matching {PART}", "The generator agrees", "24 strings"]),
    ({"undecided": 1, "undecided_strings": ["Nf3"]}, UNDECIDED, ["UNDECIDED: 1 string, such as"]),
    ({"undecided_players": ["Nf3 by black"]}, UNDECIDED, ["UNDECIDED: who plays 1 string, such"]),
    (
        {"generator": {"strings": 3, "missing": {"Nf3": "a FEN"}, "too_many": {}}},
        ANSWER_NO,
        ["DIFFERS: 1 missing, 0 too many", "missing Nf3: played in a FEN"],
    ),
    (
        {"generator": {"strings": 3, "missing": {}, "too_many": MANY}},
        ANSWER_NO,
        [f"DIFFERS: 0 missing, {len(MANY)} too many", "and 2 more, in summary.json"],
    ),
]


@pytest.mark.parametrize(("change", "code", "words"), ENDS)
def test_the_end_is_told_and_has_its_exit_code(
    made: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, Any],
    code: int,
    words: list[str],
) -> None:
    counts = json.loads((made / "played" / "summary.json").read_bytes())
    assert show_result(counts | change, made, again=False) == code
    said = capsys.readouterr().out
    assert all(word in said for word in words), said
    assert f" {counts['reachable']:,} " in said.partition("\n  all ")[2].partition("\n")[0]
    assert said.count("why") in (0, MAX_DIFFERENCES)
