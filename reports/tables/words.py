"""Numbers in sentences, with nouns and verbs that fit them."""


def number_of(number: int, one: str, more: str | None = None) -> str:
    """Write a number with words: ``1 game``, ``2 games``, ``1 is possible``, ``2 are possible``.

    If ``more`` is None, the words after any other number than 1 are those for 1 and an s.
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def joined(words: list[str], last: str = "and") -> str:
    """Words as a sentence lists them."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
