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
from sanproof.verify.conformance import files
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, ask

TIMEOUT_SECONDS: Final = 60.0
"""For a case: generous, as several libraries are asked side by side."""
SIDE_BY_SIDE: Final = 2


def survey(environments: Path, path: Path, keys: Sequence[str] = ()) -> dict[str, Any]:
    """Ask every library in every setting, or those with these keys: the content of the result file.

    Args:
        environments: The folder that :mod:`conformance.environments` has filled.
        path: The file of the suite that is asked.
        keys: The libraries that are asked; all by default.
    """
    suite, sha256 = runner.load(str(path)), hashlib.sha256(path.read_bytes()).hexdigest()
    installed = json.loads((environments / INSTALLED).read_bytes())
    chosen = [library for library in read_registry() if not keys or library.key in keys]
    why = {one.key: installed.get(one.key, "it was never tried") for one in chosen}
    commands = [(one, c) for one in chosen if not why[one.key] for c in one.commands(environments)]
    found: list[Asked] = []
    for start in range(0, len(commands), SIDE_BY_SIDE):
        some = [command for _, command in commands[start : start + SIDE_BY_SIDE]]
        for one in ask(some, suite, suite["cases"], TIMEOUT_SECONDS):
            sys.stderr.write(f"{one.report.title}: {one.seconds:.3f} s\n")
            plain = one.command.replace(f"{environments.resolve()}/", "")
            found.append(one._replace(command=plain.replace(sys.executable, "python")))
    content = files.results(suite, sha256, datetime.now(UTC).date().isoformat(), found)
    for (library, _), entry in zip(commands, content["libraries"], strict=True):
        entry.update(_registered(library))
        entry["cases"].sort(key=lambda case: case["id"])
    content["libraries"] += [_absent(one, why[one.key]) for one in chosen if why[one.key]]
    return content


def _registered(library: Library) -> dict[str, Any]:
    names = ("name", "key", "registry", "home", "licence", "release")
    return {name: getattr(library, name) for name in names}


def _absent(library: Library, why: str) -> dict[str, Any]:
    """Return the entry of a library that answered nothing."""
    about = {"version": library.version, "language": library.language, "settings": ""}
    nothing: dict[str, Any] = {"operations": [], "en_passant": [], "cases": []}
    ended = {"ended": f"could not be installed: {why}"}
    return _registered(library) | about | nothing | ended


def packed(content: dict[str, Any]) -> bytes:
    """Return a result file, packed: a case a line."""
    return lzma.compress("".join(files.written(content)).encode("ascii"), preset=9)


def main(environments: Path, path: Path, out: Path, keys: Sequence[str] = ()) -> None:
    """Ask the libraries the cases of a suite, and write the result file."""
    write_whole(out, packed(survey(environments, path, keys)))
