"""The cases of the full suite that the core does not have, in the order in which they are asked.

They are made when they are needed: all runs are asked the same cases in the same order.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from conformance.suite.build import further_suite
from sanproof.verify.conformance import strings
from sanproof.verify.conformance.strings import published_lines, read_line, string_cases
from sanproof.verify.conformance.suite import Case, Demand, question, read_suite

LINES: Final = 200
"""The number of strings in a piece."""


class Sequel:
    """The cases beyond the core that can fail: first those that are like the core's, then strings.

    ``name`` is a hash of what they are made from: of that, not of the suite's version.
    """

    def __init__(self, directory: Path) -> None:
        """Take the directory of the published data."""
        core = read_suite((directory / "conformance" / "core.json").read_bytes(), "core.json")
        known = {case.id for case in core.cases}
        self._first = [case for case in further_suite().cases if case.id not in known]
        self._lines = published_lines(directory)
        code = Path(strings.__file__).read_text("utf-8")
        told = (json.dumps([case.id, question(case), case.expected]) for case in self._first)
        made_from = "\n".join([code, str(LINES), *told, *self._lines])
        self.name = hashlib.sha256(made_from.encode()).hexdigest()
        chance = random.Random(0)
        chance.shuffle(self._first)
        chance.shuffle(self._lines)

    def cases(self) -> Iterator[Case]:
        """Yield the cases; each piece mixes those of some strings, and the first has no strings."""
        yield from (case for case in self._first if case.demand is not Demand.MAY)
        for number, start in enumerate(range(0, len(self._lines), LINES), 1):
            lines = sorted(self._lines[start : start + LINES])  # many begin alike
            told = ((read_line(line), 0) for line in lines)
            piece = list(chain.from_iterable(string_cases(told)))
            random.Random(number).shuffle(piece)
            yield from (case for case in piece if case.demand is not Demand.MAY)
