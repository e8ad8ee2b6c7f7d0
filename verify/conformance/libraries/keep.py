"""Keeps results, in a checkout of the project.

``python -m sanproof.verify.conformance.libraries.keep RESULTS`` keeps the file under its date and
level in ``data/conformance/results``, and makes the tables in docs/libraries.md from it: what
stands between their marks is replaced.
"""

import hashlib
import json
import lzma
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sanproof.reports.scoreboard.contents import Scoreboard, read_scoreboard
from sanproof.reports.scoreboard.tables import by_area, hardest, summary
from sanproof.reports.tables.files import write_whole

DATA: Final = Path("data/conformance")
DOCUMENT: Final = Path("docs/libraries.md")
MARKS: Final = "<!-- {}: made by nox -s libraries -- --keep -->", "<!-- end -->"
TABLES: Final = {"summary": summary, "areas": by_area, "hardest": hardest}


def with_tables(text: str, scoreboard: Scoreboard) -> str:
    """A document with the tables of a scoreboard between its marks.

    Raises:
        ValueError: A mark is missing.
    """
    for name, make in TABLES.items():
        begin, end = MARKS[0].format(name), MARKS[1]
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"{begin!r} or its end is missing")
        text = f"{head}{begin}\n\n{make(scoreboard)}\n\n{end}{tail}"
    return text


def kept_scoreboard(results: Path, data: Path = DATA) -> Scoreboard:
    """The scoreboard of a packed result file of the published suite."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    suite = (data / f"{content['suite']['level']}.json").read_bytes()
    sha256 = hashlib.sha256(suite).hexdigest()
    return read_scoreboard(json.loads(suite), sha256, [(results.name, content)], {})


def main(arguments: Sequence[str]) -> None:
    """Keep a result file."""
    results = Path(arguments[0])
    scoreboard = kept_scoreboard(results)
    folder = DATA / "results"
    folder.mkdir(exist_ok=True)
    date = max(run.date for run in scoreboard.runs)
    write_whole(folder / f"{date}-{scoreboard.level}.json.xz", results.read_bytes())
    text = with_tables(DOCUMENT.read_text("utf-8"), scoreboard)
    write_whole(DOCUMENT, text.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
