"""How a suite is written: its cases are the dictionaries that the one-file runner reads.

docs/test-your-library.md describes the file, ``data/conformance/schema.json`` each entry.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from sanproof.verify.conformance import sanproof_runner as runner

Case = dict[str, Any]
"""A case; what does not apply is left out."""
Suite = dict[str, Any]
"""A suite: its version, level, games, and cases sorted by id."""
FORMAT: Final = 1
"""The number of the file's form: another form has another number."""
NAME: Final = "sanproof conformance"
LICENCE: Final = "CC0-1.0"
LEVELS: Final = ("smoke", "core", "full")
ENTRIES: Final = (
    *("id", "operation", "class", "mechanism", "colour", "fen", "game", "plies"),
    *("san", "uci", "pgn", "expected", "why", "features"),
)
"""The entries of a case, in the order of the file."""


def case_of(asked: str | None = None, expected: object = None, **entries: object) -> Case:
    """Return a case without what is None; ``demand`` is its class."""
    name = runner.ASKED[str(entries["operation"])]
    entries |= {"class": entries.pop("demand"), "expected": expected}
    entries |= {name: asked} if name else {}
    return {name: value for name, value in entries.items() if value is not None}


def asked_of(case: runner.Case) -> str:
    """Return what is read, written or played in a case: SAN, UCI or PGN; empty for all moves."""
    return str(case.get(runner.ASKED[case["operation"]] or "", ""))


def read_and_write(case: Case, canonical: str) -> list[Case]:
    """Return a case of reading, and that of writing the move expected: its id ends otherwise."""
    name = f"{case['id'].removesuffix('read')}write"
    answer = {"operation": "write", "uci": case["expected"], "expected": canonical}
    rest = {name: value for name, value in case.items() if name != "san"}
    return [case, rest | {"id": name} | answer]


def suite_of(version: str, level: str, games: Sequence[str], cases: Iterable[Case]) -> Suite:
    """Return a suite."""
    head = {"format": FORMAT, "suite": NAME, "version": version, "level": level}
    return head | {"licence": LICENCE, "games": list(games), "cases": list(cases)}


def with_games(cases: Iterable[Case], games: Sequence[str]) -> tuple[list[Case], list[str]]:
    """Return cases with the games that they need, and only these."""
    cases = list(cases)
    used = sorted({case["game"] for case in cases if "game" in case})
    index = {old: new for new, old in enumerate(used)}
    numbered = [c | {"game": index[c["game"]]} if "game" in c else c for c in cases]
    return numbered, [games[old] for old in used]


def line_of(case: Case) -> str:
    """Return the line of a case in a suite's file."""
    return json.dumps({name: case[name] for name in ENTRIES if name in case})


def suite_lines(
    version: str, level: str, games: Iterable[str], cases: Iterable[Case]
) -> Iterator[str]:
    """Yield the lines of a suite's file, a game or a case on each: a large one is never held.

    The iterables are read one after the other: cases may be made while games were.
    """
    head = suite_of(version, level, (), ())
    del head["games"], head["cases"]
    yield json.dumps(head)[:-1] + ',\n"games": [\n'
    yield from _joined(json.dumps(game) for game in games)
    yield '\n],\n"cases": [\n'
    yield from _joined(map(line_of, cases))
    yield "\n]}\n"


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with a comma after each but the last."""
    for number, line in enumerate(lines):
        yield (",\n" if number else "") + line
