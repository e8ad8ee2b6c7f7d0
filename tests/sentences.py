"""The mistakes in a sentence about a small number, in whatever the project prints."""

import re

_PLURALS = (
    *("clauses", "files", "games", "kinds", "legal moves", "mates", "moves", "plies", "positions"),
    *("refutations", "strings", "texts", "are", "have", "were", "match"),
)
BROKEN = re.compile(rf"(?<![\w,.])1 ({'|'.join(_PLURALS)})\b|\bNone\b|\bnan\b|[:,] ?\.|\bby \.")


def broken(text: str) -> list[str]:
    """Return the wrong places: a plural after 1, an empty list, what Python calls nothing."""
    return [found[0] for found in BROKEN.finditer(text)]
