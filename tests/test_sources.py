"""What holds in every module: errors are sentences, and patterns are read alike by every Python.

Python before 3.11.5 ends the possessive repetition of a group too late when its last try fails
half-way (https://github.com/python/cpython/issues/106052): ``(?:ab?c)*+`` takes the ``a`` of ``a``.
So only single characters are repeated possessively, and groups whose alternatives are literals and
classes; any other such group ends in ``|(?!)``, which is right everywhere.
"""

import ast
import io
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

import pytest

import sanproof
from tests.verify.command import ROOT

FAILURES: Final = {"Failure", "NegativeAnswer", "Undecided", "Unfinished"}
SENTENCE: Final = r"(?:[A-Z`'{]|--)(?!.*\.;).*(?<!\.)[.?}]"
"""It begins with a capital or a value, and ends with one period."""
PARSER: Final = re._parser  # type: ignore[attr-defined]
SINGLE: Final = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}


def error_texts(content: str) -> Iterator[str]:
    """Yield the texts of the failures that a module raises, with braces for values."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FAILURES and node.args:
            text = node.args[0]
            if isinstance(text, ast.JoinedStr):
                values = [v.value if isinstance(v, ast.Constant) else "{}" for v in text.values]
                yield "".join(map(str, values))
            elif isinstance(text, ast.Constant):
                yield str(text.value)


def wrong_errors(content: str) -> list[str]:
    """Return the error texts of a module that are no sentences."""
    return [t for t in error_texts(content) if not re.fullmatch(SENTENCE, t, re.DOTALL)]


def test_error_texts_are_sentences() -> None:
    rooms = ("proofs", "reports", "sanproof", "verify")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    sources = [path.read_text(encoding="utf-8") for path in paths]
    assert sum(len(list(error_texts(source))) for source in sources) > 50
    assert [text for source in sources for text in wrong_errors(source)] == []
    for text in ("no file", "No file", "{x} is bad.;", "No file..", "no file."):
        assert wrong_errors(f'raise Failure(f"{text}")')


def repeated(tree: Any) -> Iterator[list[Any]]:  # noqa: ANN401 - re's own
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
        *others, last = map(list, body[0][1][1])
        fails = len(last) == 1 and str(last[0][0]) in {"FAILURE", "ASSERT_NOT"}
        return fails or all(map(is_plain, [*others, last]))
    return is_plain(body)


def unsafe(pattern: str | bytes, flags: int = 0) -> bool:
    """Check whether an early Python 3.11 may read a pattern otherwise."""
    return not all(map(is_safe, repeated(PARSER.parse(pattern, flags & re.VERBOSE))))


def patterns(value: object) -> Iterator[re.Pattern[Any]]:
    """Yield the compiled patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from patterns(part)


def test_possessive_repetitions_are_of_what_cannot_fail_half_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())  # an adapter reads it when it is imported
    names = (module.name for module in pkgutil.walk_packages(sanproof.__path__, "sanproof."))
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    found = {pattern for module in modules for pattern in patterns(list(vars(module).values()))}
    assert len(found) > 40
    assert [pattern for pattern in found if unsafe(pattern.pattern, pattern.flags)] == []
    for safe in ("a*+", "[^a]++", "(?:a|bc|[de]f)*+", r"(?:ab?c|(?!))*+"):
        assert not unsafe(f"x(?:{safe}y)?")
    for wrong in ("(?:ab?c)*+", "(?:a|b+)++", "(?:(?!a)b)*+", r"(?:a$)?+"):
        assert unsafe(f"x(?:{wrong}y)?")
