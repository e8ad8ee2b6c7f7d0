"""Small wrong changes to every room; something must notice each of them.

As a program (``nox -s mutants``): first all detectors run on the right tree, where they must notice
nothing. Then come the mutants, drawn with a seed: so many of each trusted room and of each other
room as are asked for, and those of ``known.txt`` that no operator makes. It ends with exit code 1
if any survives that is not argued there to do the same, or if an argument is stale.
"""

import argparse
import ast
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tests.campaigns.mutation.operators import Mutant, mutate, places
from tests.campaigns.mutation.runner import (
    TRUSTED,
    control,
    judge,
    modules,
    path_of,
    room_of,
    snapshot,
)

KNOWN: Final = Path(__file__).with_name("known.txt").read_text("utf-8").split("\n\n")
NAMED: Final = re.compile(r"(\S+):(\S+): (.+): `(.+)` -> `(.+)`")


def argued() -> dict[str, str]:
    """Return why each mutant that is argued to do the same does."""
    paragraphs = [text.splitlines() for text in KNOWN[1:]]
    return {
        name: lines[-1].strip()
        for lines in paragraphs
        if lines[-1].startswith(" ")
        for name in lines[:-1]
    }


ARGUED: Final = argued()


def by_hand(text: str = KNOWN[1]) -> Iterator[Mutant]:
    """Yield the mutants that were thought out.

    Raises:
        ValueError: The node of one is not in its function exactly once.
    """
    for line in text.splitlines():
        match = NAMED.fullmatch(line)
        if match is None:
            raise ValueError(f"no mutant: {line}")
        module, where, what, old, new = match.groups()
        tree, kind = ast.parse(path_of(module).read_text("utf-8")), type(parsed(old))
        found = [
            place
            for place in places(tree)
            if (place.where, type(place.node)) == (where, kind)
            and ast.unparse(place.node).strip() == old
        ]
        if len(found) != 1:
            raise ValueError(f"{line}: the node is found {len(found)} times")
        source = partial(found[0].with_new, tree, parsed(new))
        yield Mutant(module, where, what, old, new, 1, source)


def parsed(text: str) -> ast.AST:
    """Return a node, of the kind that stands where it is to be put."""
    statement = ast.parse(text).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def of_module(module: str) -> list[Mutant]:
    """Make all mutants of a module."""
    return list(mutate(module, path_of(module).read_text("utf-8")))


def choose(sample: int, each: int, seed: int, only: str) -> list[Mutant]:
    """Choose as many mutants of each trusted room, with those by hand, and of each other room."""
    by_room: dict[str, list[Mutant]] = {}
    chosen = [mutant for mutant in by_hand() if sample and only in str(mutant)]
    for module in (*TRUSTED, *(name for name in modules() if name not in TRUSTED)):
        if sample if module in TRUSTED else each:
            those = (m for m in of_module(module) if only in str(m) and str(m) not in ARGUED)
            by_room.setdefault(room_of(module), []).extend(those)
    for found in by_room.values():
        number = sample if found and found[0].module in TRUSTED else each
        chosen += Random(seed).sample(found, min(number, len(found)))
    return chosen


def stale() -> list[str]:
    """Return the arguments that are about no mutant of the trusted rooms any more."""
    names = {str(mutant) for module in TRUSTED for mutant in of_module(module)}
    return [name for name in ARGUED if name.split(":")[0] in TRUSTED and name not in names]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def check(chosen: Sequence[Mutant], *, every: bool) -> int:
    """Try the control, then the mutants; return 0 if each is noticed."""
    counts, survivors = Counter[str](), Counter[str]()
    with snapshot() as tree:
        limits, found = control(tree, list(dict.fromkeys(m.module for m in chosen)))
        for message in found:
            say(f"Something is noticed in the right tree, by {message}")
        if found:
            return 1
        say("Nothing is noticed in the right tree.")
        for mutant in chosen:
            noticed_by, said = judge(tree, mutant, limits)
            counts[mutant.module] += 1
            survivors[mutant.module] += not noticed_by
            if every or not noticed_by:
                say(f"{mutant}: {noticed_by or 'SURVIVES'}: {said}")
    say(f"{'module':40}{'tried':>9}{'survive':>9}")
    for module, number in counts.items():
        say(f"{module:40}{number:9}{survivors[module]:9}")
    say(f"{len(chosen)} tried, {survivors.total()} survive")
    return 1 if survivors.total() or not chosen else 0


def main() -> int:
    """Return 1 if a mutant survives, if an argument is stale, or if the right tree is noticed."""
    parser = argparse.ArgumentParser(description="Check that small wrong changes are noticed.")
    parser.add_argument("--only", default="", help="those with this in their description")
    parser.add_argument("--sample", type=int, default=100, help="of each trusted room")
    parser.add_argument("--each", type=int, default=4, help="how many of each other room")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--every", action="store_true", help="print a line for each mutant")
    options = parser.parse_args()
    if outdated := stale():
        say("\n".join(["No mutant is like these, which are argued to do the same:", *outdated]))
        return 1
    chosen = choose(options.sample, options.each, options.seed, options.only)
    return check(chosen, every=options.every)


def stop(number: int, _frame: object) -> None:
    """End as ``sys.exit`` does: with the copy of the tree removed, and what runs there ended."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, stop)
    sys.exit(main())
