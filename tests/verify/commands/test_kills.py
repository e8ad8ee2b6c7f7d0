"""A command that writes is killed at a random moment; the same command then ends as if it was not.

Files appear when they are complete: what is there after a kill is as it is at the end.
"""

import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.verify.command import ROOT, command

GAMES: Final = ROOT / "tests" / "games" / "real-games.pgn"
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "verify": ("verify", "--only", "N*xb1*", "--no-games", "--workers", "2", "--out", "out"),
    "scan": ("scan", str(GAMES), "--workers", "2", "--out", "out"),
    "export": ("export", "--what", "witnesses", "--format", "csv", "--out", "out.csv"),
    "report": ("report", "--out", "out"),
    "shorten": ("shorten", "--out", "out"),
}
TIMED: Final = {"manifest.json", "summary.json", "summary.md", "SUMMARY.md", "run.log", "scan.log"}
"""Files that say how long it took, or hash one that does."""
KILLS: Final = 3


def start(name: str, folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command(*COMMANDS[name]), cwd=folder, stdout=quiet, stderr=quiet, start_new_session=True
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files that are published, without stores and what stands beside them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name not in TIMED
        and "sqlite3" not in path.name
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_continues_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    assert start(name, tmp_path / "whole").wait() in {0, 1}
    seconds = time.monotonic() - begun
    whole = files_of(tmp_path / "whole")
    assert whole
    random = Random(name)
    for number in range(KILLS):
        folder = tmp_path / str(number)
        process = start(name, folder)
        time.sleep(random.random() * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for file, content in files_of(folder).items():
            assert whole.get(file) == content, file
        if files_of(folder) != whole:  # a page that is complete is not written over
            assert start(name, folder).wait() in {0, 1}
        assert files_of(folder) == whole
