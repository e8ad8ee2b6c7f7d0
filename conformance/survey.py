"""Asks every installed library.

``python -m conformance.survey FOLDER SUITE OUT``

The result file is that of ``sanproof conformance run``, with what the registry says of each library
beside it. A library that is not installed stands in it as well, with the reason and without cases.
Keys of libraries may follow; then only these are asked.
"""

import hashlib
import json
import lzma
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from conformance import registry
from conformance.environments import INSTALLED
from conformance.registry import read_registry
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.formats import UsedSuite, result_file, to_json
from sanproof.verify.conformance.suite import Suite, read_suite
from sanproof.verify.findings.formats import Display

TIMEOUT_SECONDS: Final = 60.0
"""For a case: generous, as several libraries are asked side by side."""
SIDE_BY_SIDE: Final = 2


def survey(
    environments: Path, suite: Suite, sha256: str, keys: Sequence[str] = ()
) -> dict[str, Any]:
    """Ask every library in every setting, or those with these keys: the content of the result file.

    Args:
        environments: The folder that :mod:`conformance.environments` has filled.
        suite: What is asked.
        sha256: The hash of the suite's file.
        keys: The libraries that are asked; all if there are none.
    """
    installed = json.loads((environments / INSTALLED).read_bytes())
    today = datetime.now(UTC).date().isoformat()
    tested = UsedSuite(suite.version, suite.level.value, sha256, today)
    asked, missing = [], []
    for library in read_registry():
        if keys and library.key not in keys:
            continue
        why = installed.get(library.key, "it was never tried")
        if why:
            missing.append(_absent(library, f"could not be installed: {why}"))
        else:
            asked += [(library, command) for command in library.commands(environments)]
    found: dict[str, Any] = {}
    entries = []
    for start in range(0, len(asked), SIDE_BY_SIDE):
        part = asked[start : start + SIDE_BY_SIDE]
        found = _ask([command for _, command in part], suite, tested)
        for (library, command), entry in zip(part, found["libraries"], strict=True):
            alone = command.replace(f"{environments.resolve()}/", "")
            alone = alone.replace(sys.executable, "python")
            entries.append(entry | _facts(library) | {"command": alone})
            sys.stderr.write(f"{library.key} {entry['settings']}: {entry['seconds']} s\n")
    head = {"format": 1, "suite": tested._asdict(), "date": today} | found
    return head | {"libraries": [*entries, *missing]}


def _ask(commands: Sequence[str], suite: Suite, tested: UsedSuite) -> dict[str, Any]:
    reports = ask(commands, suite.cases, TIMEOUT_SECONDS, games=suite.games)
    content: dict[str, Any] = json.loads("".join(to_json(tested, reports, Display())))
    return content


def _facts(library: registry.Library) -> dict[str, str]:
    return {
        "key": library.key,
        "registry": library.registry,
        "home": library.home,
        "licence": library.licence,
    }


def _absent(library: registry.Library, why: str) -> dict[str, Any]:
    """The entry of a library that answered nothing."""
    return {
        "name": library.name,
        "version": library.version,
        "language": library.language,
        "settings": "",
        "command": "",
        "operations": [],
        "en_passant": [],
        "seconds": 0.0,
        "restarts": 0,
        "notes": [],
        "ended": why,
        "cases": [],
    } | _facts(library)


def packed(content: dict[str, Any]) -> bytes:
    """A result file, packed: a case a line."""
    head = {name: value for name, value in content.items() if name != "libraries"}
    pieces = result_file(head, map(_split, content["libraries"]))
    return lzma.compress("".join(pieces).encode("ascii"), preset=9)


def _split(library: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head of a library, and its cases in order."""
    head = {name: value for name, value in library.items() if name != "cases"}
    return head, sorted(library["cases"], key=lambda case: str(case["id"]))


def main(arguments: Sequence[str]) -> None:
    """Ask the libraries the cases of a suite, and write the result file."""
    environments, path, out = map(Path, arguments[:3])
    content = path.read_bytes()
    suite = read_suite(content, str(path))
    sha256 = hashlib.sha256(content).hexdigest()
    write_whole(out, packed(survey(environments, suite, sha256, arguments[3:])))


if __name__ == "__main__":
    main(sys.argv[1:])
