"""Writes suites, whose cases are the dictionaries that the one-file runner reads.

docs/test-your-library.md describes the file, ``data/conformance/schema.json`` each entry.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sanproof.verify.conformance import sanproof_runner as runner

Case = dict[str, Any]
"""A case, without the entries that do not apply to it."""
Suite = dict[str, Any]
"""A suite, with its version, level, games, and cases sorted by id."""
FORMAT: Final = 1
"""The version of the file's format."""
NAME: Final = "sanproof conformance"
ARRAYS: Final = ("games", "cases")
LICENCE: Final = "CC0-1.0"
ENTRIES: Final = (
    *("id", "operation", "class", "mechanism", "colour", "fen", "game", "plies"),
    *("san", "uci", "pgn", "expected", "why", "features"),
)
"""The entries of a case, in the order of the file."""


def case_of(asked: str | None = None, expected: object = None, **entries: object) -> Case:
    """Return a case with these entries, but for those that are None. ``demand`` is its class."""
    name = runner.ASKED[str(entries["operation"])]
    entries |= {"class": entries.pop("demand"), "expected": expected}
    entries |= {name: asked} if name else {}
    return {name: value for name, value in entries.items() if value is not None}


def asked_of(case: runner.Case) -> str:
    """Return the SAN, UCI or PGN that a case is about, or an empty text if it is about all."""
    return str(case.get(runner.ASKED[case["operation"]] or "", ""))


def suite_of(version: str, level: str, games: Sequence[str], cases: Iterable[Case]) -> Suite:
    """Return a suite of these cases."""
    head = {"format": FORMAT, "suite": NAME, "version": version, "level": level}
    return head | {"licence": LICENCE, "games": list(games), "cases": list(cases)}


def with_games(cases: Iterable[Case], games: Sequence[str]) -> tuple[list[Case], list[str]]:
    """Return the cases, renumbered, with only the games that they need."""
    cases = list(cases)
    used = sorted({case["game"] for case in cases if "game" in case})
    index = {old: new for new, old in enumerate(used)}
    numbered = [c | {"game": index[c["game"]]} if "game" in c else c for c in cases]
    return numbered, [games[old] for old in used]


def suite_text(suite: Suite) -> str:
    """Return the text of a suite's file, with a line for each game and each case."""
    head = json.dumps({name: value for name, value in suite.items() if name not in ARRAYS})
    cases = ({name: case[name] for name in ENTRIES if name in case} for case in suite["cases"])
    games, lines = (",\n".join(map(json.dumps, some)) for some in (suite["games"], cases))
    return f'{head[:-1]},\n"games": [\n{games}\n],\n"cases": [\n{lines}\n]}}\n'
