"""The cases of the full suite that the core does not have, in the order in which they are asked.

They are made piece by piece, when they are first needed, and kept in a folder for the next library
and the next run: all runs are asked the same cases in the same order.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from conformance.suite.build import further_suite
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance import strings
from sanproof.verify.conformance.strings import published_lines, read_line, string_cases
from sanproof.verify.conformance.suite import (
    Case,
    Demand,
    case_as_json,
    case_from_json,
    question,
    read_suite,
)

LINES: Final = 200
"""So many strings make a piece."""


class Sequel:
    """The cases beyond the core that can fail: first those that are like the core's, then strings.

    ``name`` is a hash of what they are made from: of that, not of the suite's version.
    """

    def __init__(self, directory: Path, folder: Path | None = None) -> None:
        """Take the directory of the published data, and a folder in which the cases are kept."""
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
        self._folder = None if folder is None else folder / f"cases-{self.name[:12]}"
        self._sizes: list[int] = []
        """Of the pieces that were needed so far."""
        self._last: tuple[int, list[Case]] = -1, []

    def part(self, start: int, size: int) -> list[Case]:
        """So many cases from a place, fewer at the end."""
        found: list[Case] = []
        place = 0
        for number in range(1 + -(-len(self._lines) // LINES)):
            if place >= start + size:
                break
            if number == len(self._sizes):
                self._sizes.append(len(self._piece(number)))
            if place + self._sizes[number] > start:
                found += self._piece(number)[max(0, start - place) : start + size - place]
            place += self._sizes[number]
        return found

    def _piece(self, number: int) -> list[Case]:
        """The cases of a piece: from memory, from the folder, or made now."""
        if self._last[0] != number:
            self._last = number, self._kept(number)
        return self._last[1]

    def _kept(self, number: int) -> list[Case]:
        if self._folder is None:
            return list(self._made(number))
        path = self._folder / f"{number}.json"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            entries = [case_as_json(case) for case in self._made(number)]
            write_whole(path, json.dumps(entries).encode())
        return [case_from_json(entry) for entry in json.loads(path.read_bytes())]

    def _made(self, number: int) -> Iterator[Case]:
        """The first piece has no strings; each of the others mixes those of its lines."""
        cases = self._first
        if number:
            lines = self._lines[(number - 1) * LINES : number * LINES]
            told = ((read_line(line), 0) for line in sorted(lines))  # many begin alike
            cases = list(chain.from_iterable(string_cases(told)))
            random.Random(number).shuffle(cases)
        return (case for case in cases if case.demand is not Demand.MAY)
