"""The rules for what is the same code, and whether the solvers are there."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.work import provenance
from sanproof.verify.work.provenance import SECOND_SOLVER, SOLVERS, require_solvers
from tests.verify.command import ROOT, completed

# "The same code": every module and table of ours, by its name and to the byte

TREE = {"a.py": "x = 1\n", "b.py": "y = 2\n", "room/c.py": "", "room/table.txt": "e2e4\n"}


def hash_of(tree: Mapping[str, str], folder: Path) -> str:
    """Return the hash of a package with these files."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sanproof.verify.work.provenance.resources.files", lambda _: folder)
        return provenance.hash_of_code.__wrapped__()


@pytest.mark.parametrize(
    "change",
    [
        {"a.py": "x = 2\n"},
        {"room/c.py": "\n"},
        {"room/table.txt": "e2e3\n"},
        {"room/new.py": ""},
        {"a.py": "x = 1\ny", "b.py": " = 2\n"},
        {"a.py": "", "z.py": TREE["a.py"]},
    ],
)
def test_other_code_has_another_hash(change: dict[str, str], tmp_path: Path) -> None:
    first = hash_of(TREE, tmp_path / "one")
    assert first == hash_of(dict(reversed(TREE.items())), tmp_path / "two")
    assert first != hash_of({**TREE, **change}, tmp_path / "three")
    more = {"published/list.txt": "e4\n", "__pycache__/a.pyc": "\0", "page.html": "<p>"}
    assert first == hash_of({**TREE, **more}, tmp_path / "four")  # data is no code


def test_what_is_not_installed_has_no_version() -> None:
    assert provenance.version_of("no-such-package-as-this") == provenance.MISSING
    found = provenance.provenance("chess", "no-such-package-as-this")
    assert list(found) == ["chess", "no-such-package-as-this", provenance.CODE]
    assert found["chess"][0].isdigit()
    assert found[provenance.CODE] == provenance.hash_of_code() != ""


# Without the extra ``prove`` all that searches says so, and all else works

HIDDEN: Final = SOLVERS
PROGRAM: Final = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
from sanproof.verify.commands.start import main
sys.exit(main())
"""
"""The command, where the modules cannot be imported."""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM.format(hidden=HIDDEN), encoding="utf-8")
    command = [sys.executable, "-P", str(program), *words]
    return completed(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
    )


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--out", "run"),
        ("find", "Qd4#"),
        ("explain", "--prove", "Ba1b2+"),
        ("gate", "--prove", "list.txt"),
        ("audit", "--second-opinion"),
    ],
)
def test_what_searches_names_the_extra(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("e4\n", encoding="utf-8")
    done = run(tmp_path, *words)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "pip install 'sanproof[prove]'" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("explain", "Ba1b2+"), 1),
        (("read", "Nf3"), 0),
        (("write", "g1f3"), 0),
        (("gate", "list.txt"), 1),
        (("scan", "--check", "--no-fast", "games.pgn"), 0),
        (("find", "--criteria"), 0),
        (("export", "--what", "strings"), 0),
        (("conformance", "export", "--out", "suite"), 0),
        (("position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0),
    ],
)
def test_all_else_works(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("e4\n", encoding="utf-8")
    (tmp_path / "games.pgn").write_text("1. e4 e5 *\n", encoding="utf-8")
    done = run(tmp_path, *words)
    assert done.returncode == code, done.stderr


def test_what_is_there_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    require_solvers("A test")
    monkeypatch.setitem(sys.modules, "z3", None)
    require_solvers("A test", ("numba",))
    with pytest.raises(Failure, match=r"^A test needs z3: "):
        require_solvers("A test", SECOND_SOLVER)
    with pytest.raises(Failure, match=r"A test needs the solvers: pip install 'sanproof\[prove\]'"):
        require_solvers("A test")
