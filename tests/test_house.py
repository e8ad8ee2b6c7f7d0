"""The house stays small and in sight: lines for each room, names with one meaning, no crumbs.

``python -m tests.test_house`` prints each room's lines beside its limit in `pyproject.toml`, and
exceptions that are no longer needed. To add lines, change the number in the same
commit, and say why.
"""

import ast
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
LIMITS: Final[dict[str, int]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "sanproof"
]["lines"]
PRODUCT: Final = ("generator", "proofs", "reports", "sanproof", "verify")
PLAIN: Final = ("__init__.py", "__main__.py", "conftest.py")
MIN_LINES: Final = 40
SHARED_NAMES: Final = {
    "formats": "each room's own formats of output",
    "games": "the kernel's is trusted and stands alone",
    "harness": "each command's own hands out its work",
    "moves": "the rules' are trusted and stand alone",
    "reading": "of SAN, and of games",
    "search": "of a square, and of a path",
    "show": "each command's own answer for a terminal",
    "store": "a run's and a scan's stand on the floor's",
    "adequacy": "tests mirror rooms",
    "operators": "one mutates Python, one a library",
    "oracle": "tests mirror rooms",
    "positions": "tests mirror rooms",
    "samples": "tests mirror rooms",
}
"""Basenames of several modules of a tree, and why."""
SMALL: Final = {
    "proofs/kernel/workers": "what a process of the kernel imports, and nothing else",
    "proofs/rules/moves": "trusted: how pieces move",
    "proofs/board/drawing": "a board as text, imported alone by commands that start quickly",
    "verify/claims/crosscheck": "the only module where generator and evidence meet",
    "reports/tables/names": "names of files, which all import",
    "reports/tables/rows": "rows of tables, which all import",
    "reports/tables/words": "words that tables share",
    "sanproof/positions": "a door of the facade",
    "verify/commands/completion": "a command of one line",
}
"""Modules of fewer lines, and why."""
SHARED_CLASSES: Final = {
    "Skip": "the one-file runner shares no code",
    "Failure": "the laboratory's are rows of a table",
    "Kind": "private to its module",
    "Place": "private to its module",
    "Position": "compiled, and numbered",
    "Shown": "the kernel's is trusted and stands alone",
    "State": "of an automaton, and of a scan",
}
"""Names of several classes, and why."""


def modules(*folders: str) -> Iterator[Path]:
    """Return the modules of these folders that git knows or would take."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in sorted(set(done.stdout.splitlines())):
        if name.endswith(".py") and (ROOT / name).is_file():
            yield Path(name)


def lines_of(path: Path) -> int:
    """Return the number of lines of a module."""
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def room_lines(room: str) -> int:
    """Return the lines of a room."""
    return sum(map(lines_of, modules(room)))


def shared_names() -> set[str]:
    """Return the basenames that stand more than once in a tree; tests are named as modules are."""
    found = set()
    for tree in (*PRODUCT, "conformance", "tests"):
        names = Counter(
            path.stem
            for path in modules(tree)
            if path.name not in PLAIN and not path.name.startswith("test_")
        )
        found |= {name for name, count in names.items() if count > 1}
    return found


def small_modules() -> set[str]:
    """Return the modules of the product that have few lines."""
    return {
        path.with_suffix("").as_posix()
        for path in modules(*PRODUCT)
        if path.name not in PLAIN and lines_of(path) < MIN_LINES
    }


def shared_classes() -> set[str]:
    """Return the names of several classes."""
    places = defaultdict(set)
    for path in modules(*PRODUCT, "conformance"):
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path)
    return {name for name, found in places.items() if len(found) > 1}


@pytest.mark.parametrize("room", LIMITS)
def test_a_room_has_so_many_lines_at_most(room: str) -> None:
    assert 0 < room_lines(room) <= LIMITS[room]


def test_every_room_has_a_limit() -> None:
    folders = {path.parent.as_posix() for path in modules(*PRODUCT, "conformance", "tests")}
    assert len(folders) > 30
    for folder in folders:
        assert any(folder == room or folder.startswith(f"{room}/") for room in LIMITS), folder


def test_a_name_has_one_meaning() -> None:
    assert shared_names() <= set(SHARED_NAMES)
    assert shared_classes() <= set(SHARED_CLASSES)


def test_no_module_is_a_crumb() -> None:
    assert small_modules() <= set(SMALL)


def main() -> None:
    """Print the lines of each room, and exceptions that are no longer needed."""
    for room, limit in LIMITS.items():
        sys.stdout.write(f"{room:28} {room_lines(room):7,} of {limit:7,}\n")
    for what, listed, found in (
        ("basenames", SHARED_NAMES, shared_names()),
        ("small modules", SMALL, small_modules()),
        ("classes", SHARED_CLASSES, shared_classes()),
    ):
        sys.stdout.write(f"{what} no longer excepted: {', '.join(sorted({*listed} - found))}\n")
        sys.stdout.write(f"{what} not yet excepted: {', '.join(sorted(found - {*listed}))}\n")


if __name__ == "__main__":
    main()
