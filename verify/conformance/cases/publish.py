"""Writes the published suite again; the same code writes the same bytes.

``python -m sanproof.verify.conformance.cases.publish data/conformance``
"""

import json
import sys
from pathlib import Path
from typing import Final

from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.cases.build import core_suite, smoke_of
from sanproof.verify.conformance.cases.case import Suite, suite_lines
from sanproof.verify.conformance.cases.schema import SCHEMA

CORE: Final = "core.json"
SMOKE: Final = "smoke.json"
SCHEMA_FILE: Final = "schema.json"


def publish(folder: Path) -> list[str]:
    """Write the two small suites and the schema; the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    core = core_suite()
    contents = {
        SMOKE: suite_bytes(smoke_of(core)),
        CORE: suite_bytes(core),
        SCHEMA_FILE: schema_bytes(),
    }
    for name, content in contents.items():
        write_whole(folder / name, content)
    return sorted(contents)


def suite_bytes(suite: Suite) -> bytes:
    """The file of a suite."""
    lines = suite_lines(suite.version, suite.level, suite.games, suite.cases)
    return "".join(lines).encode("ascii")


def schema_bytes() -> bytes:
    """The file of the schema."""
    return (json.dumps(SCHEMA, indent=2) + "\n").encode("ascii")


if __name__ == "__main__":
    sys.stdout.write("\n".join(publish(Path(sys.argv[1]))) + "\n")
