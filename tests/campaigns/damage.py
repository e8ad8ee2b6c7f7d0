"""Small wrong changes of a text: of its characters, words, lines or paragraphs."""

from collections.abc import Callable
from random import Random
from typing import Final

Change = Callable[[str, Random], str]
Pieces = list[str]

SEPARATORS: Final = {"characters": "", "words": " ", "lines": "\n", "paragraphs": "\n\n"}
OF_PIECES: Final[dict[str, Callable[[Pieces, int, int], Pieces]]] = {
    "one missing": lambda x, i, _: x[:i] + x[i + 1 :],
    "some missing": lambda x, i, j: x[:i] + x[j:],
    "one twice": lambda x, i, j: x[:j] + x[i : i + 1] + x[j:],
    "one for another": lambda x, i, j: x[:i] + x[j : j + 1] + x[i + 1 :],
    "two exchanged": lambda x, i, j: (
        x[:i] + x[j : j + 1] + x[i + 1 : j] + x[i : i + 1] + x[j + 1 :]
    ),
    "some from back to front": lambda x, i, j: x[:i] + x[i:j][::-1] + x[j:],
    "begun in the middle": lambda x, _, j: x[j:] + x[:j],
    "cut off": lambda x, i, _: x[: i + 1],
    "all twice": lambda x, *_: x * 2,
    "one left": lambda x, i, _: x[i : i + 1],
}
"""Changes of a list, at two places in it, the first not after the second."""
STRANGE: Final = (
    *("a1", "axa8", "Kaxa1", "O-O=Q", "Rxa1=Q", "a8", "a3=N", "Naxa1+", "Nh8xb1", "e4", "Qh4#"),
    *("Kb2", "P", "--", "O-O-O-O", "Q" * 200, "0000", "e1e1", "a9a1", "N@e4", "exact", "check"),
    *("geometry", "0", "-1", "1", "9" * 30, "9" * 5000, "inf", "", "\n", "\n\n", " "),
)
"""Strings that are never written, moves that are never played, and names of nothing."""
SPELLINGS: Final = ("-{}", "+{}", "0{}", "{}_0", "{}.0", "0x{}", "{}e0", "{} ", "\t{}", "{}\u0661")
WEIRD: Final = (
    *("\0", "\x1b[2J", "\a", "\x7f", "\v", "\f", "\x1c", "\xe9", "\xc3", "\x85", "\u2028"),
    *("\u0661", "\uff11", "\xad", "\u200b", "\u2656", " ", "\n", "\r", "\t", "\ufeff"),
)
"""What looks like white space, a line end or a digit to some, or is no text at all."""


def another_number(text: str, random: Random) -> str:
    """Return a number near this one, or its opposite; another text if it is none."""
    try:
        return str(random.choice((int(text) - 1, int(text) + 1, -int(text), int(text) + 10**6)))
    except ValueError:
        return text[::-1]


def another_suffix(text: str, random: Random) -> str:
    """Return a move with another suffix."""
    return text.rstrip("+#") + random.choice(("", "+", "#", "!", "++"))


OF_ONE: Final[dict[str, Change]] = {
    "another number": another_number,
    "another suffix": another_suffix,
    "another spelling": lambda text, random: random.choice(SPELLINGS).format(text),
    "the other case": lambda text, _: text.swapcase(),
    "a strange one": lambda _, random: random.choice(STRANGE),
    "a weird character": lambda text, random: text + random.choice(WEIRD),
}
"""Changes of one piece."""


def split(text: str, separator: str) -> Pieces:
    """Return the pieces between separators; without one, the characters."""
    return text.split(separator) if separator else list(text)


def of_pieces(separator: str, how: Callable[[Pieces, int, int], Pieces]) -> Change:
    """Change the list of a text's pieces."""

    def change(text: str, random: Random) -> str:
        pieces = split(text, separator)
        i, j = sorted(random.choices(range(len(pieces) + 1), k=2))
        return separator.join(how(pieces, i, j))

    return change


def of_one(separator: str, how: Change) -> Change:
    """Change one of a text's pieces."""

    def change(text: str, random: Random) -> str:
        pieces = split(text, separator) or [""]
        at = random.randrange(len(pieces))
        return separator.join([*pieces[:at], how(pieces[at], random), *pieces[at + 1 :]])

    return change


CHANGES: Final[dict[str, Change]] = {
    f"{level}: {name}": change
    for level, separator in SEPARATORS.items()
    for name, change in (
        *((name, of_pieces(separator, how)) for name, how in OF_PIECES.items()),
        *((name, of_one(separator, how)) for name, how in OF_ONE.items()),
    )
}


def of_bytes(change: Change, content: bytes, random: Random) -> bytes:
    """Change bytes: each stands for a character, and characters beyond are written in UTF-8."""
    changed = change(content.decode("latin-1"), random)
    return b"".join(c.encode("latin-1" if c < "\u0100" else "utf-8") for c in changed)
