"""Writes the published suite again: ``python -m conformance.suite.publish data/conformance``.

The same code writes the same bytes. The schema beside the suites is written by hand. The table of
mechanisms in docs/tables is written too.
"""

import lzma
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from conformance.keep import csv_text
from conformance.suite.build import VERSION, core_suite, further_suite
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.rows import RowError, table
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.strings import FURTHER
from sanproof.verify.conformance.suite import Suite, suite_lines, suite_of, with_games

CORE: Final = "core.json"
SMOKE: Final = "smoke.json"
MECHANISMS: Final = Path("docs/tables/mechanisms.csv")


def publish(folder: Path) -> list[str]:
    """Write the two small suites; return the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    core = core_suite()
    for name, suite in ((CORE, core), (SMOKE, smoke_of(core))):
        write_whole(folder / name, suite_bytes(suite))
    return [CORE, SMOKE]


def keep_further(path: Path = FURTHER) -> None:
    """Write what the full suite has besides its strings, unless it is there already."""
    content = suite_bytes(further_suite())
    if not path.exists() or lzma.decompress(path.read_bytes()) != content:
        write_whole(path, lzma.compress(content, preset=9))


def mechanisms() -> str:
    """Return a row for each mechanism, as CSV: its cases in the core, and in the full suite.

    Those of the core are counted by player and by operation. Strings, which only the full suite
    has, are left out.
    """
    cases = core_suite()["cases"]
    core = Counter((c["mechanism"], word) for c in cases for word in (c["colour"], c["operation"]))
    full = Counter(case["mechanism"] for case in further_suite()["cases"])
    rows = [
        (name, *(core[name, word] for word in ("white", "black", *runner.ASKED)), number)
        for name, number in sorted(full.items())
    ]
    words = ("White", "Black", *runner.ASKED)
    return csv_text([("mechanism", *(f"core: {word}" for word in words), "full"), *rows])


def suite_bytes(suite: Suite) -> bytes:
    """Return the file of a suite."""
    lines = suite_lines(*(suite[name] for name in ("version", "level", "games", "cases")))
    return "".join(lines).encode("ascii")


def smoke_of(core: Suite) -> Suite:
    """Return the cases of the core that find most planted faults: ``smoke.txt``, an id a line."""
    names = {name for (name,) in table(__package__, "smoke.txt", 1)}
    chosen = [case for case in core["cases"] if case["id"] in names]
    if lost := names - {case["id"] for case in chosen}:
        raise RowError(f"smoke.txt names cases that there are not: {sorted(lost)}")
    cases, games = with_games(chosen, core["games"])
    return suite_of(VERSION, "smoke", games, cases)


if __name__ == "__main__":
    sys.stdout.write("\n".join(publish(Path(sys.argv[1]))) + "\n")
    keep_further()
    write_whole(MECHANISMS, mechanisms().encode("utf-8"))
