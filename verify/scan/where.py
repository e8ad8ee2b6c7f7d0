"""``--where``: select games by a Python expression over their tags."""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from sanproof.reports.escaping import shown

LONGEST: Final = 1_000
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_OPERATORS: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: str(a) in str(b),
    ast.NotIn: lambda a, b: str(a) not in str(b),
}
_ALLOWED: Final = (
    *(ast.Compare, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not),
    *(ast.Name, ast.Load, ast.Constant, *_OPERATORS),
)


class _NoNumber(Exception):
    """A tag is compared with a number and is none."""


def selects(where: str, tags: Mapping[str, str]) -> bool:
    """Check whether an expression holds for a game with these tags."""
    if not set(tags_in(where)) <= tags.keys():
        return False
    try:
        return bool(_value(_read(where), tags))
    except _NoNumber:
        return False


def tags_in(where: str) -> tuple[str, ...]:
    """Return the tags that an expression names, sorted; none if it is empty."""
    return _tags_in(where) if where else ()


def check_where(where: str) -> None:
    """Raise a ValueError, whose message is a sentence, unless this is an expression over tags."""
    if not tags_in(where):
        raise _wrong(where)


@lru_cache(maxsize=4)
def _tags_in(where: str) -> tuple[str, ...]:
    nodes = ast.walk(_read(where))
    return tuple(sorted({node.id for node in nodes if isinstance(node, ast.Name)}))


def _value(node: ast.expr, tags: Mapping[str, str]) -> Any:  # noqa: ANN401 - what it says
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return tags[name]
        case ast.UnaryOp(ast.Not(), operand):
            return not _value(operand, tags)
        case ast.BoolOp(op, values):
            return (all if isinstance(op, ast.And) else any)(_value(v, tags) for v in values)
        case ast.Compare(first, ops, others):
            pairs = zip([first, *others], others, strict=False)
            return all(_holds(op, a, b, tags) for op, (a, b) in zip(ops, pairs, strict=True))
        case _:
            raise _wrong(ast.unparse(node))


def _holds(op: ast.cmpop, left: ast.expr, right: ast.expr, tags: Mapping[str, str]) -> bool:
    """Compare numbers if one side is a number, or both are tags that look like numbers."""
    a, b = _value(left, tags), _value(right, tags)
    compare = _OPERATORS[type(op)]
    if isinstance(op, ast.In | ast.NotIn):
        return compare(a, b)
    are_tags = isinstance(left, ast.Name) and isinstance(right, ast.Name)
    are_numbers = all(_NUMBER.fullmatch(str(side)) for side in (a, b))
    if isinstance(a, str) and isinstance(b, str) and not (are_tags and are_numbers):
        return compare(a, b)
    if not are_numbers:
        raise _NoNumber
    return compare(float(a), float(b))


@lru_cache(maxsize=4)
def _read(where: str) -> ast.expr:
    """Parse an expression; a ValueError if it holds more than comparisons of tags."""
    if len(where) > LONGEST:
        raise ValueError(f"--where takes at most {LONGEST:,} characters.")
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            node = ast.parse(where.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _wrong(where) from None
    for inner in ast.walk(node):
        is_other = isinstance(inner, ast.Constant) and type(inner.value) not in (str, int, float)
        if is_other or not isinstance(inner, _ALLOWED):
            raise _wrong(where)
    return node


def _wrong(where: str) -> ValueError:
    return ValueError(
        "--where takes comparisons of tags, such as \"WhiteElo >= 2500 and Result == '1-0'\" "
        f"(== for equal). This is not one: {shown(where)}."
    )
