"""The strings of a cube and of the universe, listed apart from the code that is tested."""

from collections.abc import Iterator
from functools import cache

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, universe
from sanproof.proofs.verdicts.rulings import bare_strings, with_suffixes


def strings_of(cube: Cube) -> Iterator[San]:
    """Every string of a cube."""
    for bare in bare_strings(cube):
        yield from with_suffixes(bare)


@cache
def universe_size() -> int:
    """How many strings there are."""
    return len(all_texts())


@cache
def all_texts() -> tuple[str, ...]:
    """Every string of the universe as it is written; made once, for it takes a second."""
    return tuple(map(str, universe()))
