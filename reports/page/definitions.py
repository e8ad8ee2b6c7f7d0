"""The page of definitions: `Chess.v`, highlighted, and the line that states each rule of SAN."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String

from sanproof.reports.page import parts
from sanproof.reports.page.markup import Markup, document, html, joined

RULES: Final = (
    ("names of squares", "PGN 8.2.3.1", "file_letter"),
    ("letters of pieces", "PGN 8.2.3.2", "letter"),
    ("order of the letters, castling, `x`, `=`", "PGN 8.2.3.3", "print"),
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
    """``definitions.html``."""
    static = files(__package__).joinpath("static", "definitions.html").read_text("utf-8")
    source = files("sanproof.proofs.formal").joinpath("Chess.v").read_text("utf-8")
    rows = [
        (
            rule.replace("`", ""),
            section,
            html('<a href="#{name}"><code>{name}</code></a>', name=name),
        )
        for rule, section, name in RULES
    ]
    rules = parts.table("Rules", ["rule", "section", "definition"], rows, hidden_caption=True)
    return document(static, {"rules": rules, "source": highlighted(source)})


def highlighted(source: str) -> Markup:
    """Coq's text as HTML: each definition is an anchor of its name, and its uses lead there."""
    lexer = get_lexer_by_name("coq", stripnl=False, ensurenl=False)
    tokens = list(lexer.get_tokens(source))
    defined = {tokens[place][1] for place in _defining(tokens)}
    here = set(_defining(tokens))
    return joined(
        _token(kind, text, defining=place in here, known=text in defined)
        for place, (kind, text) in enumerate(tokens)
    )


Token = tuple[object, str]


def _defining(tokens: list[Token]) -> Iterator[int]:
    """Where the names stand that are being defined: after the word that opens a definition."""
    for place, (_, text) in enumerate(tokens):
        if text in OPENING and tokens[place][0] in Keyword:
            yield place + 2  # after a space


def _token(kind: object, text: str, *, defining: bool, known: bool) -> Markup:
    if defining:
        return html('<a class="defined" id="{text}" href="#{text}">{text}</a>', text=text)
    if known and kind in Name:
        return html('<a href="#{text}">{text}</a>', text=text)
    for family, name in CLASSES.items():
        if kind in family:
            return html('<span class="{name}">{text}</span>', name=name, text=text)
    return html("{text}", text=text)
