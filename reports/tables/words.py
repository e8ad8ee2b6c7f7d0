"""Numbers in sentences, with nouns and verbs that fit them."""


def number_of(number: int, one: str, more: str | None = None) -> str:
    """A number with its words: ``1 game``, ``2 games``, ``1 is possible``, ``2 are possible``.

    Args:
        number: The number.
        one: The words after 1.
        more: The words after any other number, 0 too; if None, those for 1 and an s.
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"
