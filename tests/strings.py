"""The strings of a cube and of the universe, listed apart from the code that is tested."""

import re
from collections.abc import Iterator
from functools import cache

from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import (
    CAPTURES,
    CASTLINGS,
    DESTINATIONS,
    FILE_LETTERS,
    PIECES,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
    parse_san,
    universe,
)
from sanproof.proofs.search.derived import mirrored_files
from sanproof.proofs.theory.reasons import bare_strings


def strings_of(cube: Cube) -> Iterator[San]:
    """Yield every string of a cube."""
    for bare in bare_strings(cube):
        yield from (bare._replace(suffix=suffix) for suffix in SUFFIXES)


def mirrored_san(san: San) -> San:
    """Return the string of the same move on the board reflected left to right; not of castling."""
    return parse_san(mirrored_files(str(san)))


@cache
def all_texts() -> tuple[str, ...]:
    """Return every string of the universe as it is written; made once, for it takes a second."""
    return tuple(map(str, universe()))


# The language as it was given to us, apart from the module under test.
MOVES = re.compile(r"([BKNQR])?([a-h])?([1-8])?(x)?([a-h])([1-8])(?:=([BKNQR]))?([+#])?")
CASTLING = re.compile(r"(O-O-O|O-O)([+#])?")
ALPHABET = "BKNQRabcdefgh12345678x=+#O-"
moves = st.builds(
    San,
    *map(
        st.sampled_from,
        (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES),
    ),
)
sans = moves | st.builds(
    San,
    st.sampled_from(CASTLINGS),
    *[st.just("")] * 5,
    st.sampled_from(SUFFIXES),
)
strings = st.from_regex(MOVES, fullmatch=True) | st.from_regex(CASTLING, fullmatch=True)
edited = st.builds(
    lambda text, at, cut, inserted: text[:at] + inserted + text[at + cut :],
    strings,
    st.integers(0, 9),
    st.integers(0, 3),
    st.text(ALPHABET, max_size=3) | st.text(max_size=3),
)
texts = st.text() | st.text(ALPHABET, max_size=12) | edited


def is_derived(text: str) -> bool:
    return bool(MOVES.fullmatch(text) or CASTLING.fullmatch(text))
