"""Writes the strings as tokenizers, expressions and grammars for language models and parsers.

The tokenizers are in the JSON of Hugging Face's ``tokenizers``, and read moves with blanks between.
If each string is a token, decoding gives the moves back with one blank between all tokens, and any
other word is an error, unless a special token is called ``[UNK]``. If each part of a string is a
token, decoding gives the text back, and any other character is an error. It is not checked that the
parts make a string.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, DESTINATIONS, parse_san
from sanproof.reports.archive.door import Archive
from sanproof.reports.exports.exports import ExportError
from sanproof.reports.exports.grammars import (
    RESULTS,
    Automaton,
    gbnf,
    lark,
    movetext_gbnf,
    movetext_lark,
    movetext_regex,
    regex,
)

UNKNOWN: Final = "[UNK]"
MOST_NUMBERS: Final = 10_000
"""No game has more moves: after 75 without a capture or a pawn's move it is drawn (9.6.2)."""
KINDS: Final = (DESTINATIONS, "BKNQR", "abcdefgh", "12345678", "x=+#", CASTLINGS)
"""The parts of strings by kind, in the order of their ids."""


class Language(NamedTuple):
    """The choice of strings, and for a tokenizer of the other tokens.

    Attributes:
        bare: Whether strings with ``+`` or ``#`` are left out.
        at_least: How often a string must have been played on Lichess; 0 includes all strings.
        legal: The legal moves of a position, instead of a run's strings.
        parts: Whether tokens are parts of strings, and not whole strings.
        results: Whether there are tokens for the results of games as well.
        numbers: The highest move number that has tokens, ``1.`` and ``1...`` and so on, or that
            movetext may have; 0 for no such tokens.
        special: Special tokens, such as ``[PAD]``.
    """

    bare: bool = False
    at_least: int = 0
    legal: Sequence[str] | None = None
    parts: bool = False
    results: bool = False
    numbers: int = 0
    special: tuple[str, ...] = ()


def tokenizer(strings: Sequence[str], wanted: Language) -> str:
    """Return a tokenizer of the strings, as JSON.

    If each string is a token, its id is its place in the list. After the strings come the results,
    the special tokens, and last the move numbers.

    If each part is a token, a promotion consists of ``=`` and the piece, and a discriminator of two
    characters is a square. The blank between moves is a token too. Move numbers are made of digits,
    so that there is no highest one.
    """
    special = wanted.special
    words = [*(RESULTS if wanted.results else ()), *special]
    if wanted.parts:
        parts = [*parts_of(strings), " "]
        if wanted.numbers:
            parts += [digit for digit in "123456789" if digit not in parts] + ["0", "."]
        words = parts + words
        known = sorted((word for word in words if word not in special), key=len, reverse=True)
        split = _split("|".join(map(_quoted, known)))
        decoder: dict[str, Any] = {"type": "Fuse"}
    else:
        numbers = [f"{n}.{dots}" for n in range(1, wanted.numbers + 1) for dots in ("", "..")]
        words = [*strings, *words, *numbers]
        splits = [_split("[0-9]+[.]+"), {"type": "WhitespaceSplit"}]
        split = {"type": "Sequence", "pretokenizers": splits}
        # It puts a blank before each token but the first: none begins with this prefix.
        decoder = {"type": "WordPiece", "prefix": "##", "cleanup": False}
    ids = {word: number for number, word in enumerate(words)}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": ids[word], "content": word, **flags, "special": True} for word in special
        ],
        "normalizer": None,
        "pre_tokenizer": split,
        "post_processor": None,
        # There are no bytes to fall back to, but by this decoder programs that constrain decoding,
        # such as llguidance, know that a token's text is what it stands for.
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, decoder]},
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": UNKNOWN},
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def parts_of(strings: Iterable[str]) -> list[str]:
    """Return the parts that the strings consist of, each once, in the order of :data:`KINDS`."""
    kind_of = {part: number for number, kind in enumerate(KINDS) for part in kind}
    found = {part for text in strings for part in split_parts(text)}
    return sorted(found, key=lambda part: (kind_of[part], part))


def split_parts(text: str) -> list[str]:
    """Split a string into its parts, such as ``N``, ``b``, ``x``, ``d2`` and ``+``."""
    san = parse_san(text)
    promotion = ["=", san.promotion] if san.promotion else []
    parts = [san.piece, san.file + san.rank, san.capture, san.destination, *promotion, san.suffix]
    return [part for part in parts if part]


def _quoted(text: str) -> str:
    return "".join(f"\\{character}" if character in "+*.#-/ " else character for character in text)


def _split(expression: str) -> dict[str, Any]:
    """Return what makes a piece of each match, and of what stands between two."""
    pattern = {"Regex": expression}
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


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
"""For each export of the language the functions that write its forms; the first is the default."""
OF_MOVES: Final = {*"KQRBNOabcdefghx=+#-.0123456789", *"".join(RESULTS)}
"""The characters of movetext, which are the same for every list of strings."""


def language(archive: Archive, what: str, form: str | None, wanted: Language) -> str:
    """Return the tokenizer, expression or grammar ``what`` of the wanted strings.

    Raises:
        ExportError: ``form`` does not exist, or a wish in ``wanted`` does not fit.
        ArchiveError: The run is damaged, or lacks the counts of played strings.
    """
    writers = LANGUAGES[what]
    if form is not None and form not in writers:
        raise ExportError(f"{what} cannot be written as {form}: use {', '.join(writers)}")
    _check_fit(what, wanted)
    strings = wanted.legal or archive.strings(bare=wanted.bare)
    if wanted.at_least > 0:
        times = archive.counts().times
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
