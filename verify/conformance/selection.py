"""Which cases are asked, and which failures are expected."""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from sanproof.reports.escaping import shown
from sanproof.verify.conformance.suite import Case, Demand
from sanproof.verify.errors import Failure

_COMMENT: Final = "#"


def select(cases: Sequence[Case], only: Sequence[str], skip: Sequence[str]) -> list[Case]:
    """The cases whose ids match one of ``only`` (if there are any), and none of ``skip``.

    Raises:
        Failure: A shell pattern matches no id, or no case is left.
    """
    for pattern in (*only, *skip):
        if not any(fnmatchcase(case.id, pattern) for case in cases):
            raise Failure(f"The pattern {shown(pattern)} matches no case of the suite.")
    chosen = [
        case
        for case in cases
        if (not only or _matches(case.id, only)) and not _matches(case.id, skip)
    ]
    if not chosen:
        raise Failure("The patterns leave no case to ask.")
    return chosen


def read_known(path: Path) -> tuple[str, ...]:
    """The patterns of a file of expected failures: one a line, with comments after a ``#``.

    An id is a pattern that matches itself.

    Raises:
        Failure: It is no text.
        OSError: It cannot be read.
    """
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise Failure(f"{shown(str(path))} is no text in UTF-8.") from error
    names = (line.partition(_COMMENT)[0].strip() for line in lines)
    return tuple(dict.fromkeys(name for name in names if name))


def idle(patterns: Iterable[str], cases: Iterable[Case]) -> list[str]:
    """The patterns that match no case which can fail: a later version may have dropped it."""
    ids = [case.id for case in cases if case.demand is not Demand.MAY]
    return [pattern for pattern in patterns if not filter_ids(ids, pattern)]


def expected(patterns: Iterable[str], failed: Collection[str], asked: Iterable[str]) -> set[str]:
    """The ids whose failure is known, of those that failed and of all that were asked.

    Of a pattern these are the ones that fail. If none does, it is out of date, and what it matches
    is known to fail and passes.
    """
    asked = list(asked)
    known: set[str] = set()
    for pattern in patterns:
        known.update(filter_ids(failed, pattern) or filter_ids(asked, pattern))
    return known


def filter_ids(ids: Iterable[str], pattern: str) -> list[str]:
    """The ids that match a shell pattern."""
    return [name for name in ids if fnmatchcase(name, pattern)]


def _matches(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
