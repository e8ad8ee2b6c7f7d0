"""Splits a text into the parts of a move, or finds where it stops being one.

``_TOLERANT`` has the texts that are read. :mod:`verify.notation.reading` finds the meaning of the
parts in a position. The letters of pieces in other languages, at the end, are those of the PGN
standard (section 17); Russian, which it lacks, is as in Russian books.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection
from functools import cache
from typing import Final, NamedTuple

from sanproof.reports.tables.words import joined
from sanproof.verify.notation.vocabulary import Deviation

LONGEST: Final = 100
"""The number of characters that are read; no move needs more than a few."""

_SPACE: Final = r"[ \t\n\r\v\f]*"
_NUMBER: Final = (
    rf"[0-9]{{1,4}}{_SPACE}(?:[.…]|(?<=[ \t\n\r\v\f]))[.… \t\n\r\v\f]*"
    r"|[.…][.… \t\n\r\v\f]*"
)
_FIGURINES: Final = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True))
_FIGURINE: Final = r"[♔-♟][\ufe0e\ufe0f]?"  # with the selector that asks for text or for a picture
_DASHES: Final = r"\-\u2010\u2011\u2012\u2013\u2014\u2212"  # the hyphen first, where it is no range
_TAKES: Final = "xX×:"  # noqa: RUF001 - the sign of multiplication is meant
_NO_DASHES: Final = f"O0o{_TAKES}"
_SIGN: Final = rf"[{_TAKES}{_DASHES}]"
_SQUARE: Final = "[a-h][1-8]"
_PROMOTION: Final = rf"[KQRBNkqrbn]|(?![♙♟]){_FIGURINE}"
_SMALL_BISHOP: Final = (  # a b that is no file
    rf"b(?=[{_DASHES}{_TAKES}]?[d-h][1-8]|[a-h][1-8]?[{_DASHES}{_TAKES}]?{_SQUARE})"
)

_TOLERANT: Final = rf"""
    (?P<space_before>{_SPACE})
    (?P<number>{_NUMBER})?
    (?:
        (?P<castling> [O0o](?:[{_DASHES}][O0o]){{1,2}} | [O0o]{{2,3}} )
      |
        (?:
            (?P<piece> [KQRBNPkqrnp] | {_FIGURINE} | {_SMALL_BISHOP} )?
            (?P<file>[a-h])? (?P<rank>[1-8])? (?P<sign>{_SIGN})? (?P<square>{_SQUARE})
          |
            (?P<pawn> [Pp] | [♙♟][\ufe0e\ufe0f]? )?
            (?P<from_file>[a-h]) (?P<file_sign>{_SIGN})? (?P<to_file>[a-h])
        )
        (?: (?P<space_promotion>{_SPACE})
            (?: (?P<equals>=)? (?P<promotion>{_PROMOTION})
              | \( (?P<in_parentheses>{_PROMOTION}) \)
              | / (?P<after_slash>{_PROMOTION})
              | (?P<lone_equals>=)
            )
        )?
    )
    (?: (?P<space_suffix>{_SPACE}) (?P<suffix>\#|\+\+?) )?
    (?: {_SPACE} (?P<en_passant>e\.p\.?|ep) )?
    (?(suffix)|(?: (?P<space_late>{_SPACE}) (?P<late_suffix>\#|\+\+?) )?)
    (?: (?P<space_annotation>{_SPACE}) (?P<annotation>[!?]{{1,2}}) )?
    (?P<nags> (?: {_SPACE} \$ (?:25[0-5]|2[0-4][0-9]|1[0-9]{{2}}|[1-9]?[0-9])(?![0-9]) )*)
    (?: {_SPACE} (?P<offer>\(=\)) )?
    (?P<space_after>{_SPACE})
    """
_COMPLETIONS: Final = ("", "e4", ".e4", "O", "Q", "Q)", ")", "=)", "1", "p")
"""Every beginning of a text that can be read becomes one by appending one of these."""

_EXPECTED: Final = {
    "a piece letter (K Q R B N)": "Q",
    "a file (a-h)": "a",
    "a rank (1-8)": "1",
    **{sign: sign for sign in "xO="},
    "+ or #": "+",
    "a digit": "9",
    **{sign: sign for sign in "-).p"},
}
"""The choices after a beginning, each with a character that stands for all of its sort."""

NAMES_AND_LETTERS: Final = {
    "de": ("German", "K D T L S"),
    "fr": ("French", "R D T F C"),
    "es": ("Spanish", "R D T A C"),
    "it": ("Italian", "R D T A C"),
    "ru": ("Russian", "Кр Ф Л С К"),  # noqa: RUF001 - Cyrillic is meant
    "nl": ("Dutch", "K D T L P"),
    "pt": ("Portuguese", "R D T B C"),
    "pl": ("Polish", "K H W G S"),
    "cs": ("Czech", "K D V S J"),
    "hu": ("Hungarian", "K V B F H"),
    "sv": ("Swedish", "K D T L S"),
    "da": ("Danish", "K D T L S"),
    "no": ("Norwegian", "K D T L S"),
    "fi": ("Finnish", "K D T L R"),
    "ro": ("Romanian", "R D T N C"),
    "et": ("Estonian", "K L V O R"),
    "is": ("Icelandic", "K D H B R"),
}
"""For each language, by its code of ISO 639, its name and its letters of king, queen, rook, bishop
and knight. A hint names the first language that fits."""
LETTERS: Final = {code: row[1].split() for code, row in NAMES_AND_LETTERS.items()}
ENGLISH: Final = "KQRBN"
_CASTLES: Final = re.compile("[O0o]-?[O0o]")

_NULL_MOVES: Final = ("--", "Z0", "0000", "@@@@", "<>", "null")
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


class WrittenParts(NamedTuple):
    """The parts of a move as the text has them. A part that is missing is empty.

    ``castling`` is ``O-O`` or ``O-O-O``. ``piece`` is P if the pawn was named. ``file`` and
    ``rank`` are those of the origin. ``destination`` is only a file if a pawn's capture has no
    more. ``suffix`` can be ``++``. ``deviations`` are those that the text alone shows.
    """

    castling: str
    piece: str
    file: str
    rank: str
    capture: bool
    destination: str
    promotion: str
    suffix: str
    en_passant: bool
    deviations: frozenset[Deviation]

    @property
    def is_coordinates(self) -> bool:
        """Whether only squares are written, as in UCI."""
        return Deviation.COORDINATE_NOTATION in self.deviations


class NotSan(NamedTuple):
    """The place where a text stops being SAN.

    Attributes:
        offset: The index of the character, or the length of the text if it only ends too early.
        expected: The characters that could be there.
        hint: A sentence with what the text may be instead, or an empty text.
    """

    offset: int
    expected: str
    hint: str


@cache
def _tolerant() -> re.Pattern[str]:
    """Return the tolerant pattern, which takes longer to compile than a game to read."""
    return re.compile(_TOLERANT, re.VERBOSE)


def read_text(text: str) -> WrittenParts | NotSan:
    """Split any text into the parts of a move."""
    tolerant = _tolerant().fullmatch(text) if len(text) <= LONGEST else None
    return _not_san(text) if tolerant is None else _written(tolerant)


def _written(match: re.Match[str]) -> WrittenParts:
    part = match.groupdict(default="")
    castling, suffix = part["castling"], part["suffix"] or part["late_suffix"]
    symbol, sign = part["piece"] or part["pawn"], part["sign"] or part["file_sign"]
    file, rank = part["file"] or part["from_file"], part["rank"]
    destination = part["square"] or part["to_file"]
    promoted = part["promotion"] or part["in_parentheses"] or part["after_slash"]
    letters = symbol + promoted
    piece = _FIGURINES.get(symbol[:1], symbol.upper())
    promotion = _FIGURINES.get(promoted[:1], promoted.upper())
    takes = sign != "" and sign in _TAKES
    is_square = file != "" and rank != ""
    is_coordinates = is_square and not (symbol or sign)  # without letters and = to deviate from
    dashes = "".join([c for c in castling or sign if c not in _NO_DASHES])
    stands = {
        Deviation.WHITE_SPACE: any(part[name] for name in part if name.startswith("space_")),
        Deviation.MOVE_NUMBER: part["number"],
        Deviation.FIGURINE: symbol[:1] in _FIGURINES or promoted[:1] in _FIGURINES,
        Deviation.LOWER_CASE_PIECE: letters.upper() != letters and not is_coordinates,
        Deviation.PAWN_LETTER: piece == "P",
        Deviation.ZEROS_IN_CASTLING: "0" in castling,
        Deviation.LOWER_CASE_CASTLING: "o" in castling,
        Deviation.CASTLING_WITHOUT_HYPHENS: castling and not dashes,
        Deviation.TYPOGRAPHIC_DASH: dashes.strip("-"),
        Deviation.COORDINATE_NOTATION: is_coordinates,
        Deviation.LONG_ALGEBRAIC: dashes and is_square,
        Deviation.SUPERFLUOUS_HYPHEN: dashes and not (is_square or castling),
        Deviation.OTHER_CAPTURE_SIGN: takes and sign != "x",
        Deviation.MISSING_PROMOTION_SIGN: part["promotion"]
        and not (part["equals"] or is_coordinates),
        Deviation.PROMOTION_IN_PARENTHESES: part["in_parentheses"],
        Deviation.PROMOTION_AFTER_SLASH: part["after_slash"],
        Deviation.SUPERFLUOUS_PROMOTION_SIGN: part["lone_equals"],
        Deviation.DOUBLE_PLUS: suffix == "++",
        Deviation.ANNOTATION: part["annotation"],
        Deviation.NUMERIC_ANNOTATION: part["nags"],
        Deviation.DRAW_OFFER: part["offer"],
    }
    found = frozenset(deviation for deviation, stood in stands.items() if stood)
    castling = "-".join("O" for c in castling if c in "O0o")
    origin = piece, file, rank, takes, destination, promotion
    return WrittenParts(castling, *origin, suffix, bool(part["en_passant"]), found)


def _not_san(text: str) -> NotSan:
    start = text[:LONGEST]
    lengths = range(1, len(start) + 1)
    offset = bisect_left(lengths, True, key=lambda length: not _can_begin(start[:length]))
    if offset == LONGEST < len(text):
        return NotSan(offset, f"the end, as no move takes more than {LONGEST} characters", "")
    return NotSan(offset, _expected(start[:offset]), _hint(text))


def _can_begin(beginning: str) -> bool:
    """Check whether some text that can be read begins so."""
    return any(_tolerant().fullmatch(beginning + rest) for rest in _COMPLETIONS)


def _expected(beginning: str) -> str:
    """Name what can follow."""
    if not beginning.strip():
        return "a piece letter (K Q R B N), a file (a-h) or O"
    named = [name for name, following in _EXPECTED.items() if _can_begin(beginning + following)]
    if "a digit" in named:  # and so no rank
        named.remove("a rank (1-8)")
    if _tolerant().fullmatch(beginning) is not None:
        named.append("the end")
    return joined(named, "or")


def _hint(text: str) -> str:
    word = " ".join(text.split())
    if word in _NULL_MOVES:
        return f"{word} stands for a null move, and chess has no move that does nothing."
    if word in _RESULTS:
        return f"{word} is the result of a game, not a move."
    if " " in word and all(map(_tolerant().fullmatch, word.split())):
        return f"{word} is more than one move: give one."
    if len(word) > LONGEST:
        return ""
    return foreign(word, lambda other: _tolerant().fullmatch(other) is not None)


# The letters of other languages


def english(text: str, language: str) -> str:
    """Translate the letters of another language. A text without such letters stays as it is."""
    if _CASTLES.match(text):
        return text
    letters, begins, promotes = _patterns(language)
    match = begins.match(text)
    text = letters[match[0]] + text[match.end() :] if match else text
    return promotes.sub(lambda match: match[1] + letters[match[2]], text)


def languages_of(texts: Collection[str]) -> list[str]:
    """Return the languages in which these texts may be, if one has a capital that English lacks.

    Each of these languages has all capitals with which the texts begin.
    """
    begins = {text[0] for text in texts if text[:1].isupper() and not _CASTLES.match(text)}
    if begins <= set(ENGLISH):
        return []
    return sorted(code for code, own in LETTERS.items() if begins <= {name[0] for name in own})


def foreign(text: str, is_move: Callable[[str], bool]) -> str:
    """Return a sentence that names the move in another language, or an empty text."""
    if text.startswith("P") and is_move(text[1:]):
        return f"A pawn has no letter: write {text[1:]}."
    for code, (name, _) in NAMES_AND_LETTERS.items():
        san = english(text, code)
        if san != text and is_move(san):
            return f"{text} is {san} in {name}; only the English letters K Q R B N are read."
    return ""


@cache
def _patterns(language: str) -> tuple[dict[str, str], re.Pattern[str], re.Pattern[str]]:
    letters = dict(zip(LETTERS[language], ENGLISH, strict=True))
    some = "|".join(map(re.escape, letters))  # the king of Russian before its knight
    return letters, re.compile(f"(?:{some})"), re.compile(f"([18][=(/]?)({some})")
