"""Writes the Python examples of the pages as modules, whose types are then checked.

python -m tests.page_examples FOLDER
"""

import json
import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
HEAD: Final = "# mypy: allow-untyped-defs, allow-untyped-calls\n"
"""Examples are strict but for that: they show no types."""


def examples() -> dict[str, str]:
    """Return each Python example of README and docs, by the name of a module for it."""
    found: dict[str, str] = {}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        name = re.sub(r"\W", "_", page.stem.lower())
        blocks = re.findall(
            r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        found |= {f"example_{name}_{at}": block for at, block in enumerate(blocks)}
    return found


def main(folder: Path) -> None:
    """Write the examples, and nothing else, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("example_*.py"):
        old.unlink()
    for name, text in examples().items():
        (folder / f"{name}.py").write_text(HEAD + text, encoding="utf-8")
    # By default pyright leaves out folders with a dot, such as nox's.
    settings = {"extraPaths": [str(ROOT)], "exclude": []}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
