"""Possessive repetitions that every supported Python reads alike, Debian 12's 3.11.2 included.

Python before 3.11.5 ends the possessive repetition of a group too late when its last try fails
half-way (https://github.com/python/cpython/issues/106052): ``(?:ab?c)*+`` takes the ``a`` of ``a``.
So only single characters are repeated possessively, and groups whose alternatives are literals and
classes; any other such group ends in ``|(?!)``, which is right everywhere.
"""

import io
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

import pytest

import sanproof

PARSER: Final = re._parser  # type: ignore[attr-defined]
SINGLE: Final = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}


def parsed(pattern: str | bytes, flags: int = 0) -> Iterable[Any]:
    """Return the parse tree of a pattern: pairs of an operation and what it is about."""
    tree: Iterable[Any] = PARSER.parse(pattern, flags & re.VERBOSE)
    return tree


def repeated(tree: object) -> Iterator[list[Any]]:
    """Yield what is repeated possessively, wherever it stands in a parse tree."""
    if isinstance(tree, (tuple, list, PARSER.SubPattern)):
        for part in tree:
            if isinstance(part, tuple) and str(part[0]) == "POSSESSIVE_REPEAT":
                yield list(part[1][2])
            yield from repeated(part)


def is_plain(nodes: Iterable[Any]) -> bool:
    """Check for literals and classes in a row."""
    return all(str(operation) in SINGLE for operation, _ in nodes)


def is_safe(body: list[Any]) -> bool:
    """Check whether a body may be repeated possessively."""
    if len(body) == 1 and str(body[0][0]) == "BRANCH":
        _, alternatives = body[0][1]
        *others, last = map(list, alternatives)
        fails = len(last) == 1 and str(last[0][0]) in {"FAILURE", "ASSERT_NOT"}
        return fails or all(map(is_plain, [*others, last]))
    return is_plain(body)


def unsafe(pattern: str | bytes, flags: int = 0) -> bool:
    """Check whether an early Python 3.11 may read a pattern otherwise."""
    return not all(map(is_safe, repeated(parsed(pattern, flags))))


def patterns(value: object) -> Iterator[re.Pattern[Any]]:
    """Yield the compiled patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from patterns(part)
    elif isinstance(value, dict):
        yield from patterns(list(value.values()))


def test_possessive_repetitions_are_of_what_cannot_fail_half_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())  # an adapter reads it when it is imported
    found: dict[str, str | bytes] = {}
    for module in pkgutil.walk_packages(sanproof.__path__, "sanproof."):
        if not module.name.endswith("__main__"):
            for name, value in vars(import_module(module.name)).items():
                for pattern in patterns(value):
                    found[f"{module.name}.{name}: {pattern.pattern!r}"] = pattern.pattern
                    if unsafe(pattern.pattern, pattern.flags):
                        found[f"{module.name}.{name}"] = b""
    assert len(found) > 40
    assert [name for name, pattern in found.items() if pattern == b""] == []


def test_unsafe_patterns_are_told_from_safe_ones() -> None:
    for pattern in ("a*+", "[^a]++", "(?:a|bc|[de]f)*+", r"(?:ab?c|(?!))*+"):
        assert not unsafe(f"x(?:{pattern}y)?")
    for pattern in ("(?:ab?c)*+", "(?:a|b+)++", "(?:(?!a)b)*+", r"(?:a$)?+"):
        assert unsafe(f"x(?:{pattern}y)?")
