"""Tokenizers of SAN for language models, in the JSON of Hugging Face's ``tokenizers``.

Both read moves with blanks between. With a token for each string decoding gives the moves back with
one blank between all tokens, and any other word is an error, unless a special token is called
``[UNK]``. With a token for each part decoding gives the text back, and any other character is an
error; that the parts make a string is not checked. Special tokens for the begin and the end of a
text are added by themselves.

Both decoders begin with one for bytes, of which there are none: by it programs that constrain
decoding, such as llguidance, know that a token's text is what it stands for.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, DESTINATIONS, parse_san

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
UNKNOWN: Final = "[UNK]"
MOST_NUMBERS: Final = 10_000
"""No game has more moves: every 75 there is a capture or a pawn's move, or it is drawn (9.6.2)."""
KINDS: Final = (DESTINATIONS, "BKNQR", "abcdefgh", "12345678", "x=+#", CASTLINGS)
"""The kinds of parts, in the order of their ids."""
_ENDS: Final = (("bos", "s"), ("eos", "/s"))
"""The names of the tokens before and after a text, such as ``[BOS]`` and ``</s>``."""


_BETWEEN: Final = {"type": "WordPiece", "prefix": "##", "cleanup": False}
"""A decoder that puts a blank before each token but the first; none begins with this prefix."""


class Tokens(NamedTuple):
    """The tokens of a tokenizer.

    Attributes:
        parts: Whether they are parts of strings, and not whole strings.
        results: Whether there are the results of games as well.
        numbers: Up to which number there are the numbers of moves, ``1.`` and ``1...`` and so on; 0
            for none.
        special: Special tokens, such as ``[PAD]``.
    """

    parts: bool = False
    results: bool = False
    numbers: int = 0
    special: tuple[str, ...] = ()


def tokenizer(strings: Sequence[str], tokens: Tokens) -> str:
    """Return a tokenizer of the strings.

    With a token for each string its id is its place in the list. Then come the results, the special
    tokens, and last the numbers of moves.

    With a token for each part, and for the blank between moves, they are the fewest of that kind.
    Promotions are ``=`` and the piece; a discriminator of two characters is a square. Numbers of
    moves are written with digits, so that they have no end.
    """
    words = [*(RESULTS if tokens.results else ()), *tokens.special]
    if not tokens.parts:
        numbers = [f"{n}.{dots}" for n in range(1, tokens.numbers + 1) for dots in ("", "..")]
        splits = [_split("[0-9]+[.]+"), {"type": "WhitespaceSplit"}]
        split = {"type": "Sequence", "pretokenizers": splits}
        return _tokenizer([*strings, *words, *numbers], tokens.special, split, _BETWEEN)
    parts = [*parts_of(strings), " "]
    if tokens.numbers:
        parts += [part for part in "123456789" if part not in parts] + ["0", "."]
    parts += words
    known = [part for part in parts if part not in tokens.special]
    expression = "|".join(_quoted(part) for part in sorted(known, key=lambda part: -len(part)))
    return _tokenizer(parts, tokens.special, _split(expression), {"type": "Fuse"})


def parts_of(strings: Iterable[str]) -> list[str]:
    """Return the parts of which the strings are made: by kind, and in the order of the grammar."""
    found = {part for text in strings for part in split_parts(text)}
    kind_of = {part: number for number, kind in enumerate(KINDS) for part in kind}
    return sorted(found, key=lambda part: (kind_of[part], part))


def split_parts(text: str) -> list[str]:
    """Return a string in its parts."""
    san = parse_san(text)
    promotion = ["=", san.promotion] if san.promotion else []
    parts = [san.piece, san.file + san.rank, san.capture, san.destination, *promotion, san.suffix]
    return [part for part in parts if part]


def _quoted(text: str) -> str:
    return "".join(f"\\{character}" if character in "+*.#-/ " else character for character in text)


def _split(expression: str) -> dict[str, Any]:
    """Return what matches is one piece, and so is what stands between."""
    pattern = {"Regex": expression}
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


def _around(special: Sequence[str], ids: dict[str, int]) -> dict[str, Any] | None:
    """Put the special tokens for the begin and the end around a text, if there are any."""
    begin, end = (
        [token for token in special if token.strip("[]<>|").lower() in names][:1] for names in _ENDS
    )
    if not begin + end:
        return None

    def template(text: str) -> list[dict[str, Any]]:
        parts = [("SpecialToken", token) for token in begin] + [("Sequence", text)]
        parts += [("SpecialToken", token) for token in end]
        return [{kind: {"id": name, "type_id": 0}} for kind, name in parts]

    tokens = {token: {"id": token, "ids": [ids[token]], "tokens": [token]} for token in begin + end}
    return {
        "type": "TemplateProcessing",
        "single": template("A"),
        "pair": template("A") + template("B"),
        "special_tokens": tokens,
    }


def _tokenizer(
    words: Sequence[str], special: Sequence[str], split: dict[str, Any], decoder: dict[str, Any]
) -> str:
    """Return the file."""
    ids = {word: number for number, word in enumerate(words)}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    added = [{"id": ids[word], "content": word, **flags, "special": True} for word in special]
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": split,
        "post_processor": _around(special, ids),
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, decoder]},
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": UNKNOWN},
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"
