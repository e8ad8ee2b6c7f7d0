"""The strings of a cube and of the universe, listed apart from the code that is tested."""

from collections.abc import Iterator
from functools import cache

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, universe
from sanproof.proofs.theory.rulings import bare_strings, with_suffixes


def strings_of(cube: Cube) -> Iterator[San]:
    """Yield every string of a cube."""
    for bare in bare_strings(cube):
        yield from with_suffixes(bare)


@cache
def universe_size() -> int:
    """Count the strings."""
    return len(all_texts())


@cache
def all_texts() -> tuple[str, ...]:
    """Return every string of the universe as it is written; made once, for it takes a second."""
    return tuple(map(str, universe()))
