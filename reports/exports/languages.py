"""The strings as a language, in the forms that programs for text and models read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.archive.observed import open_observed
from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.exports import ExportError
from sanproof.reports.exports.grammars import automaton_json, gbnf, lark, regex
from sanproof.reports.exports.lookup import lookup
from sanproof.reports.exports.tokenizers import (
    MOST_NUMBERS,
    RESULTS,
    Extras,
    part_tokenizer,
    whole_tokenizer,
)

LANGUAGES: Final = {
    "tokenizer": ("json",),
    "regex": ("txt",),
    "gbnf": ("gbnf",),
    "lark": ("lark",),
    "automaton": ("json",),
    "lookup": ("h", "mjs"),
}
"""What can be written of the language, and the forms of each; the first is the usual one."""
LANGUAGE_FORMS: Final = ("gbnf", "h", "lark", "mjs")
_GRAMMARS: Final[Mapping[str, Callable[[Automaton], str]]] = {
    "regex": regex,
    "gbnf": gbnf,
    "lark": lark,
    "automaton": automaton_json,
}


class Wanted(NamedTuple):
    """Which strings, and what a tokenizer has besides.

    Attributes:
        bare: Whether strings with a suffix are left out.
        at_least: How often a string must have been played on Lichess; 0 for all.
        parts: Whether the tokenizer's tokens are parts of strings.
        extras: What else has a token.
    """

    bare: bool = False
    at_least: int = 0
    parts: bool = False
    extras: Extras = Extras()


class Language(NamedTuple):
    """A file's content, and in a sentence what a cut at a frequency loses, if there is one."""

    text: str
    note: str


def language(archive: Archive, what: str, form: str | None, wanted: Wanted) -> Language:
    """The language of a run's strings.

    Raises:
        ExportError: There is no such form, or what is wanted does not fit.
        ArchiveError: The run is damaged, or does not say how often strings were played.
    """
    form = form or LANGUAGES[what][0]
    if form not in LANGUAGES[what]:
        raise ExportError(f"There is no {form} of {what}: take {', '.join(LANGUAGES[what])}")
    if what != "tokenizer" and (wanted.parts or wanted.extras != Extras()):
        raise ExportError("--parts, --results, --numbers and --special are for a tokenizer")
    strings, note = _kept(archive, wanted)
    if what == "tokenizer":
        return Language(_tokenizer(strings, wanted), note)
    automaton = Automaton(strings)
    if what == "lookup":
        text = lookup(automaton, form, bare=wanted.bare, at_least=wanted.at_least)
        return Language(text, note)
    return Language(_GRAMMARS[what](automaton), note)


def _kept(archive: Archive, wanted: Wanted) -> tuple[list[str], str]:
    """The strings that are wanted, and in a sentence what is lost with the others."""
    strings = archive.strings(bare=wanted.bare)
    if wanted.at_least <= 0:
        return strings, ""
    observed = open_observed(archive.directory)
    if observed is None:
        raise ArchiveError(f"{archive.directory} does not say how often strings were played")
    times = observed.times
    kept = [san for san in strings if times.get(san, 0) >= wanted.at_least]
    if not kept:
        raise ExportError(f"No string was played {wanted.at_least:,} times")
    every = sum(times.get(san, 0) for san in strings)
    lost = every - sum(times[san] for san in kept)
    return kept, (
        f"{len(kept):,} of {len(strings):,} strings were played {wanted.at_least:,} times or more; "
        f"the others are {lost / every:.3g} of the moves ({lost:,} of {every:,})."
    )


#: What texts of games are made of, whatever a run decided and however its list is cut.
OF_MOVES = {*"KQRBNOabcdefghx=+#-.0123456789", *"".join(RESULTS)}


def _tokenizer(strings: Sequence[str], wanted: Wanted) -> str:
    special, extras = wanted.extras.special, wanted.extras
    for token in special:
        if not token.strip() or token != token.strip() or " " in token or set(token) <= OF_MOVES:
            raise ExportError(
                f"{token!r} cannot be a special token: it needs a character that no move has"
            )
    if len(set(special)) != len(special):
        raise ExportError("A special token is named twice")
    if not 0 <= extras.numbers <= MOST_NUMBERS:
        raise ExportError(f"No game has more than {MOST_NUMBERS:,} moves")
    return (part_tokenizer if wanted.parts else whole_tokenizer)(strings, extras)
