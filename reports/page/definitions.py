"""The page of definitions: `Chess.v`, highlighted, and the line that states each rule of SAN."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String

from sanproof.reports.page.templates import render

RULES: Final = (
    ("names of squares", "PGN 8.2.3.1", "file_letter"),
    ("letters of pieces", "PGN 8.2.3.2", "letter"),
    ("order of the letters, castling, x, =", "PGN 8.2.3.3", "print"),
    ("a capture by a pawn names its file", "PGN 8.2.3.3", "discriminator"),
    ("what counts as a twin", "PGN 8.2.3.4", "twins"),
    ("file, rank or square of the origin", "PGN 8.2.3.4", "discriminator"),
    ("check and mate", "PGN 8.2.3.5", "suffix_of"),
    ("legal moves", "FIDE 3.9.2, 3.10.1", "legal"),
    ("when a game ends", "FIDE 5.1.1, 5.2.1, 5.2.2, 9.6.1, 9.6.2", "over"),
    ("a dead position", "FIDE 5.2.2", "dead"),
    ("the same position again", "FIDE 9.2.3", "repeats"),
)
"""Rules, the sections that give them, and the names in `Chess.v` that state them."""

OPENING: Final = frozenset({"Definition", "Fixpoint", "Inductive", "Record"})
CLASSES: Final = {Comment: "comment", Keyword: "keyword", String: "string", Number: "string"}


def definitions_page() -> bytes:
    """Make ``definitions.html``."""
    source = files("sanproof.proofs.formal").joinpath("Chess.v").read_text("utf-8")
    return render("definitions.html", rules=RULES, tokens=highlighted(source))


def highlighted(source: str) -> Iterator[tuple[str, str]]:
    """Cut Coq's text into tokens, each with its kind.

    The name that a definition defines is a ``definition``, and where it is used a ``use``; other
    tokens have a class of :data:`CLASSES`, or an empty kind.
    """
    tokens = list(get_lexer_by_name("coq", stripnl=False, ensurenl=False).get_tokens(source))
    # a name stands two tokens after the word that opens its definition: a space is between
    opened = (n for n, (kind, text) in enumerate(tokens) if text in OPENING and kind in Keyword)
    defining = {place + 2 for place in opened}
    defined = {tokens[place][1] for place in defining}
    for place, (kind, text) in enumerate(tokens):
        if place in defining:
            yield "definition", text
        elif text in defined and kind in Name:
            yield "use", text
        else:
            yield next((name for family, name in CLASSES.items() if kind in family), ""), text
