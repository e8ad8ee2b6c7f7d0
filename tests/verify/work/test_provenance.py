"""The rules for what is the same code, and whether the solvers are there."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.work import provenance
from sanproof.verify.work.provenance import SECOND_SOLVER, SOLVERS, require_solvers
from tests.verify.command import ROOT, completed

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
    """Every module and table of ours counts, by its name and to the byte."""
    first = hash_of(TREE, tmp_path / "one")
    assert first == hash_of(dict(reversed(TREE.items())), tmp_path / "two")
    assert first != hash_of({**TREE, **change}, tmp_path / "three")
    more = {"published/list.txt": "e4\n", "__pycache__/a.pyc": "\0", "page.html": "<p>"}
    assert first == hash_of({**TREE, **more}, tmp_path / "four")  # data is no code


def test_what_is_not_installed_has_no_version() -> None:
    found = provenance.provenance("chess", "no-such-package-as-this")
    assert list(found) == ["chess", "no-such-package-as-this", "code"]
    assert found["chess"][0].isdigit()
    assert (found["no-such-package-as-this"], found["code"]) == ("none", provenance.hash_of_code())


PROGRAM = f"""
import sys
for name in {SOLVERS!r}:
    sys.modules[name] = None
from sanproof.verify.commands.start import main
sys.exit(main())
"""
"""The command, where the modules of the extra ``prove`` cannot be imported."""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (2, "verify --out run"),
        (2, "find Qd4#"),
        (2, "explain --prove Ba1b2+"),
        (2, "audit --second-opinion"),
        (1, "explain Ba1b2+"),
        (0, "read Nf3"),
        (0, "write g1f3"),
        (1, "gate list.txt"),
        (0, "scan --check --no-fast games.pgn"),
        (0, "find --criteria"),
        (0, "export --what strings"),
        (0, "conformance export --out suite"),
    ],
)
def test_without_the_solvers_only_what_searches_fails(
    code: int, words: str, tmp_path: Path
) -> None:
    """And it names the extra."""
    (tmp_path / "list.txt").write_text("e4\n", encoding="utf-8")
    (tmp_path / "games.pgn").write_text("1. e4 e5 *\n", encoding="utf-8")
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-P", "-c", PROGRAM, *words.split(" ")]
    done = completed(command, cwd=tmp_path, env=environment)
    assert done.returncode == code, done.stderr
    assert ("pip install 'sanproof[prove]'" in done.stderr) == (code == 2)
    assert not (tmp_path / "run").exists()


def test_what_is_there_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    require_solvers("A test")
    monkeypatch.setitem(sys.modules, "z3", None)
    require_solvers("A test", ("numba",))
    with pytest.raises(Failure, match=r"^A test needs z3: "):
        require_solvers("A test", SECOND_SOLVER)
    with pytest.raises(Failure, match=r"A test needs the solvers: pip install 'sanproof\[prove\]'"):
        require_solvers("A test")
