"""Which cases are asked, and which failures are expected."""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from sanproof.reports.escaping import shown
from sanproof.verify.conformance.cases.case import Case, Demand
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


def read_known(path: Path, cases: Iterable[Case]) -> frozenset[str]:
    """The ids of a file of expected failures: one a line, with comments after a ``#``.

    Raises:
        Failure: It is no text, or names what is no case of the suite that can fail.
        OSError: It cannot be read.
    """
    demands = {case.id: case.demand for case in cases}
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise Failure(f"{shown(str(path))} is no text in UTF-8.") from error
    known = set()
    for number, line in enumerate(lines, 1):
        name = line.partition(_COMMENT)[0].strip()
        if not name:
            continue
        if name not in demands:
            raise Failure(
                f"{shown(str(path))}, line {number}: {shown(name)} is no case of the suite."
            )
        if demands[name] is Demand.MAY:
            raise Failure(
                f"{shown(str(path))}, line {number}: {name} may be accepted or rejected, so it "
                "cannot fail."
            )
        known.add(name)
    return frozenset(known)


def _matches(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
