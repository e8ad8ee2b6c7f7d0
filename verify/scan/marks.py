"""Marks of printed chess that PGN writes otherwise, or not at all, and what would stand for them.

They stand apart, or after a move without a space: ``Rxe8+-``, ``Nf3???``, ``Bb5 ch``, ``Bc1,``,
``Nf30-1``. Their meaning is clear, so the game goes on.
"""

import re
from collections.abc import Mapping
from typing import Final

_BALANCE: Final = {
    "=": 10,
    "∞": 13,
    "~": 13,
    "⩲": 14,
    "+=": 14,
    "+/=": 14,
    "⩱": 15,
    "=+": 15,
    "=/+": 15,
    "±": 16,
    "+/-": 16,
    "∓": 17,
    "-/+": 17,
    "+-": 18,
    "-+": 19,
    "+--": 20,
    "--+": 21,
    **{f"+{dash}": 18 for dash in "\u2013\u2014\u2212"},
    **{f"{dash}+": 19 for dash in "\u2013\u2014\u2212"},
}
_OTHERS: Final = {
    "□": 7,
    "⨀": 22,
    "⊙": 22,
    "○": 26,
    "⟳": 32,
    "↑": 36,
    "→": 40,
    "⇆": 132,
    "⨁": 138,
    "⊕": 138,
    "∆": 140,
    "Δ": 140,
    "⌓": 142,
    "‼": 3,
    "⁇": 4,
    "⁉": 5,
    "⁈": 6,
}
_SIGNS: Final = {
    **{sign.encode(): code for sign, code in (_BALANCE | _OTHERS).items()},
    b"\xb1": 16,  # in Latin-1
}
"""Signs, and their Numeric Annotation Glyphs (PGN standard, section 10)."""
_LETTERS: Final = {b"RR": 145, b"N": 146, b"TN": 146, b"D": 220}
"""A remark, a novelty and a diagram, with the numbers that ChessBase gives them."""
_GLYPHS: Final = {b"!!": 3, b"??": 4, b"!?": 5, b"?!": 6}
_ANY_SIGN: Final = b"|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
_IN_WORDS: Final = rb"(?i:(?:(?:dbl|double|dis|disc)\.?[ \t\r\n]*)?ch(?:eck)?|(?:check)?mate)\.?"
"""Check and mate in words."""
APART: Final = (
    rb"(?P<sign>(?:%b|[!?]{3,}|RR|TN|N(?!\s+x?[a-h]))ENDS)|(?P<diagram>DENDS)|(?P<check>(?:\+\+?|\#|%b)ENDS)|(?P<stray>[,:]+ENDS)"
    % (_ANY_SIGN, _IN_WORDS)
)
"""Marks that stand apart. ENDS stands for what ends a text.

``N f3`` may be a knight's move in two parts: there N is no sign.
"""
_MARK: Final = re.compile(
    rb"(?P<sign>%b|[!?]{3,}|(?<=[2-7+#!?])N)|(?P<diagram>(?<=[2-7+#!?])D)|(?P<check>(?<=[!?])[+#]+|%b)|(?P<stray>[,.:]+)"
    rb"|(?P<joined>(?:1-0|0-1|1/2-1/2|\*)\Z)" % (_ANY_SIGN, _IN_WORDS)
)
_MARKED: Final = re.compile(
    rb"(?P<move>(?:[^!?,]*?[a-h][1-8](?:[=/]?[QRBNqrbn]|\([QRBNqrbn]\))?|[Oo]-[Oo](?:-[Oo])?"
    rb"|0-0(?:-0)?)[+#]{0,2}?)(?P<glyph>(?:!!|\?\?|!\?|\?!|!|\?)(?![!?]))?"
    rb"(?P<marks>(?:%b)+)\Z" % re.sub(rb"\(\?P<\w+>", b"(?:", _MARK.pattern)
)
_LONGEST: Final = 40


Mark = tuple[str, int, int, str]
"""A mark in a text: its kind, where it begins and ends, and what would stand in PGN, if anything.

The kind is a sign, a diagram, check, stray punctuation, or a joined result.
"""


def due_for(kind: str, text: bytes, results: Mapping[bytes, bytes]) -> str:
    """Return what would stand in PGN for a mark of a kind, or a result written otherwise."""
    if kind in {"sign", "diagram"}:
        code = _SIGNS.get(text) or _LETTERS.get(text) or _GLYPHS.get(text[:2], 5)
        return f"${code}"
    return text.decode() if kind == "joined" else results.get(text, b"").decode()


def marked(text: bytes) -> tuple[int, int, list[Mark]] | None:
    """Return where a move ends that has marks after it without a space; None if it has none.

    With it are where its suffix annotation ends, and the marks. A pawn's move with = has none:
    ``e4=`` has a sign of promotion too much.
    """
    found = _MARKED.match(text) if len(text) <= _LONGEST else None
    if found is None or (text[:1] in b"abcdefgh" and found["marks"][:1] == b"="):
        return None
    begin = found.start("marks")
    kinds = ((m.lastgroup or "", *m.span(), m[0]) for m in _MARK.finditer(text, begin))
    marks = [(kind, start, end, due_for(kind, part, {})) for kind, start, end, part in kinds]
    return found.end("move"), begin, marks
