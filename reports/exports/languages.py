"""The strings as a language, in the forms that programs for text and models read."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sanproof.reports.archive.door import Archive
from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.exports import ExportError, times_of
from sanproof.reports.exports.grammars import gbnf, lark, regex
from sanproof.reports.exports.movetext import MOVETEXT
from sanproof.reports.exports.tokenizers import MOST_NUMBERS, RESULTS, Tokens, tokenizer

LANGUAGES: Final = {
    "tokenizer": ("json",),
    "regex": ("txt",),
    "gbnf": ("gbnf",),
    "lark": ("lark",),
    "movetext": tuple(MOVETEXT),
}
"""The exports of the language and the forms of each, the default first."""
LANGUAGE_FORMS: Final = ("gbnf", "lark")
_GRAMMARS: Final[dict[str, Callable[[Automaton], str]]] = {
    "regex": regex,
    "gbnf": gbnf,
    "lark": lark,
}
OF_MOVES: Final = {*"KQRBNOabcdefghx=+#-.0123456789", *"".join(RESULTS)}
"""The characters of games' texts, whatever a run decided and however its list is cut."""
_OF_GAMES: Final = ("tokenizer", "movetext")
_COUNTED: Final = 300
"""Up to which number movetext counts by default; of 57,216 published games none has 270."""


class LanguageStrings(NamedTuple):
    """The strings of a language, and a tokenizer's tokens.

    Attributes:
        bare: Whether strings with a suffix are left out.
        at_least: How often a string must have been played on Lichess; 0 for all.
        tokens: What has a token.
        legal: The legal moves of a position, instead of a run's strings.
    """

    bare: bool = False
    at_least: int = 0
    tokens: Tokens = Tokens()
    legal: Sequence[str] | None = None


def language(
    archive: Archive, what: str, form: str | None, wanted: LanguageStrings
) -> tuple[str, str]:
    """Return the language of strings; and in a sentence what a cut at a frequency loses, if any.

    Raises:
        ExportError: There is no such form, or what is wanted does not fit.
        ArchiveError: The run is damaged, or does not say how often strings were played.
    """
    form = form or LANGUAGES[what][0]
    if form not in LANGUAGES[what]:
        raise ExportError(f"{what} cannot be written as {form}: use {', '.join(LANGUAGES[what])}")
    _check_fit(what, wanted)
    strings, note = (wanted.legal, "") if wanted.legal else _kept(archive, wanted)
    if what == "tokenizer":
        _check_special(wanted.tokens.special)
        return tokenizer(strings, wanted.tokens), note
    automaton = Automaton(strings)
    if what == "movetext":
        return MOVETEXT[form](automaton, wanted.tokens.numbers or _COUNTED), note
    return _GRAMMARS[what](automaton), note


def _check_fit(what: str, wanted: LanguageStrings) -> None:
    """Check that what is wanted is there for a language."""
    numbers = wanted.tokens.numbers
    if what != "tokenizer" and wanted.tokens != Tokens(numbers=numbers):
        raise ExportError("--parts, --results and --special are for a tokenizer")
    if numbers and what not in _OF_GAMES:
        raise ExportError("--numbers is for a tokenizer or movetext")
    if not 0 <= numbers <= MOST_NUMBERS:
        raise ExportError(f"No game has more than {MOST_NUMBERS:,} moves")
    if wanted.legal is not None:
        if what in _OF_GAMES or wanted.at_least:
            raise ExportError(f"A position has no {what if what in _OF_GAMES else '--at-least'}")
        if not wanted.legal:
            raise ExportError("The position has no legal move")


def _kept(archive: Archive, wanted: LanguageStrings) -> tuple[list[str], str]:
    """Return the strings that are wanted, and in a sentence what is lost with the others."""
    strings = archive.strings(bare=wanted.bare)
    if wanted.at_least <= 0:
        return strings, ""
    times = times_of(archive)
    kept = [san for san in strings if times.get(san, 0) >= wanted.at_least]
    if not kept:
        raise ExportError(f"No string was played {wanted.at_least:,} times")
    every = sum(times.get(san, 0) for san in strings)
    lost = every - sum(times[san] for san in kept)
    return kept, (
        f"{len(kept):,} of {len(strings):,} strings were played {wanted.at_least:,} times or more; "
        f"the others are {lost / every:.3g} of the moves ({lost:,} of {every:,})."
    )


def _check_special(special: Sequence[str]) -> None:
    for token in special:
        if not token.strip() or token != token.strip() or " " in token or set(token) <= OF_MOVES:
            raise ExportError(
                f"{token!r} cannot be a special token: it needs a character that occurs in no move"
            )
    if len(set(special)) != len(special):
        raise ExportError("A special token is named twice")
