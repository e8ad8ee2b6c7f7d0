"""A perfect numbering of the strings in other languages: string to number and back, no dictionary.

The programs hold the minimal automaton (:mod:`reports.exports.automaton`) and count on it.
"""

from pathlib import Path
from string import Template
from typing import Final

from sanproof.reports.exports.automaton import Automaton

PROGRAMS: Final = {"h": "san_number.h", "mjs": "san_number.mjs"}
"""The template of each form."""
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"
_WIDTH: Final = 112


def lookup(automaton: Automaton, form: str, *, bare: bool = False, at_least: int = 0) -> str:
    """The program in C (``h``) or JavaScript (``mjs``); its first lines say which strings it has.

    ``bare`` and ``at_least`` are as in :class:`reports.exports.languages.Wanted`.

    Two digits hold no more than 4,096 states; the lists have less than a fifth of them.
    """
    states = automaton.states
    vocabulary = f"sanproof export --what vocabulary{' --bare' * bare}"
    characters = "".join(
        "".join(step for step, _ in state.steps) + "." * state.accepts + " " for state in states
    )
    numbers = [divmod(following, 64) for state in states for _, following in state.steps]
    targets = "".join(_DIGITS[high] + _DIGITS[low] for high, low in numbers)
    template = Path(__file__).parent / "static" / PROGRAMS[form]
    return Template(template.read_text("ascii")).substitute(
        strings=sum(automaton.counts[0]),
        kept=_kept(bare, at_least),
        id=f"not the `id` of `{vocabulary}`" if at_least > 0 else f"the `id` of `{vocabulary}`",
        longest=automaton.longest,
        states=len(states),
        steps=len(numbers),
        width=_WIDTH,
        characters=_rows(characters),
        targets=_rows(targets),
    )


def _kept(bare: bool, at_least: int) -> str:
    """Which of the strings a list has; nothing to say of all."""
    without = " without suffix" if bare else ""
    return without + (f" and were played {at_least:,} times or more" if at_least > 0 else "")


def _rows(text: str) -> str:
    """A long text as literals of one width, one a line."""
    rows = (text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return "\n".join(f'  "{row}",' for row in rows)
