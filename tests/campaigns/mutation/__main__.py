"""Small wrong changes to every room; something must notice each of them.

As a program (``nox -s mutants``): first all detectors run on the right tree, where they must notice
nothing. Then come the mutants, drawn with a seed: so many of each trusted room and of each other
room as are asked for. It ends with exit code 1 if any survives that is not argued to do the same,
or if an argument is stale.

That a stored refutation does not fit a changed formula does not count as noticing: every change to
the encoding does that, a right one as well.
"""

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from tests.campaigns.mutation.detectors import DETECTORS, ROOT, modules, room_of
from tests.campaigns.mutation.known import argued, by_hand
from tests.campaigns.mutation.operators import Mutant, draw, mutate
from tests.campaigns.mutation.runner import control, gist, judge, path_of, snapshot

ARGUED: Final = argued()


def mutants() -> list[Mutant]:
    """Make every mutant of the trusted rooms, by operators and by hand, in order of modules."""
    by_operators = [
        mutant
        for module in DETECTORS
        for mutant in mutate(module, path_of(module, ROOT).read_text(encoding="utf-8"))
    ]
    return by_operators + list(by_hand(ROOT))


def stale(found: Sequence[Mutant]) -> list[str]:
    """Return the arguments that are about no mutant of the trusted rooms any more."""
    names = set(map(str, found))
    return [name for name in ARGUED if name not in names and name.split(":")[0] in DETECTORS]


def choose(found: Sequence[Mutant], sample: int, seed: int) -> list[Mutant]:
    """Choose those by hand, and as many of each trusted room as asked for."""
    chosen = [mutant for mutant in by_hand(ROOT) if mutant in found]
    for room in dict.fromkeys(room_of(mutant.module) for mutant in found):
        those = [m for m in found if room_of(m.module) == room]
        those = [m for m in those if m not in chosen and str(m) not in ARGUED]
        chosen += Random(seed).sample(those, min(sample, len(those)))
    return chosen


def choose_elsewhere(each: int, seed: int, only: str = "") -> list[Mutant]:
    """Choose as many mutants of each room that is not trusted; more of long modules.

    Args:
        each: How many of each room.
        seed: Which of them.
        only: The rooms with this in their name.
    """
    rooms: dict[str, dict[str, str]] = {}
    for module in modules():
        if module not in DETECTORS and only in module:
            source = path_of(module, ROOT).read_text(encoding="utf-8")
            rooms.setdefault(room_of(module), {})[module] = source
    chosen: dict[tuple[object, ...], Mutant] = {}
    for room, sources in rooms.items():
        random = Random(f"{room} {seed}")
        weights = list(map(len, sources.values()))
        for module in random.choices(list(sources), weights, k=each):
            mutant = draw(module, sources[module], random)
            chosen[mutant.key] = mutant
    return list(chosen.values())


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def check(chosen: Sequence[Mutant], data: Path, *, every: bool) -> int:
    """Try the control, then the mutants; return 0 if each is noticed or argued to do the same."""
    started = time.perf_counter()
    tried = [mutant for mutant in chosen if str(mutant) not in ARGUED]
    counts: Counter[tuple[str, str]] = Counter()
    with snapshot(data) as tree:
        limits, found = control(tree, list(dict.fromkeys(mutant.module for mutant in tried)))
        for message in found:
            say(f"Something is noticed in the right tree, by {message}")
        if found:
            return 1
        say(f"Nothing is noticed in the right tree: {time.perf_counter() - started:.0f} s")
        for mutant in tried:
            name, in_time, said, seconds = judge(tree, mutant, limits)
            fate = "by time" if not in_time else "noticed" if name else "survive"
            counts[mutant.module, fate] += 1
            if every or not name:
                say(f"{mutant}: {name or 'SURVIVES'}, {seconds:.1f} s: {gist(said)}")
    columns = ("noticed", "by time", "survive")
    say(f"{'module':40}" + "".join(f"{column:>9}" for column in columns))
    for module in dict.fromkeys(mutant.module for mutant in tried):
        say(f"{module:40}" + "".join(f"{counts[module, column]:9}" for column in columns))
    survivors = sum(number for (_, fate), number in counts.items() if fate == "survive")
    argued_too, seconds = len(chosen) - len(tried), time.perf_counter() - started
    say(f"{len(tried)} tried, {survivors} survive, {argued_too} argued, {seconds:.0f} s")
    return 1 if survivors or not chosen else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 1 if a mutant survives, if an argument is stale, or if the right tree is noticed."""
    parser = argparse.ArgumentParser(description="Check that small wrong changes are noticed.")
    parser.add_argument("--only", default="", help="those with this in their description")
    parser.add_argument("--sample", type=int, default=100, help="of each trusted room")
    parser.add_argument("--each", type=int, default=4, help="how many of each other room")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--list", action="store_true", help="list them, and what is argued")
    parser.add_argument("--every", action="store_true", help="print a line for each mutant")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="the published evidence")
    options = parser.parse_args(arguments)
    found = mutants() if options.sample else []
    if found and (outdated := stale(found)):
        say("\n".join(["No mutant is like these, which are argued to do the same:", *outdated]))
        return 1
    matching = [mutant for mutant in found if options.only in str(mutant)]
    chosen = choose(matching, options.sample, options.seed)
    chosen += choose_elsewhere(options.each, options.seed, options.only)
    if options.list:
        for mutant in chosen:
            say(f"{mutant}  {ARGUED.get(str(mutant), '')}".rstrip())
        say(f"{len(chosen)} mutants")
        return 0
    return check(chosen, options.data, every=options.every)


def stop(number: int, _frame: object) -> None:
    """End as ``sys.exit`` does: with the copy of the tree removed, and what runs there ended."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, stop)
    sys.exit(main())
