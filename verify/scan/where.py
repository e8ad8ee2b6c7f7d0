"""``--where``: which games are wanted, by an expression over their tags.

The expression is written as in Python, and worked out by simpleeval. Of what that knows, only
comparisons of tags with numbers, texts and other tags are let in, and what joins them.
"""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.scan.addresses import EXTRA

LONGEST: Final = 1_000
"""Characters of an expression."""
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ALLOWED: Final = (
    *(*_COMPARISONS, ast.In, ast.NotIn, ast.Compare),
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Name, ast.Load, ast.Constant),
)
_LITERALS: Final = (str, int, float)


class _Tag(str):
    """The value of a tag."""

    __slots__ = ()


def check_where(where: str) -> None:
    """Check that a text is an expression over tags.

    Raises:
        ValueError: It is malformed; the message is a sentence.
        Failure: simpleeval is not installed.
    """
    from importlib.util import find_spec  # noqa: PLC0415 - only here

    _read(where)
    if find_spec("simpleeval") is None:
        raise Failure(f"--where needs simpleeval: {EXTRA}.")


def selects(where: str, tags: Mapping[str, str]) -> bool:
    """Check whether an expression holds for a game with these tags.

    It does not if a tag that it names is missing, or a text is compared with a number.
    """
    node, names = _read(where)
    if not names <= tags.keys():
        return False
    try:
        evaluator = _evaluator()
        evaluator.names = {name: _Tag(tags[name]) for name in names}
        return bool(evaluator.eval(where, node))
    except ValueError:  # of _number
        return False


def tags_in(where: str) -> list[str]:
    """Return the names of the tags of an expression, sorted; none if it is empty."""
    return sorted(_read(where)[1]) if where else []


def unfitting(where: str, counts: Mapping[str, int], left_out: int) -> str:
    """Return why an expression looks at nothing, as a sentence; empty if it does.

    The counts are how many games have each tag, by ``tag NAME``, and how many there are.
    """
    if not (where and counts["games"]):
        return ""
    missing = [name for name in tags_in(where) if not counts.get(f"tag {name}")]
    if missing:
        return f"--where matches no game: none has the tag {missing[0]}."
    return "--where matches no game." if left_out == counts["games"] else ""


@lru_cache(maxsize=4)
def _read(where: str) -> tuple[ast.expr, frozenset[str]]:
    """Return an expression and the tags that it names."""
    wrong = ValueError(
        "--where takes comparisons of tags, such as \"WhiteElo >= 2500 and Result == '1-0'\" "
        f"(== for equal), and not {shown(where)}."
    )
    if len(where) > LONGEST:
        raise ValueError(f"--where takes at most {LONGEST:,} characters.")
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            node = ast.parse(where.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise wrong from None
    nodes = list(ast.walk(node))
    if not all(isinstance(item, _ALLOWED) for item in nodes):
        raise wrong
    if any(type(item.value) not in _LITERALS for item in nodes if isinstance(item, ast.Constant)):
        raise wrong
    names = frozenset(item.id for item in nodes if isinstance(item, ast.Name))
    if not names:
        raise wrong
    return node, names


@lru_cache(maxsize=1)
def _evaluator() -> Any:  # noqa: ANN401 - simpleeval has no types
    from simpleeval import SimpleEval  # noqa: PLC0415 - for --where only

    operators = {kind: _comparing(compare) for kind, compare in _COMPARISONS.items()}
    within = {ast.In: _is_in, ast.NotIn: lambda part, whole: not _is_in(part, whole)}
    return SimpleEval(operators | within | {ast.Not: operator.not_}, functions={}, names={})


def _comparing(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Make a comparison: of numbers if one side is a number, or both are tags that are numbers."""

    def compared(left: object, right: object) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            sides = left, right
            if not all(isinstance(side, _Tag) and _NUMBER.fullmatch(side) for side in sides):
                return compare(left, right)
        return compare(_number(left), _number(right))

    return compared


def _number(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not _NUMBER.fullmatch(value):
        raise ValueError(f"{value!r} is compared with a number, but is not a number")
    return float(value)


def _is_in(part: object, whole: object) -> bool:
    return str(part) in str(whole)
