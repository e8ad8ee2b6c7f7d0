"""The language of SAN strings: read one, write one, list them all, count them.

The grammar is the one of the PGN standard's section 8.2.3, with every part that a string may
have optional, so that it also derives strings which no game can contain::

    san       = castling [suffix] / [piece] [file] [rank] ["x"] file rank ["=" piece] [suffix]
    castling  = "O-O-O" / "O-O"
    piece     = "B" / "K" / "N" / "Q" / "R"
    file      = "a" ... "h"
    rank      = "1" ... "8"
    suffix    = "+" / "#"
"""

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final, NamedTuple

from proofs.rules.squares import FILES, RANKS

PIECES: Final = ("", "B", "K", "N", "Q", "R")
FILE_LETTERS: Final = ("", *FILES)
RANK_DIGITS: Final = ("", *RANKS)
CAPTURES: Final = ("", "x")
DESTINATIONS: Final = tuple(f + r for f in FILES for r in RANKS)
PROMOTIONS: Final = ("", "B", "K", "N", "Q", "R")
CASTLINGS: Final = ("O-O", "O-O-O")
SUFFIXES: Final = ("", "+", "#")

_SLOTS: Final = (
    ("".join(PIECES), True),
    (FILES, True),
    (RANKS, True),
    ("x", True),
    (FILES, False),
    (RANKS, False),
    ("=", True),
    ("".join(PROMOTIONS), False),
    ("+#", True),
)
_PROMOTION_SIGN: Final = 6
_PATTERN: Final = re.compile(
    r"(?:(?P<castling>O-O(?:-O)?)"
    r"|(?P<piece>[BKNQR])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<capture>x)?"
    r"(?P<destination>[a-h][1-8])(?:=(?P<promotion>[BKNQR]))?)"
    r"(?P<suffix>[+#])?"
)


class MalformedSan(ValueError):
    """A text that the SAN grammar does not derive; ``offset`` is where it stops making sense."""

    def __init__(self, text: str, offset: int, expected: str) -> None:
        self.text = text
        self.offset = offset
        at_end = offset >= len(text)
        where = "at its end" if at_end else f"at {text[offset]!a}, character {offset + 1}"
        super().__init__(f"{_shown(text)} is not a SAN string: {where}, {expected}")


class San(NamedTuple):
    """The parts of a SAN string, each as it is written and empty where it is absent.

    ``piece`` is a letter, empty for a pawn, or ``O-O`` or ``O-O-O``; ``file`` and ``rank`` are the
    discriminator (or the origin file of a pawn's capture); ``suffix`` is empty, ``+`` or ``#``.
    """

    piece: str
    file: str
    rank: str
    capture: str
    destination: str
    promotion: str
    suffix: str

    def __str__(self) -> str:
        promotion = self.promotion and "=" + self.promotion
        origin = self.piece + self.file + self.rank
        return origin + self.capture + self.destination + promotion + self.suffix

    @property
    def bare(self) -> "San":
        """The same string without its suffix."""
        return self._replace(suffix="")


def parse_san(text: str) -> San:
    """Read a SAN string into its parts; the inverse of ``str``.

    Raises:
        MalformedSan: The grammar does not derive the text.
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise MalformedSan(text, *_first_offence(text))
    castling, *parts = (part or "" for part in match.groups())
    return San(castling or parts[0], *parts[1:])


def universe() -> Iterator[San]:
    """Every SAN string: each castling, then each combination of parts, in the grammar's order."""
    for castling, suffix in product(CASTLINGS, SUFFIXES):
        yield San(castling, "", "", "", "", "", suffix)
    parts = (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES)
    yield from map(San._make, product(*parts))


def universe_size() -> int:
    """How many strings :func:`universe` yields, from the number of choices for each part."""
    parts = (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES)
    return prod(map(len, parts)) + len(CASTLINGS) * len(SUFFIXES)


def list_order(text: str) -> tuple[int, str]:
    """The key by which published lists are sorted: length first, then the characters."""
    return len(text), text


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")


def _first_offence(text: str) -> tuple[int, str]:
    """Where a text leaves the grammar, and what could have stood there instead."""
    if text.startswith("O"):
        return _castling_offence(text)
    slots = _reachable_slots(0)
    for offset, character in enumerate(text):
        following = [s + 1 for s in slots if s < len(_SLOTS) and character in _SLOTS[s][0]]
        if not following:
            return offset, _expectation(slots)
        slots = sorted({r for s in following for r in _reachable_slots(s)})
    return len(text), _expectation(slots)


def _castling_offence(text: str) -> tuple[int, str]:
    strings = [castling + suffix for castling in CASTLINGS for suffix in SUFFIXES]
    starts = {string[:end] for string in strings for end in range(len(string) + 1)}
    offset = max(len(start) for start in starts if text.startswith(start))
    following = {s[offset : offset + 1] for s in strings if s.startswith(text[:offset])}
    expected = _expected("".join(sorted(following)), end=text[:offset] in strings)
    return offset, f"{expected}; castling is written O-O or O-O-O"


def _reachable_slots(slot: int) -> list[int]:
    """The slots that may take the next character; the number of slots stands for the end."""
    reachable = [slot]
    while reachable[-1] < len(_SLOTS) and _SLOTS[reachable[-1]][1]:
        skipped = 2 if reachable[-1] == _PROMOTION_SIGN else 1
        reachable.append(reachable[-1] + skipped)
    return reachable


def _expectation(slots: list[int]) -> str:
    options = "".join(_SLOTS[s][0] for s in slots if s < len(_SLOTS))
    return _expected(options, end=len(_SLOTS) in slots)


def _expected(options: str, *, end: bool) -> str:
    choice = f"one of {''.join(dict.fromkeys(options))}" if options else ""
    return "expected " + " or ".join(filter(None, ("the end" if end else "", choice)))
