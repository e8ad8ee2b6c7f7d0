"""The letters of pieces in other languages, as the PGN standard lists them (section 17).

Russian, which it lacks, is as Russian books have it.
"""

import re
from collections.abc import Callable, Collection
from functools import cache
from typing import Final

LETTERS: Final = {
    "cs": ("K", "D", "V", "S", "J"),
    "da": ("K", "D", "T", "L", "S"),
    "de": ("K", "D", "T", "L", "S"),
    "es": ("R", "D", "T", "A", "C"),
    "et": ("K", "L", "V", "O", "R"),
    "fi": ("K", "D", "T", "L", "R"),
    "fr": ("R", "D", "T", "F", "C"),
    "hu": ("K", "V", "B", "F", "H"),
    "is": ("K", "D", "H", "B", "R"),
    "it": ("R", "D", "T", "A", "C"),
    "nl": ("K", "D", "T", "L", "P"),
    "no": ("K", "D", "T", "L", "S"),
    "pl": ("K", "H", "W", "G", "S"),
    "pt": ("R", "D", "T", "B", "C"),
    "ro": ("R", "D", "T", "N", "C"),
    "ru": ("Кр", "Ф", "Л", "С", "К"),  # noqa: RUF001 - Cyrillic is meant
    "sv": ("K", "D", "T", "L", "S"),
}
"""For each language, by its code of ISO 639, the letters of king, queen, rook, bishop, knight."""
NAMES: Final = {
    "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "ru": "Russian",
    "nl": "Dutch", "pt": "Portuguese", "pl": "Polish", "cs": "Czech", "hu": "Hungarian",
    "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish", "ro": "Romanian",
    "et": "Estonian", "is": "Icelandic",
}  # fmt: skip
"""The languages' names, those first that are told first."""
ENGLISH: Final = "KQRBN"
_MOST_NAMED: Final = 3
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
    return [code for code, letters in LETTERS.items() if begins <= {name[0] for name in letters}]


def foreign(text: str, is_move: Callable[[str], bool]) -> str:
    """Say what a text that is no move is in other languages: a sentence, empty if it is in none."""
    meanings: dict[str, list[str]] = {}
    for code, name in NAMES.items():
        san = english(text, code)
        if san != text and is_move(san):
            meanings.setdefault(san, []).append(name)
    said = []
    for san, names in meanings.items():
        named = names[:_MOST_NAMED] + ["others"] * (len(names) > _MOST_NAMED)
        *first, last = named
        said.append(f"{san} in {', '.join(first)}{' and ' * bool(first)}{last}")
    if not said:
        return ""
    return f"{text} is {', '.join(said)}; only the English letters K Q R B N are read."


@cache
def _patterns(language: str) -> tuple[dict[str, str], re.Pattern[str], re.Pattern[str]]:
    letters = dict(zip(LETTERS[language], ENGLISH, strict=True))
    some = "|".join(map(re.escape, letters))  # the king of Russian before its knight
    return letters, re.compile(f"(?:{some})"), re.compile(f"([18][=(/]?)({some})")
