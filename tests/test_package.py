"""The package installed: one name that goes with whatever else has the folders' names."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("generator", "proofs", "reports", "verify")
ASK = "import sanproof; print(sanproof.look_up('Ba1b2+').reason)"


def run(*command: str, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout.strip()


@pytest.mark.slow
def test_one_name_is_installed(tmp_path: Path) -> None:
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    run(sys.executable, "-m", "pip", "wheel", *options, "-w", ".", str(ROOT), cwd=tmp_path)
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"sanproof"}
    rooms = {name.split("/")[1] for name in names if name.count("/") > 1}
    assert rooms >= set(FOLDERS)
    assert len(names) == len(set(names))
    tracked = run("git", "ls-files", "*.py", cwd=ROOT).split()
    ours = {name for name in tracked if name.startswith(tuple(f"{folder}/" for folder in FOLDERS))}
    assert {f"sanproof/{name}" for name in ours} <= set(names)


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """Fill a folder with a user's own files that have the names of our folders."""
    for name in FOLDERS[::2]:
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('{name}.py was run')\n")
    for name in FOLDERS[1::2]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('{name} was run')\n")
    (tmp_path / "script.py").write_text(ASK + "\n")
    test = "import sanproof\n\ndef test_it() -> None:\n    assert sanproof.is_reachable('e4')\n"
    (tmp_path / "test_it.py").write_text(test)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["script.py"], "no-check"),
        (["-c", ASK], "no-check"),
        (["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"], "1 passed"),
        (["-m", "sanproof", "explain", "e4"], "e4 can occur"),
        (["-m", "sanproof", "verify", "--only", "O-O", "--workers", "2", "--out", "run"], ""),
    ],
)
def test_it_runs_in_a_folder_full_of_such_names(
    crowded: Path, arguments: list[str], answer: str
) -> None:
    path = os.pathsep.join((".", str(ROOT)))
    assert answer in run(sys.executable, *arguments, cwd=crowded, PYTHONPATH=path)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    program = "import sys, sanproof; print(*(m for m in sys.modules if m.startswith('sanproof')))"
    assert run(sys.executable, "-c", program, cwd=ROOT) == "sanproof"
