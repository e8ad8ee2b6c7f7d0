"""The letters of pieces in other languages, as the PGN standard lists them (section 17).

Russian, which it lacks, is as Russian books have it.
"""

import re
from collections.abc import Callable, Collection
from functools import cache
from typing import Final

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
and knight; the languages that are named first stand first."""
LETTERS: Final = {code: row[1].split() for code, row in NAMES_AND_LETTERS.items()}
ENGLISH: Final = "KQRBN"
_CASTLES: Final = re.compile("[O0o]-?[O0o]")


def english(text: str, language: str) -> str:
    """Translate the letters of another language; return the text itself if it has none."""
    if _CASTLES.match(text):
        return text
    letters, begins, promotes = _patterns(language)
    match = begins.match(text)
    text = letters[match[0]] + text[match.end() :] if match else text
    return promotes.sub(lambda match: match[1] + letters[match[2]], text)


def languages_of(texts: Collection[str]) -> list[str]:
    """Return the languages in which these texts may be: one has a letter that English lacks.

    No text begins with a capital that such a language lacks.
    """
    begins = {text[0] for text in texts if text[:1].isupper() and not _CASTLES.match(text)}
    if begins <= set(ENGLISH):
        return []
    return sorted(code for code, own in LETTERS.items() if begins <= {name[0] for name in own})


def foreign(text: str, is_move: Callable[[str], bool]) -> str:
    """Say what a text that is no move is in another language: a sentence, or nothing."""
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
