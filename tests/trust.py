"""The files that the theorem rests on, with their line counts: the table of TRUST.md.

Run as a program (`python -m tests.trust`) it prints the table. A file is trusted because of
the folder that it stands in, so that no list of names is kept here.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parent.parent
ROOMS: Final = ("proofs/rules", "proofs/encoding", "proofs/kernel")
"""The trusted folders, in the order in which they are to be read."""
ABOVE: Final = ("sanproof/__init__.py", "proofs/__init__.py")
"""What Python runs first when it opens these rooms: the packages in which they are."""

MOST_LINES: Final = 1000


def trusted_files() -> Iterator[Path]:
    """Every file of the trusted folders, but for what Python itself leaves there; those above."""
    yield from (ROOT / name for name in ABOVE)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def table() -> str:
    """The table in Markdown: each folder, its job, and its files with their lines."""
    folders: dict[Path, dict[str, int]] = {}
    for path in trusted_files():
        folders.setdefault(path.parent, {})[path.name] = lines(path)
    rows = [
        f"| `{folder.relative_to(ROOT)}` | {job(folder / '__init__.py')} "
        f"| {', '.join(f'`{name}` {count}' for name, count in counts.items())} "
        f"| {sum(counts.values())} |"
        for folder, counts in folders.items()
    ]
    total = f"| **all** | | | **{sum(sum(counts.values()) for counts in folders.values()):,}** |"
    head = "| folder | what it does | files and their lines | lines |"
    return "\n".join([head, "| --- | --- | --- | --: |", *rows, total])


def lines(path: Path) -> int:
    """The lines of a file that are not blank; docstrings and comments count."""
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def job(path: Path) -> str:
    """The first line of a module's docstring.

    Raises:
        ValueError: It has none.
    """
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not text:
        raise ValueError(f"{path.relative_to(ROOT)} does not say what it does")
    return text.split("\n", 1)[0]


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
