"""The changes between two result files: by library, what fails now, passes now, is new or gone."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

_FAILURES: Final = {"failed", "crashed", "hung", "garbled"}


class Change(NamedTuple):
    """The changes for a library; the parts hold ids of cases, sorted.

    Attributes:
        title: The library with its settings, and the versions if they differ.
        broken: Passed before, fails now.
        mended: Failed before, passes now.
        failing_new: Fails, and was not asked before.
        dropped: Failed before, and is not asked now.
    """

    title: str
    broken: tuple[str, ...]
    mended: tuple[str, ...]
    failing_new: tuple[str, ...]
    dropped: tuple[str, ...]


PARTS: Final = {
    "broken": "failing now",
    "mended": "passing now",
    "failing_new": "failing, and asked for the first time",
    "dropped": "failed, and no longer asked",
}
"""What the parts of a change are called."""


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """The changes of all libraries that are in both result files, by name and settings.

    Raises:
        KeyError, TypeError: One is no result file.
    """
    before: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for library in old["libraries"]:
        before.setdefault(_key(library), []).append(library)
    for library in new["libraries"]:
        alike = before.get(_key(library), [])
        same = [one for one in alike if one["version"] == library["version"]]
        if earlier := same or alike:
            yield _change(earlier[0], library)


def _key(library: Mapping[str, Any]) -> tuple[str, str]:
    return library.get("key", library["name"]), library["settings"]


def _change(old: Mapping[str, Any], new: Mapping[str, Any]) -> Change:
    was = {case["id"]: case["outcome"] for case in old["cases"]}
    now = {case["id"]: case["outcome"] for case in new["cases"]}
    failed = {name for name, outcome in was.items() if outcome in _FAILURES}
    fails = {name for name, outcome in now.items() if outcome in _FAILURES}
    passed = {name for name, outcome in was.items() if outcome == "passed"}
    passes = {name for name, outcome in now.items() if outcome == "passed"}
    versions = " -> ".join(dict.fromkeys([old["version"], new["version"]]))
    settings = f" ({new['settings']})" if new["settings"] else ""
    return Change(
        f"{new['name']} {versions}{settings}",
        tuple(sorted(fails & passed)),
        tuple(sorted(failed & passes)),
        tuple(sorted(fails - was.keys())),
        tuple(sorted(failed - now.keys())),
    )
