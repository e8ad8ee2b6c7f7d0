"""Reads anybody's suites and results in bounded memory, and compares two results."""

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sanproof.reports.escaping import printable
from sanproof.verify.conformance.sanproof_runner import FAILURES
from sanproof.verify.errors import Failure

Library = Mapping[str, Any]
"""A library in a result file."""

MOST_OF_A_SUITE: Final = 1 << 27
"""The full suite has 107 MB."""
MOST_OF_RESULTS: Final = 1 << 24
"""The results of twenty libraries have 1.3 MB; a program's memory for JSON is up to thirty times
as large."""
MOST_PARTS: Final = 1 << 20
"""Objects and arrays: four times as many as the full suite has."""
MOST_COMMAS: Final = 1 << 23
"""Each value takes some eighty bytes, however short it is. The full suite has 3.2 million."""
BROKEN: Final = "failing now"


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file of JSON, unpacked if its name ends with ``.xz``.

    Raises:
        Failure: It is larger than any that we read, has too many parts, or is damaged.
        OSError: It cannot be read.
    """
    name = printable(str(path))
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise Failure(f"{name} is not packed with xz, or is damaged.") from error
    if len(content) > most_bytes:
        raise Failure(f"{name} holds more than {most_bytes >> 20} MiB, which is too much.")
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise Failure(f"{name} holds more than {MOST_PARTS:,} objects, which is too many.")
    if content.count(b",") > MOST_COMMAS:
        raise Failure(f"{name} holds more than {MOST_COMMAS:,} values, which is too many.")
    return content


def read_result(path: Path) -> Any:  # noqa: ANN401
    """Return the JSON of a result file, packed with xz or not; a Failure otherwise."""
    return json_of(str(path), read_limited(path, MOST_OF_RESULTS))


def json_of(name: str, content: bytes) -> Any:  # noqa: ANN401
    """Return the JSON of a file's content; a Failure otherwise."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} is not JSON.") from error


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield each library that both result files have, by name and settings, with what changed.

    The title also counts the mechanisms with a failure. The changes have names, and the ids of
    their cases, sorted; what did not change is left out.

    Raises:
        AttributeError, KeyError, TypeError: One is not a result file.
    """
    for library in new["libraries"]:
        alike = [one for one in old["libraries"] if _key(one) == _key(library)]
        same = [one for one in alike if one["version"] == library["version"]]
        for earlier in (same or alike)[:1]:
            versions = " -> ".join(dict.fromkeys([earlier["version"], library["version"]]))
            settings = f" ({library['settings']})" if library["settings"] else ""
            cases = earlier["cases"], library["cases"]
            failing = " -> ".join(str(len(_failed_mechanisms(some))) for some in cases)
            title = f"{library['name']} {versions}{settings} ({failing} mechanisms fail)"
            yield title, _changes(*cases)


def _failed_mechanisms(cases: Sequence[Library]) -> set[str]:
    """Return the mechanisms of the cases that failed."""
    failed = (case["id"].split(".") for case in cases if case["outcome"] in FAILURES)
    return {".".join(words[:2]) for words in failed}


def _key(library: Library) -> tuple[str, str]:
    return library.get("key", library["name"]), library["settings"]


def _changes(old: Sequence[Library], new: Sequence[Library]) -> dict[str, list[str]]:
    was, now = ({case["id"]: case["outcome"] for case in cases} for cases in (old, new))
    failed, fails = ({name for name in cases if cases[name] in FAILURES} for cases in (was, now))
    passed, passes = ({n for n in cases if cases[n] == "passed"} for cases in (was, now))
    changes = {
        BROKEN: fails & passed,
        "passing now": failed & passes,
        "failing, and asked for the first time": fails - was.keys(),
        "failed, and no longer asked": failed - now.keys(),
    }
    return {name: sorted(ids) for name, ids in changes.items() if ids}
