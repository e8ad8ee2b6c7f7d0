"""``--where``: select games by a Python expression over their tags."""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache, partialmethod
from types import CodeType
from typing import Any, Final

from sanproof.reports.escaping import shown

LONGEST: Final = 1_000
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_ALLOWED: Final = (
    *(ast.Expression, ast.Compare, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
    *(ast.Name, ast.Load, ast.Constant),
)


class _Tag(str):
    """A tag's value: compared as a number with a number, and with another tag if both are.

    A TypeError says that it is compared with a number and is none.
    """

    __slots__ = ()

    def _compare(self, compare: Callable[[Any, Any], bool], other: Any) -> bool:  # noqa: ANN401
        a, b = str(self), str(other)
        are_numbers = _NUMBER.fullmatch(a) and _NUMBER.fullmatch(b)
        if isinstance(other, str) and not (isinstance(other, _Tag) and are_numbers):
            return compare(a, b)
        if not are_numbers:
            raise TypeError
        return compare(float(a), float(b))

    __eq__ = partialmethod(_compare, operator.eq)
    __ne__ = partialmethod(_compare, operator.ne)
    __lt__ = partialmethod(_compare, operator.lt)
    __le__ = partialmethod(_compare, operator.le)
    __gt__ = partialmethod(_compare, operator.gt)
    __ge__ = partialmethod(_compare, operator.ge)
    __hash__ = str.__hash__

    def __contains__(self, part: object) -> bool:
        return str(part) in str(self)


def selects(where: str, tags: Mapping[str, str]) -> bool:
    """Check whether an expression holds for a game with these tags."""
    code, names = _read(where)
    try:
        values = {name: _Tag(tags[name]) for name in names}
        return bool(eval(code, {"__builtins__": {}}, values))  # noqa: S307 - only comparisons
    except (KeyError, TypeError):
        return False


def check_where(where: str) -> None:
    """Raise a ValueError, whose message is a sentence, unless this is an expression over tags."""
    _read(where)


@lru_cache(maxsize=4)
def _read(where: str) -> tuple[CodeType, frozenset[str]]:
    """Return the code and the tags of an expression that holds nothing but comparisons of tags."""
    if len(where) > LONGEST:
        raise ValueError(f"--where takes at most {LONGEST:,} characters.")
    wrong = ValueError(
        "--where takes comparisons of tags, such as \"WhiteElo >= 2500 and Result == '1-0'\" "
        f"(== for equal). This is not one: {shown(where)}."
    )
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            tree = ast.parse(where.strip(), mode="eval")
        for node in ast.walk(tree):
            is_other = isinstance(node, ast.Constant) and type(node.value) not in (str, int, float)
            if is_other or not isinstance(node, _ALLOWED):
                raise wrong
        names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        if names:
            return compile(tree, "--where", "eval"), names
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise wrong
