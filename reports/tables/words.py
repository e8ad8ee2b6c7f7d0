"""Puts numbers and lists of words into sentences."""


def number_of(number: int, one: str, more: str | None = None) -> str:
    """Write a number with words: ``1 game``, ``2 games``, ``1 is possible``, ``2 are possible``.

    If ``more`` is None, it is ``one`` with an s.
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def joined(words: list[str], last: str = "and") -> str:
    """Join words as a sentence lists them: ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
