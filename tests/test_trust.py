"""The trusted folders hold what the kernel needs, and nothing else; TRUST.md says so.

``python -m tests.test_trust`` prints the table of TRUST.md. A file is trusted because of the folder
that it stands in, so that no list of names is kept here.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
ROOMS: Final = ("proofs/rules", "proofs/encoding", "proofs/kernel")
"""The trusted folders, in the order in which they are to be read."""
ABOVE: Final = ("sanproof/__init__.py", "proofs/__init__.py")
"""The files that Python runs first when it opens these rooms: the packages in which they are."""


def trusted_files() -> Iterator[Path]:
    """Yield every file of the trusted folders but for what Python leaves there; those above."""
    yield from (ROOT / name for name in ABOVE)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def lines(path: Path) -> int:
    """Return the lines of a file that are not blank; docstrings and comments count."""
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def table() -> str:
    """Return the table in Markdown: each folder, its job, and its files with their lines."""
    rows = [
        "| folder | what it does | files and their lines | lines |",
        "| --- | --- | --- | --: |",
    ]
    for folder, paths in groupby(trusted_files(), lambda path: path.parent):
        counts = {path.name: lines(path) for path in paths}
        job = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
        files = ", ".join(f"`{name}` {count}" for name, count in counts.items())
        cells = (f"`{folder.relative_to(ROOT)}`", str(job).split("\n", 1)[0], files)
        rows.append(f"| {' | '.join(cells)} | {sum(counts.values())} |")
    total = sum(map(lines, trusted_files()))
    return "\n".join([*rows, f"| **all** | | | **{total:,}** |"])


ALLOWED = {"chess", *sys.stdlib_module_names}


def modules() -> set[str]:
    """Return the names of the trusted modules, by their files."""
    paths = (path.relative_to(ROOT).with_suffix("") for path in trusted_files())
    names = {".".join(path.parts).removesuffix(".__init__") for path in paths}
    return {name if name == "sanproof" else f"sanproof.{name}" for name in names}


def test_the_trust_page_has_the_table_as_it_is_now() -> None:
    page = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    assert table() in page, "run `python -m tests.test_trust` and put its table into TRUST.md"


def test_the_kernel_loads_no_other_code() -> None:
    """The modules that run count, not what is written: with all that the packages import."""
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


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
