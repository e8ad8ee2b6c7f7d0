"""The strings as a language, in the forms that programs for text and models read."""

from collections.abc import Callable, Sequence
from typing import Final

from sanproof.reports.archive.door import Archive
from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.exports import ExportError, times_of
from sanproof.reports.exports.grammars import (
    gbnf,
    lark,
    movetext_gbnf,
    movetext_lark,
    movetext_regex,
    regex,
)
from sanproof.reports.exports.tokenizers import MOST_NUMBERS, RESULTS, Language, tokenizer

_COUNTED: Final = 300
"""Up to which number movetext counts by default; of 57,216 published games none has 270."""
Writer = Callable[[Sequence[str], Language], str]
LANGUAGES: Final[dict[str, dict[str, Writer]]] = {
    "tokenizer": {"json": tokenizer},
    "regex": {"txt": lambda strings, _: regex(Automaton(strings))},
    "gbnf": {"gbnf": lambda strings, _: gbnf(Automaton(strings))},
    "lark": {"lark": lambda strings, _: lark(Automaton(strings))},
    "movetext": {
        "gbnf": lambda strings, to: movetext_gbnf(Automaton(strings), to.numbers or _COUNTED),
        "lark": lambda strings, to: movetext_lark(Automaton(strings), to.numbers or _COUNTED),
        "txt": lambda strings, _: movetext_regex(Automaton(strings)),
    },
}
"""The exports of the language, and what writes each form; the first form is the usual one."""
OF_MOVES: Final = {*"KQRBNOabcdefghx=+#-.0123456789", *"".join(RESULTS)}
"""The characters of games' texts, whatever a run decided and however its list is cut."""


def language(archive: Archive, what: str, form: str | None, wanted: Language) -> str:
    """Return the language of a run's strings, or of some of them.

    Raises:
        ExportError: There is no such form, or what is wanted does not fit.
        ArchiveError: The run is damaged, or does not say how often strings were played.
    """
    writers = LANGUAGES[what]
    if form is not None and form not in writers:
        raise ExportError(f"{what} cannot be written as {form}: use {', '.join(writers)}")
    _check_fit(what, wanted)
    strings = wanted.legal or archive.strings(bare=wanted.bare)
    if wanted.at_least > 0:
        times = times_of(archive)
        strings = [san for san in strings if times.get(san, 0) >= wanted.at_least]
        if not strings:
            raise ExportError(f"No string was played {wanted.at_least:,} times")
    return writers[form or next(iter(writers))](strings, wanted)


def _check_fit(what: str, wanted: Language) -> None:
    """Refuse what the language does not take, or a position or a tokenizer cannot have."""
    is_of_games = what in ("tokenizer", "movetext")
    special = wanted.special
    if what != "tokenizer" and (wanted.parts or wanted.results or special):
        raise ExportError("--parts, --results and --special are for a tokenizer")
    if wanted.numbers and not is_of_games:
        raise ExportError("--numbers is for a tokenizer or movetext")
    if not 0 <= wanted.numbers <= MOST_NUMBERS:
        raise ExportError(f"No game has more than {MOST_NUMBERS:,} moves")
    if wanted.legal is not None and (is_of_games or wanted.at_least):
        raise ExportError(f"A position has no {what if is_of_games else '--at-least'}")
    if wanted.legal is not None and not wanted.legal:
        raise ExportError("The position has no legal move")
    for token in special:
        if any(map(str.isspace, token)) or {*token} <= OF_MOVES:
            raise ExportError(
                f"{token!r} cannot be a special token: it needs a character that occurs in no move"
            )
    if len({*special}) != len(special):
        raise ExportError("A special token is named twice")
