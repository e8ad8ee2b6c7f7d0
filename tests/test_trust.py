"""The trusted folders hold what the kernel needs, and nothing else; TRUST.md says so."""

import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from tests import trust
from tests.trust import MOST_LINES, ROOMS, ROOT, job, lines, table, trusted_files

ROOMS_AS_PACKAGES = tuple(f"sanproof.{room.replace('/', '.')}" for room in ROOMS)
ALLOWED = {"chess", *sys.stdlib_module_names}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("sanproof", cache_dir=None, include_external_packages=True)


def modules() -> set[str]:
    """The names of the trusted modules, by their files."""
    paths = (path.relative_to(ROOT).with_suffix("") for path in trusted_files())
    names = {".".join(path.parts).removesuffix(".__init__") for path in paths}
    return {name if name == "sanproof" else f"sanproof.{name}" for name in names}


def test_the_trust_page_has_the_table_as_it_is_now() -> None:
    page = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    assert table() in page, "run `python -m tests.trust` and put its table into TRUST.md"


def test_it_can_be_read_in_one_sitting() -> None:
    assert sum(map(lines, trusted_files())) <= MOST_LINES


def test_trusted_folders_hold_python_only() -> None:
    assert {path.suffix for path in trusted_files()} == {".py"}


def test_the_kernel_imports_the_trusted_rooms_the_library_and_chess(
    graph: grimp.ImportGraph,
) -> None:
    for module in modules() - {"sanproof"}:
        for imported in graph.find_modules_directly_imported_by(module):
            own = imported.startswith(tuple(f"{room}." for room in ROOMS_AS_PACKAGES))
            assert own or imported.split(".")[0] in ALLOWED, f"{module} imports {imported}"


def test_every_trusted_module_is_needed_by_the_kernel(graph: grimp.ImportGraph) -> None:
    start = "sanproof.proofs.kernel.__main__"
    needed = {start, *graph.find_upstream_modules(start)}
    # Importing a module of a package runs its __init__.py.
    packages = {"sanproof", "sanproof.proofs", *ROOMS_AS_PACKAGES}
    assert {name for name in needed if name.startswith("sanproof")} == modules() - packages


def test_the_kernel_loads_no_other_code() -> None:
    """What runs, not what is written: with all that the packages themselves import."""
    program = (
        "import sys; before = set(sys.modules); import sanproof.proofs.kernel.__main__; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.split(".")[0] == "sanproof"} == modules()
    # The last is Python's own other name for the program that runs.
    others = {name.split(".")[0] for name in loaded} - {"sanproof", "__mp_main__"}
    assert others <= ALLOWED, sorted(others - ALLOWED)


def test_nothing_but_python_and_chess_is_needed_to_run_it(tmp_path: Path) -> None:
    """With every other package hidden it still says what is wrong with a folder."""
    blocker = (
        "import sys\n"
        "class Only:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] not in {sorted({'sanproof', *ALLOWED})!r}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Only())\n"
        "from sanproof.proofs.kernel.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocker, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("sanproof kernel: Not proved: san_strings_with_symbols.txt")


def test_a_file_without_a_docstring_has_no_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "ROOT", tmp_path)
    (tmp_path / "silent.py").write_text("X = 1\n\n\n")
    assert lines(tmp_path / "silent.py") == 1
    with pytest.raises(ValueError, match=r"silent\.py does not say what it does"):
        job(tmp_path / "silent.py")
