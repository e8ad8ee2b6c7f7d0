"""Finds where a text stops being a SAN string, and what could have stood there instead."""

from typing import Final

from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.rules.squares import FILES, RANKS

_CHOICES: Final = {
    "a piece letter (K Q R B N)": "Q",
    f"a file ({FILES[0]}-{FILES[-1]})": FILES[0],
    f"a rank ({RANKS[0]}-{RANKS[-1]})": RANKS[0],
    **{character: character for character in "x=+#-O"},
}
"""What can follow in a string, and a character of each kind: one can stand where the others can."""
_COMPLETIONS: Final = ("", "4", "e4", "Q", "O", "-O", "O-O")
"""Every beginning of a string becomes one by appending one of these."""
_LONGEST: Final = len("Qa1xb2=Q+")


class MalformedSan(ValueError):
    """A text is not a SAN string; ``offset`` is the index of the first wrong character."""

    def __init__(self, text: str, offset: int, expected: str) -> None:
        self.text = text
        self.offset = offset
        at_end = offset >= len(text)
        where = "at its end" if at_end else f"at character {offset + 1} ({text[offset]!a})"
        shown = ascii(text if len(text) <= 40 else text[:37] + "...")
        super().__init__(f"{shown} is not a SAN string: {where}, {expected}")


def read_san(text: str) -> San:
    """Read a SAN string into its parts, as :func:`proofs.rules.san.parse_san` does.

    Raises:
        MalformedSan: The grammar does not derive the text.
        TypeError: ``text`` is not a ``str``.
    """
    if not is_san(text):
        raise MalformedSan(text, *_first_offence(text))
    return parse_san(text)


def is_san(text: str) -> bool:
    """Check whether the grammar derives a text. Raises a TypeError if it is not a ``str``."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a string")
    try:
        parse_san(text)
    except ValueError:
        return False
    return True


def _first_offence(text: str) -> tuple[int, str]:
    """Return where a text leaves the grammar, and what could have stood there instead."""
    castles = text.startswith("O")
    lengths = range(min(len(text), _LONGEST), -1, -1)
    offset = next(length for length in lengths if _can_begin(text[:length]))
    beginning = text[:offset]
    choices = [name for name, sample in _CHOICES.items() if _can_begin(beginning + sample)]
    if is_san(beginning):
        choices.append("the end")
    expected = "expected " + " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
    return offset, f"{expected}; castling is written O-O or O-O-O" if castles else expected


def _can_begin(beginning: str) -> bool:
    """Check whether some string begins so."""
    return any(is_san(beginning + completion) for completion in _COMPLETIONS)
