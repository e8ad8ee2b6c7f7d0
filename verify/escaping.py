"""Texts that hold what strangers wrote, so that no terminal, build log or parser acts on it."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

_NOT_PLAIN: Final = re.compile(r"[^\n -~]|#(?=#\[)")
"""What a terminal may act on; and the first letter of ``##[``, with which a command to a runner of
GitHub can begin anywhere in a line."""

ESCAPES: Final[dict[str, Callable[[int], str]]] = {
    "text": "\\x{:02x}".format,
    "json": "\\u{:04x}".format,
    "junit": "&#{};".format,
    "sarif": "\\u{:04x}".format,
    "github": "\\x{:02x}".format,
}
"""How each form of a report writes a character by its number."""


def only_printable(pieces: Iterable[str], form: str) -> Iterator[str]:
    """A text in pieces with printable ASCII and line ends, and nothing else.

    Args:
        pieces: The text.
        form: One of :data:`ESCAPES`.
    """
    escape = ESCAPES[form]
    for piece in pieces:
        yield _NOT_PLAIN.sub(lambda found: escape(ord(found[0])), piece)


def github_data(text: str) -> str:
    """A text as the message of a workflow command of GitHub."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """A text as the value of a property of a workflow command of GitHub."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")
