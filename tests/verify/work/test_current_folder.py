"""Workers import nothing from the current folder, whatever lies there."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.work.processes import process_pool
from tests.verify.command import PROGRAM, ROOT
from tests.verify.scan.pgn import random_games

NAMES = ("multiprocessing", "pickle", "json", "chess", "numpy", "verify", "proofs", "sitecustomize")
"""What a worker imports in any case, before and after it has its path."""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of modules that note that they were run."""
    for name in NAMES:
        note = f"open({str(tmp_path / 'was_run')!r}, 'a').write({name!r} + ' ')\n"
        (tmp_path / f"{name}.py").write_text(note)
    return tmp_path


def run(hostile: Path, *arguments: str) -> None:
    """As the installed command: its own folder stands in front of the path, not the current one."""
    command = hostile / "bin" / "sanproof"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f"if __name__ == '__main__':\n    {PROGRAM}\n")
    done = subprocess.run(
        [sys.executable, str(command), *arguments],
        cwd=hostile,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (hostile / "was_run").exists(), (hostile / "was_run").read_text()


def test_verify_and_audit(hostile: Path) -> None:
    run(hostile, "verify", "--out", "run", "--only", "O-O", "--workers", "2", "--no-games")
    run(hostile, "audit", "run", "--workers", "2")


def test_scan(hostile: Path) -> None:
    """Of a file that is larger than one chunk, or no worker is started."""
    long = "%" + "x" * (1 << 10) + "\n"
    (hostile / "a.pgn").write_text("".join(random_games(5, 20)) + long * (CHUNK_BYTES >> 10))
    run(hostile, "scan", "a.pgn", "--out", "out", "--workers", "2", "--no-fast")


def test_no_place_for_compiled_code_is_taken_from_it(hostile: Path) -> None:
    """Numba would look for it there, and run it."""
    (hostile / ".numba_config.yaml").write_text("cache_dir: elsewhere\n")
    (hostile / "a.pgn").write_text("".join(random_games(5, 2)))
    run(hostile, "scan", "a.pgn", "--check", "--workers", "1")
    run(hostile, "verify", "--out", "run", "--only", "O-O-O", "--workers", "1")
    assert not (hostile / "elsewhere").exists()


def path_of_worker() -> list[str]:
    return sys.path


def test_the_path_of_a_worker_is_its_parents_without_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    with process_pool(1) as pool:
        found = pool.submit(path_of_worker).result()
    assert found == [str(Path(folder)) for folder in sys.path[2:]]


BESIDE_A_THREAD = """
import threading
from sanproof.proofs.find.limited import within
threading.Thread(target=threading.Event().wait, daemon=True).start()  # so that it cannot fork
print(list(within(60, range, 3)))
"""


def test_a_search_with_a_limit_beside_a_thread(hostile: Path) -> None:
    """As a program, whose own folder stands in front of the path, not the current one."""
    program = hostile / "bin" / "program.py"
    program.parent.mkdir()
    program.write_text(f"if __name__ == '__main__':\n{indent(BESIDE_A_THREAD, '    ')}")
    done = subprocess.run(
        [sys.executable, str(program)],
        cwd=hostile,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[0, 1, 2]\n"), done.stderr
    assert not (hostile / "was_run").exists(), (hostile / "was_run").read_text()
