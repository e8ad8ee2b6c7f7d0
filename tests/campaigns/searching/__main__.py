"""Searches for inputs that break the rules by which inputs are read.

``python -m tests.campaigns.searching [--seed S] [--count N] [--only WORD] [--planted]`` draws so
many inputs of each sort: texts, whose reading must cost memory and time in proportion to their
size;
answers of servers, which must not keep us; stores of scans with fields edited and hashes made
right;
names of files. With ``--planted`` a rule is broken first, one after the other: the search must find
each breach, and the table says at which try.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from tests.campaigns.forging.__main__ import Row, attempt, options_of, show
from tests.campaigns.forging.model import NotCaught
from tests.campaigns.searching import answers, costs
from tests.verify.scan.test_forged_stores import breach_of_merge, editable, make_sound
from tests.verify.scan.test_outputs import breach_of_names

Search = Callable[[Random], object]


def forged_stores(folder: Path) -> Search:
    """Return a search for stores of scans that a merge takes, and should not."""
    directory, rows = make_sound(folder)
    kept = editable(rows)

    def search(random: Random) -> None:
        with TemporaryDirectory(dir=folder) as place:
            if wrong := breach_of_merge(directory, random.choice(kept), Path(place), random):
                raise NotCaught(wrong)

    return search


def hostile_names(random: Random) -> None:
    """Search for names of files under which no rewritten text can be written."""
    with TemporaryDirectory() as folder:
        if wrong := breach_of_names(Path(folder, "out"), random.randrange(1 << 30)):
            raise NotCaught(wrong)


def searches(folder: Path) -> dict[str, Search]:
    """Return all searches by name."""
    return {
        **{f"costs: {name}": partial(costs.search, name) for name in costs.TARGETS},
        "answers of servers": answers.search,
        "stores of scans": forged_stores(folder),
        "names of files": hostile_names,
    }


def tries(name: str, search: Search, count: int, seed: int) -> Iterator[Callable[[], object]]:
    """Yield so many tries of a search."""
    for number in range(count):
        yield partial(search, Random(f"{seed} {name} {number}"))


SCAN: Final = "sanproof.verify.scan"
MORE: Final = 5
"""A planted breach may take so many times as many tries as there are otherwise."""
PLANTED: Final[tuple[tuple[str, str, Any], ...]] = (
    ("costs: games, 1", f"{SCAN}.movetext.MAX_TEXTS", 1 << 60),
    ("costs: games, 2", f"{SCAN}.variations.DEEPEST", 1 << 60),
    ("costs: games, 2", f"{SCAN}.movetext._moves_in", lambda data, start, end: sum(
        data.count(b"e", at, end) for at in range(start, end, 2000)
    )),
    ("costs: rows of a store", "sanproof.verify.work.store.MAX_ITEMS", 1 << 60),
    ("costs: lists in JSON", "sanproof.verify.gate.lists.MAX_ENTRIES", 1 << 60),
    ("answers of servers", f"{SCAN}.addresses._Body._wait", lambda body, task: body._runner.run(task)),
    ("stores of scans", f"{SCAN}.store.wrong_in", lambda _: ""),
    ("stores of scans", f"{SCAN}.store._is_source", lambda _: True),
    ("names of files", f"{SCAN}.rewriting.can_be", lambda _: True),
)  # fmt: skip
# ruff: noqa: E501 - a line for each
"""A search, and what is broken before it: a rule, and what stands in its place."""


def planted(folder: Path, count: int, seed: int, only: str) -> Iterator[Row]:
    """Break one rule after the other, and say when the search for it finds that."""
    known = searches(folder)
    for name, rule, instead in PLANTED:
        if only not in name:
            continue
        with ExitStack() as stack:
            stack.enter_context(patch(rule, instead))
            row = first_breach(known[name], tries(name, known[name], MORE * count, seed))
        label = f"{name}, without {rule.rpartition('.')[2]}"
        found = f"{label}: found at try {row}" if row else label
        yield Row(
            found, row or count, [] if row else [f"{label}: not found in {MORE * count} tries"]
        )


def first_breach(_: Search, checks: Iterable[Callable[[], object]]) -> int:
    """Return the number of the first try that finds a breach, from 1; 0 if none does."""
    for number, check in enumerate(checks, start=1):
        if attempt("", [check]).wrong:
            return number
    return 0


def main() -> int:
    """Print the table; return 1 if a breach was found, or a planted one was not."""
    parser = options_of("searching", __doc__, 40)
    parser.add_argument("--planted", action="store_true", help="break the rules first")
    options = parser.parse_args()
    begun = time.perf_counter()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if options.planted:
            rows = planted(folder, options.count, options.seed, options.only)
        else:
            chosen = {n: s for n, s in searches(folder).items() if options.only in n}
            rows = chain.from_iterable(
                [attempt(n, tries(n, s, options.count, options.seed))] for n, s in chosen.items()
            )
        wrong = show(rows)
    said = f"seed {options.seed}, {time.perf_counter() - begun:.0f} s"
    sys.stdout.write("\n".join([*wrong, said, ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
