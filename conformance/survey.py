"""Asks every installed library.

The result file is that of ``sanproof conformance run``, with what the registry says of each library
beside it. A library that is not installed stands in it as well, with the reason and without cases.
If keys of libraries follow, only these are asked.
"""

import hashlib
import json
import lzma
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from conformance.environments import INSTALLED, Library, read_registry
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.formats import UsedSuite, result_file, to_json
from sanproof.verify.conformance.outcome import LibraryReport
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
        keys: The libraries that are asked; all by default.
    """
    installed = json.loads((environments / INSTALLED).read_bytes())
    chosen = [library for library in read_registry() if not keys or library.key in keys]
    asked = [
        (library, command)
        for library in chosen
        if not installed.get(library.key, "it was never tried")
        for command in library.commands(environments)
    ]
    found: list[tuple[Library, LibraryReport]] = []
    for start in range(0, len(asked), SIDE_BY_SIDE):
        libraries, commands = zip(*asked[start : start + SIDE_BY_SIDE], strict=True)
        for library, report in zip(
            libraries,
            ask(commands, suite.cases, TIMEOUT_SECONDS, games=suite.games),
            strict=True,
        ):
            sys.stderr.write(f"{report.title}: {report.seconds:.3f} s\n")
            plain = report.command.replace(f"{environments.resolve()}/", "")
            plain = plain.replace(sys.executable, "python")
            found.append((library, report._replace(command=plain)))
    found += [
        (library, _absent(library, why))
        for library in chosen
        if (why := installed.get(library.key, "it was never tried"))
    ]
    today = datetime.now(UTC).date().isoformat()
    tested = UsedSuite(suite.version, suite.level.value, sha256, today)
    text = "".join(to_json(tested, [report for _, report in found], Display()))
    content: dict[str, Any] = json.loads(text)
    names = ("name", "key", "registry", "home", "licence", "release")
    for (library, _), entry in zip(found, content["libraries"], strict=True):
        entry |= {name: getattr(library, name) for name in names}
    return content


def _absent(library: Library, why: str) -> LibraryReport:
    """Return the report of a library that answered nothing."""
    about = {name: getattr(library, name) for name in ("name", "version", "language")}
    return LibraryReport("", about, [], 0.0, [], 0, [], f"could not be installed: {why}")


def packed(content: dict[str, Any]) -> bytes:
    """Return a result file, packed: a case a line."""
    head = {name: value for name, value in content.items() if name != "libraries"}
    pieces = result_file(head, map(_split, content["libraries"]))
    return lzma.compress("".join(pieces).encode("ascii"), preset=9)


def _split(library: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the head of a library, and its cases in order."""
    head = {name: value for name, value in library.items() if name != "cases"}
    return head, sorted(library["cases"], key=lambda case: str(case["id"]))


def main(environments: Path, path: Path, out: Path, keys: Sequence[str] = ()) -> None:
    """Ask the libraries the cases of a suite, and write the result file."""
    content = path.read_bytes()
    suite = read_suite(content, str(path))
    sha256 = hashlib.sha256(content).hexdigest()
    write_whole(out, packed(survey(environments, suite, sha256, keys)))
