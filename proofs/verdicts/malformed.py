"""Says where a text stops being a SAN string, and what could have stood there instead."""

from typing import Final

from sanproof.proofs.rules.san import CASTLINGS, PIECES, PROMOTIONS, SUFFIXES, San, parse_san
from sanproof.proofs.rules.squares import FILES, RANKS

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
"""The characters of each part of a string, and whether it may be absent."""
_PROMOTION_SIGN: Final = 6


class MalformedSan(ValueError):
    """A text that the SAN grammar does not derive; ``offset`` is where it stops making sense."""

    def __init__(self, text: str, offset: int, expected: str) -> None:
        self.text = text
        self.offset = offset
        at_end = offset >= len(text)
        where = "at its end" if at_end else f"at {text[offset]!a}, character {offset + 1}"
        shown = ascii(text if len(text) <= 40 else text[:37] + "...")
        super().__init__(f"{shown} is not a SAN string: {where}, {expected}")


def read_san(text: str) -> San:
    """Read a SAN string into its parts, as :func:`proofs.rules.san.parse_san` does.

    Raises:
        MalformedSan: The grammar does not derive the text.
    """
    try:
        return parse_san(text)
    except ValueError as error:
        raise MalformedSan(text, *_first_offence(text)) from error


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
