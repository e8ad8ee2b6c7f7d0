"""Compiled loops that are kept as machine code, and what is not taken for such."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="nothing can be compiled")

from sanproof.proofs.games.machine_code import Loop, _write, others_can_write
from sanproof.verify.scan import fast
from tests.verify.command import ROOT, completed

SOURCE = """
from sanproof.proofs.games.compiled import part
BY = 2
@part
def multiply(values, pair, scratch):
    for i in range(len(values)):
        scratch[i] = BY * values[i] + pair[0][i, 1]
    return len(values) - pair[1]
"""
PROGRAM = """
import sys
import numpy as np
from sanproof.proofs.games.machine_code import Loop
values, out = np.arange(3), np.zeros(3, np.int64)
number = Loop("multiplying", "multiply")(values, (np.ones((3, 2), np.uint8), 5), out)
print(number, out.tolist(), "numba" in sys.modules)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a module with a loop."""
    (tmp_path / "multiplying.py").write_text(SOURCE)
    return tmp_path


def run(folder: Path, *flags: str, **environment: str) -> str:
    """Call the loop in a new process."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), **environment}
    done = completed([sys.executable, *flags, "-c", PROGRAM], env=env)
    assert done.returncode == 0, done.stderr
    return str(done.stdout).strip()


def test_machine_code_is_kept_and_made_anew_from_another_source(folder: Path) -> None:
    assert run(folder) == "-2 [1, 3, 5] True"
    assert run(folder) == "-2 [1, 3, 5] False"
    (folder / "multiplying.py").write_text(SOURCE.replace("BY = 2", "BY = 11"))
    assert run(folder) == "-2 [1, 12, 23] True"


def test_a_person_who_waits_is_told_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    pair, out = (np.ones((3, 2), np.uint8), 5), np.zeros(3, np.int64)
    for said in ("Loops are compiled for this machine, once: some seconds.\n", ""):
        assert Loop("multiplying", "multiply")(np.arange(3), pair, out) == -2
        assert capsys.readouterr().err == said


def test_damaged_machine_code_is_not_run(folder: Path) -> None:
    run(folder)
    (kept,) = folder.rglob("*.o")
    content = kept.read_bytes()
    kept.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert run(folder) == "-2 [1, 3, 5] True"
    assert kept.read_bytes() == content


@pytest.mark.usually(2)
@pytest.mark.parametrize(
    ("rights", "is_used"),
    [
        ({".cache/sanproof": 0o755}, True),
        ({".cache/sanproof": 0o777}, False),
        ({".cache/sanproof": 0o775}, False),
        ({".cache": 0o777}, False),
        ({".cache": 0o1777}, True),  # sticky, as /tmp
    ],
)
def test_machine_code_of_others_is_not_run(
    rights: dict[str, int], is_used: bool, folder: Path
) -> None:
    """As in an installation that is read only: then it is kept in the home."""
    (folder / "__pycache__").write_text("no folder")
    home = folder / "home"
    home.mkdir()
    assert run(folder, HOME=str(home)) == "-2 [1, 3, 5] True"
    (kept,) = (home / ".cache/sanproof").iterdir()
    for name, mode in rights.items():
        (home / name).chmod(mode)
    before = kept.read_bytes()
    assert run(folder, HOME=str(home)) == f"-2 [1, 3, 5] {not is_used}"
    assert kept.read_bytes() == before


def test_a_link_leads_to_no_folder_of_others(tmp_path: Path) -> None:
    (tmp_path / "shared/own").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "shared/own")
    assert not others_can_write(tmp_path / "link/new")
    (tmp_path / "shared").chmod(0o777)
    assert others_can_write(tmp_path / "link/new")


def test_what_cannot_be_written_whole_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError):  # noqa: PT011 - any
        _write(folder / "kept.o", b"x")
    assert [path.name for path in folder.iterdir()] == ["multiplying.py"]


def test_only_what_a_loop_takes_is_given_to_it() -> None:
    """Machine code for one kind of array would read other memory, or write it, for another."""
    loop = Loop("sanproof.verify.scan.kernels", "find_tags")
    data, lines, is_tag = np.zeros(4, np.uint8), np.zeros(2, np.int64), np.zeros(2, np.bool_)
    with pytest.raises(TypeError, match="takes no float"):
        loop(data, lines, 1.5)
    with pytest.raises(TypeError, match="takes no ndarray"):
        loop(data, np.zeros((2, 2), np.int64)[:, 0], is_tag)
    assert not loop.loaded


def test_loops_are_made_anew_when_anything_that_they_take_changes() -> None:
    """All modules that the kernels import are named, so that no old machine code is run."""
    program = "import sys, sanproof.verify.scan.kernels; print(*sys.modules)"
    run = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=True)
    imported = run([sys.executable, "-c", program]).stdout.split()
    modules = {name for name in imported if name.startswith("sanproof.")}
    packages = {name for name in modules if any(m.startswith(f"{name}.") for m in modules)}
    own = {"sanproof.proofs.games.machine_code"}  # loads them
    assert modules - packages - own == {"sanproof.verify.scan.kernels", *fast.NEEDED_BY_LOOPS}
